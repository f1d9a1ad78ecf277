package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.C;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.model.CrawlerError;
import io.trawl.model.FetchOptions;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RedirectHop;
import io.trawl.model.Request.RequestId;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A page that is only a refresh is followed like a redirect. */
class OnwardPagesTest {
    private static final String REFRESH = "<meta http-equiv=refresh content='0; /b'>";
    @AutoClose
    private final Bench bench = Bench.fresh();

    private void assertFollowed(int depth, Written w) {
        assertThat(w.items()).as("the page itself").hasSize(1);
        assertThat(w.requests()).singleElement().satisfies(r -> {
            assertThat(r.url()).isEqualTo(B);
            assertThat(r.depth()).isEqualTo(depth);
            assertThat(r.redirects()).isEqualTo(1);
            assertThat(r.chain()).containsExactly(new RedirectHop(A, 200));
        });
        assertThat(bench.errors).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<title>Moved</title><p>Please wait", "<a href=b>here</a>", "<a href=/a>reload</a>",
            "<a href=https://elsewhere.net/>not accepted</a>", "<a href=mailto:x@example.org>no URL</a>"})
    void aPageThatIsOnlyARefreshIsFollowedAtItsDepthAlsoAtTheLimit(String rest) {
        assertFollowed(3, bench.commit(page(1, request(A, 3), REFRESH + rest)));
        try (Bench fresh = Bench.fresh()) {
            assertFollowed(0, fresh.commit(page(1, request(A, 0), REFRESH + rest)));
        }
    }

    @Test
    void aLinkToWhereThePageLeadsIsNoSecondReferenceToIt() {
        assertThat(bench.commit(page(1, request(A, 0), REFRESH + "<a href=b>here</a>")).ledger().refused()).isEmpty();
    }

    @Test
    void theHeaderCountsLikeTheElement() {
        assertFollowed(3, bench.commit(page(1, request(A, 3), "<p>Wait", "refresh", "10;url=b")));
        assertThat(bench.commit(page(2, request(C, 0), "plain", "refresh", "0;/d", "content-type", "application/pdf"))
                .urls()).containsExactly("http://example.org/d");
    }

    @Test
    void whereThePageOfAFormLeadsIsAskedForByGet() {
        Request form = request(A, 0,
                FetchOptions.NONE.with().method(Optional.of("POST")).body(Optional.of("x=1")).build());
        assertThat(bench.commit(page(1, form, REFRESH)).requests()).singleElement()
                .satisfies(next -> assertThat(next.options()).isEqualTo(FetchOptions.NONE));
    }

    @Test
    void theHeaderWinsOverTheElement() {
        assertThat(bench.commit(page(1, request(A, 0), REFRESH, "refresh", "0; /d")).urls())
                .containsExactly("http://example.org/d");
    }

    @Test
    void theLinksOfAnotherPageAreNoOtherWayOn() {
        assertThat(bench.commit(page(1, request(A, 0), REFRESH), page(2, request(C, 0), "<a href=/d>d</a>")).urls())
                .containsExactlyInAnyOrder(B, "http://example.org/d");
    }

    @Test
    void aPageWithAnotherWayOnOrWithTextIsNotReplaced() {
        assertThat(bench.commit(page(1, request(A, 0), REFRESH + "<a href=/c>c</a>")).urls()).containsExactly(C);
        assertThat(bench.commit(page(2, request(B, 0), "<meta http-equiv=refresh content='60; /d'><a href=/e>e</a>"))
                .urls()).as("one that comes too late").containsExactly("http://example.org/e");
        assertThat(bench.errors).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"text/html|{}", "text/html|{\"extract\":{\"text\":false}}", "text/plain|{}",
            "text/plain|{\"extract\":{\"text\":false}}", "application/json|{\"extract\":{\"parsers\":[\"html\"]}}"})
    void aPageOfTwoHundredCharactersIsOneToReadWhetherItsTextIsStoredOrNot(String type, String definition) {
        bench.control.read(Fixtures.started(Fixtures.RUN, definition));
        assertThat(bench.commit(page(1, request(A, 0), "x".repeat(200), "content-type", type, "refresh", "0; /b"),
                page(2, request(C, 0), "x".repeat(199), "content-type", type, "refresh", "0; /d")).urls())
                .containsExactly("http://example.org/d");
        assertThat(bench.errors).isEmpty();
    }

    @Test
    void aLinkToAnotherAcceptedHostIsAnotherWayOn() {
        Written w = bench.commit(page(1, request(A, 0), REFRESH + "<a href=http://www.example.org/x>x</a>"));
        assertThat(w.urls()).containsExactly("http://www.example.org/x");
    }

    @Test
    void aRefreshIsALinkIfTheCrawlSaysSo() {
        bench.control.read(Fixtures.started(Fixtures.RUN,
                "{\"limits\":{\"depth\":3},\"discover\":{\"links\":[\"a\",\"refresh\"]}}"));
        Written w = bench.commit(page(1, request(A, 0), "<p>" + "word ".repeat(40), "refresh", "60; /b"),
                page(2, request(C, 0), "<meta http-equiv=refresh content='20; /d'>"));
        assertThat(w.requests()).extracting(Request::url).containsExactly(B, "http://example.org/d");
        assertThat(w.requests()).extracting(Request::depth).containsOnly(1);
        assertThat(bench.errors).isEmpty();
    }

    @Test
    void aPageThatOnlyLeadsElsewhereNeverEndsWithoutAWord() {
        Request last = RequestBuilder.builder().id(new RequestId(9)).run(Fixtures.RUN).url(C).host(request(C, 0).host())
                .priority(1).redirects(2).seed(true).parent(Optional.of(B)).options(request(C, 0).options()).build();
        Written w = bench.commit(page(1, request(A, 0), "<meta http-equiv=refresh content='11; /b'>"),
                page(2, request(B, 0), "<meta name=robots content=nofollow>" + REFRESH.replace("/b", "/d")),
                page(3, last, REFRESH));
        assertThat(w.urls()).isEmpty();
        assertThat(w.items()).hasSize(3);
        assertThat(bench.errors).extracting(CrawlerError::kind).containsOnly("REDIRECTS");
        assertThat(bench.errors).extracting(CrawlerError::cause).satisfiesExactly(
                late -> assertThat(late).contains(B, "11 s"), forbidden -> assertThat(forbidden).contains("nofollow"),
                deep -> assertThat(deep).contains("2 redirects"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"5; /a#x", "300; /a"})
    void aRefreshToItselfIsNone(String refresh) {
        assertThat(bench.commit(page(1, request(A, 0), "<meta http-equiv=refresh content='" + refresh + "'>")).urls())
                .isEmpty();
        assertThat(bench.errors).isEmpty();
    }
}
