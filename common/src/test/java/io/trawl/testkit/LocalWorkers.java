package io.trawl.testkit;

import io.trawl.model.ModuleKind;
import io.trawl.time.Time;
import io.trawl.worker.StageFactory;
import io.trawl.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Modules in this JVM, in the namespace of a fixture; closing stops them, the last one first. Not thread-safe. */
public final class LocalWorkers implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(5);
    private final List<Worker> workers = new ArrayList<>();

    /** Starts a module and returns when it is running. */
    public Worker start(KafkaFixture fixture, StageFactory factory) throws InterruptedException {
        Worker worker = Worker.start(fixture.settings(), factory, Time.system());
        workers.add(worker);
        return worker;
    }

    /** The first of a kind that was started. */
    public Worker first(ModuleKind kind) {
        return workers.stream().filter(worker -> worker.mid().kind() == kind).findFirst().orElseThrow();
    }

    /** The reasons of those that have ended by themselves. */
    public List<String> ended() {
        return workers.stream().filter(worker -> worker.end().isDone())
                .map(worker -> worker.mid() + ": " + worker.end().join().trouble().orElse("stopped")).toList();
    }

    @Override
    public void close() {
        workers.reversed().forEach(worker -> worker.stop(GRACE));
        workers.forEach(ConservationLaw::ofCounts);
        workers.clear();
    }
}
