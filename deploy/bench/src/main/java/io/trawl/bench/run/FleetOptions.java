package io.trawl.bench.run;

import io.trawl.bench.fleet.BenchFleet;
import picocli.CommandLine.Option;

/** The options that say how many workers a fleet has. */
final class FleetOptions {
    @Option(names = "--downloaders", paramLabel = "N", defaultValue = "1", description = "Of the kind fleet. Default: ${DEFAULT-VALUE}.")
    private int downloaders;

    @Option(names = "--analyzers", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private int analyzers;

    @Option(names = "--pipelines", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private int pipelines;

    @Option(names = "--heap", paramLabel = "SIZE", defaultValue = "512m", description = "The heap of each worker. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    void startWorkers(BenchFleet fleet) {
        start(fleet, "worker-pipeline", pipelines);
        start(fleet, "worker-analyzer", analyzers);
        start(fleet, "worker-downloader", downloaders);
    }

    private void start(BenchFleet fleet, String module, int workers) {
        for (int worker = 0; worker < workers; worker++) {
            fleet.worker(module, heap);
        }
    }

    @Override
    public String toString() {
        return "%d downloaders, %d analyzers, %d pipelines, %s each".formatted(downloaders, analyzers, pipelines, heap);
    }
}
