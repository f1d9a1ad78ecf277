package io.trawl.ledger;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * 128 bits that identify a request: the beginning of the SHA-256 of its identity. An attacker cannot make two collide, and 10^9 collide with a
 * probability of about 10^-21. Some bits of {@code high} choose a bucket in the ledger, {@code low} is the field in it.
 */
public record Fingerprint(long high, long low) {
    /** The fingerprint of the {@link io.trawl.model.Request#identity identity} of a request: of a plain GET, its normalised URL. */
    public static Fingerprint of(String identity) {
        ByteBuffer digest = ByteBuffer.wrap(sha256().digest(identity.getBytes(StandardCharsets.UTF_8)));
        return new Fingerprint(digest.getLong(), digest.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
