package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.C;
import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.api.Item;
import io.trawl.api.Link;
import io.trawl.api.LinkOptions;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.MapLedger;
import io.trawl.model.CrawlerError;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.telemetry.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a parser of a plug-in may return beside fields: links with options, items and errors. */
class ParserRequestsTest {
    private static final LinkOptions ALL = LinkOptions.NONE.withPriority(2).withParser("detail")
            .withHeader("X-Key", "k").withCookie("session=1").withWait(Duration.ofSeconds(2))
            .withProxy("http://proxy:3128").withMetadata("topic", "one");
    private static final FetchOptions METADATA = FetchOptions.NONE.with().headers(Map.of("X-Seed", "s"))
            .cookie(Optional.of("seed=1")).metadata(Map.of("k", "v", "topic", "none")).build();

    /** A parser like that of a plug-in, with the same result for every page. */
    private record Listing(Parsed result) implements ResponseParser {
        @Override
        public String name() {
            return "list";
        }

        @Override
        public boolean handles(Page page) {
            return true;
        }

        @Override
        public Parsed parse(Page page) {
            return result;
        }
    }

    private static Bench bench(Parsed result) {
        return new Bench(new MapLedger(), 100_000, Tracing.OFF, new Listing(result));
    }

    private static Bench linksTo(Link... links) {
        return bench(Parsed.of(Map.of(), List.of(links)));
    }

    @Test
    void aLinkBecomesARequestWithTheOptionsOfItsParserAndTheMetadataOfItsPage() {
        try (Bench bench = linksTo(Link.to("/b").with(ALL), Link.to("/c"))) {
            Written w = bench.commit(page(1, request(A, 0, METADATA), "x"));
            assertThat(w.urls()).containsExactly(B, C);
            Request b = w.requests().getFirst();
            assertThat(b.priority()).isEqualTo(2);
            assertThat(b.options())
                    .isEqualTo(FetchOptions.NONE.with().headers(Map.of("X-Key", "k")).cookie(Optional.of("session=1"))
                            .waitTime(Optional.of(Duration.ofSeconds(2))).proxy(Optional.of("http://proxy:3128"))
                            .parser(Optional.of("detail")).metadata(Map.of("k", "v", "topic", "one")).build());
            Request c = w.requests().getLast();
            assertThat(c.priority()).as("that of the page").isEqualTo(1);
            assertThat(c.options()).isEqualTo(METADATA.inherited());
        }
    }

    @Test
    void aLinkPassesOnAReferenceOfItsPageAndBringsNoNewOne() {
        String own = "${env:TRAWL_SECRET_A}";
        FetchOptions written = FetchOptions.NONE.withHeaders(Map.of("X-Key", own));
        LinkOptions passed = LinkOptions.NONE.withHeader("X-Key", own);
        LinkOptions brought = LinkOptions.NONE.withCookie("${env:TRAWL_SECRET_B}");
        try (Bench bench = linksTo(Link.to("/b").with(passed), Link.to("/c").with(brought))) {
            Written w = bench.commit(page(1, request(A, 0, written), "x"));
            assertThat(w.urls()).containsExactly(B);
            assertThat(w.requests().getFirst().options().headers()).containsEntry("X-Key", own);
        }
    }

    @Test
    void theOptionsHoldWhicheverParserFindsTheLinkFirst() {
        try (Bench bench = linksTo(Link.to("/b").with(ALL))) {
            Written w = bench.commit(page(1, request(A, 0), linking("/b", "/c")));
            assertThat(w.urls()).containsExactly(B, C);
            assertThat(w.requests().getFirst().options().parser()).contains("detail");
        }
    }

