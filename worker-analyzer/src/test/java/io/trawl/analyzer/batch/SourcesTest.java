package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.analyzer.sitemap.RobotsSitemaps;
import io.trawl.analyzer.sitemap.SitemapParser;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.MapLedger;
import io.trawl.model.CrawlerError;
import io.trawl.model.FetchOptions;
import java.util.Optional;
import java.time.Instant;
import io.trawl.scope.LinkFacts;
import io.trawl.model.VisitBuilder;
import io.trawl.model.Visit.PageState;
import io.trawl.model.Visit;
import io.trawl.model.ChangeRate;
import io.trawl.control.VisitChoice;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.RunVisits;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.telemetry.Tracing;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of robots.txt, sitemaps and feeds (protocol, Sources of links). */
class SourcesTest {
    private static final String ROBOTS = "http://example.org/robots.txt";
    private static final String SITEMAP = "http://example.org/sitemap.xml";
    private static final FetchOptions AS_ROBOTS = FetchOptions.ofSource(FetchOptions.ROBOTS);
    private static final FetchOptions AS_SITEMAP = FetchOptions.ofSource(FetchOptions.SITEMAP);
    private final Bench bench = new Bench(new MapLedger(), 100_000, Tracing.OFF, new RobotsSitemaps(),
            new SitemapParser());

    @AfterEach
    void close() {
        bench.close();
    }

    private static String urlset(String... urls) {
        return "<urlset>"
                + List.of(urls).stream().map(url -> "<url><loc>" + url + "</loc></url>").collect(Collectors.joining())
                + "</urlset>";
    }

    private static String index(String url) {
        return "<sitemapindex><sitemap><loc>" + url + "</loc></sitemap></sitemapindex>";
    }

    @Test
    void allThatASourceNamesHasItsDepthHoweverIndexesNest() {
        Written robots = bench.commit(page(1, request(ROBOTS, 1, AS_ROBOTS), "Sitemap: /index.xml"));
        assertThat(robots.requests()).singleElement().satisfies(r -> {
            assertThat(r.url()).isEqualTo("http://example.org/index.xml");
            assertThat(r.depth()).isEqualTo(1);
            assertThat(r.options()).isEqualTo(AS_SITEMAP);
        });
        Written index = bench.commit(page(2, robots.requests().getFirst(), index("http://example.org/part.xml.gz")));
        Written part = bench
                .commit(page(3, index.requests().getFirst(), urlset("http://example.org/p", "http://other.net/q")));
        assertThat(part.requests()).singleElement().satisfies(r -> {
            assertThat(r.url()).isEqualTo("http://example.org/p");
            assertThat(r.depth()).isEqualTo(1);
            assertThat(r.redirects()).isZero();
            assertThat(r.options().parser()).isEmpty();
        });
        assertThat(part.ledger().refused()).isEqualTo(Map.of(RefusalReason.DOMAIN, 1));
        assertThat(bench.commit(page(4, part.requests().getFirst(), linking("/next"))).requests())
                .extracting(Request::depth).containsExactly(2);
    }

    @Test
    void aSourceMakesNoItemAndItsAnswerIsCountedAsOne() {
        Written found = bench.commit(page(1, request(SITEMAP, 1, AS_SITEMAP), urlset("http://example.org/p")));
        assertThat(found.items()).isEmpty();
        assertThat(found.ledger().answered()).extracting(AnsweredRequest::detail).containsExactly("source 200");
        Written missing = bench
                .commit(outcome(2, request("http://example.org/named.xml", 1, AS_SITEMAP), new Outcome.HttpError(404)));
        assertThat(missing.items()).isEmpty();
        assertThat(missing.ledger().answered()).extracting(AnsweredRequest::detail).containsExactly("source 404");
        assertThat(bench.errors).extracting(CrawlerError::url)
                .containsExactly(Optional.of("http://example.org/named.xml"));
    }

    @Test
    void whereThereIsNoRobotsTxtTheUsualSitemapIsRequestedAndNeitherIsMissed() {
        Written robots = bench.commit(outcome(1, request(ROBOTS, 1, AS_ROBOTS), new Outcome.HttpError(404)));
        assertThat(robots.requests()).singleElement().satisfies(r -> {
            assertThat(r.url()).isEqualTo(SITEMAP);
            assertThat(r.options()).isEqualTo(AS_SITEMAP);
            assertThat(r.depth()).isEqualTo(1);
        });
        bench.commit(outcome(2, robots.requests().getFirst(), new Outcome.HttpError(404)));
        assertThat(bench.errors).isEmpty();
    }

    @Test
    void whatIsNoSitemapIsReported() {
        Written w = bench.commit(page(1, request(SITEMAP, 1, AS_SITEMAP), "<html>"));
        assertThat(w.items()).isEmpty();
        assertThat(bench.errors).singleElement().satisfies(e -> assertThat(e.cause()).contains("not a sitemap"));
        assertThat(w.ledger().items().orElseThrow().errors()).isEqualTo(Map.of("PARSE", 1L));
    }

