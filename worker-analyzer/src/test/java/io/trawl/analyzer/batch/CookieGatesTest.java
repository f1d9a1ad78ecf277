package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.api.Item;
import io.trawl.ledger.ItemId;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.CookieStates;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A redirect back to a URL that has led to it is asked again, if the cookies of its host have changed. */
class CookieGatesTest {
    @AutoClose
    private final Bench bench = Bench.fresh();

    @BeforeEach
    void keepCookies() {
        bench.control
                .read(Fixtures.started(Fixtures.RUN, "{\"limits\":{\"depth\":3},\"fetch\":{\"cookies\":\"host\"}}"));
    }

    private static Outcome redirect(String to, String asked, String answered) {
        return new Outcome.Redirect(302, to, Optional.of(new CookieStates(asked, answered)));
    }

    private Request next(long offset, Request from, Outcome outcome) {
        Written w = bench.commit(outcome(offset, from, outcome));
        assertThat(w.items()).isEmpty();
        return w.requests().getFirst();
    }

    private void assertFailed(Written w, String... words) {
        assertThat(w.requests()).isEmpty();
        assertThat(w.items()).singleElement().satisfies(item -> {
            assertThat(item.fields()).containsEntry("reason", "REDIRECTS");
            assertThat(String.valueOf(item.fields().get("cause"))).contains(words);
        });
    }

    @Test
    void thePageBehindAGateIsAskedAgainAndItsItemHasTheIdOfItsUrl() {
        Request gate = next(1, request(A, 1), redirect("/b", "0", "0"));
        assertThat(gate.options().again()).isFalse();
        Request again = next(2, gate, redirect("/a", "0", "1"));
        assertThat(again.url()).isEqualTo(A);
        assertThat(again.identity()).isEqualTo("again " + A);
        assertThat(again.depth()).isEqualTo(1);
        assertThat(again.redirects()).isEqualTo(2);
        Written behind = bench.commit(page(3, again, "<title>in</title><a href=/n>n</a>"));
        assertThat(behind.items()).extracting(Item::id).containsExactly(ItemId.of(Fixtures.RUN, A, ItemId.PAGE, 0));
        assertThat(behind.requests()).singleElement().satisfies(link -> {
            assertThat(link.depth()).isEqualTo(2);
            assertThat(link.options()).isEqualTo(FetchOptions.NONE);
        });
    }

    @Test
    void aCookieThatThePageOrAnyHostInBetweenLetItsHostSetCounts() {
        Request gate = next(1, request(A, 0), redirect("/b", "0", "1"));
        assertThat(next(2, gate, redirect("/a", "1", "1")).options().again()).isTrue();
        Request away = next(3, request("http://example.org/c", 0), redirect("http://id.example.org/", "0", "1"));
        assertThat(next(4, away, new Outcome.Redirect(302, "http://example.org/c")).options().again()).isTrue();
    }

    @Test
    void withoutAChangeOneErrorNamesTheChain() {
        Request gate = next(1, request(A, 0), redirect("/b", "0", "0"));
        assertFailed(bench.commit(outcome(2, gate, redirect("/a", "0", "0"))), A + " -> " + B + " -> " + A,
                "no cookie");
        Request other = next(3, request("http://example.org/c", 0), new Outcome.Redirect(302, "/d"));
        assertFailed(bench.commit(outcome(4, other, new Outcome.Redirect(302, "/c"))),
                "/c -> http://example.org/d -> ");
    }

    /** The limit of this test is two in a row. */
    private static Request fewRedirects(Request r) {
        return RequestBuilder.builder().id(r.id()).run(r.run()).url(r.url()).canonical(r.canonical()).host(r.host())
                .depth(r.depth()).priority(r.priority()).seed(r.seed()).domains(r.domains()).definition(r.definition())
                .parent(r.parent()).options(r.options()).chain(r.chain()).trace(r.trace()).build();
    }

    @Test
    void aUrlIsAskedAgainOnce() {
        Request gate = next(1, request(A, 0), redirect("/b", "0", "0"));
        Request again = next(2, gate, redirect("/a", "0", "1"));
        Request gateAgain = next(3, fewRedirects(again), redirect("/b", "1", "2"));
        assertThat(gateAgain.identity()).isEqualTo("again " + B);
        assertFailed(bench.commit(outcome(4, gateAgain, redirect("/a", "2", "3"))), "asked again");
    }

    @Test
    void whatIsBehindAGateIsNotAskedAgainItself() {
        Request gate = next(1, request(A, 0), redirect("/b", "0", "0"));
        Request again = next(2, gate, redirect("/a", "0", "1"));
        assertThat(next(3, fewRedirects(again), redirect("/in", "1", "1")).identity())
                .isEqualTo("http://example.org/in");
    }

