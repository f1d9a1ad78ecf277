package io.trawl.access;

import io.trawl.model.Role;
import io.trawl.settings.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Judges calls by their bearer token (RFC 6750). Without a token a caller has the role of the anonymous: {@link Role#WRITE} as long as the process listens
 * on loopback only and no token is set, otherwise {@link Role#NONE}, unless the settings say something else. Tokens are compared in constant time and
 * never shown. Immutable.
 */
public final class Access {
    private static final Pattern BEARER = Pattern.compile("Bearer +([A-Za-z0-9._~+/=-]+) *", Pattern.CASE_INSENSITIVE);
    private final Optional<String> readToken;
    private final Optional<String> writeToken;
    private final Role anonymous;

    /** What became of a call. */
    public enum Verdict {
        /** Go on. */
        GRANTED,
        /** Nobody known is asking: 401. */
        UNKNOWN,
        /** Whoever is asking may not do that: 403. */
        FORBIDDEN
    }

    private Access(Optional<String> readToken, Optional<String> writeToken, Role anonymous) {
        this.readToken = readToken;
        this.writeToken = writeToken;
        this.anonymous = anonymous;
    }

    /** What the settings of a process say. */
    public static Access of(Settings settings) {
        Settings.Api api = settings.api();
        boolean tokens = api.readToken().isPresent() || api.writeToken().isPresent();
        Role usual = !tokens && loopback(settings.http().bind()) ? Role.WRITE : Role.NONE;
        return new Access(api.readToken(), api.writeToken(), api.anonymous().orElse(usual));
    }

    private static boolean loopback(String address) {
        try {
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** What callers without a token may do. */
    public Role anonymous() {
        return anonymous;
    }

    /** Whether nobody at all may call: no token is set, and the anonymous may do nothing. */
    public boolean closed() {
        return anonymous == Role.NONE && readToken.isEmpty() && writeToken.isEmpty();
    }

    /** The header that other processes of this deployment take; empty if there is no token for writing. */
    public Optional<String> credentials() {
        return writeToken.map(token -> "Bearer " + token);
    }

    /**
     * Judges a call.
     *
     * @param authorization its {@code Authorization} header
     * @param needed what it is about to do
     */
    public Verdict judge(Optional<String> authorization, Role needed) {
        Optional<Role> role = authorization.map(this::role).orElse(Optional.of(anonymous));
        if (role.isEmpty()) {
            return Verdict.UNKNOWN;
        }
        if (role.get().allows(needed)) {
            return Verdict.GRANTED;
        }
        return authorization.isPresent() ? Verdict.FORBIDDEN : Verdict.UNKNOWN;
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
