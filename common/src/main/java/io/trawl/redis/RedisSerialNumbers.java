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
 * Serial numbers from 1 to a maximum, then from 1 again (S5), skipping numbers in use. A number in use has a key with a lease. If Redis loses all
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
    private final long max;
    private final String holder = UUID.randomUUID().toString();

    RedisSerialNumbers(RedisConnection redis, String namespace, Duration lease, long max) {
        if (max < 1 || max > LARGEST_MAX) {
            throw new IllegalArgumentException("the largest serial number is 1 to " + LARGEST_MAX + ", not " + max);
        }
        this.redis = redis;
        this.namespace = namespace;
        this.lease = lease;
        this.max = max;
    }

    @Override
    public long take(ModuleKind kind) {
        long number = redis.number(RedisScript.TAKE, key(kind), text(max), text(holder), text(lease.toMillis()),
                text(MOST_TRIES));
        if (number == 0) {
            throw new IllegalStateException(
                    "all serial numbers up to " + max + " of kind " + kind.word() + " are held by live processes");
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

    /** The state of the generator of a kind. */
    public Position position(ModuleKind kind) {
        List<byte[]> found = redis.list(RedisScript.POSITION, key(kind));
        return new Position(1, max, number(found.get(0)), number(found.get(1)));
    }

    private static long number(byte[] text) {
        return Long.parseLong(new String(text, StandardCharsets.UTF_8));
    }

    private String key(ModuleKind kind) {
        return RedisKeys.serials(namespace, kind);
    }

    /**
     * The state of a generator (S5).
     *
     * @param start the smallest number
     * @param max the largest
     * @param next the number to try next
     * @param cycles how often the numbers have wrapped around
     */
    public record Position(long start, long max, long next, long cycles) {}
}
