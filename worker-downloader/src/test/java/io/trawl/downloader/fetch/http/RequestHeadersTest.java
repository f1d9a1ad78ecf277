package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import java.nio.charset.StandardCharsets;
import io.trawl.model.HostKey;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.FetchOptions;
import io.trawl.definition.FetchStyle;
import io.trawl.model.Outcome;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestHeadersTest extends FetchFixture {
    private static final FetchProfile BROWSER = new FetchProfile("Trawl/0.1").with().style(FetchStyle.BROWSER)
            .ignoreRobots(java.util.Set.of()).delay(java.time.Duration.ZERO).build();

    @Test
    void aBrowsersHeadersComeInABrowsersOrder() throws RequestHeaders.ForbiddenHeader {
        Map<String, String> headers = RequestHeaders.of("https://example.org/", FetchOptions.NONE, BROWSER);
        assertThat(headers.keySet()).containsExactly("Upgrade-Insecure-Requests", "User-Agent", "Accept",
                "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-User", "Sec-Fetch-Dest", "Accept-Encoding",
                "Accept-Language");
        assertThat(headers).containsEntry("User-Agent", "Trawl/0.1").containsEntry("Sec-Fetch-Mode", "navigate")
                .containsEntry("Accept-Encoding", "gzip, deflate, br, zstd")
                .containsEntry("Accept-Language", "en-US,en;q=0.9");
    }

    @Test
    void withoutTlsABrowserSendsFewerHeaders() throws RequestHeaders.ForbiddenHeader {
        assertThat(RequestHeaders.of("http://example.org/", FetchOptions.NONE, BROWSER).keySet()).containsExactly(
                "Upgrade-Insecure-Requests", "User-Agent", "Accept", "Accept-Encoding", "Accept-Language");
    }

    @Test
    void headersOfARequestReplaceDefaultsInPlaceAndOthersComeAfter() throws RequestHeaders.ForbiddenHeader {
        FetchOptions options = options(Map.of("accept", "text/plain", "X-Own", "1"), Optional.of("a=b"),
                Optional.empty());
        Map<String, String> headers = RequestHeaders.of("http://example.org/", options, BROWSER);
        assertThat(headers.keySet()).startsWith("Upgrade-Insecure-Requests", "User-Agent", "Accept", "Accept-Encoding",
                "Accept-Language", "Cookie").contains("X-Own").hasSize(7);
        assertThat(headers).containsEntry("Accept", "text/plain");
    }

    @Test
    void aCrawlHasHeadersAndACookieAndARequestReplacesThem() throws RequestHeaders.ForbiddenHeader {
        FetchProfile crawl = FetchProfile.of(CrawlDefinition.FetchRules.DEFAULT.with(
                fetch -> fetch.headers(Map.of("X-Key", "crawl", "accept-language", "de")).cookie(Optional.of("c=1"))),
                new CrawlVariables(Map.of()));
        assertThat(RequestHeaders.of("http://example.org/", FetchOptions.NONE, crawl)).containsEntry("X-Key", "crawl")
                .containsEntry("Accept-Language", "de").containsEntry("Cookie", "c=1")
                .doesNotContainKey("accept-language");
        FetchOptions own = options(Map.of("x-key", "request"), Optional.of("r=2"), Optional.empty());
        assertThat(RequestHeaders.of("http://example.org/", own, crawl)).containsEntry("X-Key", "request")
                .containsEntry("Accept-Language", "de").containsEntry("Cookie", "r=2");
    }

    private static FetchProfile profile(String fetch) {
        return FetchProfile.of(Json
                .read(("{\"fetch\":" + fetch + "}").getBytes(StandardCharsets.UTF_8), CrawlDefinition.class).fetch(),
                new CrawlVariables(Map.of("TRAWL_SECRET_A", "hush")));
    }

    @Test
    void rulesGiveHeadersToTheUrlsThatTheyMatchAndTheLastOneAndTheRequestWin() throws RequestHeaders.ForbiddenHeader {
        FetchProfile crawl = profile(
                """
                        {"headers": {"X-Key": "crawl"}, "rules": [
                         {"match": "example.org/api/**", "headers": {"x-key": "${env:TRAWL_SECRET_A}", "X-A": "1"}, "cookie": "a=1"},
                         {"match": "/api/v2/**", "headers": {"X-Key": "two"}}]}""");
        assertThat(RequestHeaders.of("https://example.org/api/v1/x", FetchOptions.NONE, crawl))
                .containsEntry("X-Key", "hush").containsEntry("X-A", "1").containsEntry("Cookie", "a=1");
        assertThat(RequestHeaders.of("https://example.org/api/v2/x", FetchOptions.NONE, crawl))
                .containsEntry("X-Key", "two").containsEntry("Cookie", "a=1");
        assertThat(RequestHeaders.of("https://other.org/", FetchOptions.NONE, crawl)).containsEntry("X-Key", "crawl")
                .doesNotContainKeys("X-A", "Cookie");
        assertThat(RequestHeaders.of("https://example.org/api/v2/x",
                options(Map.of("X-Key", "own"), Optional.of("o=1"), Optional.empty()), crawl))
                .containsEntry("X-Key", "own").containsEntry("Cookie", "o=1");
    }

    @Test
    void credentialsGoToTheirHostAlone() throws RequestHeaders.ForbiddenHeader {
        FetchProfile crawl = profile(
                """
                        {"auth": [{"host": "a.org", "user": "Aladdin", "password": "${env:TRAWL_SECRET_A}"},
                         {"host": "b.org:8443", "bearer": "${env:TRAWL_SECRET_A}"}, {"host": "c.org", "bearer": "${env:TRAWL_SECRET_C}"}]}""");
        assertThat(RequestHeaders.of("http://a.org:81/", FetchOptions.NONE, crawl)).containsEntry("Authorization",
                "Basic " + java.util.Base64.getEncoder()
                        .encodeToString("Aladdin:hush".getBytes(StandardCharsets.UTF_8)));
        assertThat(RequestHeaders.of("https://b.org:8443/", FetchOptions.NONE, crawl)).containsEntry("Authorization",
                "Bearer hush");
        for (String other : java.util.List.of("https://b.org/", "https://www.a.org/", "https://a.org.evil.net/")) {
            assertThat(RequestHeaders.of(other, FetchOptions.NONE, crawl)).as(other).doesNotContainKey("Authorization");
        }
        assertThatThrownBy(() -> RequestHeaders.of("https://c.org/", FetchOptions.NONE, crawl))
                .hasMessageContaining("TRAWL_SECRET_C");
    }

    @Test
    void eachHostHasOneOfTheProxiesAlwaysTheSame() {
        FetchProfile crawl = profile("{\"proxies\": [\"http://p0:1\", \"http://p1:1\", \"http://p2:1\"]}");
        Map<String, Long> hosts = java.util.stream.IntStream.range(0, 300).mapToObj(i -> "h" + i + ".org")
                .collect(java.util.stream.Collectors.groupingBy(host -> proxy(crawl, host, 80),
                        java.util.stream.Collectors.counting()));
        assertThat(hosts).hasSize(3).allSatisfy((proxy, count) -> assertThat(count).as(proxy).isGreaterThan(50));
        assertThat(proxy(crawl, "h1.org", 80)).isEqualTo(proxy(crawl, "h1.org", 443))
                .isEqualTo(proxy(crawl, "h1.org", 80));
        FetchProfile without = profile("{\"proxies\": [\"http://p0:1\", \"http://p2:1\"]}");
        assertThat(java.util.stream.IntStream.range(0, 300).mapToObj(i -> "h" + i + ".org")
                .filter(host -> !proxy(crawl, host, 80).equals("p1:1"))).as("hosts of the proxies that stay")
                .allSatisfy(host -> assertThat(proxy(without, host, 80)).isEqualTo(proxy(crawl, host, 80)));
        Request own = RequestBuilder.builder().id(new Request.RequestId(1)).run(new CrawlRun(new CrawlId("test"), 1))
                .url("http://a.org/").host(new HostKey("a.org:80")).priority(1).seed(true)
                .options(FetchOptions.NONE.withProxy(Optional.of("http://own:1"))).build();
        assertThat(crawl.through(own).proxies()).hasToString("[own:1]");
        assertThat(crawl.through(own).through(own)).isEqualTo(crawl.through(own));
    }

    private static String proxy(FetchProfile crawl, String host, int port) {
        Request request = RequestBuilder.builder().id(new Request.RequestId(1))
                .run(new CrawlRun(new CrawlId("test"), 1)).url("http://" + host + "/")
                .host(new HostKey(host + ":" + port)).priority(1).seed(true).build();
        return crawl.through(request).proxies().getFirst().toString();
    }

    @Test
    void aReferenceIsReplacedByItsVariableInHeadersCookiesAndProxies() throws RequestHeaders.ForbiddenHeader {
        CrawlVariables variables = new CrawlVariables(
                Map.of("TRAWL_SECRET_A", "hush$1", "TRAWL_SECRET_B", "http://p:3128"));
        FetchProfile crawl = FetchProfile.of(
                CrawlDefinition.FetchRules.DEFAULT.with(fetch -> fetch
                        .headers(Map.of("Authorization", "Bearer ${env:TRAWL_SECRET_A}"))
                        .cookie(Optional.of("s=${env:TRAWL_SECRET_A}")).proxy(Optional.of("${env:TRAWL_SECRET_B}"))),
                variables);
        assertThat(RequestHeaders.of("http://example.org/", FetchOptions.NONE, crawl))
                .containsEntry("Authorization", "Bearer hush$1").containsEntry("Cookie", "s=hush$1");
        FetchOptions own = options(Map.of("X-Key", "${env:TRAWL_SECRET_A}"), Optional.empty(), Optional.empty());
        assertThat(RequestHeaders.of("http://example.org/", own, crawl)).containsEntry("X-Key", "hush$1");
        assertThat(crawl.proxies()).hasToString("[p:3128]");
    }

    @Test
    void aHeaderWithoutItsVariableIsNotSentAndTheMessageNamesIt() {
        FetchProfile crawl = FetchProfile.of(
                CrawlDefinition.FetchRules.DEFAULT
                        .with(fetch -> fetch.headers(Map.of("X-Key", "${env:TRAWL_SECRET_A}"))),
                new CrawlVariables(Map.of()));
        assertThatThrownBy(() -> RequestHeaders.of("http://example.org/", FetchOptions.NONE, crawl)).hasMessage(
                "the header 'X-Key' cannot be sent: the variable TRAWL_SECRET_A is not set in the environment of this process");
    }

    @Test
    void theOrderIsThatOnTheWire() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "hello"));
        FetchResult fetchResult = fetcher.fetch(request(server.url("/"), FetchOptions.NONE), BROWSER, () -> true)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
        List<String> names = server.heads().getFirst().lines().skip(1).filter(line -> !line.isEmpty())
                .map(line -> line.substring(0, line.indexOf(':')))
                .filter(name -> !List.of("Host", "Connection").contains(name)).toList();
        assertThat(names).containsExactly("Upgrade-Insecure-Requests", "User-Agent", "Accept", "Accept-Encoding",
                "Accept-Language");
    }
}
