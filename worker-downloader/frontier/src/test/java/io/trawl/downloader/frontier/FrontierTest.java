package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlView.RunStatus;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order of turns: by priority, one request per host, no more than the slots, each URL once. */
class FrontierTest {
    private final World world = new World();

    @Test
    void theLargerPriorityLeavesFirstAcrossHosts() {
        World one = new World(Map.of(), 3, 1, 10_000).open("a", "b", "c");
        one.assign(0);
        one.deliver(0, "http://a/1");
        one.deliver(2, "http://b/1");
        one.deliver(1, "http://c/1");
        one.settle().endWithPage().settle().acknowledge().settle().endWithPage().settle();
        assertThat(one.all).filteredOn(FrontierAction.BeginFetch.class::isInstance)
                .extracting(a -> ((FrontierAction.BeginFetch) a).request().url())
                .containsExactly("http://b/1", "http://c/1", "http://a/1");
    }

    @Test
    void theLargerPriorityLeavesFirstWithinAHostEvenIfItArrivedLater() {
        world.open("a");
        world.deliver(0, "http://a/1");
        world.deliver(0, "http://a/2");
        world.settle();
        world.deliver(2, "http://a/urgent");
        world.endWithPage().settle();
        assertThat(world.begun()).containsExactly("http://a/urgent");
    }

    @Test
    void aHostHasOneRequestInFlight() {
        world.open("a", "b");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.deliver(1, "http://b/1");
        assertThat(world.settle().begun()).containsExactlyInAnyOrder("http://a/1", "http://b/1");
    }

    @Test
    void noMoreThanTheSlotsAreInFlight() {
        world.open("a", "b", "c", "d", "e", "f");
        List.of("a", "b", "c", "d", "e", "f").forEach(host -> world.deliver(1, "http://" + host + "/"));
        assertThat(world.settle().begun()).hasSize(4);
        assertThat(world.frontier.status(world.now).slotsUsed()).isEqualTo(4);
        assertThat(world.endWithPage().settle().begun()).hasSize(4);
    }

    @Test
    void whileHeldNoExchangeBeginsAndThoseInFlightAreAnswered() {
        world.open("a", "b", "c");
        world.facts.put("http://c/seen", UrlFacts.responded(0, 8));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        world.frontier.hold(true);
        world.deliver(2, "http://b/1");
        world.deliver(2, "http://c/seen");
        world.settle().endWithPage().settle();
        assertThat(world.sendAnswers).extracting(a -> a.answer().request().url()).as("not even a duplicate")
                .containsExactly("http://a/1");
        assertThat(world.acknowledge().later(Duration.ofMinutes(5)).begun()).isEmpty();
        assertThat(world.frontier.due()).as("no timer").isEmpty();
        world.frontier.hold(false);
        assertThat(world.settle().begun()).containsExactly("http://b/1", "http://a/2");
        assertThat(world.sendAnswers).extracting(a -> a.answer().outcome()).containsExactly(new Outcome.Duplicate());
    }

