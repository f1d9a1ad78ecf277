package io.trawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FakeWebTest {
    private final FakeWeb web = FakeWeb.start(2);
    private final FakeHost host = web.host(0);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        web.close();
        client.close();
    }

    private HttpResponse<byte[]> get(String url) throws IOException, InterruptedException {
        return client.send(request(url), BodyHandlers.ofByteArray());
    }

    private static HttpRequest request(String url) {
        return HttpRequest.newBuilder(URI.create(url)).header("User-Agent", "Tester/1").build();
    }

    @Test
    void everyRequestIsRecorded() throws Exception {
        host.page("/a", "<p>a</p>");
        web.host(1).page("/a", "<p>other</p>");
        assertThat(get(host.url("/a")).body()).asString().isEqualTo("<p>a</p>");
        assertThat(get(host.url("/a?x=%C3%A9")).statusCode()).isEqualTo(200);
        assertThat(get(host.url("/b")).statusCode()).isEqualTo(404);
        assertThat(get(web.host(1).url("/a")).body()).asString().isEqualTo("<p>other</p>");

        Awaitility.await().until(() -> web.visits().stream().allMatch(v -> v.ended().isPresent()));
        assertThat(web.visits(host)).extracting(SeenRequest::path).containsExactly("/a", "/a?x=%C3%A9", "/b");
        assertThat(web.visits()).extracting(SeenRequest::userAgent).containsOnly("Tester/1");
        assertThat(web.count(host.url("/a"))).isOne();
        assertThat(web.counts()).hasSize(4);
        assertThat(web.shortestGap(web.host(1))).isEqualTo(Long.MAX_VALUE);
        web.forgetVisits();
        assertThat(web.visits()).isEmpty();
    }

    @Test
    void aRouteWithAQueryTakesPrecedence() throws Exception {
        host.page("/a", "any").page("/a?x=1", "one");
        assertThat(get(host.url("/a?x=1")).body()).asString().isEqualTo("one");
        assertThat(get(host.url("/a?x=2")).body()).asString().isEqualTo("any");
    }

    @Test
    void overlappingRequestsShowInTheGap() throws Exception {
        CountDownLatch opens = new CountDownLatch(1);
        host.route("/slow", Behaviours.slow(opens, Behaviours.page("late"))).page("/quick", "now");
        CompletableFuture<HttpResponse<byte[]>> slow = client.sendAsync(request(host.url("/slow")),
                BodyHandlers.ofByteArray());
        Awaitility.await().until(() -> web.count(host.url("/slow")) == 1);
        get(host.url("/quick"));
        assertThat(slow.isDone()).isFalse();
        assertThat(web.shortestGap(host)).isNegative();
        opens.countDown();
        assertThat(slow.get(10, TimeUnit.SECONDS).body()).asString().isEqualTo("late");
    }

    @Test
    void aRateLimitEndsAfterTheGivenNumberOfRequests() throws Exception {
        host.route("/busy", Behaviours.tooManyRequests(1, Duration.ofSeconds(7), Behaviours.page("ok")));
        HttpResponse<byte[]> first = get(host.url("/busy"));
        assertThat(first.statusCode()).isEqualTo(429);
        assertThat(first.headers().firstValue("Retry-After")).contains("7");
        assertThat(get(host.url("/busy")).statusCode()).isEqualTo(200);
    }

    @Test
    void brokenResponsesAreBroken() throws Exception {
        host.route("/up", Behaviours.hangsUp()).route("/cut", Behaviours.cutShort("<p>half</p>"))
                .route("/gzip", Behaviours.gzip("<p>whole</p>"))
                .route("/half", Behaviours.brokenGzip("<p>whole</p>".repeat(100)));
        assertThatThrownBy(() -> get(host.url("/up"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> get(host.url("/cut"))).isInstanceOf(IOException.class);
        assertThat(inflated(get(host.url("/gzip")))).asString().isEqualTo("<p>whole</p>");
        HttpResponse<byte[]> half = get(host.url("/half"));
        assertThatThrownBy(() -> inflated(half)).isInstanceOf(IOException.class);
    }

    private static byte[] inflated(HttpResponse<byte[]> response) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            return in.readAllBytes();
        }
    }

    @Test
    void aDripEndsAndAnEndlessPageDoesNot() throws Exception {
        host.route("/drip", Behaviours.drip("drip", Duration.ofMillis(1))).route("/endless", Behaviours.endless());
        assertThat(get(host.url("/drip")).body()).asString().isEqualTo("drip");
        try (var body = client.send(request(host.url("/endless")), BodyHandlers.ofInputStream()).body()) {
            assertThat(body.readNBytes(5_000_000)).hasSize(5_000_000);
        }
    }
}
