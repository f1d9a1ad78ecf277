package io.trawl.bench.run;

import io.trawl.bench.report.Results;
import io.trawl.model.Durations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options that all benchmarks share. */
final class BenchOptions {
    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file, too.")
    private @Nullable Path json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    private boolean help;

    void report(Results results) {
        results.report(System.out, Optional.ofNullable(json));
    }

    /** Prints a progress message. */
    static void progress(String format, Object... values) {
        System.err.println(String.format(Locale.ROOT, format, values));
    }

    /** Creates a temporary folder. */
    static Path folder() {
        try {
            return Files.createTempDirectory("trawl-bench-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes a folder that {@link #folder} has created. */
    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            progress("cannot delete %s (%s)", folder, String.valueOf(e.getMessage()));
        }
    }

    /** {@code 500ms}, {@code 2s}, {@code 1m}. */
    static final class DurationOption implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return Durations.parse("duration", text);
        }
    }
}