    @Test
    void aUrlWithAResponseIsADuplicateWithoutATurn() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(10)));
        world.open("a");
        world.facts.put("http://a/1", UrlFacts.responded(1, 7));
        world.facts.put("http://a/2", UrlFacts.responded(0, 8));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.deliver(1, "http://a/3");
        world.settle();
        assertThat(world.sendAnswers).extracting(a -> a.answer().outcome()).containsExactly(new Outcome.Duplicate(),
                new Outcome.Duplicate());
        assertThat(world.sendAnswers).allMatch(a -> a.answer().factDepth().isEmpty());
        assertThat(world.begun()).containsExactly("http://a/3");
    }

    @Test
    void aResponseAtALargerDepthDoesNotMakeADuplicate() {
        world.open("a");
        world.facts.put("http://a/1", UrlFacts.responded(2, 7));
        world.deliver(1, "http://a/1");
        assertThat(world.settle().begun()).containsExactly("http://a/1");
    }

    @Test
    void aRequestIsFetchedAtTheSmallestKnownDepth() {
        world.open("a");
        world.facts.put("http://a/1", UrlFacts.requested(0));
        world.deliver(1, "http://a/1");
        world.settle();
        assertThat(world.fetches.getFirst().request().depth()).isZero();
        world.endWithPage().settle();
        assertThat(world.sendAnswers.getFirst().answer().factDepth()).hasValue(0);
    }

    @Test
    void aVisitIsFetchedAtItsOwnDepthWhateverIsKnown() {
        world.crawls.put(RUN, new Terms(RunStatus.PRESENT, true, Duration.ZERO, "Trawl/0.1", DepthMode.CARRIED));
        world.open("a");
        world.facts.put("http://a/1", UrlFacts.requested(0));
        world.deliver(1, "http://a/1");
        world.settle();
        assertThat(world.fetches.getFirst().request().depth()).as("304 has no links to be followed from there")
                .isEqualTo(1);
    }

    @Test
    void theSameUrlWaitsUntilTheFirstIsAnsweredAndIsThenADuplicate() {
        world.open("a");
        world.deliver(0, "http://a/1");
        world.deliver(2, "http://a/1");
        world.settle().endWithPage().settle();
        assertThat(world.begun()).as("not acknowledged yet").isEmpty();
        world.acknowledge().settle();
        assertThat(world.begun()).isEmpty();
        assertThat(world.sendAnswers).extracting(a -> a.answer().outcome()).containsExactly(new Outcome.Duplicate());
    }

    @Test
    void requestsToOneUrlWithOtherBodiesAreFetchedEachAndOneWithTheSameBodyIsADuplicate() {
        world.open("a");
        for (String body : List.of("q=1", "q=2", "q=1")) {
            Request get = world.request(World.RUN, "http://a/1", 1, Optional.empty());
            world.deliver(new RequestPartition(1, 0), RequestBuilder.builder().id(get.id()).run(get.run())
                    .url(get.url()).host(get.host()).depth(1).domains(1)
                    .options(FetchOptions.NONE.with().method(Optional.of("POST")).body(Optional.of(body)).build())
                    .build());
        }
        List<String> sent = new ArrayList<>();
        world.settle();
        while (!world.fetches.isEmpty()) {
            world.fetches.forEach(fetch -> sent.add(fetch.request().options().body().orElseThrow()));
            world.endWithPage().settle().acknowledge().settle();
        }
        assertThat(sent).containsExactly("q=1", "q=2");
        assertThat(world.all.stream().filter(FrontierAction.SendAnswer.class::isInstance)
                .map(a -> ((FrontierAction.SendAnswer) a).answer().outcome())
                .filter(Outcome.Duplicate.class::isInstance)).hasSize(1);
    }

    @Test
    void aLookupThatIsOlderThanTheAnswerOfItsUrlIsRepeated() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.settle();
        world.deliver(1, "http://a/2");
        world.endWithPage().step();
        // The lookup of a/1 begins before its answer is learnt, and returns after it.
        world.deliver(2, "http://a/1");
        world.settle().acknowledge();
        assertThat(world.settle().begun()).doesNotContain("http://a/1");
    }

    /**
     * A host is forgotten while a lookup of a request that waited elsewhere is in flight, and created again with that
     * request; the answer goes to the old one.
     */
    @Test
    void anAnswerOfTheLedgerForAForgottenHostIsHandled() {
        RandomLife life = new RandomLife(-71706);
        life.live(400);
        life.end();
    }

    @Test
    void theLowWaterMarkIsTheLowestWithoutAnAcknowledgedAnswerElseThePosition() {
        RequestPartition requestPartition = new RequestPartition(1, 0);
        world.open("a", "b");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://b/1");
        world.settle();
        world.end(World.page(Duration.ZERO)).end(World.page(Duration.ZERO)).settle();
        world.frontier.answered(List.of(world.sendAnswers.get(1).ticket()), world.now);
        assertThat(world.step().committed).doesNotContainKey(requestPartition);
        world.frontier.answered(List.of(world.sendAnswers.get(0).ticket()), world.now);
        assertThat(world.step().committed).containsEntry(requestPartition, 2L);
    }

    @Test
    void aPositionThatMovesOverAMarkerIsCommitted() {
        world.frontier.assigned(new RequestPartition(0, 3), 99, 5);
        world.frontier.delivered(new RequestPartition(0, 3), 99, List.of(), 9, world.now);
        assertThat(world.step().committed).containsEntry(new RequestPartition(0, 3), 9L);
    }

    @Test
    void readingOfLowerPrioritiesPausesFirstAndEachKeepsAShare() {
        World small = new World(Map.of(), 3, 4, 120);
        small.assign(0);
        for (int i = 0; i < 120; i++) {
            small.deliver(2, "http://a/" + i);
        }
        small.step();
        assertThat(small.all).filteredOn(FrontierAction.Scan.class::isInstance)
                .containsExactly(new FrontierAction.Scan(2, false));
        for (int i = 0; i < 10; i++) {
            small.deliver(0, "http://b/" + i);
        }
        small.all.clear();
        small.step();
        assertThat(small.all).filteredOn(FrontierAction.Scan.class::isInstance)
                .containsExactly(new FrontierAction.Scan(0, false));
    }

    @Test
    void countersBalanceAtRest() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().endWithPage().settle().acknowledge().settle().end(World.failure(FailureReason.TLS)).settle()
                .acknowledge().settle();
        var counts = world.counters.counts();
        assertThat(counts.called()).isEqualTo(3);
        assertThat(counts.accepted()).isEqualTo(counts.completed() + counts.failed()).isEqualTo(3);
        assertThat(counts.failed()).isOne();
    }

    @Test
    void whileStoppingNoExchangeBegins() {
        world.open("a", "b");
        world.deliver(1, "http://a/1");
        world.settle();
        world.deliver(1, "http://b/1");
        world.frontier.stopping();
        assertThat(world.settle().begun()).hasSize(1);
        world.endWithPage().settle().acknowledge().settle();
        assertThat(world.frontier.status(world.now).quiet()).isTrue();
    }
}
