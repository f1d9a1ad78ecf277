package io.trawl.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Counts;
import io.trawl.model.InvalidValueException;
import io.trawl.model.MID;
import io.trawl.module.ModuleSummary;
import io.trawl.module.StageState.Phase;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.testkit.TestTimeouts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages that every module has, the routes that a module brings, and the problem documents of both. */
class EndpointTest {
    private static final String READ = "read-token-0123456789";
    private static final List<String> HEADERS = List.of("Content-Type", "Content-Length", "WWW-Authenticate",
            "Retry-After", "Allow");
    private final Settings settings = SettingsReader
            .from(Map.of("trawl.api.read-token", READ, "trawl.api.write-token", "write-token-0123456789"));
    private final Endpoint endpoint = new Endpoint(settings, 0);
    private final AtomicBoolean fine = new AtomicBoolean(true);
    private final HttpClient http = HttpClient.newHttpClient();

    private record Reply(int status, Map<String, String> headers, String body) {}

    @AfterEach
    void close() {
        endpoint.close();
        http.close();
    }

    private static CallResponse invalid() {
        throw new InvalidValueException("url", "", "either a URL, or else a host as ?host=");
    }

    private static CallResponse starting() {
        throw CallRefusedException.starting();
    }

    private void serve() {
        ModuleSummary summary = new ModuleSummary(MID.parse("D1|127.0.0.1:8080"), 3, new Counts(5, 4, 3, 1, 0, 0),
                Instant.EPOCH, Phase.RUNNING, Map.of("figure", 7));
        ModulePages pages = new ModulePages("127.0.0.1:8080", () -> summary, () -> "trawl_figure 7.0\n", fine::get,
                fine::get,
                List.of(Route.get("/api/v1/explain", _ -> invalid()), Route.get("/api/v1/summary", _ -> starting()),
                        Route.post("/api/v1/stop-sign", "application/json", 10, call -> {
                            call.body();
                            return starting();
                        })));
        endpoint.serve(pages);
    }

