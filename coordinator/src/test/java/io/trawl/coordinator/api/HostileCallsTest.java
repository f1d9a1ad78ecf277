package io.trawl.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.http.Endpoint;
import io.trawl.settings.SettingsReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What pages of other sites make browsers send, and what no client of ours sends, at a worker and at a coordinator that
 * listen on loopback. Neither has started.
 */
class HostileCallsTest {
    private final Map<String, String> settings = Map.of("trawl.http.hosts", "crawl.example.org");
    private final Endpoint worker = new Endpoint(SettingsReader.from(settings), 0);
    private final ApiEndpoint coordinator = new ApiEndpoint(SettingsReader.from(settings), 0);

    @AfterEach
    void close() {
        worker.close();
        coordinator.close();
    }

    private static String answer(Endpoint endpoint, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write((request + "Connection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static int status(Endpoint endpoint, String request) throws IOException {
        return Integer.parseInt(answer(endpoint, request).substring(9, 12));
    }

    @ParameterizedTest(name = "{0} may ask: {1}")
    @CsvSource({"localhost, true", "LOCALHOST:8080, true", "trawl.localhost, true", "localhost., true",
            "127.0.0.1:8080, true", "127.9.9.9, true", "[::1]:8080, true", "crawl.example.org, true",
            "crawl.example.org:443, true", "attacker.example, false", "127.0.0.1.attacker.example, false",
            "localhost.attacker.example, false", "notlocalhost, false", "10.0.0.1, false", "0.0.0.0, false",
            "[::2], false"})
    void aNameThatIsBoundToLoopbackForAMomentIsNotAnswered(String host, boolean answered) throws Exception {
        for (Endpoint endpoint : List.of(worker, coordinator)) {
            for (String path : List.of("/summary", "/metrics", "/health/ready", "/api/v1/summary")) {
                String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n";
                assertThat(status(endpoint, request) != 403).as(request).isEqualTo(answered);
            }
        }
        assertThat(status(coordinator, "GET / HTTP/1.1\r\nHost: " + host + "\r\n") != 403).as("dashboard")
                .isEqualTo(answered);
    }

    @ParameterizedTest(name = "{0} from {1} to {2}: {3}")
    @CsvSource({"POST, http://attacker.example, 127.0.0.1:8080, false", "POST, null, 127.0.0.1:8080, false",
            "POST, http://127.0.0.1:8000, 127.0.0.1:8080, false", "POST, http://localhost:8080, 127.0.0.1:8080, false",
            "PUT, http://attacker.example, 127.0.0.1:8080, false",
            "DELETE, http://attacker.example, 127.0.0.1:8080, false",
            "OPTIONS, http://attacker.example, 127.0.0.1:8080, false",
            "GET, http://attacker.example, 127.0.0.1:8080, true", "POST, http://127.0.0.1:8080, 127.0.0.1:8080, true",
            "POST, https://crawl.example.org, crawl.example.org, true",
            "POST, https://crawl.example.org, 127.0.0.1:8080, true", "POST, http://localhost, localhost:80, true"})
    void aForeignOriginMayOnlyRead(String method, String origin, String host, boolean answered) throws Exception {
        for (Endpoint endpoint : List.of(worker, coordinator)) {
            String request = method + " /api/v1/stop-sign HTTP/1.1\r\nHost: " + host + "\r\nOrigin: " + origin
                    + "\r\nContent-Length: 0\r\n";
            String answer = answer(endpoint, request);
            assertThat(!answer.startsWith("HTTP/1.1 403")).as(answer).isEqualTo(answered);
            assertThat(answer).as("no other site reads an answer").doesNotContainIgnoringCase("Access-Control-");
        }
    }

    @ParameterizedTest(name = "{0} names the path of the version")
    @CsvSource({"/api", "/api/", "/api/crawls", "/api/v2/crawls", "/api/v10"})
    void theInterfaceWithoutItsVersionIsNotThere(String path) throws Exception {
        String answer = answer(coordinator, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        assertThat(answer).startsWith("HTTP/1.1 404").contains("application/problem+json",
                "the REST interface is at /api/v1");
    }

    @ParameterizedTest(name = "{0} {1} while the heap is nearly full: {2}")
    @CsvSource({"PUT, crawls/docs, false", "POST, crawls/docs/seeds, false", "POST, crawls/docs/start, false",
            "POST, preview, false", "GET, crawls, false", "GET, errors, false", "GET, errors/stream, false",
            "GET, anything-new, false", "POST, crawls/docs/stop, true", "POST, stop-sign, true",
            "DELETE, crawls/docs, true", "GET, summary, true", "GET, crawls/docs, true", "GET, modules, true",
            "GET, explain, true", "GET, openapi.yaml, true"})
    void withoutMemoryOnlySmallCallsAreAnswered(String method, String path, boolean answered) throws Exception {
        String request = method + " /api/v1/" + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n";
        String full = "the heap of this process is nearly full";
        assertThat(answer(coordinator, request)).doesNotContain(full);
        coordinator.spareWhile(() -> true);
        String answer = answer(coordinator, request);
        assertThat(!answer.contains(full)).as(answer).isEqualTo(answered);
        if (!answered) {
            assertThat(answer).startsWith("HTTP/1.1 503").contains("Retry-After: 5");
        }
    }

    @Test
    void aRequestForAWebSocketMakesNoSession() throws Exception {
        String answer = answer(coordinator, "GET /api/v1/summary HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nConnection: Upgrade\r\n");
        assertThat(answer).doesNotContain("HTTP/1.1 101").doesNotContainIgnoringCase("Set-Cookie")
                .doesNotContain("HTTP/1.1 500");
    }

    @Test
    void headersAreBounded() throws Exception {
        for (Endpoint endpoint : List.of(worker, coordinator)) {
            try {
                String request = "GET /summary HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "x".repeat(500_000) + "\r\n";
                assertThat(answer(endpoint, request)).doesNotContain("HTTP/1.1 200").doesNotContain("HTTP/1.1 503");
            } catch (IOException e) {
                assertThat(e).as("the connection is closed before all is sent").isNotNull();
            }
        }
    }

    @Test
    void aBodyBeyondTheLimitIsRefusedBeforeItIsRead() throws Exception {
        for (String path : List.of("/api/v1/crawls/docs", "/api/v1/crawls/docs/seeds", "/api/v1/preview")) {
            String request = (path.endsWith("docs") ? "PUT " : "POST ") + path
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 40000000\r\n";
            assertThat(status(coordinator, request)).as(path).isEqualTo(413);
        }
    }
}
