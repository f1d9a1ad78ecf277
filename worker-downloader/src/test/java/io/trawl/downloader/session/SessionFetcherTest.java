package io.trawl.downloader.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.TraceContext;
import io.trawl.politeness.KeptSession;
import io.trawl.politeness.KeptSession.KeptCookie;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SessionFetcherTest extends SessionFixture {
    private static final FetchPermit OWNER = () -> true;

    @Test
    void aHostReceivesWhatItHasSetInTheSameRunAndNobodyElseDoes() {
        Member process = new Member();
        FetchResult first = process.fetch(KEEPING, OWNER);
        assertThat(first.headers()).doesNotContainKey("set-cookie");
        process.fetch(KEEPING, OWNER);
        assertThat(received).containsExactly("", "n=1");
        process.begin(RUN, web.host(1), KEEPING, OWNER).join();
        process.begin(new CrawlRun(RUN.crawl(), 2), host, KEEPING, OWNER).join();
        assertThat(received.subList(2, 4)).as("another host, and another run").containsOnly("");
        process.fetch(KEEPING, OWNER);
        assertThat(received.getLast()).isEqualTo("n=2");
    }

    @Test
    void aCrawlThatDoesNotAskForItKeepsNothing() {
        Member process = new Member();
        for (int i = 0; i < 2; i++) {
            assertThat(process.fetch(profile(FetchRules.DEFAULT), OWNER).headers()).containsEntry("set-cookie",
                    "n=1; Path=/");
        }
        process.sessions.flush();
        assertThat(received).containsOnly("");
        assertThat(store.sessions).isEmpty();
    }

    @Test
    void aCookieOfTheCrawlIsSentUntilTheHostSetsItAndOthersStay() {
        Member process = new Member();
        var named = profile(FetchRules.DEFAULT.with(fetch -> fetch
                .cookies(Optional.of(io.trawl.definition.url.CookieScope.HOST)).cookie(Optional.of("lang=en; n=7"))));
        process.fetch(named, OWNER);
        process.fetch(named, OWNER);
        assertThat(received).containsExactly("lang=en; n=7", "lang=en; n=8");
    }

    @Test
    void whatIsAskedAgainIsNotAskedWithTheCookiesOfBefore() {
        Member process = new Member();
        String before = process.sessions.of(RUN, new HostKey(host.name()), OWNER).cookies().state();
        Request first = request(RUN, host, "/");
        Request again = RequestBuilder.builder().id(first.id()).run(RUN).url(first.url()).canonical(first.canonical())
                .host(first.host()).priority(1).redirects(2).seed(true).options(FetchOptions.NONE.withAgain(true))
                .chain(List.of(
                        request(RUN, host, "/x").hop(302, Optional.of(new Outcome.CookieStates("others", "others"))),
                        first.hop(302, Optional.of(new Outcome.CookieStates(before, before)))))
                .build();
        assertThat(process.fetcher.fetch(again, KEEPING, OWNER).join().outcome()).isInstanceOfSatisfying(
                Outcome.Refused.class, no -> assertThat(no.reason()).isEqualTo(RefusalReason.SEEN));
        assertThat(received).isEmpty();
        process.fetch(KEEPING, OWNER);
        assertThat(process.fetcher.fetch(again, KEEPING, OWNER).join().outcome())
                .isEqualTo(new Outcome.Success(200, false));
        assertThat(received).containsExactly("", "n=1");
    }

    @Test
    void aUrlThatARedirectLeadsBackToIsAskedWithTheCookiesOfBeforeUnlessItIsAskedAgain() {
        Member process = new Member();
        String before = process.sessions.of(RUN, new HostKey(host.name()), OWNER).cookies().state();
        Request form = request(RUN, host, "/");
        Request seen = RequestBuilder.builder(form).redirects(1)
                .chain(List.of(form.hop(303, Optional.of(new Outcome.CookieStates(before, before))))).build();
        assertThat(process.fetcher.fetch(seen, KEEPING, OWNER).join().outcome())
                .isEqualTo(new Outcome.Success(200, false));
    }

    @Test
    void aRedirectSaysWhichCookiesItWasAskedWithAndWhichThereAreNow() {
        host.route("/gate", exchange -> {
            exchange.getResponseHeaders().add("Location", "/");
            exchange.getResponseHeaders().add("Set-Cookie", "in=1; Path=/");
            exchange.sendResponseHeaders(302, -1);
        });
        Member process = new Member();
        Outcome.CookieStates first = states(process.begin("/gate", KEEPING, OWNER).join());
        assertThat(first.answered()).isNotEqualTo(first.asked());
        Outcome.CookieStates second = states(process.begin("/gate", KEEPING, OWNER).join());
        assertThat(second.asked()).isEqualTo(first.answered()).isEqualTo(second.answered());
    }

    private static Outcome.CookieStates states(FetchResult result) {
        assertThat(result.outcome()).isInstanceOf(Outcome.Redirect.class);
        return ((Outcome.Redirect) result.outcome()).cookies().orElseThrow();
    }

    @Test
    void theNextOwnerGoesOnAndTheOneBeforeForgetsWhatItKnew() {
        Member first = new Member();
        Member second = new Member();
        first.fetch(KEEPING, OWNER);
        first.sessions.flush();
        FetchPermit next = () -> true;
        second.fetch(KEEPING, next);
        second.sessions.flush();
        FetchPermit again = () -> true;
        first.fetch(KEEPING, again);
        assertThat(received).containsExactly("", "n=1", "n=2");
    }

    @Test
    void aRequestThatWaitsForRedisIsWithdrawnWithItsPermit() {
        Member process = new Member();
        store.open = new CountDownLatch(1);
        AtomicBoolean holds = new AtomicBoolean(true);
        FetchPermit lease = holds::get;
        CompletableFuture<FetchResult> waiting = process.begin(RUN, host, KEEPING, lease);
        assertThat(waiting).isNotDone();
        holds.set(false);
        process.sessions.cut(lease);
        assertThat(waiting).isDone();
        assertThat(waiting.join().withdrawn()).isTrue();
        assertThat(received).isEmpty();
    }

    @Test
    void aProcessThatIsNoOwnerAnyMoreDoesNotReplaceALaterSessionButTheOwnerDoes() {
        Member process = new Member();
        AtomicBoolean holds = new AtomicBoolean(true);
        FetchPermit lease = holds::get;
        process.fetch(KEEPING, lease);
        process.sessions.flush();
        KeptSession later = new KeptSession(5, List.of(new KeptCookie("n", "40", "/", false, Optional.empty())),
                Optional.empty());
        store.sessions.put(RUN + " " + new HostKey(host.name()), later);
        process.fetch(KEEPING, lease);
        process.sessions.flush();
        assertThat(store.find(RUN, new HostKey(host.name()))).isEqualTo(
                new KeptSession(6, List.of(new KeptCookie("n", "2", "/", false, Optional.empty())), Optional.empty()));
        store.sessions.put(RUN + " " + new HostKey(host.name()), new KeptSession(9, later.cookies(), Optional.empty()));
        store.open = new CountDownLatch(1);
        process.fetch(KEEPING, lease);
        holds.set(false);
        store.open.countDown();
        process.sessions.flush();
        assertThat(store.find(RUN, new HostKey(host.name())).number()).isEqualTo(9);
    }
}
