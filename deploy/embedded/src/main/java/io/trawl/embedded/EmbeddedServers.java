package io.trawl.embedded;

import io.trawl.embedded.EmbeddedServerException.DataFolderInUseException;
import io.trawl.embedded.EmbeddedServerException.DataFolderNotWritableException;
import io.trawl.embedded.EmbeddedServerException.PortTakenException;
import io.trawl.embedded.EmbeddedServerException.ServerStartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A Kafka broker and a redis-server with exclusive use of one data folder. The data survives a stop and a kill.
 * Thread-safe.
 */
public final class EmbeddedServers implements AutoCloseable {
    private final DataFolder folder;
    private final EmbeddedKafka kafka;
    private final EmbeddedRedis redis;
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedServers(DataFolder folder, EmbeddedKafka kafka, EmbeddedRedis redis) {
        this.folder = folder;
        this.kafka = kafka;
        this.redis = redis;
    }

    /** Starts both on free ports and returns when they are ready. A shutdown hook closes them when the JVM ends. */
    public static EmbeddedServers start(Path data) {
        return start(EmbeddedOptions.in(data));
    }

    /**
     * Starts both and returns when they are ready.
     *
     * @throws DataFolderInUseException if another run holds the folder
     * @throws DataFolderNotWritableException if it cannot be created or written to
     * @throws PortTakenException if a requested port is in use
     * @throws ServerStartException if one of them does not start
     */
    public static EmbeddedServers start(EmbeddedOptions options) {
        DataFolder folder = DataFolder.open(options.data());
        EmbeddedServers servers;
        try {
            servers = startBoth(folder, options);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
        if (options.closeAtExit()) {
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform().name("trawl-embedded-close").unstarted(servers::close));
        }
        return servers;
    }

    private static EmbeddedServers startBoth(DataFolder folder, EmbeddedOptions options) {
        Path redisFolder = folder.folder("redis");
        Path kafkaFolder = folder.folder("kafka");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var redis = CompletableFuture.supplyAsync(() -> EmbeddedRedis.start(redisFolder, options.redisPort()),
                    threads);
            EmbeddedKafka kafka = null;
            try {
                kafka = EmbeddedKafka.start(kafkaFolder, options.kafkaPort(), options.lastWords());
                if (options.alone()) {
                    OpenTransactions.fence(kafka.bootstrapServers());
                }
                return new EmbeddedServers(folder, kafka, redis.join());
            } catch (RuntimeException e) {
                if (kafka != null) {
                    kafka.close();
                }
                redis.thenAccept(EmbeddedRedis::close).exceptionally(ignored -> null).join();
                throw e instanceof CompletionException && e.getCause() instanceof EmbeddedServerException failure
                        ? failure
                        : e;
            }
        }
    }

    /**
     * One pair for all tests of this JVM, on a temporary folder that is deleted at the end. It holds topics and keys of
     * other tests: use your own namespace.
     */
    public static EmbeddedServers shared() {
        return Shared.SERVERS;
    }

    /** The broker. */
    public EmbeddedKafka kafka() {
        return kafka;
    }

    /** The redis-server. */
    public EmbeddedRedis redis() {
        return redis;
    }

    /** The data folder. */
    public Path data() {
        return folder.path();
    }

    /** Stops both, keeps the data and unlocks the folder. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try (folder; redis; kafka) {
                // Closes the broker, then Redis, then the lock, even if one of them fails.
            }
        }
    }

    private static final class Shared {
        static final EmbeddedServers SERVERS = inTemporaryFolder();

        private static EmbeddedServers inTemporaryFolder() {
            try {
                Path data = Files.createTempDirectory("trawl-servers-");
                EmbeddedServers servers = start(EmbeddedOptions.in(data).closedByCaller());
                Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("trawl-shared-close").unstarted(() -> {
                    servers.close();
                    delete(data);
                }));
                return servers;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void delete(Path folder) {
            try (Stream<Path> files = Files.walk(folder)) {
                List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
                for (Path file : deepestFirst) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                // The operating system cleans its temporary folder.
            }
        }
    }

    /**
     * Options of the embedded servers.
     *
     * @param data the data folder
     * @param kafkaPort the broker's port, or 0 for the one of the last run or any free one
     * @param redisPort the redis-server's port, likewise
     * @param alone whether all clients live in this JVM, so that open transactions of an earlier run can be aborted at
     * start
     * @param closeAtExit whether a shutdown hook closes the servers; false if the caller closes them after their
     * clients
     * @param lastWords receives one line, on any thread, when the broker ends this JVM because it cannot go on
     */
    public record EmbeddedOptions(Path data, int kafkaPort, int redisPort, boolean alone, boolean closeAtExit,
            Consumer<String> lastWords) {
        /** Free ports, clients in this JVM only, closed at exit. */
        public static EmbeddedOptions in(Path data) {
            return new EmbeddedOptions(data, 0, 0, true, true, System.err::println);
        }

        /** A copy without the shutdown hook. */
        public EmbeddedOptions closedByCaller() {
            return new EmbeddedOptions(data, kafkaPort, redisPort, alone, false, lastWords);
        }

        /**
         * A copy for clients in other processes, which keep their transactions open across a restart of the servers.
         */
        public EmbeddedOptions forOthers(int kafka, int redis) {
            return new EmbeddedOptions(data, kafka, redis, false, closeAtExit, lastWords);
        }

        /** A copy that tells elsewhere why the broker has ended. */
        public EmbeddedOptions telling(Consumer<String> told) {
            return new EmbeddedOptions(data, kafkaPort, redisPort, alone, closeAtExit, told);
        }
    }
}
