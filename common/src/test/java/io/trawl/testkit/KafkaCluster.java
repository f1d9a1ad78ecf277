package io.trawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kafka.Kafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;

/**
 * Kafka brokers of one cluster on loopback, each a process of its own that is also a controller, with the settings of
 * {@code deploy/compose/compose.brokers.yaml}. Not thread-safe.
 */
public final class KafkaCluster implements AutoCloseable {
    /** After it the controller takes a killed broker for gone: Kafka's default. */
    public static final Duration SESSION = Duration.ofSeconds(9);
    private static final Pattern SETTING = Pattern.compile("^  (?:KAFKA_|(?=CLUSTER))([A-Z_]+): \"?([^{\"\\n]+)\"?$",
            Pattern.MULTILINE);
    private final Path folder;
    private final List<Integer> ports;
    private final List<Process> brokers = new ArrayList<>();
    private final Admin admin;

    /**
     * Starts the brokers and returns when all are ready.
     *
     * @param folder of their data, settings and logs
     * @param size how many
     * @param more settings of each
     */
    public KafkaCluster(Path folder, int size, Map<String, String> more) {
        this.folder = folder;
        this.ports = Stream.generate(FreePort::find).limit(size).toList();
        List<Integer> controllers = Stream.generate(FreePort::find).limit(size).toList();
        for (int node = 0; node < size; node++) {
            format(node, controllers, more);
            brokers.add(start(node));
        }
        this.admin = TestServers.admin(bootstrapServers());
        awaitInSync();
    }

    /** The addresses of all brokers, for clients. */
    public String bootstrapServers() {
        return ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    private void format(int node, List<Integer> controllers, Map<String, String> more) {
        String log = folder.resolve("broker-" + node).toString();
        Map<String, String> settings = new TreeMap<>(composed());
        settings.putAll(Map.of("node.id", Integer.toString(node), "log.dirs", log, "listeners",
                "INTERNAL://127.0.0.1:" + ports.get(node) + ",CONTROLLER://127.0.0.1:" + controllers.get(node),
                "advertised.listeners", "INTERNAL://127.0.0.1:" + ports.get(node), "controller.quorum.voters",
                IntStream.range(0, controllers.size()).mapToObj(i -> i + "@127.0.0.1:" + controllers.get(i)).collect(
                        Collectors.joining(",")),
                "broker.session.timeout.ms", Long.toString(SESSION.toMillis()),
                // For a heap of a test.
                "log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20)));
        settings.putAll(more);
        try (PrintStream quiet = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            Files.writeString(file(node), settings.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue() + "\n")
                    .collect(Collectors.joining()));
            new Formatter().setPrintStream(quiet).setNodeId(node)
                    .setClusterId(String.valueOf(settings.get("cluster.id"))).setDirectories(List.of(log))
                    .setMetadataLogDirectory(log)
                    .setControllerListenerName(String.valueOf(settings.get("controller.listener.names")))
                    .setSupportedFeatures(Feature.PRODUCTION_FEATURES).run();
        } catch (Exception e) {
            throw new IllegalStateException("cannot format broker " + node, e);
        }
    }

    /** The variables of the images are the settings of Kafka in upper case. */
    private static Map<String, String> composed() {
        try {
            return SETTING.matcher(Files.readString(Repository.file("deploy/compose/compose.brokers.yaml"))).results()
                    .collect(Collectors.toMap(line -> line.group(1).toLowerCase(Locale.ROOT).replace('_', '.'),
                            line -> line.group(2)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(int node) {
        return folder.resolve("broker-" + node + ".properties");
    }

    private Process start(int node) {
        try {
            return TestJvm.of(Kafka.class, List.of(), List.of(file(node).toString()))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log(node).toFile())).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path log(int node) {
        return folder.resolve("broker-" + node + ".log");
    }

    /** {@code kill -9} to one of the brokers. @return its number */
    public int kill(Random random) {
        int victim = random.nextInt(brokers.size());
        brokers.get(victim).destroyForcibly().onExit().join();
        return victim;
    }

    /** Starts a killed broker again, and returns when all replicas are in sync. */
    public void restart(int node) {
        brokers.set(node, start(node));
        awaitInSync();
    }

    /** All brokers are there, and have all records of their partitions. */
    private void awaitInSync() {
        await().until(() -> {
            checkRunning();
            try {
                return admin.describeCluster().nodes().get().size() == brokers.size() && admin
                        .describeTopics(admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get())
                        .allTopicNames().get().values().stream().flatMap(topic -> topic.partitions().stream())
                        .allMatch(partition -> partition.isr().size() == partition.replicas().size());
            } catch (ExecutionException e) {
                return false;
            }
        });
    }

    /** Fails if a broker has ended that nobody has killed. */
    public void checkRunning() {
        for (int node = 0; node < brokers.size(); node++) {
            assertThat(brokers.get(node).isAlive()).as("%s", log(node)).isTrue();
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
        brokers.forEach(broker -> broker.destroyForcibly().onExit().join());
    }
}
