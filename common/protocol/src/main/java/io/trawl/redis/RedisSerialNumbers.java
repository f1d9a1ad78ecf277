package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.model.InvalidValueException;
import io.trawl.model.ModuleKind;
import io.trawl.module.SerialNumbers;
import io.trawl.module.SerialNumbers.SerialNumberLostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Serial numbers from a start to a maximum, then from the start again (S5), skipping numbers in use. A number in use
 * has a lease. If Redis loses all data, the holders write their leases again with their next renewal; a process that
 * took such a number meanwhile keeps it, and the earlier holder's renewal fails.
 */
public final class RedisSerialNumbers implements SerialNumbers {
    /** The default maximum: short enough to be readable. */
    public static final long DEFAULT_MAX = 999_999_999;

    private final RedisConnection redis;
    private final String namespace;
    private final Duration lease;
    private final Supplier<SerialRange> ranges;
    private final String holder = UUID.randomUUID().toString();

    RedisSerialNumbers(RedisConnection redis, String namespace, Duration lease, Supplier<SerialRange> ranges) {
        this.redis = redis;
        this.namespace = namespace;
        this.lease = lease;
        this.ranges = ranges;
    }

    @Override
    public long take(ModuleKind kind) {
        SerialRange range = ranges.get();
        long number = redis.number(RedisScript.TAKE, key(kind), text(range.largest()), text(holder),
                text(lease.toMillis()), text(range.start()));
        if (number == 0) {
            throw new InvalidValueException("serialsLargest", Long.toString(range.largest()),
                    "larger, since live processes of kind " + kind.word() + " hold all numbers from " + range.start()
                            + " to " + range.largest());
        }
        return number;
    }

    @Override
    public void renew(ModuleKind kind, long serial) {
        if (redis.number(RedisScript.HOLD, key(kind), text(serial), text(holder), text(lease.toMillis())) == 0) {
            throw new SerialNumberLostException(kind, serial);
        }
    }

    @Override
    public void release(ModuleKind kind, long serial) {
        redis.number(RedisScript.HOLD, key(kind), text(serial), text(holder), text(0));
    }

    @Override
    public Position position(ModuleKind kind) {
        List<byte[]> found = redis.list(RedisScript.POSITION, key(kind));
        SerialRange range = ranges.get();
        return new Position(range.start(), range.largest(),
                Math.clamp(number(found.get(0)), range.start(), range.largest()), number(found.get(1)));
    }

    private static long number(byte[] text) {
        return Long.parseLong(new String(text, StandardCharsets.UTF_8));
    }

    private String key(ModuleKind kind) {
        return RedisKeys.serials(namespace, kind);
    }
}
