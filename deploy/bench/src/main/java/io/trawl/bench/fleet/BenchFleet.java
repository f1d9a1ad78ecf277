package io.trawl.bench.fleet;

import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.model.CrawlId;
import io.trawl.settings.SettingsReader;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A fleet with its own data folder: Kafka and Redis, a coordinator and workers, each in its own process. Environment
 * variables configure the workers, as in production. Not thread-safe.
 */
public final class BenchFleet implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private final Path folder;
    private final Time time;
    private final List<BenchProcess> processes = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private final int port = freePort();
    private final CoordinatorClient client = new CoordinatorClient(coordinator());

    /** Starts the servers and the coordinator, and returns when the servers answer. */
    public BenchFleet(Path folder, Time time) throws InterruptedException {
        this.folder = folder;
        this.time = time;
        try {
            startServers();
            startCoordinator();
        } catch (RuntimeException | InterruptedException e) {
            close();
            throw e;
        }
    }

    private void startServers() throws InterruptedException {
        BenchProcess broker = start("broker", "deploy/standalone", "1g", Map.of(), "broker", "--data",
                folder.resolve("data").toString());
        Await.until("Kafka and Redis", START_TIMEOUT, time,
                () -> broker.printed().contains("TRAWL_REDIS_URL=") || !broker.alive());
        broker.printed().lines().map(line -> line.replaceFirst("^export ", "").split("=", 2))
                .forEach(variable -> environment.put(variable[0], variable[1]));
        environment.put("TRAWL_ALLOW_NETWORK", "127.0.0.0/8");
        environment.put("TRAWL_OUT", folder.resolve("pages").toString());
    }

    private void startCoordinator() {
        start("coordinator", "coordinator", "1g", Map.of("TRAWL_HTTP_PORT", Integer.toString(port)));
    }

    /** Waits for a leader, then defines and starts a crawl. */
    public CrawlSummary define(CrawlId crawl, CrawlDefinition definition) throws InterruptedException {
        long begun = time.nanos();
        while (true) {
            try {
                return client.define(crawl, definition, false);
            } catch (CoordinatorUnavailableException e) {
                if (time.nanos() - begun > START_TIMEOUT.toNanos()) {
                    throw e;
                }
                time.pause(PAUSE);
            }
        }
    }

    /**
     * Starts one more worker.
     *
     * @param module for example {@code worker-downloader}
     * @param heap for example {@code 512m}
     */
    public BenchProcess worker(String module, String heap) {
        return worker(module, heap, Map.of());
    }

    /** The same with additional environment variables. */
    public BenchProcess worker(String module, String heap, Map<String, String> more) {
        return start(module + "-" + processes.size(), module, heap, more);
    }

    private BenchProcess start(String name, String module, String heap, Map<String, String> more, String... arguments) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(more);
        BenchProcess process = BenchProcess.start(name, module, List.of("-Xmx" + heap), all, folder.resolve("logs"),
                time, arguments);
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

    /** The deployment, for writing to its topics. */
    public Deployment deployment() {
        return new Deployment(SettingsReader
                .from(Map.of("trawl.kafka.bootstrap-servers", environment.get("TRAWL_KAFKA_BOOTSTRAP_SERVERS"),
                        "trawl.redis.url", environment.get("TRAWL_REDIS_URL"))),
                time);
    }

    /** The resource usage so far of each process by name, in the order of their start. */
    public Map<String, Usage> usage() {
        Map<String, Usage> all = new LinkedHashMap<>();
        processes.forEach(process -> all.put(process.name(), process.usage()));
        return all;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops all processes, workers first. The data stays. */
    @Override
    public void close() {
        client.close();
        processes.reversed().forEach(BenchProcess::close);
    }
}
