package io.trawl.testkit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoopbackWebTest {
    private static final Time TIME = Time.system();

    @Test
    void everyAddressIsASeparateHost() throws IOException, InterruptedException {
        WebPages webPages = (host, path) -> WebResponse.page(host + path, Duration.ZERO);
        try (LoopbackWeb web = LoopbackWeb.start(0, webPages, TIME); HttpClient http = HttpClient.newHttpClient()) {
            for (int host : new int[]{0, 1, 255, 256, 70_000}) {
                assertThat(get(http, web.url(host, "/a?b")).body()).isEqualTo(host + "/a?b");
            }
        }
    }

    @Test
    void connectionsPersistAndResponsesOfAnySizeAreComplete() throws IOException, InterruptedException {
        String large = "x".repeat(5_000_000);
        WebPages webPages = (host,
                path) -> path.equals("/large") ? WebResponse.page(large, Duration.ZERO) : WebResponse.notFound();
        try (LoopbackWeb web = LoopbackWeb.start(0, webPages, TIME); HttpClient http = HttpClient.newHttpClient()) {
            for (int i = 0; i < 5; i++) {
                assertThat(get(http, web.url(3, "/large")).body()).isEqualTo(large);
                assertThat(get(http, web.url(3, "/other")).statusCode()).isEqualTo(404);
            }
        }
    }

    @Test
    void aSlowHostDelaysNoOtherHost() throws IOException, InterruptedException {
        WebPages webPages = (host, path) -> WebResponse.page("", host == 0 ? Duration.ofMillis(300) : Duration.ZERO);
        try (LoopbackWeb web = LoopbackWeb.start(0, webPages, TIME); HttpClient http = HttpClient.newHttpClient()) {
            long begun = TIME.nanos();
            var slow = http
                    .sendAsync(HttpRequest.newBuilder(URI.create(web.url(0, "/"))).build(), BodyHandlers.discarding())
                    .thenApply(response -> TIME.nanos() - begun);
            get(http, web.url(1, "/"));
            assertThat(slow).isNotDone();
            assertThat(slow.join()).isGreaterThanOrEqualTo(Duration.ofMillis(300).toNanos());
        }
    }

    @Test
    void aMalformedRequestClosesTheConnection() throws IOException {
        try (LoopbackWeb web = LoopbackWeb.start(0, (host, path) -> WebResponse.notFound(), TIME);
                Socket socket = new Socket(InetAddress.ofLiteral(Loopback.address(0)), web.port())) {
            socket.getOutputStream().write("NONSENSE\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void addressesAndNumbersAreInverse() throws UnknownHostException {
        for (int host : new int[]{0, 1, 255, 256, 65_535, 65_536, Loopback.MOST - 1}) {
            assertThat(Loopback.number(InetAddress.getByName(Loopback.address(host)))).isEqualTo(host);
        }
    }

    private static HttpResponse<String> get(HttpClient http, String url) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    }
}
