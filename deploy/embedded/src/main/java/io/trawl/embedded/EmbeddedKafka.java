package io.trawl.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker and controller in this JVM, with its data in a folder. Its address stays the same from run to run as long as its port is free.
 * Thread-safe. Uses Kafka's server classes, which are not a public API: tied to one broker version.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private final Path log;
    private final Ports ports;
    private final int wantedPort;
    private @Nullable KafkaRaftServer server;
    private int port;

    private EmbeddedKafka(Path folder, int wantedPort) {
        this.log = folder.resolve("log");
        this.ports = new Ports(folder.resolve("ports.properties"));
        this.wantedPort = wantedPort;
    }

    /**
     * Starts a broker and returns when it serves.
     *
     * @param folder its data; nobody else may use it
     * @param port the port to listen on, or 0 for the one of the last run or any free one
     * @throws EmbeddedFailure if it does not start
     */
    public static EmbeddedKafka start(Path folder, int port) {
        if (folder.toString().contains(",")) {
            throw new ServerFailed("the data folder " + folder
                    + " has a comma in its path, where Kafka takes it for two folders: name another one");
        }
        EmbeddedKafka kafka = new EmbeddedKafka(folder, port);
        kafka.start();
        return kafka;
    }

    /** Starts again what was stopped, on the same port if that is free, and returns when it serves. Does nothing while it runs. */
    public synchronized void start() {
        if (server != null) {
            return;
        }
        port = ports.take("kafka", wantedPort);
        KafkaRaftServer starting = null;
        try {
            format();
            starting = new KafkaRaftServer(new KafkaConfig(BrokerSettings.of(log, port, ports.take("controller", 0)), false),
                    Time.SYSTEM);
            starting.startup();
            server = starting;
        } catch (Exception e) {
            if (starting != null) {
                starting.shutdown();
            }
            throw new ServerFailed("the embedded Kafka broker did not start: " + EmbeddedFailure.reason(e), e);
        }
    }

    /** Stops it as an operator would; the data stays. Does nothing if it is stopped. */
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

    /** The id that the cluster got when its folder was made. */
    public String clusterId() {
        Properties meta = new Properties();
        try (Reader in = Files.newBufferedReader(metaProperties(), StandardCharsets.UTF_8)) {
            meta.load(in);
        } catch (IOException e) {
            throw new ServerFailed("the embedded Kafka broker's data cannot be read: " + EmbeddedFailure.reason(e), e);
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
            new Formatter().setPrintStream(quiet)
                    .setNodeId(BrokerSettings.NODE)
                    .setClusterId(Uuid.randomUuid().toString())
                    .setDirectories(List.of(log.toString()))
                    .setMetadataLogDirectory(log.toString())
                    .setControllerListenerName(BrokerSettings.CONTROLLER)
                    .setIgnoreFormatted(true)
                    .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                    .run();
        }
    }
}