    @Test
    void aSitemapThatIsReadInPartIsReportedOnceWithTheNumberOfItsDamagedEntries() {
        Written w = bench.commit(page(1, request(SITEMAP, 1, AS_SITEMAP),
                "<urlset><url><loc>/a</url><url><loc>/b?x&y</loc></url><url>" + "<loc>/&#0;</loc></url></urlset>"));
        assertThat(w.urls()).containsExactly("http://example.org/b?x&y");
        assertThat(w.items()).isEmpty();
        assertThat(w.ledger().answered()).extracting(AnsweredRequest::detail)
                .containsExactly("source 200, 2 entries are damaged");
        assertThat(w.ledger().items().orElseThrow().errors()).isEqualTo(Map.of("PARSE", 1L, "ENTRY", 2L));
        assertThat(bench.errors).singleElement().extracting(CrawlerError::cause).asString()
                .contains("2 entries are damaged");
    }

    @Test
    void aSitemapLeadsNowhereByItself() {
        assertThat(bench.commit(page(1, request(SITEMAP, 1, AS_SITEMAP), urlset(), "refresh", "0; /b")).urls())
                .isEmpty();
        assertThat(bench.errors).isEmpty();
    }

    @Test
    void whatIsCutOfASitemapIsReported() {
        String[] urls = new String[50_001];
        java.util.Arrays.setAll(urls, i -> "http://other.net/" + i);
        bench.commit(page(1, request(SITEMAP, 1, AS_SITEMAP), urlset(urls)));
        assertThat(bench.errors).singleElement().satisfies(e -> assertThat(e.cause()).contains("beyond 50,000 URLs"));
    }

    @Test
    void aUrlMayBeAPageAndASource() {
        Written asPage = bench.commit(page(1, request(SITEMAP, 1), linking("/b")));
        Written asSource = bench.commit(page(2, request(SITEMAP, 1, AS_SITEMAP), urlset("http://example.org/c")));
        assertThat(asPage.items()).hasSize(1);
        assertThat(asSource.stored()).containsExactly(true);
        assertThat(asSource.urls()).containsExactly("http://example.org/c");
    }

    @Test
    void asInExactModeASmallerDepthIsFollowedAgainAndItsPagesComeAtThatDepth() {
        bench.commit(page(1, request(SITEMAP, 2, AS_SITEMAP), urlset("http://example.org/c")));
        Written again = bench.commit(page(2, request(SITEMAP, 1, AS_SITEMAP), urlset("http://example.org/c")));
        assertThat(again.requests()).extracting(Request::depth).containsExactly(1);
        assertThat(bench.commit(page(3, request(SITEMAP, 1, AS_SITEMAP), urlset("http://example.org/c"))).requests())
                .isEmpty();
    }

