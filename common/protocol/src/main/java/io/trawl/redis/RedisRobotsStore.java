package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.model.HostKey;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.politeness.RobotsStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * robots.txt files as one key each, which expire in Redis. They are not about records in Kafka, so they outlive the
 * cluster.
 */
record RedisRobotsStore(RedisConnection redis, RedisKeys redisKeys) implements RobotsStore {
    /** Packed files longer than this are not stored: each process fetches them itself. */
    private static final int LARGEST = 500 * 1024;

    @Override
    public Optional<StoredRobots> find(HostKey host, String token) {
        List<byte[]> kept = redis.list(RedisScript.ROBOTS_READ, redisKeys.robots(host, token));
        if (kept.size() < 2) {
            return Optional.empty();
        }
        Duration left = Duration
                .ofMillis(Long.parseLong(new String(kept.get(1), java.nio.charset.StandardCharsets.US_ASCII)));
        return left.isPositive()
                ? PackedRobots.unpack(kept.get(0)).map(answer -> new StoredRobots(answer, left))
                : Optional.empty();
    }

    @Override
    public void keep(HostKey host, String token, RobotsAnswer answer, Duration believed) {
        byte[] packed = PackedRobots.pack(answer);
        if (believed.toMillis() > 0 && packed.length <= LARGEST) {
            redis.number(RedisScript.ROBOTS_WRITE, redisKeys.robots(host, token), text(believed.toMillis()), packed);
        }
    }
}
