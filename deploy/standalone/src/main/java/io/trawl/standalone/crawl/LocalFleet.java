package io.trawl.standalone.crawl;

import io.trawl.analyzer.Analyzer;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.embedded.EmbeddedServers;
import io.trawl.model.ModuleKind;
import io.trawl.pipeline.Pipeline;
import io.trawl.redis.RedisModules;
import io.trawl.time.Time;
import io.trawl.settings.Settings;
import io.trawl.worker.StageFactory;
import io.trawl.worker.Worker;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Every process of a deployment as a module of this JVM: embedded servers, a coordinator, a pipeline, an analyzer and a downloader. Stopping goes the
 * other way round. Used by one thread.
 */
final class LocalFleet implements AutoCloseable {
    /** The port of a coordinator that may listen anywhere. */
    static final int ANY_PORT = 0;
    private final EmbeddedServers servers;
    private final LocalSettings local;
    private final Settings settings;
    private final List<Worker> workers = new ArrayList<>();

    private LocalFleet(EmbeddedServers servers, LocalSettings local, Settings settings) {
        this.servers = servers;
        this.local = local;
        this.settings = settings;
    }

    /**
     * Starts the servers alone, and ends the leases that a killed run has left there.
     *
     * @throws io.trawl.embedded.EmbeddedFailure if they cannot be started
     * @throws io.trawl.settings.InvalidSettings if the environment says what cannot be used
     */
    static LocalFleet start(FleetPlan plan) {
        LocalSettings local = LocalSettings.of(plan, System.getenv());
        EmbeddedServers servers = EmbeddedServers.start(plan.data());
        try {
            Settings own = local.on(servers, ANY_PORT);
            // The lock on the data folder says that nobody else is there: a run that was killed need not be waited for.
            try (RedisModules redis = RedisModules.connect(own.redis().url(), own.namespace(), Time.system())) {
                redis.dropLeases();
            }
            return new LocalFleet(servers, local, own);
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    /** The Kafka cluster of the data folder. */
    String cluster() {
        return servers.kafka().clusterId();
    }

    /**
     * Starts a coordinator, which makes the topics; returns where it answers.
     *
     * @param port where it listens, or {@link #ANY_PORT}
     * @throws io.trawl.model.InvalidValue if the port is taken
     */
    URI startCoordinator(int port) throws InterruptedException {
        Worker coordinator = Worker.start(local.on(servers, port), Coordinator.factory(), Time.system());
        workers.add(coordinator);
        return URI.create("http://" + coordinator.mid().address());
    }

    /** Starts the stages, all at once. Later calls do nothing. */
    void startStages() throws InterruptedException {
        if (workers.stream().anyMatch(worker -> worker.mid().kind() != ModuleKind.COORDINATOR)) {
            return;
        }
        List<StageFactory> factories = List.of(Pipeline.factory(), Analyzer.factory(), Downloader.factory());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Worker>> starts = factories.stream()
                    .<Callable<Worker>>map(factory -> () -> Worker.start(settings, factory, Time.system()))
                    .toList();
            List<Future<Worker>> started = threads.invokeAll(starts);
            for (Future<Worker> each : started) {
                if (each.state() == Future.State.SUCCESS) {
                    workers.add(each.resultNow());
                }
            }
            for (Future<Worker> each : started) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    /** Why a module cannot go on, if one cannot. */
    Optional<String> trouble() {
        return workers.stream()
                .filter(worker -> worker.end().isDone())
                .flatMap(worker -> worker.end().join().map(why -> worker.mid().kind().word() + ": " + why).stream())
                .findFirst();
    }

    /** Stops the stages, the downloader first, each with what it has in flight finished within the grace period. */
    void stopStages() {
        Duration grace = settings.grace();
        workers.reversed().stream().filter(worker -> worker.mid().kind() != ModuleKind.COORDINATOR)
                .forEach(worker -> worker.stop(grace));
    }

    /** Stops everything that still runs; the data stays. Later calls do nothing. */
    @Override
    public void close() {
        try (servers) {
            Duration grace = settings.grace();
            workers.reversed().forEach(worker -> worker.stop(grace));
        }
    }
}