    @Test
    void ofAChainThatTurnsBackToItsMiddleOnlyThatIsAskedAgain() {
        Request b = next(1, request(A, 0), redirect("/b", "0", "0"));
        Request c = next(2, fewRedirects(b), redirect("/c", "0", "0"));
        assertThat(bench.commit(outcome(3, fewRedirects(c), redirect("/b", "0", "1"))).requests())
                .extracting(Request::identity).containsExactly("again " + B);
    }

    @Test
    void theCookiesOfAnotherHostAreNoChange() {
        Request away = next(1, request(A, 0), redirect("http://id.example.org/", "0", "0"));
        assertThat(bench.commit(outcome(2, away, redirect("http://example.org/in", "8", "9"))).requests())
                .extracting(Request::identity).containsExactly("http://example.org/in");
    }

    @Test
    void aUrlIsAskedAgainOnceHoweverOftenItsGateAnswersAndNotBeyondTheLimitOfRedirects() {
        Request gate = next(1, request("http://example.org/1", 1), redirect("/gate", "0", "0"));
        Request same = next(2, request("http://example.org/2", 1), redirect("/gate", "0", "0"));
        assertThat(same.identity()).isEqualTo(gate.identity());
        Request far = RequestBuilder.builder(same).redirects(2).build();
        assertThat(bench.handle(outcome(3, far, new Outcome.Duplicate())).requests()).isEmpty();
        assertThat(next(3, same, new Outcome.Duplicate()).identity()).isEqualTo("again http://example.org/2");
        assertThat(bench.commit(outcome(4, same, new Outcome.Duplicate())).requests()).isEmpty();
    }

    @Test
    void eachPageBehindOneGateIsAskedAgain() {
        Request first = request("http://example.org/1", 1);
        Request second = request("http://example.org/2", 1);
        Request gate = next(1, first, redirect("/gate", "0", "0"));
        Request same = next(2, second, redirect("/gate", "0", "0"));
        assertThat(same.identity()).isEqualTo(gate.identity());
        for (Outcome answer : List.of(new Outcome.Duplicate(), redirect("/2", "1", "1"))) {
            Request again = bench.handle(outcome(4, same, answer)).requests().getLast();
            assertThat(again.identity()).isEqualTo("again " + second.url());
            assertThat(again.depth()).isEqualTo(1);
        }
        assertThat(bench.handle(outcome(3, fewRedirects(gate), redirect("/2", "0", "1"))).requests())
                .extracting(Request::identity).containsExactlyInAnyOrder(second.url(), "again " + first.url());
        assertThat(bench.handle(outcome(3, fewRedirects(gate), redirect("/2", "0", "0"))).urls())
                .containsExactly(second.url());
    }

    @Test
    void aRedirectToAKnownUrlIsSeenIfNoCookiesAreKeptOrItsUrlWasAskedAgain() {
        bench.commit(page(1, request(B, 0), "<p>b"));
        Written without = bench.commit(outcome(2, request(A, 0), new Outcome.Redirect(302, "/b")));
        assertThat(without.requests()).isEmpty();
        assertThat(without.ledger().refused()).containsEntry(RefusalReason.SEEN, 1);
        Request back = next(4, next(3, request("http://example.org/c", 0), redirect("/b", "0", "0")),
                new Outcome.Duplicate());
        assertThat(back.identity()).isEqualTo("again http://example.org/c");
        Written seen = bench.commit(outcome(5, fewRedirects(back), redirect("/b", "1", "2")));
        assertThat(seen.requests()).isEmpty();
        assertThat(seen.items()).as("an ordinary redirect to a page that others lead to, too").isEmpty();
    }

    @Test
    void aRedirectThatAnswersAFormIsNoCircle() {
        Request form = Fixtures.request(A, 0,
                FetchOptions.NONE.with().method(Optional.of("POST")).body(Optional.of("x=1")).build());
        Request seen = next(1, form, redirect("/b", "0", "1"));
        assertThat(bench.handle(outcome(2, seen, new Outcome.Duplicate())).requests()).isEmpty();
        assertThat(next(2, seen, redirect("/a", "1", "1")).identity()).isEqualTo(A);
    }

    @Test
    void aUrlWhosePageIsStoredIsNotStoredASecondTimeBecauseItIsAskedAgain() {
        assertThat(bench.commit(page(1, request(A, 2), "<p>in")).items()).hasSize(1);
        Request gate = next(2, request(A, 1), redirect("/b", "0", "0"));
        assertThat(bench.commit(outcome(3, gate, redirect("/a", "0", "1"))).requests()).singleElement()
                .satisfies(again -> assertThat(bench.commit(page(4, again, "<p>in")).items()).isEmpty());
    }
}
