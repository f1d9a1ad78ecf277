package io.trawl.http;

import io.trawl.settings.Role;
import io.trawl.settings.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;
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
 * Judges calls by their bearer token (RFC 6750), or by a {@link CallSignature} that is made with one. Without a token a
 * caller has the role of the anonymous: {@link Role#WRITE} as long as the process listens on loopback only and no token
 * is set, otherwise {@link Role#NONE}, unless the settings say something else. Tokens are compared in constant time and
 * never shown. Thread-safe.
 */
final class Access {
    private static final Pattern BEARER = Pattern.compile("Bearer +([A-Za-z0-9._~+/=-]+) *", Pattern.CASE_INSENSITIVE);
    private final TokenFile tokens;
    private final Role anonymous;
    private final Map<CallSignature, Role> signers;
    private final InstantSource clock;

    private Access(Settings.ApiSettings settings, TokenFile tokens, Role anonymous, InstantSource clock) {
        this.tokens = tokens;
        this.anonymous = anonymous;
        this.clock = clock;
        Map<CallSignature, Role> known = new LinkedHashMap<>();
        settings.internalKey().ifPresent(key -> known.put(CallSignature.by(key), Role.WRITE));
        settings.writeToken().ifPresent(token -> known.put(CallSignature.by(token), Role.WRITE));
        settings.readToken().ifPresent(token -> known.put(CallSignature.by(token), Role.READ));
        this.signers = Collections.unmodifiableMap(known);
    }

    /** What the settings of a process say. @param clock of the machine */
    static Access of(Settings settings, InstantSource clock) {
        TokenFile tokens = TokenFile.of(settings, clock);
        Role usual = !tokens.inUse() && loopback(settings.http().bind()) ? Role.WRITE : Role.NONE;
        return new Access(settings.api(), tokens, settings.api().anonymous().orElse(usual), clock);
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
        return anonymous == Role.NONE && !tokens.inUse();
    }

    /**
     * Lets a call in.
     *
     * @param needed what it is about to do
     * @param crawl the id of the crawl that it changes, if it changes one and nothing else
     * @param address where this process is called, as in its MID
     * @return who calls
     * @throws CallRefusedException 401 if the caller is not known, 403 if it is known and may not do that
     */
    Caller admit(CallHead call, Role needed, Optional<String> crawl, Supplier<String> address) {
        Optional<String> authorization = call.header("Authorization");
        if (authorization.isEmpty()) {
            Caller anyone = Caller.of(Caller.ANYONE, anonymous);
            anyone.check(needed, crawl, this::unknown);
            return anyone;
        }
        Caller caller = (CallSignature.claimed(authorization.get())
                ? signer(call, address.get())
                : bearer(authorization.get())).orElseThrow(this::unknown);
        caller.check(needed, crawl, () -> new CallRefusedException(403, "this token may only " + Role.READ.word()));
        return caller;
    }

    private CallRefusedException unknown() {
        return new CallRefusedException(401, closed()
                ? "no token is set: set TRAWL_API_WRITE_TOKEN, or TRAWL_API_ANONYMOUS to allow every caller that reaches this address"
                : "a token is needed: Authorization: Bearer TOKEN");
    }

    private Optional<Caller> signer(CallHead call, String address) {
        for (Map.Entry<CallSignature, Role> signer : signers.entrySet()) {
            Optional<Instant> at = signer.getKey().signed(call, address);
            if (at.isPresent()) {
                Duration age = Duration.between(at.get(), clock.instant());
                if (age.abs().compareTo(CallSignature.VALID) > 0) {
                    throw new CallRefusedException(401, "the signature of the call is " + age.toSeconds()
                            + " s old: the clocks of the two machines differ by more than a minute, or the call was held up");
                }
                return Optional.of(Caller.of(call.header(Caller.HEADER).orElse("deployment"), signer.getValue()));
            }
        }
        return Optional.empty();
    }

    private Optional<Caller> bearer(String authorization) {
        Matcher bearer = BEARER.matcher(authorization);
        return bearer.matches() ? tokens.caller(bearer.group(1)) : Optional.empty();
    }
}
