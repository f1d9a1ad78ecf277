package io.trawl.testkit;

import java.util.ArrayList;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Kafka and Redis in containers, configured as docs/configuration.md requires. {@code -Dtrawl.images=KAFKA,REDIS} names
 * other images.
 */
final class ServerContainers {
    private static final String IMAGES = "trawl.images";
    private static final String DEFAULT = "apache/kafka:4.2.2,redis:7-alpine";
    private static final String REAPER = "testcontainers/ryuk:0.14.0";
    private static final int REDIS_PORT = 6379;

    private ServerContainers() {}

    /** All required images; tests check that they exist before they start a container. */
    static String[] images() {
        List<String> images = new ArrayList<>(named());
        if (!"true".equals(System.getenv("TESTCONTAINERS_RYUK_DISABLED"))) {
            images.add(REAPER);
        }
        return images.toArray(String[]::new);
    }

    private static List<String> named() {
        List<String> images = List.of(System.getProperty(IMAGES, DEFAULT).split(","));
        if (images.size() != 2) {
            throw new IllegalStateException("-D" + IMAGES + " must name two images: Kafka's and Redis'");
        }
        return images;
    }

    static TestServers start() {
        DockerImageName kafkaImage = DockerImageName.parse(named().getFirst())
                .asCompatibleSubstituteFor("apache/kafka");
        KafkaContainer kafka = new KafkaContainer(kafkaImage).withStartupTimeout(TestTimeouts.LIMIT)
                .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
                .withEnv("KAFKA_GROUP_CONSUMER_SESSION_TIMEOUT_MS", "3000")
                .withEnv("KAFKA_GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS", "3000")
                .withEnv("KAFKA_GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS", "300")
                .withEnv("KAFKA_GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS", "300")
                .withEnv("KAFKA_TRANSACTION_ABORT_TIMED_OUT_TRANSACTION_CLEANUP_INTERVAL_MS", "1000")
                .withEnv("KAFKA_MESSAGE_MAX_BYTES", Integer.toString(16 << 20));
        GenericContainer<?> redis = new GenericContainer<>(DockerImageName.parse(named().getLast()))
                .withExposedPorts(REDIS_PORT).withStartupTimeout(TestTimeouts.LIMIT).withCommand("redis-server",
                        "--appendonly", "yes", "--appendfsync", "always", "--save", "", "--maxmemory-policy",
                        "noeviction", "--hash-max-ziplist-entries", "512", "--hash-max-ziplist-value", "64");
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> {
            kafka.stop();
            redis.stop();
        }));
        kafka.start();
        redis.start();
        String redisUrl = "redis://" + redis.getHost() + ":" + redis.getMappedPort(REDIS_PORT);
        return new TestServers(kafka.getBootstrapServers(), redisUrl, redisUrl, frozen(kafka), frozen(redis),
                TestServers.admin(kafka.getBootstrapServers()));
    }

    /** Frozen, since a restarted container would have another port. */
    private static ServerOutage frozen(GenericContainer<?> container) {
        return new ServerOutage(() -> ContainerEngine.docker("pause", container.getContainerId()).good(),
                () -> ContainerEngine.docker("unpause", container.getContainerId()).good());
    }
}
