package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.model.HostKey;
import io.trawl.robots.FleetRobots;
import io.trawl.robots.RobotsAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Files as one key each, which Redis forgets by itself. They speak of no record of Kafka, so they outlive it. */
final class RedisRobots implements FleetRobots {
    /** What is still longer when it is packed is no robots.txt that anybody needs: its host is asked by each process. */
    private static final int LARGEST = 500 * 1024;
    private final RedisConnection redis;
    private final Keys keys;

    RedisRobots(RedisConnection redis, Keys keys) {
        this.redis = redis;
        this.keys = keys;
    }

    @Override
    public Optional<Found> find(HostKey host, String token) {
        List<byte[]> kept = redis.list(Script.ROBOTS_READ, keys.robots(host, token));
        if (kept.size() < 2) {
            return Optional.empty();
        }
        Duration left = Duration.ofMillis(Long.parseLong(new String(kept.get(1), java.nio.charset.StandardCharsets.US_ASCII)));
        return left.isPositive() ? PackedRobots.unpack(kept.get(0)).map(answer -> new Found(answer, left)) : Optional.empty();
    }

    @Override
    public void keep(HostKey host, String token, RobotsAnswer answer, Duration believed) {
        byte[] packed = PackedRobots.pack(answer);
        if (believed.toMillis() > 0 && packed.length <= LARGEST) {
            redis.number(Script.ROBOTS_WRITE, keys.robots(host, token), text(believed.toMillis()), packed);
        }
    }
}
