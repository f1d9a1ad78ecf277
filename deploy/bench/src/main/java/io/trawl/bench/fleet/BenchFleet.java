package io.trawl.bench.fleet;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Seed;
import io.trawl.settings.SettingsReader;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.time.Time;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A fleet with its own data folder: Kafka and Redis, a coordinator and workers, each in its own process. Environment
 * variables configure the workers, as in production. Not thread-safe.
 */
public final class BenchFleet implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
    /** The crawl of every benchmark. */
    public static final CrawlId CRAWL = new CrawlId("bench");
    private final Path folder;
    private final Time time;
    private final List<BenchProcess> processes = new ArrayList<>();
    private final Map<String, Deque<BenchProcess>> workers = new HashMap<>();
    private final Map<String, String> environment = new HashMap<>();
    private final int port = FreePort.find();
    private final Api api = new Api(coordinator());
    private final CoordinatorClient client = new CoordinatorClient(api);

    /** Starts the servers and the coordinator, and returns when the servers answer. */
    public BenchFleet(Path folder, Time time) {
        this.folder = folder;
        this.time = time;
        try {
            startServers();
            start("coordinator", "coordinator", "1g", Map.of("TRAWL_HTTP_PORT", Integer.toString(port)));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void startServers() {
        BenchProcess broker = start("broker", "broker", "1g", Map.of(), "--data", folder.resolve("data").toString());
        await("Kafka and Redis").atMost(START_TIMEOUT)
                .until(() -> running(broker).printed().matches("(?s).*TRAWL_REDIS_URL=[^\n]*\n.*"));
        broker.printed().lines().map(line -> line.replaceFirst("^export ", "").split("=", 2))
                .forEach(variable -> environment.put(variable[0], variable[1]));
        environment.put("TRAWL_ALLOW_NETWORK", "127.0.0.0/8");
        environment.put("TRAWL_OUT", folder.resolve("pages").toString());
    }

    private static BenchProcess running(BenchProcess process) {
        if (!process.alive()) {
            throw new IllegalStateException("a process of the fleet has ended: " + process.lastError());
        }
        return process;
    }

    /** Waits for a leader, then defines and starts the crawl. */
    public CrawlRun define(CrawlDefinition definition) {
        return await("a leader").atMost(START_TIMEOUT).ignoreException(CoordinatorUnavailableException.class)
                .until(() -> {
                    processes.forEach(BenchFleet::running);
                    return client.define(CRAWL, definition, false).run();
                }, run -> true);
    }

    /** The same, and writes its backlog, of hosts with this port. */
    public void load(CrawlDefinition definition, BacklogPlan plan, int webPort) throws InterruptedException {
        CrawlRun run = define(definition);
        RequestLoad.write(
                SettingsReader
                        .from(Map.of("trawl.kafka.bootstrap-servers", environment.get("TRAWL_KAFKA_BOOTSTRAP_SERVERS"),
                                "trawl.redis.url", environment.get("TRAWL_REDIS_URL"))),
                time, run, new RequestLoad.LoadedBacklog(plan, webPort, false));
    }

    /** Submits seeds and returns when the coordinator has accepted them, after the acknowledgement of Kafka. */
    public void submit(List<Seed> seeds) throws InterruptedException {
        api.post("/api/v1/crawls/" + CRAWL + "/seeds", seeds);
    }

    /**
     * Starts and stops workers, the newest first; returns when the stopped ones have ended, without waiting for the new
     * ones to be ready.
     *
     * @param heap of each new worker, for example {@code 512m}
     * @param more environment variables of the new workers
     */
    public void scale(StageCounts to, String heap, Map<String, String> more) {
        scale("worker-pipeline", to.pipelines(), heap, more);
        scale("worker-analyzer", to.analyzers(), heap, more);
        scale("worker-downloader", to.downloaders(), heap, more);
    }

    private void scale(String module, int count, String heap, Map<String, String> more) {
        Deque<BenchProcess> running = workers.computeIfAbsent(module, _ -> new ArrayDeque<>());
        while (running.size() > count) {
            running.pop().close();
        }
        while (running.size() < count) {
            running.push(start(module + "-" + processes.size(), module, heap, more));
        }
    }

    /** The newest worker of a stage, for example {@code worker-downloader}. */
    public BenchProcess worker(String module) {
        return requireNonNull(workers.get(module)).getFirst();
    }

    /** @param module the command of the launcher, with or without {@code worker-} before it */
    private BenchProcess start(String name, String module, String heap, Map<String, String> more, String... arguments) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("TRAWL_JAVA_OPTS", "-Xmx" + heap);
        all.putAll(more);
        List<String> words = new ArrayList<>(List.of(module.replaceFirst("^worker-", "")));
        words.addAll(List.of(arguments));
        BenchProcess process = BenchProcess.launch(name, all, folder.resolve("logs"), time,
                words.toArray(String[]::new));
        processes.add(process);
        return process;
    }

    /** The coordinator's address. */
    public URI coordinator() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** A client for the coordinator. */
    public CoordinatorClient client() {
        return client;
    }

    /** The coordinator. */
    public Api api() {
        return api;
    }

    /** The resource usage so far of each process by name, in the order of their start. */
    public Map<String, Usage> usage() {
        Map<String, Usage> all = new LinkedHashMap<>();
        processes.forEach(process -> all.put(process.name(), process.usage()));
        return all;
    }

    /** Stops all processes: the workers together, then the coordinator and the servers. The data stays. */
    @Override
    public void close() {
        client.close();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            workers.values().forEach(stage -> stage.forEach(worker -> threads.execute(worker::close)));
        }
        processes.reversed().forEach(BenchProcess::close);
    }
}
