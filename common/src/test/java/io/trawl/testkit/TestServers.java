package io.trawl.testkit;

import io.trawl.embedded.EmbeddedServers;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The Kafka and Redis servers that the tests of this JVM share. {@code -Dtrawl.servers} is {@code auto} (the default): containers if an engine
 * answers and has the images, otherwise embedded; {@code containers}, which fails if they are not available; or {@code embedded}. Tests that kill
 * servers start their own embedded ones.
 *
 * @param bootstrapServers of Kafka
 * @param redisUrl of Redis
 * @param operatorUrl of Redis, for a test that does what no process of Trawl may
 * @param ofKafka an outage of Kafka
 * @param ofRedis an outage of Redis
 */
public record TestServers(String bootstrapServers, String redisUrl, String operatorUrl, ServerOutage ofKafka,
        ServerOutage ofRedis) {
    private static final String CHOICE = "trawl.servers";

    private static final AtomicBoolean STARTED = new AtomicBoolean();

    /** Starts them at the first call; they end with the JVM. */
    public static TestServers shared() {
        STARTED.set(true);
        return Shared.SERVERS;
    }

    /** Whether a test of this JVM has asked for them. */
    static boolean started() {
        return STARTED.get();
    }

    private static TestServers start() {
        String choice = System.getProperty(CHOICE, "auto");
        if (choice.equals("embedded")) {
            return embedded();
        }
        Optional<String> obstacle = ContainerEngine.obstacle(ServerContainers.images());
        if (obstacle.isEmpty()) {
            return ServerContainers.start();
        }
        if (choice.equals("containers")) {
            throw new IllegalStateException("-D" + CHOICE + "=containers, but " + obstacle.get());
        }
        System.out.println("embedded servers: " + obstacle.get());
        return embedded();
    }

    private static TestServers embedded() {
        EmbeddedServers servers = EmbeddedServers.shared();
        return new TestServers(servers.kafka().bootstrapServers(), servers.redis().url(), servers.redis().operatorUrl(),
                new ServerOutage(servers.kafka()::stop, servers.kafka()::start),
                new ServerOutage(servers.redis()::stop, servers.redis()::start));
    }

    private static final class Shared {
        static final TestServers SERVERS = start();
    }
}
