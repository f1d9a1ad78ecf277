package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.coordinator.summary.Totals;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import io.trawl.testkit.FakeHost;
import com.sun.net.httpserver.HttpExchange;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.model.CrawlerError;
import io.trawl.model.RefusalReason;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.SmallSite;
import java.nio.charset.StandardCharsets;
import io.trawl.pattern.UrlPattern;
import io.trawl.scope.DepthRule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Also what a crawl makes of sources, names, seeds and links, and the set of its pages. */
abstract class WholeCrawlContract extends CrawlContract {
    @Test
    void pagesThatOnlySitemapsNameAreStoredExactlyOnceAndTheCountsBalance() {
        try (FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0);
            host.robots("User-agent: *\nAllow: /\nSitemap: " + host.url("/index.xml"));
            host.page("/", "<title>home</title><a href=/sitemap/parts.xml.gz>as a page</a><a href=/p1>p1</a>");
            host.route("/index.xml",
                    exchange -> answer(exchange, "application/xml",
                            ("<sitemapindex><sitemap><loc>" + host.url("/sitemap/parts.xml.gz")
                                    + "</loc></sitemap><sitemap><loc>" + host.url("/gone.xml")
                                    + "</loc></sitemap></sitemapindex>").getBytes(StandardCharsets.UTF_8)));
            List<String> pages = IntStream.rangeClosed(1, 9).mapToObj(i -> host.url("/p" + i)).toList();
            pages.forEach(url -> host.page(URI.create(url).getPath(),
                    "<title>p</title><a href=/p9>last</a><a href=/deeper>x</a>"));
            host.page("/deeper", "<title>d</title>");
            host.route("/sitemap/parts.xml.gz",
                    exchange -> answer(exchange, "application/gzip",
                            gzip(pages.stream().map(url -> "<url><loc>" + url + "</loc></url>")
                                    .collect(Collectors.joining("", "<urlset>", "</urlset>")))));
            CrawlSummary summary = crawl("sitemaps",
                    definition(
                            """
                                    {"seeds": ["%s"], "limits": {"depth": 1}, "scope": {"skipEndings": []}, "discover": {"from": "both"},
                                     "fetch": {"delay": "0ms"}}""",
                            host.url("/")));

            Set<String> expected = new TreeSet<>(pages);
            expected.addAll(List.of(host.url("/"), host.url("/sitemap/parts.xml.gz")));
            assertThat(output("sitemaps").items()).extracting(item -> item.path("url").asText())
                    .containsExactlyInAnyOrderElementsOf(expected);
            Totals totals = summary.totals();
            assertThat(totals.sources()).as("robots.txt, index, part and one that is gone").isEqualTo(4);
            assertThat(totals.pages()).isEqualTo(11);
            assertThat(totals.waiting()).isZero();
            assertThat(totals.emitted())
                    .isEqualTo(totals.pages() + totals.sources() + totals.repeats() + totals.duplicates());
            assertThat(totals.items()).satisfies(items -> {
                assertThat(items.written()).isEqualTo(11);
                assertThat(items.stored()).isEqualTo(11);
            });
            assertThat(summary.refusals()).as("the links of pages at the limit").containsKey(RefusalReason.DEPTH);
        }
    }

    @Test
    void aPageWithSeveralNamesIsStoredOnceWhicheverOfThemRedirects() {
        try (FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0);
            host.page("/", """
                    <title>home</title><a href="/a?utm_source=x">1</a><a href="/a?utm_medium=y">2</a><a href="/a">3</a>
                    <a href="/b">4</a><a href="/b/">5</a><a href="/c?y=1&x=2">6</a><a href="/c?x=2&y=1">7</a>
                    <a href="/d;jsessionid=7">8</a><a href="/d">9</a><a href="/e?id=1">10</a><a href="/e?id=2">11</a>
                    <a href="/f/">12</a><a href="/loop">13</a>""");
            List.of("/a", "/b/", "/c", "/d", "/e", "/f", "/d;jsessionid=7").forEach(path -> host.page(path,
                    "<title>p</title><a href=\"/?utm_source=back\">home</a><a href=\"" + path + "?sid=9\">again</a>"));
            host.redirect("/b", "/b/");
            host.redirect("/f/", "/f?sid=1");
            host.redirect("/loop", "/loop/");
            host.redirect("/loop/", "/loop");
            CrawlSummary summary = crawl("names", definition("""
                    {"seeds": ["%s"], "limits": {"depth": 3}, "fetch": {"delay": "0ms"}, "identity": {"dropParameters":
                     ["utm_*", "sid", "jsessionid"], "sortParameters": true, "ignoreTrailingSlash": true}}""",
                    host.url("/")));

            List<String> urls = output("names").items().stream().map(item -> item.path("url").asText()).toList();
            assertThat(urls.stream()
                    .map(url -> url.replace("/b/", "/b").replaceAll("[?;](utm_|sid|jsess).*", "").replace("y=1&x=2",
                            "x=2&y=1")))
                    .containsExactlyInAnyOrder(host.url("/"), host.url("/a"), host.url("/b"), host.url("/c"),
                            host.url("/c?x=2&y=1"), host.url("/d"), host.url("/e"), host.url("/e?id=1"),
                            host.url("/e?id=2"), host.url("/f"));
            Totals totals = summary.totals();
            assertThat(totals.pages()).isEqualTo(10);
            assertThat(totals.failures()).as("the page that never comes").isOne();
            assertThat(totals.emitted())
                    .isEqualTo(totals.pages() + totals.repeats() + totals.failures() + totals.duplicates());
            assertThat(web.visits().stream().filter(visit -> visit.path().startsWith("/a"))).as("one name is fetched")
                    .hasSize(1);
        }
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private static void answer(HttpExchange exchange, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("content-type", type);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    @Test
    void aSeedThatIsRedirectedOutOfScopeIsNamedWithTheDomainToAdd() {
        try (FakeWeb web = FakeWeb.start(2)) {
            SmallSite site = SmallSite.serve(web);
            CrawlSummary summary = crawl("stray", definition(
                    "{\"seeds\": [{\"url\": \"%s\"}], \"limits\": {\"depth\": 0}, \"fetch\": {\"delay\": \"0ms\"}}",
                    site.leavingSeed()));

            assertThat(summary.straySeeds())
                    .containsExactly(new StraySeed(site.leavingSeed(), site.leavingTarget(), site.foreignDomain()));
            assertThat(output("stray").pages()).isEmpty();
        }
    }

    @Test
    void badSeedsOnTheTopicCostOnlyThemselvesAndAreReportedWithTheirCoordinates() {
        try (FakeWeb web = FakeWeb.start(2)) {
            SmallSite site = SmallSite.serve(web);
            String home = site.home();
            crawl("topic", definition(
                    "{\"seeds\": [{\"url\": \"%s\"}], \"limits\": {\"depth\": 0}, \"fetch\": {\"delay\": \"0ms\"}}",
                    home));
            fleet().fixture().produce(fleet().fixture().topics().seeds(),
                    List.of("{broken", "{\"crawl\":\"topic\"}",
                            "{\"crawl\":\"unknown\",\"url\":\"%s\"}".formatted(home),
                            "{\"crawl\":\"topic\",\"url\":\"%s\",\"priority\":9}".formatted(home),
                            "{\"crawl\":\"topic\",\"url\":\"ftp://127.0.0.1/\"}",
                            "{\"crawl\":\"topic\",\"url\":\"http://a b/\"}",
                            "{\"crawl\":\"topic\",\"url\":\"%sb.html\",\"priority\":2,\"metadata\":{\"batch\":\"7\"}}"
                                    .formatted(home)));

            await().until(() -> output("topic").pages().size() == 2);
            CrawlSummary summary = awaitEnd("topic");

            assertThat(requireNonNull(output("topic").pages().get(home + "b.html")).path("metadata").path("batch")
                    .asText()).isEqualTo("7");
            await().untilAsserted(
                    () -> assertThat(seedErrors()).extracting(CrawlerError::kind).containsExactlyInAnyOrder("MALFORMED",
                            "NO_URL", "UNKNOWN_CRAWL", "PRIORITY_OUT_OF_INDEX", "SCHEME", "BAD_URL"));
            assertThat(summary.refusals()).containsEntry(RefusalReason.PRIORITY_OUT_OF_INDEX, 1L)
                    .containsEntry(RefusalReason.NO_URL, 1L);
        }
    }

    /** The errors that name a record of the seeds topic. */
    private List<CrawlerError> seedErrors() {
        String seeds = fleet().fixture().topics().seeds();
        return fleet().fixture().records(fleet().fixture().topics().errors()).stream().map(r -> Codec.error(r.value()))
                .filter(e -> seeds.equals(e.source().get("topic")) && e.source().containsKey("partition")
                        && e.source().containsKey("offset"))
                .toList();
    }

    @Test
    void theSetOfPagesIsThatOfABreadthFirstSearch() {
        try (FakeWeb web = FakeWeb.start(4)) {
            LinkGraph graph = LinkGraph.serve(web, 300, 3, 11);
            CrawlSummary summary = crawl("graph", graph(graph, 5, ""));

            assertThat(summary.end()).map(End::reason).contains(EndReason.FINISHED);
            GraphChecks.output(graph, List.of(graph.url(0)), 5, output("graph"));
            System.out.println("exact depth: " + GraphChecks.cost(web));

            CrawlDefinition whole = graph(graph, 5, "");
            CrawlSummary scoped = crawl("scoped",
                    whole.withScope(whole.scope()
                            .withExclude(List.of(UrlPattern.parse("/folder/{3,4}/**"),
                                    UrlPattern.parse("re:[?&]id=[0-9]*[13579]&")))
                            .withMaxDepth(List.of(new DepthRule(UrlPattern.parse("/n*/"), 2)))));
            GraphChecks.output(graph.reachable(List.of(graph.url(0)), 5, graph.domains(),
                    (url, depth) -> !url.contains("/folder/3/") && !url.contains("/folder/4/")
                            && !url.matches(".*id=[0-9]*[13579]&.*") && (!url.matches(".*/n[0-9]+/") || depth <= 2)),
                    output("scoped"));
            assertThat(scoped.refusals()).containsKeys(RefusalReason.EXCLUDED, RefusalReason.PATTERN_DEPTH);
            assertThat(scoped.refusalsByRule()).containsKeys("scope.exclude: /folder/{3,4}/**",
                    "scope.exclude: re:[?&]id=[0-9]*[13579]&", "scope.maxDepth: /n*/ (2)");
        }
    }
}
