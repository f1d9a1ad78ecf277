package io.trawl.downloader.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.FetchStyle;
import io.trawl.model.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Through a real forward proxy. */
class FetchProxyTest extends FetchFixture {
    private ForwardProxy proxy(String refusal) throws IOException {
        return closing(new ForwardProxy(refusal));
    }

    private FetchResult through(String proxy, String url, FetchOptions options) {
        FetchProfile profile = new FetchProfile("Trawl/1", FetchStyle.PLAIN, Optional.of(proxy), java.util.Set.of(),
                java.time.Duration.ZERO,
                Optional.empty());
        return fetcher.fetch(request(url, options), profile, () -> true).orTimeout(30, TimeUnit.SECONDS).join();
    }

    private FetchResult through(String proxy, String url) {
        return through(proxy, url, FetchOptions.NONE);
    }

    @Test
    void theProxyOfACrawlCarriesItsRequests() throws IOException {
        ForwardProxy proxy = proxy("");
        RawServer site = server(turn -> turn.answer("200 OK", "from " + turn.path()));
        FetchResult fetchResult = through(proxy.url(), "http://site.known.to.proxy.only:" + site.port() + "/a");
        assertThat(text(fetchResult)).isEqualTo("from /a");
        assertThat(proxy.heads()).singleElement().asString().startsWith("GET http://site.known.to.proxy.only:");
        assertThat(site.heads()).singleElement().asString().contains("Host: site.known.to.proxy.only:");
    }

    @Test
    void theProxyOfARequestComesBeforeThatOfItsCrawl() throws IOException {
        ForwardProxy crawls = proxy("");
        ForwardProxy own = proxy("");
        RawServer site = server(turn -> turn.answer("200 OK", "x"));
        FetchOptions options = options(Map.of(), Optional.empty(), Optional.of(own.url()));
        assertThat(through(crawls.url(), site.url("/"), options).outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(crawls.heads()).isEmpty();
        assertThat(own.heads()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"407 Proxy Authentication Required", "403 Forbidden", "502 Bad Gateway"})
    void aTunnelThatIsRefusedIsAFailureOfTheProxy(String refusal) throws IOException {
        ForwardProxy proxy = proxy(refusal);
        assertFailure(through(proxy.url(), "https://example.org/"), FailureReason.PROXY, "proxy", refusal.substring(0, 3));
        assertThat(proxy.heads()).singleElement().asString().startsWith("CONNECT example.org:443 ");
    }

    @Test
    void aProxyThatWantsAPasswordIsAFailureOfTheProxy() throws IOException {
        ForwardProxy proxy = proxy("407 Proxy Authentication Required");
        assertFailure(through(proxy.url(), "http://example.org/"), FailureReason.PROXY, "407");
    }

    /** The sender of such a status, proxy or host, is unknown. */
    @Test
    void anyOtherStatusOfAForwardedRequestIsTheAnswer() throws IOException {
        assertThat(through(proxy("503 Busy").url(), "http://example.org/").outcome()).isEqualTo(new Outcome.HttpError(503));
    }

    @Test
    void aProxyThatIsNotThereIsAFailureOfTheProxy() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        for (String url : new String[]{"http://example.org/", "https://example.org/"}) {
            assertFailure(through("http://127.0.0.1:" + port, url), FailureReason.PROXY, "127.0.0.1:" + port, "refused");
        }
        assertFailure(through("http://nowhere.invalid:3128", "http://example.org/"), FailureReason.PROXY, "nowhere.invalid");
    }
}
