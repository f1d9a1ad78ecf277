package io.trawl.embedded;

import io.trawl.embedded.EmbeddedServerException.ServerStartException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker and controller in this JVM, with its data in a folder. It keeps its address across runs as long as its
 * port is free. Thread-safe. Uses Kafka's server classes, which are not a public API, so it depends on one broker
 * version.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final int ATTEMPTS = 3;
    private final Path folder;
    private final Path log;
    private final Consumer<String> lastWords;
    private final StablePorts stablePorts;
    private final int wantedPort;
    private @Nullable KafkaRaftServer server;
    private int port;

    private EmbeddedKafka(Path folder, int wantedPort, Consumer<String> lastWords) {
        this.log = folder.resolve("log");
        this.folder = folder;
        this.lastWords = lastWords;
        this.stablePorts = new StablePorts(folder.resolve("ports.properties"));
        this.wantedPort = wantedPort;
    }

    /**
     * Starts a broker and returns when it is ready.
     *
     * @param folder the broker's data; no other process may use it
     * @param port the port to listen on, or 0 for the one of the last run or any free one
     * @throws EmbeddedServerException if it does not start
     */
    public static EmbeddedKafka start(Path folder, int port) {
        return start(folder, port, System.err::println);
    }

    /**
     * The same.
     *
     * @param lastWords receives one line, on any thread, when the broker ends this JVM because it cannot go on
     */
    static EmbeddedKafka start(Path folder, int port, Consumer<String> lastWords) {
        if (folder.toString().contains(",")) {
            throw new ServerStartException("the data folder " + folder
                    + " has a comma in its path, which Kafka interprets as a list of two folders: choose another folder");
        }
        EmbeddedKafka kafka = new EmbeddedKafka(folder, port, lastWords);
        kafka.start();
        return kafka;
    }

    /**
     * Restarts a stopped broker, on the same port if that is free, and returns when it is ready. Does nothing while the
     * broker runs.
     */
    public synchronized void start() {
        if (server != null) {
            return;
        }
        new BrokerEnd(log, lastWords).report();
        for (int attempt = 1; server == null; attempt++) {
            start(attempt < ATTEMPTS);
        }
    }

    /**
     * Starts the broker. It listens seconds after its ports were chosen: another program may have taken one meanwhile.
     *
     * @param again whether to return without a broker in that case, unless the port was asked for
     */
    private void start(boolean again) {
        port = stablePorts.take("kafka", wantedPort);
        int controllerPort = stablePorts.take("controller", 0);
        KafkaRaftServer starting = null;
        try {
            format();
            starting = new KafkaRaftServer(new KafkaConfig(BrokerSettings.of(log, port, controllerPort), false),
                    Time.SYSTEM);
            starting.startup();
            server = starting;
        } catch (Exception e) {
            if (starting != null) {
                starting.shutdown();
            }
            boolean taken = !StablePorts.free(controllerPort) || wantedPort == 0 && !StablePorts.free(port);
            if (!again || !taken) {
                throw ServerStartException.of("the embedded Kafka broker", Files.exists(log) ? log : folder, e);
            }
        }
    }

    /** Shuts the broker down gracefully; the data stays. Does nothing if the broker is stopped. */
    public synchronized void stop() {
        KafkaRaftServer stopping = server;
        if (stopping != null) {
            server = null;
            stopping.shutdown();
            stopping.awaitShutdown();
        }
    }

    /** {@link #stop()} and {@link #start()}. */
    public synchronized void restart() {
        stop();
        start();
    }

    /** {@code host:port} for clients. */
    public synchronized String bootstrapServers() {
        return BrokerSettings.LOOPBACK + ":" + port;
    }

    /** The cluster id, assigned at the creation of the folder. */
    public String clusterId() {
        Properties meta = new Properties();
        try (Reader in = Files.newBufferedReader(metaProperties(), StandardCharsets.UTF_8)) {
            meta.load(in);
        } catch (IOException e) {
            throw new ServerStartException(
                    "the embedded Kafka broker's data cannot be read: " + EmbeddedServerException.reason(e), e);
        }
        return meta.getProperty("cluster.id");
    }

    @Override
    public void close() {
        stop();
    }

    private Path metaProperties() {
        return log.resolve("meta.properties");
    }

    private void format() throws Exception {
        if (Files.exists(metaProperties())) {
            return;
        }
        try (PrintStream quiet = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter().setPrintStream(quiet).setNodeId(BrokerSettings.NODE)
                    .setClusterId(Uuid.randomUuid().toString()).setDirectories(List.of(log.toString()))
                    .setMetadataLogDirectory(log.toString()).setControllerListenerName(BrokerSettings.CONTROLLER)
                    .setIgnoreFormatted(true).setSupportedFeatures(Feature.PRODUCTION_FEATURES).run();
        }
    }
}
