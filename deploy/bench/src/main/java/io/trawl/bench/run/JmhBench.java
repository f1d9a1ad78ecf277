package io.trawl.bench.run;

import io.trawl.bench.jmh.FrontierBenchmark;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code jmh}: JMH benchmarks of the parts. */
@Command(name = "jmh", sortOptions = false, description = "Operations per second of the parts of a fetch, by JMH.")
public final class JmhBench implements Callable<Integer> {
    @Parameters(paramLabel = "PATTERN", description = "Benchmarks to run, as a regular expression. Default: all.")
    private List<String> patterns = List.of();

    @Option(names = "--quick", description = "One fork and short iterations, to test that the benchmarks run.")
    private boolean quick;

    @Option(names = "--json", paramLabel = "FILE", description = "Write JMH's JSON to this file, too.")
    private @Nullable Path json;

    @Override
    public Integer call() throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder().jvmArgsAppend("--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow");
        (patterns.isEmpty() ? List.of(FrontierBenchmark.class.getPackageName()) : patterns).forEach(options::include);
        if (quick) {
            options.forks(1).warmupIterations(1).warmupTime(TimeValue.milliseconds(500)).measurementIterations(2)
                    .measurementTime(TimeValue.milliseconds(500));
        }
        if (json != null) {
            options.resultFormat(ResultFormatType.JSON).result(json.toString());
        }
        new Runner(options.build()).run();
        return 0;
    }
}
