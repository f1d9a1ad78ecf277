package io.trawl.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.coordinator.leader.CrawlControl.SeedsPendingException;
import io.trawl.http.Endpoint;
import io.trawl.http.Problem;
import io.trawl.http.Route;
import io.trawl.http.Route.BodyRule;
import io.trawl.http.RouteTable;
import io.trawl.settings.SettingsReader;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class LeaderForwarderTest {
    /** Asks for the body, reads a little of it and breaks the connection. */
    private static void breakAfterTheFirstBytes(ServerSocket server) {
        try (Socket connection = server.accept()) {
            connection.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            connection.getInputStream().readNBytes(20_000);
            connection.setSoLinger(true, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aConnectionThatBreaksInTheMiddleOfABodyIsBlamedOnTheLeaderAndNotOnKafka() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                LeaderForwarder leaderForwarder = new LeaderForwarder(Optional.empty(), Time.system())) {
            Thread.ofVirtual().start(() -> breakAfterTheFirstBytes(server));
            String leader = "127.0.0.1:" + server.getLocalPort();
            CompletableFuture<Problem> lost = new CompletableFuture<>();
            Route seeds = Route.change("POST", "/seeds", new BodyRule(Set.of(), 1, Set.of("application/jsonl"), 0),
                    call -> leaderForwarder.pass(List.of(leader), call).orElseThrow());
            RouteTable table = new RouteTable(List.of(seeds), new CoordinatorProblems() {
                @Override
                public Problem problem(Exception e, String path) {
                    Problem problem = super.problem(e, path);
                    lost.complete(problem);
                    return problem;
                }
            }, _ -> {}, (_, _) -> {});
            try (Endpoint endpoint = new Endpoint(SettingsReader.from(Map.of()), 0, table);
                    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
                http.sendAsync(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + "/seeds"))
                                .header("Content-Type", "application/jsonl")
                                .POST(BodyPublishers.ofByteArray(new byte[50_000_000])).build(),
                        BodyHandlers.discarding());
                assertThat(lost.get(20, TimeUnit.SECONDS)).returns("urn:trawl:problem:leader-lost", Problem::type)
                        .returns(503, Problem::status).returns("The leader does not answer", Problem::title)
                        .extracting(Problem::detail).asString().contains(leader);
                http.shutdownNow();
            }
        }
    }

    @Test
    void onlyKafkaIsBlamedOnKafka() {
        assertThat(new CoordinatorProblems().problem(new TimeoutException("late"), "/").title())
                .isEqualTo("Kafka does not answer");
        assertThat(new CoordinatorProblems().problem(new SeedsPendingException(), "/"))
                .returns("urn:trawl:problem:seeds-pending", Problem::type).returns(503, Problem::status);
    }
}
