package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.frontier.DirectFetch.DirectFetchResult;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Fetches outside of every crawl obey the same politeness as requests. */
class DirectFetchQueueTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private final World world = new World();
    private final List<DirectFetchResult> results = new ArrayList<>();

    private void directFetch(String url, int partition, boolean owner, Duration patience) {
        world.frontier.fetchDirectly(new DirectFetch(world.request(RUN, url, 0, Optional.empty()),
                new FetchProfile("Probe/1"), Duration.ofSeconds(1), partition, owner, patience, results::add),
                world.now);
    }

    private void directFetch(String url) {
        directFetch(url, 0, true, LONG);
    }

    /** The outcome of the only direct fetch that has a result. */
    private Outcome answer() {
        assertThat(results).hasSize(1).first().isInstanceOf(DirectFetchResult.Completed.class);
        return ((DirectFetchResult.Completed) results.getFirst()).outcome();
    }

    @Test
    void takesTheNextTurnOfItsHostAndLaterRequestsKeepTheDelay() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(5)));
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        directFetch("http://a/direct");
        assertThat(world.settle().begun()).as("one at a time").containsExactly("http://a/1");
        world.endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(4900)).begun()).as("the crawl's pause holds, which is the longer one")
                .isEmpty();
        assertThat(world.later(Duration.ofMillis(100)).begun()).containsExactly("http://a/direct");
        world.endWithPage().settle();
        assertThat(answer().kind()).isEqualTo(OutcomeKind.PAGE);
        assertThat(world.sendAnswers).as("no response is written").hasSize(1);
        assertThat(world.later(Duration.ofMillis(4900)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(100)).begun()).containsExactly("http://a/2");
    }

    @Test
    void waitsForAVerdictThatTakesManySteps() {
        world.robots.put(new HostKey("a"), new World.Rules(true, Optional.empty(), Optional.empty(), 5000,
                new RobotsRules.Version(Optional.empty())));
        directFetch("http://a/direct");
        directFetch("http://a/private");
        assertThat(world.step().begun()).isEmpty();
        assertThat(world.checks).hasSize(2);
        world.check();
        assertThat(world.step().begun()).containsExactly("http://a/direct");
        assertThat(answer().kind()).isEqualTo(OutcomeKind.REFUSED);
        assertThat(world.checks).isEmpty();
    }

    @Test
    void loadsRobotsTxtInATurnBeforeAndObeysIt() {
        directFetch("http://a/private");
        directFetch("http://a/open");
        world.step();
        assertThat(world.loads).hasSize(1);
        world.settle();
        assertThat(answer().kind()).isEqualTo(OutcomeKind.REFUSED);
        assertThat(world.begun()).as("not at once after robots.txt").isEmpty();
        assertThat(world.later(Duration.ofSeconds(1)).begun()).containsExactly("http://a/open");
    }

    @Test
    void beginsAtOnceAfterALookUpOfRobotsTxtThatTheFleetAnswers() {
        world.inFleet.add(new HostKey("a"));
        directFetch("http://a/1");
        directFetch("http://a/2");
        assertThat(world.settle().begun()).containsExactly("http://a/1");
        world.endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://a/2");
    }

    @Test
    void runsOnlyAtTheOwnerUnlessRequestedOtherwise() {
        world.open("a");
        directFetch("http://a/1", 7, true, LONG);
        directFetch("http://a/2", 7, false, LONG);
        assertThat(world.settle().begun()).containsExactly("http://a/2");
        assertThat(results).containsExactly(new DirectFetchResult.Elsewhere());
    }

    @Test
    void isRefusedAtOnceIfItsHostIsClosedForLongerThanItsPatience() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.settle().end(World.status(503, Optional.of(Duration.ofMinutes(4)))).settle();
        directFetch("http://a/2");
        assertThat(world.settle().begun()).isEmpty();
        assertThat(results).hasSize(1).first().isInstanceOfSatisfying(DirectFetchResult.Late.class,
                late -> assertThat(late.pause()).isEqualTo(Duration.ofMinutes(4)));
    }

    @Test
    void aPauseThatTheServerAsksForAlsoHoldsForRequests() {
        world.open("a");
        directFetch("http://a/direct");
        world.settle().end(World.status(503, Optional.of(Duration.ofMinutes(4)))).settle();
        world.deliver(1, "http://a/1");
        assertThat(world.later(Duration.ofMinutes(3)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMinutes(1)).begun()).containsExactly("http://a/1");
    }

    @Test
    void endsWithItsPatienceWhileItsHostIsLeftAloneUntilTheExchangeIsOver() {
        world.open("a");
        directFetch("http://a/direct", 0, true, Duration.ofSeconds(3));
        world.settle();
        world.deliver(1, "http://a/1");
        assertThat(world.frontier.due()).as("its timer").hasValue(Duration.ofSeconds(3).toNanos());
        world.later(Duration.ofSeconds(3));
        assertThat(answer()).isInstanceOf(Outcome.Failure.class);
        assertThat(world.begun()).containsExactly("http://a/direct");
        assertThat(world.frontier.inFlight(0)).isTrue();
        world.endWithPage().settle();
        assertThat(results).as("one result").hasSize(1);
        assertThat(world.begun()).containsExactly("http://a/1");
    }

    @Test
    void continuesWhileTheFrontierHoldsAndEndsWhenItStops() {
        world.open("a", "b");
        world.frontier.hold(true);
        directFetch("http://a/1");
        assertThat(world.settle().begun()).containsExactly("http://a/1");
        world.frontier.stopping();
        directFetch("http://b/1");
        world.settle();
        assertThat(results).containsExactly(new DirectFetchResult.Elsewhere());
    }

    @Test
    void inspectingAHostDoesNotCreateIt() {
        world.frontier.look(new HostKey("unknown"), 0, RUN, Optional.of("http://unknown/"), world.now);
        assertThat(world.frontier.status(world.now).hosts()).isZero();
    }
}
