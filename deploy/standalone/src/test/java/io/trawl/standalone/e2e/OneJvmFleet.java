package io.trawl.standalone.e2e;

import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.model.ModuleKind;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.Pipeline;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LocalWorkers;
import io.trawl.worker.StageFactory;
import io.trawl.worker.Worker;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A coordinator that leads and other modules in this JVM, on the servers of a fixture. */
final class OneJvmFleet implements RunningFleet {
    private final Path out;
    private final KafkaFixture fixture;
    private final LocalWorkers workers = new LocalWorkers();
    private final CoordinatorClient client;

    /** One of each module. */
    OneJvmFleet(Path out) throws InterruptedException {
        this(out, Map.of());
    }

    /** One of each module, with more settings. */
    OneJvmFleet(Path out, Map<String, String> more) throws InterruptedException {
        this(out, new KafkaFixture(settings(out, more)));
    }

    /** One of each module, with no other settings than those of a namespace, which may have been used before. */
    OneJvmFleet(Path out, KafkaFixture fixture) throws InterruptedException {
        this(out, fixture, List.of(Pipeline.factory(), Analyzer.factory(), Downloader.factory()));
    }

    private OneJvmFleet(Path out, KafkaFixture fixture, List<StageFactory> others) throws InterruptedException {
        this.out = out;
        this.fixture = fixture;
        Worker coordinator = start(Coordinator.factory());
        for (StageFactory other : others) {
            start(other);
        }
        await().until(() -> coordinator.stage().state() == Phase.LEADING);
        client = new CoordinatorClient(address());
    }

    /** Only a coordinator: the test starts the others when it wants them. */
    static OneJvmFleet ofCoordinator(Path out, Map<String, String> more) throws InterruptedException {
        return new OneJvmFleet(out, new KafkaFixture(settings(out, more)), List.of());
    }

    /** Those of all fleets of the tests, and more. */
    static Map<String, String> settings(Path out, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of("trawl.out", out.toString(), "trawl.allow-network",
                "127.0.0.0/8", "trawl.grace", "5s", "trawl.lease", "3s", "trawl.downloader.back-off", "50ms"));
        settings.putAll(more);
        return settings;
    }

    /** Starts a further module. */
    Worker start(StageFactory factory) throws InterruptedException {
        return workers.start(fixture, factory);
    }

    /** Starts a further module, on the shared servers, whose own settings differ from those of the fleet. */
    Worker start(StageFactory factory, Map<String, String> other) throws InterruptedException {
        return workers.start(fixture.with(settings(out, other)), factory);
    }

    /** The first one of a kind. */
    Worker worker(ModuleKind kind) {
        return workers.first(kind);
    }

    Worker coordinator() {
        return worker(ModuleKind.COORDINATOR);
    }

    /** Waits until its downloader owns all hosts. */
    OneJvmFleet ofAllHosts() {
        await().until(() -> worker(ModuleKind.DOWNLOADER).stage().state() == Phase.RUNNING);
        await().until(() -> worker(ModuleKind.DOWNLOADER).stage().extra().get("leases") instanceof Map<?, ?> leases
                && leases.get("held") instanceof Integer held
                && held == fixture.settings().topics().requestPartitions());
        return this;
    }

    /** The reasons of the modules that have ended by themselves. */
    List<String> ended() {
        return workers.ended();
    }

    @Override
    public CoordinatorClient client() {
        return client;
    }

    @Override
    public URI address() {
        return URI.create("http://" + coordinator().mid().address());
    }

    @Override
    public KafkaFixture fixture() {
        return fixture;
    }

    @Override
    public Path out() {
        return out;
    }

    @Override
    public void close() {
        client.close();
        workers.close();
    }
}
