package io.trawl.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisException;

/** What is asked of, and done to, a redis-server process that may be ours, an orphan of ours, or somebody else's. */
final class RedisProcess {
    private static final int MILLIS_TO_ANSWER = 2000;
    static final Duration TO_END = Duration.ofSeconds(10);

    private RedisProcess() {}

    /** The process id of the redis-server that listens on the port, if there is one and it works on that folder. */
    static Optional<Long> at(int port, Path folder) {
        try (Jedis redis = new Jedis(BrokerSettings.LOOPBACK, port, MILLIS_TO_ANSWER)) {
            List<String> dir = redis.configGet("dir");
            return dir.size() == 2 && Path.of(dir.get(1)).equals(folder)
                    ? redis.info("server")
                            .lines()
                            .filter(line -> line.startsWith("process_id:"))
                            .map(line -> Long.valueOf(line.substring("process_id:".length()).strip()))
                            .findFirst()
                    : Optional.empty();
        } catch (JedisException e) {
            return Optional.empty();
        }
    }

    /** Whether a redis-server answers at the port and has read its data. */
    static boolean ready(int port) {
        try (Jedis redis = new Jedis(BrokerSettings.LOOPBACK, port, MILLIS_TO_ANSWER)) {
            return redis.ping().equals("PONG");
        } catch (JedisException e) {
            return false;
        }
    }

    /** Asks it to write out what it has and to end; ends it by force if it does not. */
    static void stop(ProcessHandle process, int port) {
        try (Jedis redis = new Jedis(BrokerSettings.LOOPBACK, port, MILLIS_TO_ANSWER)) {
            redis.shutdown();
        } catch (JedisException e) {
            // It answers no more; what counts is whether the process ends.
        }
        if (!ends(process, TO_END)) {
            end(process);
        }
    }

    /** Ends it by signals. Loses nothing: what it has acknowledged is on disk. */
    static void end(ProcessHandle process) {
        process.destroy();
        if (!ends(process, TO_END)) {
            process.destroyForcibly();
            ends(process, TO_END);
        }
    }

    /** Whether the process ends within the time. */
    static boolean ends(ProcessHandle process, Duration within) {
        try {
            process.onExit().get(within.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return !process.isAlive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }
}
