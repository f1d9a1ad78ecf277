package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.model.ModuleKind;
import io.trawl.module.SerialNumbers;
import io.trawl.module.SerialNumbers.SerialNumberLostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Serial numbers from a start to a maximum, then from the start again (S5), skipping numbers in use. A number in use has a key with a lease. If Redis loses all
 * data, the holders write their keys again with their next renewal; a process that took such a number meanwhile keeps it, and the earlier
 * holder's renewal fails.
 */
public final class RedisSerialNumbers implements SerialNumbers {
    /** The default maximum: short enough to be readable. */
    public static final long DEFAULT_MAX = 999_999_999;
    /** The largest number that Lua scripts represent exactly. */
    public static final long LARGEST_MAX = (1L << 53) - 1;
    private static final int MOST_TRIES = 100_000;

    private final RedisConnection redis;
    private final String namespace;
    private final Duration lease;
    private final long start;
    private final long max;
    private final String holder = UUID.randomUUID().toString();

    RedisSerialNumbers(RedisConnection redis, String namespace, Duration lease, long start, long max) {
        if (max < start || start < 1 || max > LARGEST_MAX) {
            throw new IllegalArgumentException(
                    "serial numbers are in 1 to " + LARGEST_MAX + ", not from " + start + " to " + max);
        }
        this.redis = redis;
        this.namespace = namespace;
        this.lease = lease;
        this.start = start;
        this.max = max;
    }

    @Override
    public long take(ModuleKind kind) {
        long number = redis.number(RedisScript.TAKE, key(kind), text(max), text(holder), text(lease.toMillis()),
                text(MOST_TRIES), text(start));
        if (number == 0) {
            throw new IllegalStateException(
                    "all serial numbers from " + start + " to " + max + " of kind " + kind.word()
                            + " are held by live processes");
        }
        return number;
    }

    @Override
    public void renew(ModuleKind kind, long serial) {
        if (redis.number(RedisScript.HOLD, key(kind) + ":" + serial, text(holder), text(lease.toMillis())) == 0) {
            throw new SerialNumberLostException(kind, serial);
        }
    }

    @Override
    public void release(ModuleKind kind, long serial) {
        redis.number(RedisScript.HOLD, key(kind) + ":" + serial, text(holder), text(0));
    }

    @Override
    public Position position(ModuleKind kind) {
        List<byte[]> found = redis.list(RedisScript.POSITION, key(kind));
        return new Position(start, max, Math.clamp(number(found.get(0)), start, max), number(found.get(1)));
    }

    private static long number(byte[] text) {
        return Long.parseLong(new String(text, StandardCharsets.UTF_8));
    }

    private String key(ModuleKind kind) {
        return RedisKeys.serials(namespace, kind);
    }
}
