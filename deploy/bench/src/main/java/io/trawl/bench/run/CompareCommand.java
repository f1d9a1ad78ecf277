package io.trawl.bench.run;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code compare}: two files of results. */
@Command(name = "compare", sortOptions = false, description = "Compare two files that --json wrote; exit status 1 if a cost has grown by more than is allowed.")
public final class CompareCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "BEFORE", description = "The older figures.")
    private @Nullable Path before;

    @Parameters(index = "1", paramLabel = "AFTER", description = "The newer figures of the same benchmark.")
    private @Nullable Path after;

    @Option(names = "--allowed", paramLabel = "PERCENT", defaultValue = "10", description = "How much more CPU time is still noise. Default: ${DEFAULT-VALUE}.")
    private double allowed;

    @Override
    public Integer call() {
        Comparison comparison = Comparison.of(read(before), read(after));
        comparison.table().forEach(System.out::println);
        List<String> grown = comparison.grown(allowed);
        grown.forEach(System.err::println);
        return grown.isEmpty() ? 0 : 1;
    }

    private static JsonNode read(@Nullable Path file) {
        try {
            return Json.mapper().readTree(Files.readAllBytes(requireNonNull(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
