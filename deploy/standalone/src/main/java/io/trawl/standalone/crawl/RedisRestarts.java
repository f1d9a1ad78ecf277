package io.trawl.standalone.crawl;

import io.trawl.embedded.EmbeddedRedis;
import io.trawl.embedded.EmbeddedServerException;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the redis-server of a deployment in this JVM again when it has ended by itself, on its data and at its port,
 * so that a crawl goes on: the processes wait for it. Gives up when it has ended, or has not started, too often within
 * a minute. Used by one thread.
 */
final class RedisRestarts {
    private static final Logger LOG = LoggerFactory.getLogger(RedisRestarts.class);
    private static final int MOST = 4;
    private static final long WITHIN = Duration.ofMinutes(1).toNanos();
    private static final long BETWEEN = Duration.ofSeconds(2).toNanos();
    private final EmbeddedRedis redis;
    private final Time time;
    private final Deque<Long> attempts = new ArrayDeque<>();
    private String reason = "it ended";

    RedisRestarts(EmbeddedRedis redis, Time time) {
        this.redis = redis;
        this.time = time;
    }

    /**
     * Looks whether it has ended, and tries once to start it again: at once, then every two seconds.
     *
     * @param say is told when it runs again
     * @return why nothing more is tried
     */
    Optional<String> look(Consumer<String> say) {
        long now = time.nanos();
        if (!redis.fallen() || !attempts.isEmpty() && now - attempts.getLast() < BETWEEN) {
            return Optional.empty();
        }
        attempts.removeIf(attempt -> now - attempt > WITHIN);
        if (attempts.size() >= MOST) {
            return Optional.of("redis-server was started again " + MOST + " times within a minute: "
                    + redis.trouble().orElse(reason + "; the same command resumes from here"));
        }
        attempts.addLast(now);
        try {
            redis.start();
            reason = "it ended";
            say.accept("redis-server has ended; it runs again on its data");
        } catch (EmbeddedServerException e) {
            LOG.warn("redis-server has ended and does not start: {}", e.getMessage(), e);
            reason = String.valueOf(e.getMessage());
        }
        return Optional.empty();
    }
}
