package io.trawl.embedded;

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
import java.util.stream.Stream;

/**
 * A Kafka broker and a redis-server on one data folder, which they hold alone. What is in the folder is there again at the next start, whatever ended
 * the last one. Thread-safe.
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

    /** Starts both on any free ports and returns when they serve; they close when the JVM ends, if not before. */
    public static EmbeddedServers start(Path data) {
        return start(EmbeddedOptions.in(data));
    }

    /**
     * Starts both and returns when they serve.
     *
     * @throws DataFolderInUse if another run holds the folder
     * @throws DataFolderNotWritable if it cannot be made or written to
     * @throws PortTaken if a port that was asked for is taken
     * @throws ServerFailed if one of them does not start
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
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("trawl-embedded-close").unstarted(servers::close));
        }
        return servers;
    }

    private static EmbeddedServers startBoth(DataFolder folder, EmbeddedOptions options) {
        Path redisFolder = folder.folder("redis");
        Path kafkaFolder = folder.folder("kafka");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var redis = CompletableFuture.supplyAsync(() -> EmbeddedRedis.start(redisFolder, options.redisPort()), threads);
            EmbeddedKafka kafka = null;
            try {
                kafka = EmbeddedKafka.start(kafkaFolder, options.kafkaPort());
                if (options.alone()) {
                    OpenTransactions.fence(kafka.bootstrapServers());
                }
                return new EmbeddedServers(folder, kafka, redis.join());
            } catch (RuntimeException e) {
                if (kafka != null) {
                    kafka.close();
                }
                redis.thenAccept(EmbeddedRedis::close).exceptionally(ignored -> null).join();
                throw e instanceof CompletionException && e.getCause() instanceof EmbeddedFailure failure ? failure : e;
            }
        }
    }

    /**
     * One pair for all tests of this JVM, on a temporary folder that is deleted at the end. Topics and keys of others are in it: use a namespace of
     * your own.
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

    /** The folder that they hold. */
    public Path data() {
        return folder.path();
    }

    /** Stops both, keeps the data and lets others use the folder. Later calls do nothing. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try (folder; redis; kafka) {
                // Closes the broker first, then Redis, then the lock, whatever fails on the way.
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
                // The system cleans its temporary folder by itself.
            }
        }
    }
}
