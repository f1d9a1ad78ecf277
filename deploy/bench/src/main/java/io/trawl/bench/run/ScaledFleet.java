package io.trawl.bench.run;

import static java.util.Objects.requireNonNull;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.BenchProcess;
import io.trawl.model.InvalidValueException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A fleet with scalable stages: scaling down stops the newest process first, by SIGTERM. Not thread-safe. */
final class ScaledFleet {
    private static final String HEAP = "192m";
    private final BenchFleet fleet;
    private final Map<String, String> environment;
    private final Map<String, Deque<BenchProcess>> running = Map.of("worker-downloader", new ArrayDeque<>(),
            "worker-analyzer", new ArrayDeque<>(), "worker-pipeline", new ArrayDeque<>());

    /** @param environment environment variables of every worker */
    ScaledFleet(BenchFleet fleet, Map<String, String> environment) {
        this.fleet = fleet;
        this.environment = environment;
    }

    /**
     * Starts and stops processes; returns when the stopped ones have ended, without waiting for the new ones to be
     * ready.
     */
    void scale(StageCounts to) {
        scale("worker-pipeline", to.pipelines());
        scale("worker-analyzer", to.analyzers());
        scale("worker-downloader", to.downloaders());
    }

    private void scale(String module, int count) {
        Deque<BenchProcess> processes = requireNonNull(running.get(module));
        while (processes.size() > count) {
            processes.pop().close();
        }
        while (processes.size() < count) {
            processes.push(fleet.worker(module, HEAP, environment));
        }
    }

    /**
     * The number of processes of each stage. The text form is {@code 2/1/1}: downloaders, analyzers, pipelines.
     */
    public record StageCounts(int downloaders, int analyzers, int pipelines) {
        private static final Pattern FORM = Pattern.compile("[1-9][0-9]?/[1-9][0-9]?/[1-9][0-9]?");

        /** @throws InvalidValueException if the text is not of that form */
        public static StageCounts parse(String text) {
            if (!FORM.matcher(text).matches()) {
                throw new InvalidValueException("step", text,
                        "DOWNLOADERS/ANALYZERS/PIPELINES, 1 to 99 each, for example 2/1/1");
            }
            List<Integer> counts = Arrays.stream(text.split("/")).map(Integer::valueOf).toList();
            return new StageCounts(counts.get(0), counts.get(1), counts.get(2));
        }

        /** The total number of processes. */
        public int processes() {
            return downloaders + analyzers + pipelines;
        }

        @Override
        public String toString() {
            return downloaders + "/" + analyzers + "/" + pipelines;
        }
    }
}
