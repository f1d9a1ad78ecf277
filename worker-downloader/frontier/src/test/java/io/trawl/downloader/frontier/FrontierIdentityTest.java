package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.definition.url.IdentityRules;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.SessionProfile;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RedirectHop;
import io.trawl.model.Request.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A redirect to the same page under another name is no answer: the request continues there, under its id. */
class FrontierIdentityTest {
    private static final IdentityRules RULES = new IdentityRules(List.of("sid"), List.of(), false, true, true, true);
    private static final RequestPartition QUEUE = new RequestPartition(1, 0);
    private final World world = new World().open("www.a.org:80", "a.org:443", "a.org:80");

    @BeforeEach
    void define() {
        world.crawls.put(RUN, World.terms(Duration.ZERO).withIdentity(RULES));
    }

    private Request deliver(long id, String url, String host, int redirects) {
        Request request = request(id, url, host, redirects).withCanonical(RULES.canonical(url, FetchOptions.NONE));
        world.deliver(QUEUE, request);
        return request;
    }

    private static Request request(long id, String url, String host, int redirects) {
        return RequestBuilder.builder().id(new RequestId(id)).run(RUN).url(url).host(new HostKey(host)).depth(1)
                .priority(1).redirects(redirects).seed(true).domains(1).build();
    }

    private static FetchResult redirect(String location) {
        return FetchResult.without(new Outcome.Redirect(301, location), Duration.ZERO, Instant.EPOCH);
    }

    @Test
    void theRequestContinuesAtTheOtherAddressAndFreesItsOffset() {
        Request request = deliver(7, "http://www.a.org/x", "www.a.org:80", 0);
        world.settle().end(redirect("https://a.org/x/")).settle();
        assertThat(world.sendAnswers).isEmpty();
        Request moved = ((ForwardedRequest.AtServer) world.forwards.getFirst().copy()).request();
        assertThat(moved.id()).isEqualTo(request.id());
        assertThat(moved.identity()).isEqualTo(request.identity()).isEqualTo("https://a.org/x");
        assertThat(List.of(moved.url(), moved.host().value())).containsExactly("https://a.org/x/", "a.org:443");
        assertThat(moved.redirects()).isOne();
        assertThat(moved.chain()).containsExactly(new RedirectHop("http://www.a.org/x", 301));
        assertThat(world.committed).as("before the copy is in Kafka").doesNotContainEntry(QUEUE, 1L);

        assertThat(world.forward().settle().begun()).containsExactly("https://a.org/x/");
        assertThat(world.committed).containsEntry(QUEUE, 1L);
        world.endWithPage().settle();
        assertThat(world.sendAnswers).singleElement()
                .satisfies(sent -> assertThat(sent.answer().request()).isEqualTo(moved));
    }

    @Test
    void aRequestThatWaitsForTheSamePageIsADuplicateOfTheAnswerAtTheOtherAddress() {
        deliver(1, "http://www.a.org/x", "www.a.org:80", 0);
        deliver(2, "http://a.org/x?sid=1", "a.org:80", 0);
        assertThat(world.settle().begun()).as("one name of a page at a time").hasSize(1);
        world.end(redirect("https://a.org/x")).settle().forward().settle();
        assertThat(world.begun()).as("still one name at a time").hasSize(1);
        world.endWithPage().settle();
        assertThat(world.sendAnswers).extracting(sent -> sent.answer().outcome().kind())
                .containsExactly(OutcomeKind.PAGE);
        world.acknowledge().settle();
        assertThat(world.begun()).isEmpty();
        assertThat(world.sendAnswers).extracting(sent -> sent.answer().outcome().kind())
                .containsExactly(OutcomeKind.DUPLICATE);
    }

    @Test
    void aRedirectToAnotherPageAndOneToItselfAreAnswers() {
        deliver(1, "http://www.a.org/x", "www.a.org:80", 0);
        world.settle().end(redirect("/y")).settle();
        deliver(2, "http://www.a.org/z", "www.a.org:80", 0);
        world.settle().end(redirect("/z")).settle();
        assertThat(world.forwards).isEmpty();
        assertThat(world.sendAnswers).hasSize(2);
    }

    @Test
    void aPageWhoseNamesRedirectToEachOtherIsAnsweredInTheEnd() {
        deliver(1, "http://a.org/x", "a.org:80", 0);
        int moves = 0;
        for (world.settle(); world.sendAnswers.isEmpty(); world.settle()) {
            String url = world.fetches.getFirst().request().url();
            world.end(redirect(url.endsWith("/") ? "/x" : "/x/")).settle();
            moves += world.forwards.size();
            world.forward();
        }
        assertThat(moves).isEqualTo(Request.LONGEST_CHAIN);
        assertThat(world.sendAnswers.getFirst().answer().outcome()).isInstanceOf(Outcome.Redirect.class);
    }

    @Test
    void withoutRulesEveryRedirectIsAnAnswer() {
        world.crawls.put(RUN, World.terms(Duration.ZERO));
        world.crawlsChanged(List.of());
        deliver(1, "http://a.org/x", "a.org:80", 0);
        world.settle().end(redirect("/x/")).settle();
        assertThat(world.forwards).isEmpty();
        assertThat(world.sendAnswers).hasSize(1);
    }

    @Test
    void aHostThatSetsACookieAndRedirectsToTheSameUrlIsAskedAgain() {
        Terms terms = World.terms(Duration.ZERO);
        world.crawls.put(RUN,
                new Terms(terms.status(), true, Duration.ZERO,
                        terms.profile().withSession(new SessionProfile(true, Map.of(), Optional.empty())), terms.mode(),
                        Optional.empty(), 1, false, terms.scope(), IdentityRules.DEFAULT));
        world.crawlsChanged(List.of());
        world.deliver(QUEUE, request(1, "http://a.org/x", "a.org:80", 0));
        world.settle().end(redirect("/x")).settle();
        assertThat(world.sendAnswers).isEmpty();
        assertThat(world.forward().settle().begun()).containsExactly("http://a.org/x");
        world.end(redirect("/y")).settle();
        assertThat(world.sendAnswers).as("another page").hasSize(1);
    }
}
