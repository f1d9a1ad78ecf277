package io.trawl.bench.jmh;

import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.frontier.SteadyFrontier;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The lifecycle of a request in the frontier while others wait: added, judged, started, ended, answered, acknowledged.
 */
@Fork(value = 3, jvmArgsAppend = "-Xmx4g")
public class FrontierBenchmark extends PartBenchmark {
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
