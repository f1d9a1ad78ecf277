package io.trawl.bench.fleet;

import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Samples the size of a broker's log files once a second until it is closed. Index files do not count, because the
 * broker preallocates them.
 */
public final class LogFiles implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private final Path data;
    private final PeriodicTask watch;
    private volatile long peak;

    /** @param data the folder of the embedded servers or a parent of it; need not exist yet */
    public LogFiles(Path data, Time time) {
        this.data = data;
        this.watch = new PeriodicTask("log-files", INTERVAL, time, () -> peak = Math.max(peak, bytes()));
        watch.start();
    }

    private long bytes() {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(file -> file.getFileName().toString().matches("[0-9]{20}[.]log.*"))
                    .mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException | UncheckedIOException e) {
            // The folder does not exist yet, or a file was deleted during the traversal.
            return 0;
        }
    }

    /** The peak of the total size in bytes. */
    public long peak() {
        return peak;
    }

    @Override
    public void close() {
        watch.close();
    }
}