    @Test
    void headersAndCookieStayWithTheServerOfThePageThroughLinksAndRedirects() {
        String other = "http://www.example.org/b";
        try (Bench bench = linksTo(Link.to(other).with(ALL), Link.to("/b").with(ALL))) {
            Written links = bench.commit(page(1, request(A, 0), "x"));
            Map<String, FetchOptions> options = Map.of(links.urls().getFirst(), links.requests().getFirst().options(),
                    links.urls().getLast(), links.requests().getLast().options());
            assertThat(options.get(other)).isEqualTo(FetchOptions.NONE.with()
                    .waitTime(Optional.of(Duration.ofSeconds(2))).proxy(Optional.of("http://proxy:3128"))
                    .parser(Optional.of("detail")).metadata(Map.of("topic", "one")).build());
            assertThat(options.get(B)).extracting(FetchOptions::cookie).isEqualTo(Optional.of("session=1"));

            Request found = links.requests().stream().filter(r -> r.url().equals(B)).findFirst().orElseThrow();
            Written away = bench.commit(Bench.outcome(2, found, new Outcome.Redirect(302, "http://www.example.org/c")));
            assertThat(away.requests()).singleElement().satisfies(r -> {
                assertThat(r.options().headers()).isEmpty();
                assertThat(r.options().cookie()).isEmpty();
                assertThat(r.options().parser()).contains("detail");
            });
        }
    }

