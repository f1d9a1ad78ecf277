package io.trawl.http;

import io.trawl.settings.Role;
import io.trawl.settings.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Judges calls by their bearer token (RFC 6750), or by a {@link CallSignature} that is made with one. Without a token a caller has the role of the anonymous: {@link Role#WRITE} as long as the process listens
 * on loopback only and no token is set, otherwise {@link Role#NONE}, unless the settings say something else. Tokens are compared in constant time and
 * never shown. Immutable.
 */
final class Access {
    private static final Pattern BEARER = Pattern.compile("Bearer +([A-Za-z0-9._~+/=-]+) *", Pattern.CASE_INSENSITIVE);
    private final Optional<String> readToken;
    private final Optional<String> writeToken;
    private final Role anonymous;
    private final Map<CallSignature, Role> signers;
    private final InstantSource clock;

    private Access(Settings.ApiSettings settings, Role anonymous, InstantSource clock) {
        this.readToken = settings.readToken();
        this.writeToken = settings.writeToken();
        this.anonymous = anonymous;
        this.clock = clock;
        Map<CallSignature, Role> known = new LinkedHashMap<>();
        settings.internalKey().ifPresent(key -> known.put(CallSignature.by(key), Role.WRITE));
        writeToken.ifPresent(token -> known.put(CallSignature.by(token), Role.WRITE));
        readToken.ifPresent(token -> known.put(CallSignature.by(token), Role.READ));
        this.signers = Collections.unmodifiableMap(known);
    }

    /** What the settings of a process say. @param clock of the machine */
    static Access of(Settings settings, InstantSource clock) {
        Settings.ApiSettings apiSettings = settings.api();
        boolean tokens = apiSettings.readToken().isPresent() || apiSettings.writeToken().isPresent();
        Role usual = !tokens && loopback(settings.http().bind()) ? Role.WRITE : Role.NONE;
        return new Access(apiSettings, apiSettings.anonymous().orElse(usual), clock);
    }

    /** Whether it is reached from this machine only. */
    static boolean loopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Whether every call is refused: no token is set, and the anonymous may do nothing. */
    private boolean closed() {
        return anonymous == Role.NONE && readToken.isEmpty() && writeToken.isEmpty();
    }

    /**
     * Lets a call in.
     *
     * @param needed what it is about to do
     * @param address where this process is called, as in its MID
     * @throws CallRefusedException 401 if the caller is not known, 403 if it is known and may not do that
     */
    void admit(CallHead call, Role needed, Supplier<String> address) {
        Optional<String> authorization = call.header("Authorization");
        Optional<Role> role = authorization.isEmpty()
                ? Optional.of(anonymous)
                : CallSignature.claimed(authorization.get()) ? signer(call, address.get()) : role(authorization.get());
        if (role.filter(r -> r.allows(needed)).isPresent()) {
            return;
        }
        if (role.isPresent() && authorization.isPresent()) {
            throw new CallRefusedException(403, "this token may only " + Role.READ.word());
        }
        throw new CallRefusedException(401, closed()
                ? "no token is set: set TRAWL_API_WRITE_TOKEN, or TRAWL_API_ANONYMOUS to allow every caller that reaches this address"
                : "a token is needed: Authorization: Bearer TOKEN");
    }

    private Optional<Role> signer(CallHead call, String address) {
        for (Map.Entry<CallSignature, Role> signer : signers.entrySet()) {
            Optional<Instant> at = signer.getKey().signed(call, address);
            if (at.isPresent()) {
                Duration age = Duration.between(at.get(), clock.instant());
                if (age.abs().compareTo(CallSignature.VALID) > 0) {
                    throw new CallRefusedException(401, "the signature of the call is " + age.toSeconds()
                            + " s old: the clocks of the two machines differ by more than a minute, or the call was held up");
                }
                return Optional.of(signer.getValue());
            }
        }
        return Optional.empty();
    }

    private Optional<Role> role(String authorization) {
        Matcher bearer = BEARER.matcher(authorization);
        if (!bearer.matches()) {
            return Optional.empty();
        }
        if (writeToken.filter(token -> same(token, bearer.group(1))).isPresent()) {
            return Optional.of(Role.WRITE);
        }
        return readToken.filter(token -> same(token, bearer.group(1))).map(token -> Role.READ);
    }

    private static boolean same(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
