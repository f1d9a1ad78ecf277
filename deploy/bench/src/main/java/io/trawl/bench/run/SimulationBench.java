package io.trawl.bench.run;

import io.trawl.downloader.frontier.Simulation;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code simulation}: the frontier in isolation. */
@Command(name = "simulation", sortOptions = false, description = "The frontier in isolation, in simulated time: time per decision, heap, order of priorities.")
public final class SimulationBench extends Benchmark {
    private static final int LEVELS = 3;

    @Option(names = "--shares", split = ",", defaultValue = "1x500000@0,3334x50@0,3333x50@1,3333x50@2", description = "HOSTSxREQUESTS@PRIORITY. Default: ${DEFAULT-VALUE}. Ten million: 1x5000000@0,33334x50@0,33333x50@1,33333x50@2.")
    private List<String> shares = List.of();

    @Option(names = "--fetches", defaultValue = "100000", description = "Number of simulated fetches. Default: ${DEFAULT-VALUE}.")
    private int fetches;

    @Option(names = "--concurrency", defaultValue = "64", description = "Default: ${DEFAULT-VALUE}.")
    private int concurrency;

    @Option(names = "--delay", defaultValue = "1s", description = "Default: ${DEFAULT-VALUE}.")
    private Duration delay = Duration.ZERO;

    @Option(names = "--took", defaultValue = "50ms", description = "Duration of a fetch; the first host takes a hundred times as long. Default: ${DEFAULT-VALUE}.")
    private Duration took = Duration.ZERO;

    @Override
    boolean measure(Results results) {
        BacklogPlan backlogPlan = new BacklogPlan(shares.stream().map(BacklogShare::parse).toList(), true);
        Simulation.Report report = new Simulation(
                new Simulation.Shape(backlogPlan, LEVELS, concurrency, delay, took, fetches), time).run();
        Quantiles times = new Quantiles(report.decisions().stream().mapToLong(nanos -> nanos).toArray());
        results.row("requests", report.load().requests(), "add ns",
                report.load().took().toNanos() / report.load().requests(), "heap MiB", report.load().heap() >> 20,
                "bytes per request", (double) report.load().heap() / report.load().requests(), "decisions",
                times.size(), "p50 us", times.at(0.5) / 1000.0, "p99 us", times.at(0.99) / 1000.0, "p99.9 us",
                times.at(0.999) / 1000.0, "max us", times.at(1) / 1000.0, "answer ns", report.perAnswer(),
                "out of order", report.outOfOrder(), "simulated s", report.simulated().toMillis() / 1000.0);
        return report.outOfOrder() == 0;
    }
}