    @Test
    void aLinkWithAnOptionThatIsNotValidIsNotFollowedAndOneErrorNamesPageParserFieldValueAndRule() {
        LinkOptions late = LinkOptions.NONE.withWait(Duration.ofHours(2));
        try (Bench bench = linksTo(Link.to("/b").with(late), Link.to("/c").with(late),
                Link.to("/d").with(LinkOptions.NONE.withPriority(3).withHeader("a b", "x").withCookie("tab\u0001")))) {
            Written w = bench.commit(page(1, request(A, 0), "x"));
            assertThat(w.requests()).isEmpty();
            assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.MALFORMED, 3));
            assertThat(w.items()).as("the page itself").hasSize(1);
            assertThat(bench.errors).hasSize(2).allSatisfy(e -> assertThat(e.url()).contains(A))
                    .extracting(CrawlerError::cause)
                    .containsExactly("parser 'list': wait: '2h' is not valid: 0ms to 1h; not followed: " + B,
                            "parser 'list': headers: 'a b' is not valid: names of letters, digits and -, values of visible ASCII characters; "
                                    + "cookie: '(hidden)' is not valid: visible ASCII characters and spaces; "
                                    + "priority: '3' is not valid: 0 to 2; not followed: http://example.org/d");
            assertThat(w.ledger().items().orElseThrow().errors()).isEqualTo(Map.of("PARSE", 2L));
        }
    }

    private static Link form(String href, String body) {
        return Link.to(href).with(LinkOptions.NONE.withMethod("POST").withBody(body));
    }

    @Test
    void linksToOneUrlWithOtherMethodsAndBodiesAreRequestsOfTheirOwnAndTheSameTwiceIsOne() {
        try (Bench bench = linksTo(form("/b", "q=1"), form("/b", "q=2"), Link.to("/b"), form("/b", "q=1"),
                form("/b#x", "q=2"), Link.to("/b").with(LinkOptions.NONE.withMethod("PUT").withBody("q=1")))) {
            Written w = bench.commit(page(1, request(A, 0), "x"));
            assertThat(w.requests()).extracting(Request::url).containsOnly(B);
            assertThat(w.requests()).extracting(r -> r.options().methodName() + " " + r.options().body().orElse(""))
                    .containsExactly("POST q=1", "POST q=2", "GET ", "PUT q=1");
            assertThat(w.items().getFirst().fields()).containsEntry("links", List.of(B));

            Written again = bench.commit(page(2, request(C, 0), "x"));
            assertThat(again.requests()).as("on another page").isEmpty();
            assertThat(again.ledger().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 4));
        }
    }

    @Test
    void theAnswersOfRequestsToOneUrlAreStoredOnceEachUnderIdsOfTheirOwn() {
        try (Bench bench = linksTo(form("/b", "q=1"), form("/b", "q=2"), Link.to("/b"))) {
            List<Request> found = bench.commit(page(1, request(A, 0), "x")).requests();
            assertThat(found).hasSize(3);
            Written w = bench.commit(page(2, found.getFirst(), "x"), page(3, found.get(1), "x"),
                    page(4, found.getLast(), "x"), page(5, found.getFirst(), "x"));
            assertThat(w.stored()).containsExactly(true, true, true, false);
            assertThat(w.items()).hasSize(3).extracting(Item::url).containsOnly(B);
            assertThat(w.items()).extracting(Item::id).doesNotHaveDuplicates();
            assertThat(w.items().getFirst().fields()).containsEntry("method", "POST").containsEntry("requestBody",
                    "q=1");
            assertThat(w.items().getLast().fields()).doesNotContainKeys("method", "requestBody");
        }
    }

    @Test
    void aRedirectOfAPostLeadsToAGetUnlessItsStatusKeepsMethodAndBody() {
        LinkOptions json = LinkOptions.NONE.withMethod("POST").withBody("{}")
                .withHeader("Content-Type", "application/json").withHeader("X-Key", "k").withCookie("session=1");
        try (Bench bench = linksTo(Link.to("/b").with(json))) {
            Request post = bench.commit(page(1, request(A, 0), "x")).requests().getFirst();
            Request seen = bench.commit(Bench.outcome(2, post, new Outcome.Redirect(303, "/b"))).requests().getFirst();
            assertThat(seen.url()).as("the same URL, asked by GET").isEqualTo(B);
            assertThat(seen.options().methodName()).isEqualTo("GET");
            assertThat(seen.options().body()).isEmpty();
            assertThat(seen.options().headers()).isEqualTo(Map.of("X-Key", "k"));
            assertThat(seen.options().cookie()).contains("session=1");
        }
        try (Bench bench = linksTo(Link.to("/b").with(json))) {
            Request post = bench.commit(page(1, request(A, 0), "x")).requests().getFirst();
            assertThat(bench.commit(Bench.outcome(2, post, new Outcome.Redirect(307, "/b"))).requests())
                    .as("the same request").isEmpty();
        }
        try (Bench bench = linksTo(Link.to("/b").with(json))) {
            Request post = bench.commit(page(1, request(A, 0), "x")).requests().getFirst();
            Written away = bench.commit(Bench.outcome(2, post, new Outcome.Redirect(308, "http://www.example.org/c")));
            assertThat(away.requests()).singleElement().satisfies(r -> {
                assertThat(r.options().methodName()).isEqualTo("POST");
                assertThat(r.options().body()).contains("{}");
                assertThat(r.options().headers()).isEqualTo(Map.of("Content-Type", "application/json"));
                assertThat(r.options().cookie()).isEmpty();
            });
        }
    }

    private static Bench withRules(Bench bench) {
        bench.control.read(io.trawl.analyzer.Fixtures.started(io.trawl.analyzer.Fixtures.RUN,
                """
                        {"fetch": {"rules": [{"match": "/b", "method": "POST"}, {"match": "/{b,c}", "headers": {"X-A": "1"}},
                         {"match": "/c", "method": "POST"}, {"match": "/c", "method": "GET"}, {"match": "/d", "method": "HEAD"}]}}"""));
        return bench;
    }

    @Test
    void aLinkOrTheTargetOfARedirectHasTheMethodOfTheLastRuleForItsUrlUnlessItNamesOne() {
        try (Bench bench = withRules(linksTo(Link.to("/b"), Link.to("/c"), Link.to("/d"),
                Link.to("/d").with(LinkOptions.NONE.withMethod("PUT")),
                Link.to("/b?own").with(LinkOptions.NONE.withMethod("GET"))))) {
            Written w = bench.commit(page(1, request(A, 0), "x"));
            assertThat(w.requests()).extracting(r -> r.options().methodName() + " " + r.url().substring(A.length() - 1))
                    .containsExactlyInAnyOrder("POST b", "GET c", "HEAD d", "PUT d", "GET b?own");
            assertThat(bench.commit(page(2, request(A + "2", 0), "x")).requests()).as("the same requests").isEmpty();
        }
        try (Bench bench = withRules(linksTo())) {
            Request target = bench.commit(Bench.outcome(1, request(A, 0), new Outcome.Redirect(302, "/b"))).requests()
                    .getFirst();
            assertThat(target.options().methodName()).as("the target of the redirect of a GET").isEqualTo("POST");
            Request seen = bench.commit(Bench.outcome(2, target, new Outcome.Redirect(303, "/b"))).requests()
                    .getFirst();
            assertThat(seen.options().methodName()).as("a redirect that asks for a GET").isEqualTo("GET");
        }
    }

    @Test
    void aLinkWithAMethodOrBodyThatIsNotValidIsNotFollowed() {
        try (Bench bench = linksTo(Link.to("/b").with(LinkOptions.NONE.withMethod("TRACE")),
                Link.to("/c").with(LinkOptions.NONE.withBody("q=1")))) {
            Written w = bench.commit(page(1, request(A, 0), "x"));
            assertThat(w.requests()).isEmpty();
            assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.MALFORMED, 2));
            assertThat(bench.errors).extracting(CrawlerError::cause).containsExactly(
                    "parser 'list': method: 'TRACE' is not valid: one of GET, HEAD, POST, PUT, PATCH, DELETE; not followed: "
                            + B,
                    "parser 'list': body: '3 bytes' is not valid: none with the method GET; not followed: " + C);
        }
    }

    @Test
    void thePageOfAPostHandsNeitherMethodNorBodyToItsLinks() {
        FetchOptions post = FetchOptions.NONE.with().cookie(Optional.of("session=1")).method(Optional.of("POST"))
                .body(Optional.of("q=1")).build();
        var page = new io.trawl.analyzer.parse.FetchedPage(io.trawl.analyzer.Fixtures.response(request(A, 0, post),
                new Outcome.Success(200, false), Map.of(), new byte[0]), io.trawl.analyzer.Fixtures.definition("{}"));
        assertThat(page.options()).isEqualTo(LinkOptions.NONE.withCookie("session=1"));
    }

    @Test
    void metadataThatGrowsFromLinkToLinkIsLimited() {
        FetchOptions much = FetchOptions.NONE.withMetadata(Map.of("k", "x".repeat(40_000)));
        try (Bench bench = linksTo(Link.to("/b").with(LinkOptions.NONE.withMetadata("more", "x".repeat(30_000))))) {
            Written w = bench.commit(page(1, request(A, 0, much), "x"));
            assertThat(w.requests()).isEmpty();
            assertThat(bench.errors).singleElement().extracting(CrawlerError::cause).asString()
                    .contains("at most 65536 bytes");
        }
    }

    @Test
    void aParserReturnsItemsLinksAndErrorsTogetherAndTheLedgerCountsThemOnce() {
        Parsed result = Parsed.of(Map.of("title", "All"), List.of(Link.to("/b")))
                .withItems(List.of(Map.of("reply", "one"), Map.of("reply", "two", "status", "mine")))
                .withErrors(List.of("no author"));
        try (Bench bench = bench(result)) {
            Request request = request(A, 1, METADATA);
            Written w = bench.commit(page(1, request, "x"));
            assertThat(w.urls()).containsExactly(B);
            assertThat(w.items()).hasSize(3).extracting(Item::url).containsOnly(A);
            assertThat(w.items()).extracting(Item::id).doesNotHaveDuplicates();
            assertThat(w.items().getFirst().fields()).containsEntry("title", "All").doesNotContainKeys("ordinal",
                    "reply");
            assertThat(w.items().getLast().fields()).containsEntry("parser", "list").containsEntry("ordinal", 2)
                    .containsEntry("reply", "two").containsEntry("status", 200)
                    .containsEntry("metadata", Map.of("k", "v", "topic", "none"))
                    .containsKeys("fetchedAt", "sha256", "bytes");
            assertThat(w.ledger().items()).contains(ItemCounts.written(3, Map.of("PARSE", 1L)));
            assertThat(bench.errors).singleElement().extracting(CrawlerError::cause)
                    .isEqualTo("parser 'list': no author");

            Written again = bench.commit(page(2, request, "x"));
            assertThat(again.items()).as("a repeated fetch").isEmpty();
            assertThat(bench.handle(page(1, request, "x")).items()).as("the same response again").isEqualTo(w.items());
        }
    }

    @Test
    void aPageThatIsNotToBeIndexedHasNoFurtherItemsAndOneOfMoreThanTenThousandSaysSo() {
        Parsed many = Parsed.fields(Map.of())
                .withItems(IntStream.range(0, 10_001).mapToObj(i -> Map.<String, Object>of("n", i)).toList());
        try (Bench bench = bench(many)) {
            assertThat(bench.commit(page(1, request(A, 1), "x", "x-robots-tag", "noindex")).items()).hasSize(1);
            Written w = bench.commit(page(2, request(B, 1), "x"));
            assertThat(w.items()).hasSize(10_001);
            assertThat(w.items().getFirst().fields()).containsEntry("cuts", List.of("items"));
        }
    }
}
