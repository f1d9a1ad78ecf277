package io.trawl.standalone.crawl;

import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.http.HttpCaller;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.InvalidSettingsException;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.worker.ShutdownRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * Runs a deployment in this JVM, for any number of crawls, until a stop is requested. Unfinished crawls resume at the
 * next start.
 *
 * @param port of the dashboard; empty: 8080, or the next free one; 0: any free one
 * @param stop requests a graceful shutdown
 */
public record FleetRunner(FleetPlan plan, OptionalInt port, ShutdownRequest stop) {
    private static final int FIRST_PORT = 8080;
    private static final int PORTS = 100;
    private static final long LARGEST_ANSWER = 1 << 20;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration TO_ANSWER = Duration.ofSeconds(5);

    /**
     * Starts all processes and returns after they have stopped.
     *
     * @param say receives a line for each step
     * @param ready receives the dashboard's address when all processes are ready
     * @throws UserMistakeException if the port is in use or the output folder cannot be written to
     * @throws io.trawl.embedded.EmbeddedServerException if the servers cannot be started
     */
    public void run(Consumer<String> say, Consumer<URI> ready) throws InterruptedException {
        OutputFolder.writable(plan.out());
        say.accept("starting Kafka and Redis on " + plan.data() + " ...");
        try (LocalFleet fleet = LocalFleet.start(plan)) {
            fleet.warning().filter(line -> ShownOnce.isNew(plan.data(), line)).ifPresent(say);
            say.accept("starting coordinator, downloader, analyzer and pipeline ...");
            URI coordinator = coordinator(fleet);
            fleet.startStages();
            if (answers(fleet, coordinator, say)) {
                ready.accept(fleet.dashboard(coordinator));
            }
            while (!stop.within(POLL)) {
                fleet.check(say);
            }
            say.accept("stopping after the requests in flight; Ctrl-C again stops at once ...");
            // The coordinator shows their state until they have stopped.
            fleet.stopStages();
        }
    }

    private URI coordinator(LocalFleet fleet) throws InterruptedException {
        if (port.isPresent()) {
            return at(fleet, port.getAsInt());
        }
        for (int next = FIRST_PORT; next < FIRST_PORT + PORTS; next++) {
            try {
                return fleet.startCoordinator(next);
            } catch (InvalidValueException taken) {
                // In use: try the next one.
            }
        }
        return at(fleet, LocalFleet.ANY_PORT);
    }

    private static URI at(LocalFleet fleet, int port) throws InterruptedException {
        try {
            return fleet.startCoordinator(port);
        } catch (InvalidValueException e) {
            throw new UserMistakeException("--port: '" + port + "' is not valid: " + e.rule());
        }
    }

    /** Waits until the coordinator is ready; false if a stop is requested before. */
    private boolean answers(LocalFleet fleet, URI coordinator, Consumer<String> say) throws InterruptedException {
        HttpRequest question = HttpRequest.newBuilder(coordinator.resolve("/health/ready")).timeout(TO_ANSWER).build();
        try (HttpCaller http = new HttpCaller(LARGEST_ANSWER)) {
            while (!stop.within(POLL)) {
                fleet.check(say);
                if (ready(http, question)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static boolean ready(HttpCaller http, HttpRequest question) throws InterruptedException {
        try {
            return http.send(question).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * The common settings of all processes of a deployment in one JVM.
     *
     * @param out the folder for pages and errors
     * @param data the folder of Kafka, Redis and the log
     * @param allowNetwork private or loopback networks that are allowed
     * @param concurrency the maximum number of requests in flight, if there is one
     * @param lasting whether it serves clients until it is stopped: only then do the tokens and webhooks of the
     * environment apply
     */
    public record FleetPlan(Path out, Path data, List<String> allowNetwork, Optional<Integer> concurrency,
            boolean lasting) {
        /** Adds what is wrong with the settings in the environment. */
        public void check(Map<String, String> environment, FaultCollector faults) {
            try {
                LocalSettings.of(this, environment);
            } catch (InvalidSettingsException e) {
                faults.addAll(e.faults(), 0);
            }
        }
    }
}
