package io.trawl.bench.jmh;

import io.trawl.bench.frontier.FrontierDriver;
import io.trawl.bench.frontier.FrontierTreadmill;
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

/** The whole life of a request in the frontier, while others wait: added, judged, begun, ended, answered, acknowledged. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FrontierBenchmark {
    /** How many requests wait all the time. */
    @Param({"10000", "1000000"})
    public int waiting;

    private FrontierTreadmill treadmill = FrontierTreadmill.of(1);

    /** Delivers those that wait. */
    @Setup
    public void fill() {
        treadmill = FrontierTreadmill.of(waiting);
    }

    /** One request in, one out. */
    @Benchmark
    public List<FrontierDriver.Begun> addNextAnswer() {
        return treadmill.turn();
    }
}
