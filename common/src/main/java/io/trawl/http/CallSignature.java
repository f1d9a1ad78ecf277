package io.trawl.http;

import io.trawl.model.Sha256;
import io.trawl.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs calls to addresses that come from Redis, so that no token is sent there: HMAC-SHA256 over method, address, path
 * and query, digest of the body (RFC 9530), name of the caller and time, with a key that is derived from a token. A
 * signature is valid for one call at one address, for a minute: a program that registers a false address gets one that
 * is valid at that address only. Immutable and thread-safe.
 */
public final class CallSignature {
    /** How old a signature may be, and by how much clocks may differ. */
    static final Duration VALID = Duration.ofMinutes(1);
    private static final String SCHEME = "Trawl-Signature";
    private static final Pattern FORM = Pattern.compile(SCHEME + " ([0-9]{1,12}):([A-Za-z0-9_-]{43})");
    private static final String ALGORITHM = "HmacSHA256";
    private static final String DIGEST = "Content-Digest";
    private static final String DIGEST_PREFIX = "sha-256=:";
    private final SecretKeySpec key;

    private CallSignature(SecretKeySpec key) {
        this.key = key;
    }

    /** With the key that is derived from a token. */
    public static CallSignature by(String token) {
        byte[] derived = hmac(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), ALGORITHM),
                "trawl call signature 1");
        return new CallSignature(new SecretKeySpec(derived, ALGORITHM));
    }

    /**
     * How a process signs its calls to other processes of its deployment; empty if it has neither a key nor a token.
     */
    public static Optional<CallSignature> of(Settings settings) {
        Settings.ApiSettings api = settings.api();
        return api.internalKey().or(api::writeToken).or(api::readToken).map(CallSignature::by);
    }

    /**
     * The headers that sign a call.
     *
     * @param address {@code host:port} of the process that is called, as in its MID
     * @param target path and query, encoded
     * @param body empty for a call without one, and for one whose body is sent as it comes
     * @param caller the name of the caller for whom it is passed on, if it is
     */
    public Map<String, String> headers(String method, String address, String target, Optional<byte[]> body, Instant now,
            Optional<String> caller) {
        Map<String, String> headers = new HashMap<>();
        caller.ifPresent(name -> headers.put(Caller.HEADER, name));
        body.ifPresent(bytes -> headers.put(DIGEST, digest(bytes)));
        headers.put("Authorization", SCHEME + " " + now.getEpochSecond() + ":" + signature(method, address, target,
                headers.getOrDefault(DIGEST, ""), caller.orElse(""), now.getEpochSecond()));
        return headers;
    }

    /** Whether a call says that it is signed. */
    static boolean claimed(String authorization) {
        return authorization.startsWith(SCHEME + " ");
    }

    /** When a call was signed; empty if it is not signed with this key for this address. */
    Optional<Instant> signed(CallHead call, String address) {
        Matcher form = FORM.matcher(call.header("Authorization").orElse(""));
        if (!form.matches()) {
            return Optional.empty();
        }
        long seconds = Long.parseLong(form.group(1));
        String expected = signature(call.method(), address, call.target(), call.header(DIGEST).orElse(""),
                call.header(Caller.HEADER).orElse(""), seconds);
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.US_ASCII),
                form.group(2).getBytes(StandardCharsets.US_ASCII))
                        ? Optional.of(Instant.ofEpochSecond(seconds))
                        : Optional.empty();
    }

    /** @throws CallRefusedException 400 if the call names a SHA-256 of its body, and it has another */
    public static void checkDigest(CallHead call, byte[] body) {
        if (call.header(DIGEST).filter(d -> d.startsWith(DIGEST_PREFIX) && !d.equals(digest(body))).isPresent()) {
            throw new CallRefusedException(400, DIGEST + " is not that of the body");
        }
    }

    private static String digest(byte[] body) {
        return DIGEST_PREFIX + Base64.getEncoder().encodeToString(Sha256.of(body)) + ":";
    }

    private String signature(String method, String address, String target, String digest, String caller, long seconds) {
        String signed = String.join("\n", Long.toString(seconds), method, address.toLowerCase(Locale.ROOT), target,
                digest, caller);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(hmac(key, signed));
    }

    private static byte[] hmac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
