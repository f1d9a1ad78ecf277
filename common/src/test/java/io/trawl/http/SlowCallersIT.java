package io.trawl.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Counts;
import io.trawl.model.MID;
import io.trawl.module.ModuleSummary;
import io.trawl.module.StageState.Phase;
import io.trawl.settings.SettingsReader;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thousand callers that send one byte of a header each second, and two hundred that follow a stream of events. */
@Tag("nightly")
class SlowCallersIT {
    private static final int SLOW = 1000;
    private static final int STREAMS = 200;
    /** Longer than a caller may take for its headers, and than the server takes to look for such callers. */
    private static final Duration LASTS = Duration.ofSeconds(45);
    private final Endpoint endpoint = new Endpoint(SettingsReader.from(Map.of()), 0);
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger followed = new AtomicInteger();
    private final List<Socket> sockets = new ArrayList<>();
    private final Time time = Time.system();

    @AfterEach
    void close() throws IOException {
        end.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        endpoint.close();
    }

    @Test
    void keepNoHealthCheckWaitingForASecondAndLoseTheirConnections() throws Exception {
        endpoint.serve(new ModulePages("127.0.0.1:8080",
                () -> new ModuleSummary(MID.parse("D1|127.0.0.1:8080"), 3, new Counts(0, 0, 0, 0, 0, 0), Instant.EPOCH,
                        Phase.RUNNING, Map.of()),
                () -> "", () -> true, () -> true,
                List.of(Route.get("/api/v1/events", _ -> CallResponse.streamed("text/event-stream", out -> {
                    out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    followed.incrementAndGet();
                    end.await();
                    followed.decrementAndGet();
                })))));
        for (int i = 0; i < STREAMS; i++) {
            send(connect(), "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < SLOW; i++) {
            slow.add(connect());
            send(slow.getLast(), "GET /health/live HTTP/1.1\r\nX: ");
        }
        long began = time.nanos();
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (time.nanos() - began < LASTS.toNanos()) {
                slow.removeIf(socket -> !send(socket, "x"));
                long asked = time.nanos();
                int status = http
                        .send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + "/health/live"))
                                .build(), BodyHandlers.discarding())
                        .statusCode();
                assertThat(status).isEqualTo(200);
                assertThat(Duration.ofNanos(time.nanos() - asked)).isLessThan(Duration.ofSeconds(1));
                time.pauseUntilNext(Duration.ofSeconds(1));
            }
        }
        assertThat(slow).as("slow callers that are still connected").isEmpty();
        assertThat(followed).as("streams that go on").hasValue(STREAMS);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    /** Returns whether the connection still takes it. */
    private static boolean send(Socket socket, String text) {
        try {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
