package io.trawl.downloader.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.control.CrawlVariables;
import io.trawl.control.CrawlDefinition;
import io.trawl.model.FetchOptions;
import io.trawl.model.FetchStyle;
import io.trawl.model.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RequestHeadersTest extends FetchFixture {
    private static final FetchProfile BROWSER = new FetchProfile("Trawl/0.1", FetchStyle.BROWSER, Optional.empty(),
            java.util.Set.of(), java.time.Duration.ZERO, Optional.empty());

    @Test
    void aBrowsersHeadersComeInABrowsersOrder() throws RequestHeaders.ForbiddenHeader {
        Map<String, String> headers = RequestHeaders.of("https://example.org/", FetchOptions.NONE, BROWSER);
        assertThat(headers.keySet()).containsExactly("Upgrade-Insecure-Requests", "User-Agent", "Accept", "Sec-Fetch-Site",
                "Sec-Fetch-Mode", "Sec-Fetch-User", "Sec-Fetch-Dest", "Accept-Encoding", "Accept-Language");
        assertThat(headers).containsEntry("User-Agent", "Trawl/0.1").containsEntry("Sec-Fetch-Mode", "navigate")
                .containsEntry("Accept-Encoding", "gzip, deflate, br, zstd").containsEntry("Accept-Language", "en-US,en;q=0.9");
    }

    @Test
    void withoutTlsABrowserSendsFewerHeaders() throws RequestHeaders.ForbiddenHeader {
        assertThat(RequestHeaders.of("http://example.org/", FetchOptions.NONE, BROWSER).keySet()).containsExactly(
                "Upgrade-Insecure-Requests", "User-Agent", "Accept", "Accept-Encoding", "Accept-Language");
    }

    @Test
    void headersOfARequestReplaceDefaultsInPlaceAndOthersComeAfter() throws RequestHeaders.ForbiddenHeader {
        FetchOptions options = options(Map.of("accept", "text/plain", "X-Own", "1"), Optional.of("a=b"), Optional.empty());
        Map<String, String> headers = RequestHeaders.of("http://example.org/", options, BROWSER);
        assertThat(headers.keySet()).startsWith("Upgrade-Insecure-Requests", "User-Agent", "Accept", "Accept-Encoding",
                "Accept-Language", "Cookie").contains("X-Own").hasSize(7);
        assertThat(headers).containsEntry("Accept", "text/plain");
    }

    @Test
    void aCrawlHasHeadersAndACookieAndARequestReplacesThem() throws RequestHeaders.ForbiddenHeader {
        FetchProfile crawl = FetchProfile.of(CrawlDefinition.FetchRules.DEFAULT
                .with(fetch -> fetch.headers(Map.of("X-Key", "crawl", "accept-language", "de")).cookie(Optional.of("c=1"))),
                new CrawlVariables(Map.of()));
        assertThat(RequestHeaders.of("http://example.org/", FetchOptions.NONE, crawl.through(Optional.of("http://proxy:3128"))))
                .containsEntry("X-Key", "crawl").containsEntry("Accept-Language", "de").containsEntry("Cookie", "c=1")
                .doesNotContainKey("accept-language");
        FetchOptions own = options(Map.of("x-key", "request"), Optional.of("r=2"), Optional.empty());
        assertThat(RequestHeaders.of("http://example.org/", own, crawl)).containsEntry("X-Key", "request")
                .containsEntry("Accept-Language", "de").containsEntry("Cookie", "r=2");
    }

    @Test
    void aReferenceIsReplacedByItsVariableInHeadersCookiesAndProxies() throws RequestHeaders.ForbiddenHeader {
        CrawlVariables variables = new CrawlVariables(Map.of("TRAWL_SECRET_A", "hush$1", "TRAWL_SECRET_B", "http://p:3128"));
        FetchProfile crawl = FetchProfile.of(
                CrawlDefinition.FetchRules.DEFAULT
                        .with(fetch -> fetch.headers(Map.of("Authorization", "Bearer ${env:TRAWL_SECRET_A}"))
                                .cookie(Optional.of("s=${env:TRAWL_SECRET_A}"))
                                .proxy(Optional.of("${env:TRAWL_SECRET_B}"))),
                variables);
        assertThat(RequestHeaders.of("http://example.org/", FetchOptions.NONE, crawl))
                .containsEntry("Authorization", "Bearer hush$1").containsEntry("Cookie", "s=hush$1");
        FetchOptions own = options(Map.of("X-Key", "${env:TRAWL_SECRET_A}"), Optional.empty(), Optional.empty());
        assertThat(RequestHeaders.of("http://example.org/", own, crawl)).containsEntry("X-Key", "hush$1");
        assertThat(crawl.resolvedProxy()).contains("http://p:3128");
    }

    @Test
    void aHeaderWithoutItsVariableIsNotSentAndTheMessageNamesIt() {
        FetchProfile crawl = FetchProfile.of(CrawlDefinition.FetchRules.DEFAULT
                .with(fetch -> fetch.headers(Map.of("X-Key", "${env:TRAWL_SECRET_A}"))), new CrawlVariables(Map.of()));
        assertThatThrownBy(() -> RequestHeaders.of("http://example.org/", FetchOptions.NONE, crawl)).hasMessage(
                "the header 'X-Key' cannot be sent: the variable TRAWL_SECRET_A is not set in the environment of this process");
    }

    @Test
    void theOrderIsThatOnTheWire() throws IOException {
        RawServer server = server(turn -> turn.answer("200 OK", "hello"));
        FetchResult fetchResult = fetcher.fetch(request(server.url("/"), FetchOptions.NONE), BROWSER, () -> true)
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
        assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
        List<String> names = server.heads().getFirst().lines().skip(1).filter(line -> !line.isEmpty())
                .map(line -> line.substring(0, line.indexOf(':'))).filter(name -> !List.of("Host", "Connection").contains(name))
                .toList();
        assertThat(names).containsExactly("Upgrade-Insecure-Requests", "User-Agent", "Accept", "Accept-Encoding",
                "Accept-Language");
    }
}
