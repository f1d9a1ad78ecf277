package io.trawl.bench.run;

import io.trawl.model.Durations;
import io.trawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all benchmarks share: from measurements to a table with the options of the run, and an exit status. */
abstract class Benchmark implements Callable<Integer> {
    private static final String JSON = "--json";

    @Option(names = JSON, paramLabel = "FILE", description = "Write the figures to this file, too.")
    private @Nullable Path json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    final Time time = Time.system();

    /** Measures; returns whether the figures are as promised. */
    abstract boolean measure(Results results) throws InterruptedException;

    @Override
    public final Integer call() throws InterruptedException {
        Map<String, Object> settings = new TreeMap<>();
        spec.options().stream().filter(option -> !option.usageHelp() && !option.longestName().equals(JSON))
                .forEach(option -> settings.put(option.longestName().substring(2), setting(option)));
        Results results = new Results(spec.name(), settings);
        boolean kept = measure(results);
        results.report(System.out, Optional.ofNullable(json));
        return kept ? 0 : 1;
    }

    private static Object setting(OptionSpec option) {
        Object value = option.getValue();
        return switch (value) {
            case null -> "";
            case Number number -> number;
            case Duration duration -> Durations.format(duration);
            default -> value.toString();
        };
    }

    /** Prints a progress message. */
    static void progress(String format, Object... values) {
        System.err.println(String.format(Locale.ROOT, format, values));
    }

    double secondsSince(long nanos) {
        return (time.nanos() - nanos) / 1e9;
    }
}
