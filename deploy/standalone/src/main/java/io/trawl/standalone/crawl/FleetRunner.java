package io.trawl.standalone.crawl;

import io.trawl.model.InvalidValue;
import io.trawl.standalone.UserMistake;
import io.trawl.worker.StopRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Keeps a deployment in this JVM running, for any number of crawls, until somebody asks to stop. What is unfinished then goes on at the next start. */
public final class FleetRunner {
    private static final int FIRST_PORT = 8080;
    private static final int PORTS = 100;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration TO_ANSWER = Duration.ofSeconds(5);
    private final FleetPlan plan;
    private final OptionalInt port;
    private final StopRequest stop;

    /**
     * Prepares a run.
     *
     * @param port where the dashboard is to be; empty: at 8080, or the next port that is free; 0: at any free one
     * @param stop asked for a clean stop
     */
    public FleetRunner(FleetPlan plan, OptionalInt port, StopRequest stop) {
        this.plan = plan;
        this.port = port;
        this.stop = stop;
    }

    /**
     * Starts everything and returns after everything has stopped.
     *
     * @param say told each step in a few words
     * @param ready told the dashboard's address when everything works
     * @throws UserMistake if the port is taken or the output folder belongs to others
     * @throws io.trawl.embedded.EmbeddedFailure if the servers cannot be started
     */
    public void run(Consumer<String> say, Consumer<URI> ready) throws InterruptedException {
        OutputFolder.writable(plan.out());
        say.accept("starting Kafka and Redis on " + plan.data());
        try (LocalFleet fleet = LocalFleet.start(plan)) {
            OutputFolder.takeForAll(plan.out(), fleet.cluster());
            say.accept("starting coordinator, downloader, analyzer and pipeline");
            URI dashboard = coordinator(fleet);
            fleet.startStages();
            if (answers(fleet, dashboard)) {
                ready.accept(dashboard);
            }
            while (!stop.within(POLL)) {
                check(fleet);
            }
            say.accept("stopping when what is in flight is finished; Ctrl-C again ends at once");
        }
    }

    private URI coordinator(LocalFleet fleet) throws InterruptedException {
        if (port.isPresent()) {
            return at(fleet, port.getAsInt());
        }
        for (int next = FIRST_PORT; next < FIRST_PORT + PORTS; next++) {
            try {
                return fleet.startCoordinator(next);
            } catch (InvalidValue taken) {
                // Somebody else's: the next one.
            }
        }
        return at(fleet, LocalFleet.ANY_PORT);
    }

    private static URI at(LocalFleet fleet, int port) throws InterruptedException {
        try {
            return fleet.startCoordinator(port);
        } catch (InvalidValue e) {
            throw new UserMistake("--port: '" + port + "' is not valid: " + e.rule());
        }
    }

    private static void check(LocalFleet fleet) {
        fleet.trouble().ifPresent(why -> {
            throw new IllegalStateException("cannot go on: " + why + "; started again, the same command goes on from here");
        });
    }

    /** Waits until the coordinator is ready; false if somebody asks to stop before. */
    private boolean answers(LocalFleet fleet, URI dashboard) throws InterruptedException {
        HttpRequest question = HttpRequest.newBuilder(dashboard.resolve("/health/ready")).timeout(TO_ANSWER).build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (!stop.within(POLL)) {
                check(fleet);
                if (ready(http, question)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static boolean ready(HttpClient http, HttpRequest question) throws InterruptedException {
        try {
            return http.send(question, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }
}
