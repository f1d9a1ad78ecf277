package io.trawl.bench.run;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.bench.fleet.Stages;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/** A fleet whose stages are grown and shrunk: who came last goes first, by SIGTERM. Used by one thread. */
final class ScaledFleet {
    private static final String HEAP = "192m";
    private final BenchFleet fleet;
    private final Map<String, String> environment;
    private final Map<String, Deque<BenchProcess>> running = Map.of("worker-downloader", new ArrayDeque<>(), "worker-analyzer",
            new ArrayDeque<>(), "worker-pipeline", new ArrayDeque<>());

    /** @param environment of every worker */
    ScaledFleet(BenchFleet fleet, Map<String, String> environment) {
        this.fleet = fleet;
        this.environment = environment;
    }

    /** Starts and stops what is needed; returns when those that have to go are gone, not when those that come are there. */
    void scale(Stages to) {
        scale("worker-pipeline", to.pipelines());
        scale("worker-analyzer", to.analyzers());
        scale("worker-downloader", to.downloaders());
    }

    private void scale(String module, int count) {
        Deque<BenchProcess> processes = running.get(module);
        while (processes.size() > count) {
            processes.pop().close();
        }
        while (processes.size() < count) {
            processes.push(fleet.worker(module, HEAP, environment));
        }
    }
}
