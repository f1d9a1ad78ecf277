package io.trawl.testkit;

import io.trawl.embedded.EmbeddedServers;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * The Kafka and Redis servers that the tests of this JVM share: embedded ones, or with
 * {@code -Dtrawl.servers=containers} those of {@link ServerContainers}. Tests that kill servers start their own
 * embedded ones.
 *
 * @param bootstrapServers of Kafka
 * @param redisUrl of Redis
 * @param operatorUrl of Redis, for a test that does what no process of Trawl may
 * @param ofKafka an outage of Kafka
 * @param ofRedis an outage of Redis
 * @param admin asks this Kafka; it is never closed
 */
public record TestServers(String bootstrapServers, String redisUrl, String operatorUrl, ServerOutage ofKafka,
        ServerOutage ofRedis, Admin admin) {
    private static final String CHOICE = "trawl.servers";

    /** Starts them at the first call; they end with the JVM. */
    public static TestServers shared() {
        return Shared.SERVERS;
    }

    /**
     * Those in containers, started at the first call; skips the test, or fails it if they are required, where no engine
     * answers.
     */
    public static TestServers inContainers() {
        ContainerEngine.demand(ServerContainers.images());
        return Containers.SERVERS;
    }

    private static TestServers start() {
        return switch (System.getProperty(CHOICE, "embedded")) {
            case "embedded" -> embedded();
            case "containers" -> inContainers();
            case String other ->
                throw new IllegalStateException("-D" + CHOICE + "=" + other + ": embedded or containers");
        };
    }

    private static TestServers embedded() {
        EmbeddedServers servers = EmbeddedServers.shared();
        return new TestServers(servers.kafka().bootstrapServers(), servers.redis().url(), servers.redis().operatorUrl(),
                new ServerOutage(servers.kafka()::stop, servers.kafka()::start),
                new ServerOutage(servers.redis()::stop, servers.redis()::start),
                admin(servers.kafka().bootstrapServers()));
    }

    static Admin admin(String bootstrapServers) {
        return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
    }

    private static final class Containers {
        static final TestServers SERVERS = ServerContainers.start();
    }

    private static final class Shared {
        static final TestServers SERVERS = start();
    }
}