    @Test
    void indexesThatNestWithoutEndAreRefusedAfterAsManyStepsAsRedirects() {
        Written w = bench.commit(page(1, request(SITEMAP, 1, AS_SITEMAP), index("http://example.org/1.xml")));
        for (int i = 2; !w.requests().isEmpty(); i++) {
            assertThat(i).as("steps").isLessThan(5);
            w = bench.commit(page(i, w.requests().getFirst(), index("http://example.org/" + i + ".xml")));
        }
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.DEPTH, 1));
    }

    @Test
    void fromSitemapsOnlyThePagesLinkToNothingButTheirFeeds() {
        bench.control.read(Fixtures.started(Fixtures.RUN, "{\"discover\":{\"from\":\"sitemap\",\"feeds\":true}}"));
        Written w = bench.commit(page(1, request(Bench.A, 1),
                linking("/b") + "<link rel=alternate type='application/atom+xml' href=/feed>"));
        assertThat(w.requests()).singleElement().satisfies(r -> {
            assertThat(r.url()).isEqualTo("http://example.org/feed");
            assertThat(r.depth()).isEqualTo(2);
            assertThat(r.options()).isEqualTo(AS_SITEMAP);
        });
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.NOFOLLOW, 1));
        assertThat(w.items().getFirst().fields()).extracting("links").asString().contains("/b");
    }

    @Test
    void fromSeedsOnlyNothingIsFollowedButRedirectsAndNoRuleIsNamed() {
        bench.control.read(Fixtures.started(Fixtures.RUN, "{\"discover\":{\"from\":\"seeds\",\"feeds\":true}}"));
        String feed = "<link rel=alternate type='application/atom+xml' href=/feed>";
        Written w = bench.commit(page(1, request(Bench.A, 1), linking("/b") + feed),
                page(2, request(SITEMAP, 1, AS_SITEMAP), urlset("http://example.org/p")),
                outcome(3, request("http://example.org/moved", 1), new Outcome.Redirect(301, "/there")));
        assertThat(w.urls()).containsExactly("http://example.org/there");
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.NOFOLLOW, 3));
        assertThat(w.ledger().rules()).isEmpty();
    }

    @Test
    void whatASitemapSaysAboutAPageIsNotPassedOnToItsLinks() {
        Written sitemap = bench.commit(page(1, request(SITEMAP, 1, AS_SITEMAP),
                "<urlset><url><loc>http://example.org/p</loc><lastmod>2026-01-01</lastmod></url></urlset>"));
        Request page = sitemap.requests().getFirst();
        assertThat(page.options().metadata())
                .isEqualTo(Map.of("sitemap.lastmod", "2026-01-01T00:00:00Z", "sitemap.priority", "0.5"));
        assertThat(bench.commit(page(2, page, linking("/q"))).requests().getFirst().options())
                .isEqualTo(FetchOptions.NONE);
    }

    @Test
    void whatASitemapSaysMayGiveTheRequestsOfItsPagesTheirLevel() {
        bench.control.read(Fixtures.started(Fixtures.RUN,
                "{\"priorities\":[{\"sitemapPriority\":0.6,\"priority\":2},{\"sitemapPriority\":0.5,\"priority\":0}]}"));
        Written w = bench.commit(page(1, request(SITEMAP, 1, AS_SITEMAP),
                "<urlset><url><loc>http://example.org/p</loc><priority>0.9</priority></url>"
                        + "<url><loc>http://example.org/q</loc></url></urlset>"));
        assertThat(w.requests()).extracting(Request::priority).containsExactly(2, 0);
    }

    @Test
    void fiftyThousandUrlsOfASitemapAreOneBatchThatNoOtherRecordShares() {
        String[] urls = IntStream.range(0, 50_000).mapToObj(i -> "http://example.org/page/" + i).toArray(String[]::new);
        var record = page(1, request(SITEMAP, 1, AS_SITEMAP), urlset(urls));
        assertThat(bench.responseBatchHandler.alone(record)).isTrue();
        assertThat(bench.responseBatchHandler.alone(page(2, request(ROBOTS, 1, AS_ROBOTS), ""))).isFalse();
        assertThat(bench.responseBatchHandler.alone(page(2, request(Bench.A, 1), ""))).isFalse();
        Written w = bench.commit(record);
        assertThat(w.requests()).hasSize(50_000);
        assertThat(w.ledgers()).hasSize(11).allSatisfy(l -> assertThat(l.emitted()).hasSizeLessThanOrEqualTo(5_000));
        assertThat(w.outgoing().records().stream().mapToInt(r -> r.value().length).max().orElseThrow())
                .isLessThan(1 << 18);
    }

    private static String dated(int entries, int changed) {
        return "<urlset>" + IntStream.range(0, entries)
                .mapToObj(i -> "<url><loc>http://example.org/" + i + "</loc><lastmod>"
                        + (i < changed ? "2025-12-31T12:00:00Z" : "2025-12-01") + "</lastmod></url>")
                .collect(Collectors.joining()) + "</urlset>";
    }

    /** What a sitemap says that was visited at the turn of the year and is visited again. */
    private List<Request> said(String refresh, String sitemap) {
        bench.control
                .read(Fixtures.started(Fixtures.RUN, "{\"refresh\":" + refresh + "}")
                        .with(started -> started.version(9)
                                .visits(Optional.of(new RunVisits(
                                        0, Optional.of(new VisitSource(1, 0, 0, 0, true, VisitChoice.ALL,
                                                Optional.empty(), Optional.of(new PromotedVisits(1, 0, 0)))),
                                        Optional.empty())))));
        Visit before = VisitBuilder.builder().number(1).state(PageState.UNKNOWN)
                .visited(Instant.parse("2026-01-01T00:00:00Z").getEpochSecond())
                .rate(Optional.of(new ChangeRate(1000, 3))).build();
        Request visit = request(SITEMAP, 1, AS_SITEMAP).withVisit(Optional.of(before));
        return bench.commit(page(1, visit, sitemap)).visits();
    }

    @Test
    void pagesThatASitemapDatesSinceItsLastVisitHaveChanged() {
        assertThat(said("{\"least\":\"1h\"}", dated(9, 2)).stream().filter(visit -> visit.visit().isEmpty()))
                .extracting(Request::url, visit -> LinkFacts.lastmod(visit.options().metadata()))
                .containsExactly(tuple("http://example.org/0", Optional.of(Instant.parse("2025-12-31T12:00:00Z"))),
                        tuple("http://example.org/1", Optional.of(Instant.parse("2025-12-31T12:00:00Z"))));
        assertThat(said("{\"least\":\"1h\"}", dated(150, 149))).as("it has all of one date: only its next visit")
                .hasSize(1);
        assertThat(said("{}", dated(9, 2))).as("without intervals all pages are visited").hasSize(1);
    }

    @Test
    void aSitemapThatNamesOtherPagesHasChanged() {
        Request next = said("{\"least\":\"1h\"}", dated(9, 0)).getFirst();
        Request same = bench.commit(page(2, next.with(copy -> copy.url(SITEMAP + "?2")), dated(9, 0))).visits()
                .getFirst();
        String others = dated(9, 0).replace("/8<", "/other<");
        Request changed = bench.commit(page(3, next.with(copy -> copy.url(SITEMAP + "?3")), others)).visits()
                .getFirst();
        assertThat(same.visit().flatMap(Visit::digest)).isEqualTo(next.visit().flatMap(Visit::digest)).isPresent();
        assertThat(changed.visit().flatMap(Visit::digest)).isNotEqualTo(next.visit().flatMap(Visit::digest));
    }
}
