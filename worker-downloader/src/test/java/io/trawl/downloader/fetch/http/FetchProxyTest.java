package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.CrawlVariables;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Through a real forward proxy. */
class FetchProxyTest extends FetchFixture {
    private static final CrawlVariables SECRETS = new CrawlVariables(Map.of("TRAWL_SECRET_P", "p@ss:w/rd"));

    private ForwardProxy proxy(String refusal) throws IOException {
        return closing(new ForwardProxy(refusal));
    }

    private FetchResult through(String proxy, String url, FetchOptions options) {
        return fetched(List.of(proxy), url, options);
    }

    private FetchResult fetched(List<String> proxies, String url, FetchOptions options) {
        FetchProfile profile = FetchProfile.of(FetchRules.DEFAULT.with(fetch -> fetch.proxies(proxies)), SECRETS);
        return fetcher.fetch(request(url, options), profile, () -> true)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** The proxies in the order of the host of {@link #request}. */
    private static List<ForwardProxy> inOrder(ForwardProxy... proxies) {
        FetchProfile profile = FetchProfile.of(
                FetchRules.DEFAULT.with(fetch -> fetch.proxies(Stream.of(proxies).map(ForwardProxy::url).toList())),
                SECRETS);
        return profile.through(request("http://a.org/", FetchOptions.NONE)).proxies().stream()
                .map(first -> Stream.of(proxies).filter(p -> p.url().equals(first.written())).findFirst().orElseThrow())
                .toList();
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
        assertFailure(through(proxy.url(), "https://example.org/"), FailureReason.PROXY, "proxy",
                refusal.substring(0, 3));
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
        assertThat(through(proxy("503 Busy").url(), "http://example.org/").outcome())
                .isEqualTo(new Outcome.HttpError(503));
    }

    @Test
    void aProxyThatIsNotThereIsAFailureOfTheProxy() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        for (String url : new String[]{"http://example.org/", "https://example.org/"}) {
            assertFailure(through("http://127.0.0.1:" + port, url), FailureReason.PROXY, "127.0.0.1:" + port,
                    "refused");
        }
        assertFailure(through("http://nowhere.invalid:3128", "http://example.org/"), FailureReason.PROXY,
                "nowhere.invalid");
    }

    private static String basic(String userAndPassword) {
        return "Proxy-Authorization: Basic "
                + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8)) + "\r\n";
    }

    @Test
    void aProxyLearnsWhoTheCrawlerIsAndTheHostDoesNot() throws IOException {
        ForwardProxy proxy = proxy("");
        RawServer site = server(turn -> turn.answer("200 OK", "x", "Connection: close"));
        assertThat(text(through(proxy.url("crawler:${env:TRAWL_SECRET_P}"), site.url("/")))).isEqualTo("x");
        assertThat(proxy.heads()).singleElement().asString().contains(basic("crawler:p@ss:w/rd"));
        FetchProfile whole = FetchProfile.of(
                FetchRules.DEFAULT.with(fetch -> fetch.proxy(Optional.of("${env:TRAWL_SECRET_U}"))),
                new CrawlVariables(Map.of("TRAWL_SECRET_U", proxy.url("u%40x:p%2Fq"))));
        fetcher.fetch(request(site.url("/"), FetchOptions.NONE), whole, () -> true)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(proxy.heads().getLast()).contains(basic("u@x:p/q"));
        FetchResult refused = through(proxy("407 No").url("crawler:${env:TRAWL_SECRET_P}"), "https://example.org/");
        assertFailure(refused, FailureReason.PROXY, "407");
        assertThat(refused.outcome().detail()).doesNotContain("crawler", "w/rd", basic("crawler:p@ss:w/rd"));
    }

    @Test
    void aProxyWhoseVariableIsNotSetIsNotUsed() throws IOException {
        ForwardProxy proxy = proxy("");
        assertFailure(through(proxy.url("crawler:${env:TRAWL_SECRET_NONE}"), "http://example.org/"),
                FailureReason.OTHER, "variable");
        assertThat(proxy.heads()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void aProxyThatDoesNotKnowTheCrawlerRestsAndItsHostsMoveToAnother(String scheme) throws Exception {
        List<ForwardProxy> proxies = inOrder(proxy(""), proxy(""), proxy(""));
        List<String> urls = proxies.stream().map(ForwardProxy::url).toList();
        proxies.get(0).refuse("407 Proxy Authentication Required");
        proxies.get(1).close();
        // The site speaks no TLS: what counts is who is asked.
        RawServer site = server(turn -> turn.answer("200 OK", "x", "Connection: close"));
        String url = site.url("/").replace("http:", scheme + ":").replace("127.0.0.1", "site.known.to.proxy.only");
        for (int i = 0; i < 2; i++) {
            fetched(urls, url, FetchOptions.NONE);
            assertThat(proxies.get(2).heads()).as("requests of the third").hasSizeGreaterThan(i);
            assertThat(proxies.get(0).heads()).as("requests of the first, which rests after one").hasSize(1);
        }
        assertThat(fetcher.restingProxies()).hasSize(2).allSatisfy(name -> assertThat(name).startsWith("127.0.0.1:"));
        assertThat(fetched(urls, url, FetchOptions.NONE).outcome())
                .isEqualTo(fetched(List.of(urls.get(2)), url, FetchOptions.NONE).outcome());
    }

    @Test
    void aProxyThatOpensNoTunnelRestsIfAnotherOpensIt() throws Exception {
        List<ForwardProxy> proxies = inOrder(proxy("502 Bad Gateway"), proxy("502 Bad Gateway"));
        List<String> urls = proxies.stream().map(ForwardProxy::url).toList();
        assertFailure(fetched(urls, "https://example.org/", FetchOptions.NONE), FailureReason.PROXY, "502");
        assertThat(proxies).allSatisfy(proxy -> assertThat(proxy.heads()).hasSize(1));
        assertThat(fetcher.restingProxies()).as("the host may be at fault").isEmpty();
        proxies.get(1).refuse("403 Forbidden");
        assertFailure(fetched(urls, "https://example.org/", FetchOptions.NONE), FailureReason.PROXY, "403");
        assertThat(fetcher.restingProxies()).as("the other one answers for itself").hasSize(1);
    }

    @Test
    void ifAllRestOneIsTriedAndOneThatAnswersIsBack() throws Exception {
        List<ForwardProxy> proxies = inOrder(proxy("407 No"), proxy("407 No"));
        List<String> urls = proxies.stream().map(ForwardProxy::url).toList();
        RawServer site = server(turn -> turn.answer("200 OK", "x", "Connection: close"));
        for (int i = 0; i < 2; i++) {
            assertFailure(fetched(urls, site.url("/"), FetchOptions.NONE), FailureReason.PROXY, "407");
        }
        assertThat(proxies.get(0).heads().size() + proxies.get(1).heads().size()).isEqualTo(3);
        assertThat(fetcher.restingProxies()).hasSize(2);
        proxies.forEach(proxy -> proxy.refuse(""));
        assertThat(text(fetched(urls, site.url("/"), FetchOptions.NONE))).isEqualTo("x");
        assertThat(fetcher.restingProxies()).hasSize(1);
    }
}
