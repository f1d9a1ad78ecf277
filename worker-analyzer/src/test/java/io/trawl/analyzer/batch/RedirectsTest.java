package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.C;
import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RedirectHop;
import io.trawl.model.TraceContext;
import io.trawl.model.Request.RequestId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A redirect is followed like a link, at the same depth. */
class RedirectsTest {
    @AutoClose
    private final Bench bench = Bench.fresh();

    @Test
    void aRedirectYieldsNoItemAndARequestOfTheSameDepthForItsTarget() {
        Written w = bench.commit(outcome(1, request(A, 0), new Outcome.Redirect(301, "b#frag")));
        assertThat(w.items()).isEmpty();
        assertThat(w.requests()).singleElement().satisfies(r -> {
            assertThat(r.url()).isEqualTo(B);
            assertThat(r.depth()).isZero();
            assertThat(r.redirects()).isEqualTo(1);
            assertThat(r.seed()).isTrue();
            assertThat(r.parent()).contains(A);
        });
        assertThat(w.ledger().answered()).extracting(AnsweredRequest::outcome).containsExactly(OutcomeKind.REDIRECT);
    }

    @Test
    void aClosedCrawlFollowsRedirectsOfWhatWaitedAndRefusesLinks() {
        bench.control.read(
                Fixtures.started(Fixtures.RUN, "{\"limits\":{\"depth\":3}}").withClosedAt(Optional.of(Instant.EPOCH)));
        Written w = bench.commit(outcome(1, request(A, 0), new Outcome.Redirect(301, "/b")),
                page(2, request(C, 0), linking("/d", "/c")));
        assertThat(w.urls()).containsExactly(B);
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.CLOSED, 1, RefusalReason.SEEN, 1));
    }

    @Test
    void aRedirectToAnotherHostDropsTheCookie() {
        Request with = Fixtures.request(A, 0, Fixtures
                .definition("{\"seeds\":[{\"cookie\":\"s=1\",\"parser\":\"html\"}]}").seeds().getFirst().options());
        Request b = Fixtures.request(B, 0, with.options());
        Written w = bench.commit(outcome(1, with, new Outcome.Redirect(302, "/same")),
                outcome(2, b, new Outcome.Redirect(302, "https://www.example.org/other")));
        assertThat(w.requests().get(0).options().cookie()).contains("s=1");
        assertThat(w.requests().get(1).options().cookie()).isEmpty();
        assertThat(w.requests().get(1).options().parser()).contains("html");
    }

    @Test
    void aRequestListsTheLastRedirectsThatLedToIt() {
        Request before = request(A, 0);
        List<RedirectHop> chain = new ArrayList<>();
        for (int i = 0; i < Request.LONGEST_CHAIN; i++) {
            chain.add(new RedirectHop("http://example.org/" + i, 301));
        }
        Request last = RequestBuilder.builder().id(new RequestId(9)).run(Fixtures.RUN).url(A).host(before.host())
                .priority(1).redirects(1).seed(true).parent(Optional.of(B)).options(before.options()).chain(chain)
                .build();
        Written w = bench.commit(outcome(1, last, new Outcome.Redirect(307, "/c")),
                page(2, request(B, 0), linking("/d")));
        assertThat(w.requests().get(0).chain()).hasSize(Request.LONGEST_CHAIN).endsWith(new RedirectHop(A, 307))
                .startsWith(new RedirectHop("http://example.org/1", 301));
        assertThat(w.requests().get(1).chain()).as("a link").isEmpty();
    }

    @Test
    void tooManyRedirectsAreAFailure() {
        Request third = RequestBuilder.builder().id(new RequestId(9)).run(Fixtures.RUN).url(A)
                .host(request(A, 0).host()).priority(1).redirects(2).seed(true).parent(Optional.of(B))
                .options(request(A, 0).options()).build();
        Written w = bench.commit(outcome(1, third, new Outcome.Redirect(302, "/c")));
        assertThat(w.requests()).isEmpty();
        assertThat(w.items()).singleElement().satisfies(item -> assertThat(item.fields())
                .containsEntry("kind", "FAILURE").containsEntry("reason", "REDIRECTS").containsEntry("status", 302));
        assertThat(w.ledger().answered())
                .containsExactly(new AnsweredRequest(new RequestId(9), OutcomeKind.FAILURE, "REDIRECTS", true));
    }

    @Test
    void aSeedThatIsRedirectedToAnotherDomainIsReportedWithThatDomain() {
        Written w = bench.commit(outcome(1, request(A, 0), new Outcome.Redirect(301, "https://www.other.net/x")));
        assertThat(w.ledger().straySeeds()).singleElement().satisfies(stray -> {
            assertThat(stray.url()).isEqualTo(A);
            assertThat(stray.target()).isEqualTo("https://www.other.net/x");
            assertThat(stray.domain()).isEqualTo("other.net");
        });
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.DOMAIN, 1));
    }
}