    private Reply ask(String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + path))
                .method(method, BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        Map<String, String> shown = new HashMap<>();
        HEADERS.forEach(name -> response.headers().firstValue(name).ifPresent(value -> shown.put(name, value)));
        return new Reply(response.statusCode(), shown, response.body());
    }

    private Reply answer(int status, String method, String path, String... headers) throws Exception {
        Reply reply = ask(method, path, headers);
        assertThat(reply.status()).as(method + " " + path).isEqualTo(status);
        return reply;
    }

    private void problem(int status, String word, String method, String path, String... headers) throws Exception {
        Reply reply = answer(status, method, path, headers);
        assertThat(reply.headers()).containsEntry("Content-Type", "application/problem+json");
        assertThat(reply.body()).contains("\"urn:trawl:problem:" + word + "\"", "\"status\":" + status,
                "\"instance\":\"" + path + "\"");
    }

    @Test
    void thePagesThatEveryModuleHas() throws Exception {
        for (String path : ModulePages.PATHS) {
            problem(503, "starting", "GET", path);
        }
        serve();
        assertThat(answer(200, "GET", "/summary").body()).contains("\"figure\":7");
        assertThat(answer(200, "GET", "/metrics").headers()).containsEntry("Content-Type",
                "text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer(200, "GET", "/health/live").body()).isEqualTo("{\"live\":true}");
        assertThat(answer(200, "GET", "/health/ready").body()).isEqualTo("{\"ready\":true}");
        fine.set(false);
        assertThat(answer(503, "GET", "/health/live").body()).isEqualTo("{\"live\":false}");
        assertThat(answer(503, "GET", "/health/ready").body()).startsWith("{\"ready\":false,\"state\":{\"phase\":");
        assertThat(answer(200, "HEAD", "/summary").body()).isEmpty();
    }

    @Test
    void problemDocuments() throws Exception {
        serve();
        for (String path : ModulePages.PATHS) {
            problem(405, "http-405", "POST", path);
            assertThat(answer(405, "DELETE", path).headers()).containsEntry("Allow", "GET, HEAD, OPTIONS");
        }
        problem(404, "http-404", "GET", "/nothing");
        problem(404, "http-404", "GET", "/summary/");
        problem(404, "http-404", "GET", "/summary/more");
        String[] reader = {"Authorization", "Bearer " + READ};
        problem(400, "invalid", "GET", "/api/v1/explain", reader);
        problem(503, "starting", "GET", "/api/v1/summary", reader);
        assertThat(answer(503, "GET", "/api/v1/summary", reader).headers()).containsEntry("Retry-After", "1");
    }

    @Test
    void accessByToken() throws Exception {
        serve();
        problem(401, "access", "GET", "/api/v1/summary");
        assertThat(answer(401, "GET", "/api/v1/summary").headers()).containsEntry("WWW-Authenticate",
                "Bearer realm=\"trawl\"");
        problem(401, "access", "GET", "/api/v1/summary", "Authorization", "Bearer wrong-token-0123456789");
        problem(403, "access", "POST", "/api/v1/stop-sign", "Authorization", "Bearer " + READ);
        problem(403, "access", "POST", "/api/v1/stop-sign", "Authorization", "Bearer write-token-0123456789",
                "Sec-Fetch-Site", "cross-site");
    }

    @Test
    void aBodyThatComesAfterTheAnswerCostsTheNextCallNothing() throws Exception {
        serve();
        for (String method : List.of("GET", "DELETE", "POST")) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                String head = " /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ";
                write(socket, method + head + "2\r\n\r\n");
                assertThat(in.readLine()).startsWith("HTTP/1.1 " + (method.equals("GET") ? 200 : 405));
                socket.setSoTimeout(100);
                assertThatThrownBy(() -> in.transferTo(Writer.nullWriter())).as("the connection stays open")
                        .isInstanceOf(SocketTimeoutException.class);
                socket.setSoTimeout((int) TestTimeouts.LIMIT.toMillis());
                write(socket, "{}GET" + head + "0\r\n\r\n");
                assertThat(in.lines().filter(line -> line.contains("HTTP/1.1 ")).findFirst()).as(method)
                        .hasValueSatisfying(line -> assertThat(line).endsWith("HTTP/1.1 200 OK"));
            }
        }
    }

    @ParameterizedTest(name = "{index}: {2}")
    @MethodSource
    void whatTheServerItselfRefusesIsAProblemDocument(String request, int status, String word) throws Exception {
        serve();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port())) {
            write(socket, request);
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 " + status).containsIgnoringCase("application/problem+json")
                    .contains("\"urn:trawl:problem:" + word + "\"", "\"status\":" + status, "\"detail\":")
                    .doesNotContain("badMessage", "\"null\"", "<html");
        }
    }

    static Stream<Arguments> whatTheServerItselfRefusesIsAProblemDocument() {
        String host = " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";
        String post = "POST /api/v1/stop-sign" + host + "Authorization: Bearer write-token-0123456789\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
        return Stream.of(Arguments.of("no HTTP at all\r\n\r\n", 400, "http-400"),
                Arguments.of("GET /summary\r\n\r\n", 505, "http-505"),
                Arguments.of("GET /summary HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "http-400"),
                Arguments.of("GET /summary HTTP/7.0\r\nHost: 127.0.0.1\r\n\r\n", 505, "http-505"),
                Arguments.of("GET /a/%zz" + host + "\r\n", 400, "http-400"),
                Arguments.of("GET /a/../../summary" + host + "\r\n", 400, "http-400"),
                Arguments.of("GET /summary" + host + "No-Colon\r\n\r\n", 400, "http-400"),
                Arguments.of("GET /" + "x".repeat(20_000) + host + "\r\n", 414, "http-414"),
                Arguments.of("GET /summary" + host + "X-Long: " + "x".repeat(20_000) + "\r\n\r\n", 431, "http-431"),
                Arguments.of("GET /summary" + host + "Expect: the-unexpected\r\n\r\n", 417, "http-417"),
                Arguments.of(post + "no number\r\n", 400, "malformed"),
                Arguments.of(post + "5\r\n{", 400, "malformed"));
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
    }
}
