package io.trawl.standalone.crawl;

import io.trawl.analyzer.Analyzer;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.downloader.replay.ArchiveIndex;
import io.trawl.embedded.EmbeddedServers;
import io.trawl.embedded.EmbeddedServers.EmbeddedOptions;
import io.trawl.model.ModuleKind;
import io.trawl.pipeline.Pipeline;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.settings.Settings;
import io.trawl.standalone.client.AccessFiles;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.Api.Server;
import io.trawl.standalone.crawl.FleetRunner.FleetPlan;
import io.trawl.standalone.text.Terminal;
import io.trawl.time.Time;
import io.trawl.worker.StageFactory;
import io.trawl.worker.Worker;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * All processes of a deployment as modules of this JVM: embedded servers, a coordinator, a pipeline, an analyzer and a
 * downloader, which share one Redis client. Used by one thread.
 */
final class LocalFleet implements AutoCloseable {
    /** Any free port. */
    static final int ANY_PORT = 0;
    private final EmbeddedServers servers;
    private final LocalSettings local;
    private final Settings settings;
    private final AccessFiles access;
    private final Optional<String> ownToken;
    private final Optional<ArchiveIndex> archives;
    private final RedisRestarts redis;
    private final RedisModuleStore store;
    /** Stages may start while another thread checks the workers. */
    private final List<Worker> workers = new CopyOnWriteArrayList<>();

    /** @param ownToken the token that was made for the deployment; empty if the user has chosen tokens */
    private LocalFleet(EmbeddedServers servers, LocalSettings local, Settings settings, AccessFiles access,
            Optional<String> ownToken, Optional<ArchiveIndex> archives, RedisModuleStore store) {
        this.store = store;
        this.archives = archives;
        this.access = access;
        this.ownToken = ownToken;
        this.servers = servers;
        this.redis = new RedisRestarts(servers.redis(), Time.system());
        this.local = local;
        this.settings = settings;
    }

    /**
     * Starts the servers, and ends leases of a killed run.
     *
     * @throws io.trawl.embedded.EmbeddedServerException if they cannot be started
     * @throws io.trawl.settings.InvalidSettingsException if the environment is not valid
     */
    static LocalFleet start(FleetPlan plan) {
        return start(plan, Optional.empty());
    }

    /** The same, with a downloader that asks archives instead of the web. */
    static LocalFleet start(FleetPlan plan, Optional<ArchiveIndex> archives) {
        LocalSettings chosen = LocalSettings.of(plan, System.getenv());
        CompilerDirectives.apply();
        EmbeddedServers servers = EmbeddedServers.start(EmbeddedOptions.in(plan.data()).telling(Terminal::lastWords));
        try {
            AccessFiles access = new AccessFiles(plan.data());
            Optional<String> ownToken = chosen.hasTokens() ? Optional.empty() : Optional.of(access.token());
            if (ownToken.isEmpty()) {
                access.dropToken();
            }
            LocalSettings local = ownToken.map(chosen::withToken).orElse(chosen);
            Settings own = local.on(servers, ANY_PORT);
            return new LocalFleet(servers, local, own, access, ownToken, archives, storeWithoutLeases(own));
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    /**
     * The lock on the data folder guarantees that no other run uses it, so the leases of a killed run need not expire.
     */
    private static RedisModuleStore storeWithoutLeases(Settings own) {
        RedisModuleStore store = RedisModuleStore.connect(RedisServers.of(own.redis()), own.namespace(), Time.system());
        try {
            store.dropLeases();
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** The short name of the deployment, once a coordinator is started; see {@link SinkFolder#owner}. */
    String owner() {
        return SinkFolder.owner(workers.getFirst().kafka(), settings.namespace());
    }

    /** What the operator should know about the servers, in one line. */
    Optional<String> warning() {
        return servers.redis().warning();
    }

    /**
     * Starts a coordinator, which creates the topics; returns its address.
     *
     * @param port of the coordinator, or {@link #ANY_PORT}
     * @throws io.trawl.model.InvalidValueException if the port is in use
     */
    URI startCoordinator(int port) throws InterruptedException {
        Worker coordinator = start(local.on(servers, port), Coordinator.factory());
        workers.add(coordinator);
        URI address = URI.create("http://" + coordinator.mid().address());
        access.announce(address);
        return address;
    }

    /**
     * Calls a coordinator of this fleet. The caller closes it, and is patient itself: it looks for trouble and for a
     * stop while no coordinator leads.
     */
    Api api(URI coordinator) {
        return new Api(List.of(Server.named(coordinator, ownToken)).iterator(), Duration.ZERO);
    }

    /**
     * The address of the dashboard of a coordinator. It has the token of the deployment in its fragment, which browsers
     * never send, unless the user chose it.
     */
    URI dashboard(URI coordinator) {
        return coordinator.resolve(ownToken.map(token -> "/#token=" + token).orElse("/"));
    }

    /** Starts the stages in parallel. Later calls have no effect. */
    void startStages() throws InterruptedException {
        if (!workers.stream().allMatch(LocalFleet::coordinates)) {
            return;
        }
        List<StageFactory> factories = List.of(Pipeline.factory(), Analyzer.factory(),
                archives.map(Downloader::replaying).orElseGet(Downloader::factory));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Worker>> starts = factories.stream()
                    .<Callable<Worker>>map(factory -> () -> start(settings, factory)).toList();
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

    private Worker start(Settings own, StageFactory factory) throws InterruptedException {
        return Worker.start(own, factory, Time.system(), store::store, mid -> {});
    }

    /**
     * Starts the redis-server again if it has ended.
     *
     * @param say is told that
     * @throws IllegalStateException if it does not start, or a module has failed
     */
    void check(Consumer<String> say) {
        redis.look(say).or(this::failed).ifPresent(why -> {
            throw new IllegalStateException("cannot continue: " + why);
        });
    }

    private Optional<String> failed() {
        return workers.stream().filter(worker -> worker.end().isDone())
                .flatMap(worker -> worker.end().join().trouble()
                        .map(why -> worker.mid().kind().word() + ": " + why + "; the same command resumes from here")
                        .stream())
                .findFirst();
    }

    /**
     * Shuts the stages down gracefully, the downloader first; each finishes its work in flight within the grace period.
     */
    void stopStages() {
        workers.reversed().stream().filter(worker -> !coordinates(worker))
                .forEach(worker -> worker.stop(settings.grace()));
    }

    /** Stops all remaining processes at the same time; the data is kept. Later calls have no effect. */
    @Override
    public void close() {
        // The modules unregister in Redis when they stop.
        try (servers; store) {
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                workers.forEach(worker -> threads.execute(() -> worker.stop(settings.grace())));
            }
            access.withdraw();
        }
    }

    private static boolean coordinates(Worker worker) {
        return worker.mid().kind() == ModuleKind.COORDINATOR;
    }
}
