package io.trawl.bench.jmh;

import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.frontier.SteadyFrontier;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The lifecycle of a request in the frontier while others wait: added, judged, started, ended, answered, acknowledged.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FrontierBenchmark {
    /** The constant number of waiting requests. */
    @Param({"10000", "1000000"})
    public int waiting;

    private SteadyFrontier frontier = SteadyFrontier.of(1);

    /** Delivers the waiting requests. */
    @Setup
    public void fill() {
        frontier = SteadyFrontier.of(waiting);
    }

    /** One request in, one out. */
    @Benchmark
    public List<FrontierAction.BeginFetch> addNextAnswer() {
        return frontier.turn();
    }
}
