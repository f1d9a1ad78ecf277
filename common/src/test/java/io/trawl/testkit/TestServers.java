package io.trawl.testkit;

import io.trawl.embedded.EmbeddedServers;
import java.util.Optional;

/**
 * The Kafka and the Redis that the tests of this JVM share. By {@code -Dtrawl.servers}: {@code auto} (the default), containers where an engine answers and
 * has the images, else embedded; {@code containers}, which fails where they cannot be had; {@code embedded}. Tests that kill servers have some of their
 * own, which are embedded.
 *
 * @param bootstrapServers of Kafka
 * @param redisUrl of Redis
 * @param ofKafka takes Kafka away
 * @param ofRedis takes Redis away
 */
public record TestServers(String bootstrapServers, String redisUrl, Outage ofKafka, Outage ofRedis) {
    private static final String CHOICE = "trawl.servers";

    /** Starts them at the first call; they end with the JVM. */
    public static TestServers shared() {
        return Shared.SERVERS;
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
        return new TestServers(servers.kafka().bootstrapServers(), servers.redis().url(),
                new Outage(servers.kafka()::stop, servers.kafka()::start),
                new Outage(servers.redis()::stop, servers.redis()::start));
    }

    private static final class Shared {
        static final TestServers SERVERS = start();
    }
}
