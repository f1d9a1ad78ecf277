package io.trawl.lease;

import java.util.UUID;

/**
 * One attempt to hold a shard. A call that arrives late acts for its own claim only, never for a later one of the same process.
 *
 * @param token that no other claim has
 */
public record Claim(Shard shard, String token) {
    /** A claim that nobody has made before. */
    public static Claim on(Shard shard) {
        return new Claim(shard, UUID.randomUUID().toString());
    }
}
