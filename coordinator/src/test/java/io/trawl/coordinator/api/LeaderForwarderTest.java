package io.trawl.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.trawl.coordinator.api.LeaderForwarder.LeaderLostException;
import io.trawl.coordinator.api.LeaderForwarder.Question;
import io.trawl.coordinator.api.SeedRoutes.PartlyTakenException;
import io.trawl.coordinator.leader.CrawlControl.SeedsPendingException;
import io.trawl.http.Problem;
import io.trawl.time.Time;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class LeaderForwarderTest {
    private static final Question SEEDS = new Question("POST", "/api/v1/crawls/docs/seeds", Map.of(), new byte[0],
            "ann");

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
    void aConnectionThatBreaksInTheMiddleOfABodyIsBlamedOnTheLeaderAndNotOnKafka() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                LeaderForwarder leaderForwarder = new LeaderForwarder(Optional.empty(), Time.system())) {
            Thread.ofVirtual().start(() -> breakAfterTheFirstBytes(server));
            String leader = "127.0.0.1:" + server.getLocalPort();
            LeaderLostException lost = catchThrowableOfType(LeaderLostException.class,
                    () -> leaderForwarder.pass(List.of(leader), SEEDS, new ByteArrayInputStream(new byte[50_000_000])));
            assertThat(new CoordinatorProblems().problem(new PartlyTakenException(0, lost), "/"))
                    .returns("urn:trawl:problem:leader-lost", Problem::type).returns(503, Problem::status)
                    .returns("The leader does not answer", Problem::title).extracting(Problem::detail).asString()
                    .contains(leader);
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
