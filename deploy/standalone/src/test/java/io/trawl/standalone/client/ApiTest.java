package io.trawl.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.leader.SeedCall.SubmittedSeeds;
import io.trawl.model.CrawlId;
import io.trawl.time.Time;
import io.trawl.standalone.client.Api.Server;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a real HTTP server that gives the responses of the test. */
class ApiTest {
    private final List<Headers> requests = new CopyOnWriteArrayList<>();
    @TempDir
    private Path temp;
    private HttpServer server;
    private URI base;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private interface Script {
        void run(HttpExchange exchange) throws IOException;
    }

    private void at(String path, Script script) {
        server.createContext(path, exchange -> {
            try (exchange) {
                requests.add(exchange.getRequestHeaders());
                script.run(exchange);
            }
        });
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private Api api() {
        return api(Duration.ZERO);
    }

    private Api api(Duration patience) {
        return new Api(List.of(Server.named(base, Optional.of("secret-of-16-chars"))).iterator(), patience);
    }

    @Test
    void whoSubmitsAListSeesHowManyRequestsTheCrawlHasUntilAllAreAdmitted() throws Exception {
        CountDownLatch looks = new CountDownLatch(2);
        at("/", exchange -> answer(exchange, 200, "{}"));
        at("/api/v1/crawls/docs/seeds", exchange -> {
            exchange.getRequestBody().readAllBytes();
            await().until(() -> looks.getCount() == 0);
            answer(exchange, 202, "{\"seeds\":2}");
        });
        at("/api/v1/crawls/docs", exchange -> {
            looks.countDown();
            answer(exchange, 200, "{\"crawl\":\"docs\",\"epoch\":1,\"state\":\"INITIALIZED\",\"definition\":{},"
                    + "\"totals\":{\"emitted\":1500}}");
        });
        Path list = Files.writeString(temp.resolve("urls.txt"), "http://a.example/\nhttp://b.example/\n");
        List<String> said = new CopyOnWriteArrayList<>();
        try (Api api = api()) {
            assertThat(new SeedSource(list.toString(), Optional.empty()).submit(api, new CrawlId("docs"), said::add)
                    .as(SubmittedSeeds.class).seeds()).isEqualTo(2);
        }
        assertThat(said).contains(
                "36 bytes of 36 bytes of seeds sent, waiting until they are admitted: the crawl has 1,500 requests");
    }

    @Test
    void whoSubmitsNothingYetSeesWhatIsWaitedFor() throws Exception {
        at("/", exchange -> answer(exchange, 200, "{}"));
        at("/api/v1/crawls/docs/seeds", exchange -> {
            exchange.getRequestBody().readAllBytes();
            answer(exchange, 202, "{\"seeds\":0}");
        });
        InputStream before = System.in;
        try (PipedOutputStream typed = new PipedOutputStream(); Api api = api()) {
            System.setIn(new PipedInputStream(typed));
            List<String> said = new CopyOnWriteArrayList<>();
            CompletableFuture<SubmittedSeeds> submitted = CompletableFuture.supplyAsync(() -> {
                try {
                    return new SeedSource("-", Optional.empty()).submit(api, new CrawlId("docs"), said::add)
                            .as(SubmittedSeeds.class);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            await().until(() -> said.contains("0 bytes of seeds sent, waiting for more of standard input"));
            typed.close();
            assertThat(SeedSource.useless(submitted.get())).contains("--seeds: the list has no seed");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void theTokenGoesAlong() throws Exception {
        at("/", exchange -> answer(exchange, 200, "{}"));
        try (Api api = api()) {
            api.get("/api/v1/summary");
        }
        assertThat(requests.getFirst().getFirst("Authorization")).isEqualTo("Bearer secret-of-16-chars");
    }

    @Test
    void aChangeOfWhatWasReadNamesTheVersionThatWasRead() throws Exception {
        at("/", exchange -> {
            exchange.getResponseHeaders().add("ETag", "\"1-abc\"");
            answer(exchange, 200, "{}");
        });
        try (Api api = api()) {
            api.patch("/crawl", Map.of(), api.get("/crawl/definition"));
            api.patch("/crawl", Map.of());
        }
        assertThat(requests.get(1).getFirst("If-Match")).isEqualTo("\"1-abc\"");
        assertThat(requests.get(2).containsKey("If-Match")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            404 | urn:trawl:problem:unknown-crawl | 3
            409 | urn:trawl:problem:illegal-move  | 4
            401 | urn:trawl:problem:unauthorized  | 5
            403 | urn:trawl:problem:forbidden     | 5
            400 | urn:trawl:problem:invalid       | 2
            """)
    void aRefusalHasTheExitCodeOfItsKind(int status, String type, int code) {
        at("/", exchange -> answer(exchange, status, "{\"type\":\"" + type + "\",\"detail\":\"because\"}"));
        try (Api api = api()) {
            assertThatThrownBy(() -> api.get("/api/v1/crawls/x")).isInstanceOfSatisfying(ApiRefusal.class, e -> {
                assertThat(e.exitCode()).isEqualTo(code);
                assertThat(e).hasMessageStartingWith("because");
            });
        }
    }

    @Test
    void everyFaultHasALineOfItsOwn() {
        at("/", exchange -> answer(exchange, 400,
                """
                        {"type":"urn:trawl:problem:invalid","detail":"all","faults":[{"field":"depth","value":"-7","rule":"at least -1"},
                        {"field":"delay","value":"2h","rule":"0ms to 1h"}]}"""));
        try (Api api = api()) {
            assertThatThrownBy(() -> api.get("/api/v1/crawls/x")).isInstanceOfSatisfying(ApiRefusal.class,
                    e -> assertThat(e.lines()).containsExactly("depth: '-7' is not valid: at least -1",
                            "delay: '2h' is not valid: 0ms to 1h"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            404 | {"type":"urn:trawl:problem:http-404","detail":"Not Found"} | does not know GET /api/v1/events: it is of another version than this command
            404 | <html>nothing here</html>                                  | does not know GET /api/v1/events
            503 | {"type":"urn:trawl:problem:no-leader","detail":"no leader"} | cannot answer: no leader
            429 | {"type":"urn:trawl:problem:channel-full","detail":"full"}  | full (retry after 5 s)
            200 | <html>hello</html>                                         | is not a Trawl coordinator
            """)
    void temporaryProblemsAndOtherServersAreNotTheUsersMistake(int status, String body, String message) {
        at("/", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "5");
            answer(exchange, status, body);
        });
        try (Api api = api()) {
            assertThatThrownBy(() -> api.get("/api/v1/events?limit=5").list(CrawlEvent.class))
                    .isInstanceOf(CoordinatorUnavailableException.class).hasMessageContaining(message);
        }
    }

    @Test
    void aCallIsRepeatedUntilACoordinatorLeads() throws Exception {
        at("/", exchange -> answer(exchange, requests.size() < 3 ? 503 : 200,
                requests.size() < 3 ? "{\"type\":\"urn:trawl:problem:no-leader\",\"detail\":\"no leader\"}" : "[1]"));
        try (Api api = api(Duration.ofSeconds(50))) {
            assertThat(api.get("/api/v1/crawls/x").tree()).hasSize(1);
        }
        assertThat(requests).hasSize(3);
    }

    @Test
    void aCallWaitsWhileThePortOfAContainerTakesCallsAndClosesThemAndWhileTheCoordinatorStarts() throws Exception {
        at("/", exchange -> {
            if (requests.size() > 2) {
                answer(exchange, requests.size() < 5 ? 503 : 200,
                        requests.size() < 5
                                ? "{\"type\":\"urn:trawl:problem:starting\",\"detail\":\"starting\"}"
                                : "[1]");
            }
        });
        try (Api api = api(Duration.ofSeconds(50))) {
            assertThat(api.get("/api/v1/crawls").tree()).hasSize(1);
        }
        assertThat(requests).hasSize(5);
    }

    @Test
    void whatChangesSomethingIsSentOnceAndToACoordinatorThatAnswers() throws Exception {
        List<String> changes = new CopyOnWriteArrayList<>();
        at("/health/live", exchange -> {
            if (requests.size() > 2) {
                answer(exchange, 200, "{}");
            }
        });
        at("/api/v1/crawls/x/start", exchange -> changes.add(exchange.getRequestMethod()));
        try (Api api = api(Duration.ofSeconds(50))) {
            assertThatThrownBy(() -> api.post("/api/v1/crawls/x/start"))
                    .isInstanceOf(CoordinatorUnavailableException.class).hasMessageContaining("broke off");
        }
        assertThat(changes).containsExactly("POST");
        assertThat(requests).hasSize(4);
    }

    @Test
    void anotherCoordinatorIsAskedIfOneCannotBeReached() throws Exception {
        at("/", exchange -> answer(exchange, 200, "[1]"));
        try (Api api = new Api(List.of(Server.found(URI.create("http://127.0.0.1:1"), Optional.empty()),
                Server.found(base, Optional.empty())).iterator())) {
            assertThat(api.get("/api/v1/crawls").from()).isEqualTo(base);
        }
    }

    @Test
    void aListIsFollowedToItsEndButToNoOtherServer() throws Exception {
        at("/api/v1/crawls", exchange -> {
            String query = String.valueOf(exchange.getRequestURI().getQuery());
            if (query.equals("null")) {
                exchange.getResponseHeaders().add("Link", "</api/v1/crawls?after=b&limit=2>; rel=\"next\"");
            } else {
                exchange.getResponseHeaders().add("Link",
                        "<http://elsewhere.example/api/v1/crawls?after=c>; rel=\"next\"");
            }
            answer(exchange, 200, query.equals("null") ? "[\"a\",\"b\"]" : "[\"c\"]");
        });
        try (Api api = api()) {
            assertThat(api.getAll("/api/v1/crawls").list(String.class)).containsExactly("a", "b", "c");
        }
    }

    @Test
    void aBrokenStreamResumesAfterTheLastEvent() throws Exception {
        at("/api/v1/errors/stream", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            int first = requests.size() * 2 - 1;
            exchange.getResponseBody()
                    .write(("retry: 1\nid: 0:" + first + "\nevent: error\ndata: " + first + "\n\n: beat\n\nid: 0:"
                            + (first + 1) + "\nevent: error\ndata: " + (first + 1) + "\n\nid: 0:99\ndata: half")
                            .getBytes(StandardCharsets.UTF_8));
        });
        List<String> seen = new ArrayList<>();
        try (Api api = api()) {
            new ServerSentEvents(api, "/api/v1/errors/stream", Time.system()).follow(event -> {
                seen.add(event.data());
                return seen.size() < 5;
            });
        }
        assertThat(seen).containsExactly("1", "2", "3", "4", "5");
        assertThat(requests).extracting(headers -> headers.getFirst("Last-Event-ID")).containsExactly(null, "0:2",
                "0:4");
    }
}
