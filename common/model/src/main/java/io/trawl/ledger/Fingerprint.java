package io.trawl.ledger;

import io.trawl.model.Sha256;
import java.nio.ByteBuffer;

/**
 * 128 bits that identify a request: the beginning of the SHA-256 of its identity. An attacker cannot make two collide,
 * and 10^9 collide with a probability of about 10^-21. The ledger keeps the first 80 bits.
 */
public record Fingerprint(long high, long low) {
    /**
     * The fingerprint of the {@link io.trawl.model.Request#identity identity} of a request: of a plain GET, its
     * normalised URL.
     */
    public static Fingerprint of(String identity) {
        ByteBuffer digest = ByteBuffer.wrap(Sha256.of(identity));
        return new Fingerprint(digest.getLong(), digest.getLong());
    }
}
