package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.OutcomeKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Fetches outside of every crawl go by the same gate as requests. */
class VisitsTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private final World world = new World();
    private final List<Visited> told = new ArrayList<>();

    private void visit(String url, int partition, boolean owner, Duration patience) {
        world.frontier
                .visit(new Visit(world.request(RUN, url, 0, Optional.empty()), new FetchProfile("Probe/1"), Duration.ofSeconds(1),
                        partition, owner, patience, told::add), world.now);
    }

    private void visit(String url) {
        visit(url, 0, true, LONG);
    }

    /** How the one visit that was told of was answered. */
    private Outcome answer() {
        assertThat(told).hasSize(1).first().isInstanceOf(Visited.Answered.class);
        return ((Visited.Answered) told.getFirst()).outcome();
    }

    @Test
    void takesTheNextTurnOfItsHostAndTheRequestsAfterItKeepTheirDistance() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(5)));
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        visit("http://a/visit");
        assertThat(world.settle().begun()).as("one at a time").containsExactly("http://a/1");
        world.endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(4900)).begun()).as("the crawl's pause holds, which is the longer one").isEmpty();
        assertThat(world.later(Duration.ofMillis(100)).begun()).containsExactly("http://a/visit");
        world.endWithPage().settle();
        assertThat(answer().kind()).isEqualTo(OutcomeKind.PAGE);
        assertThat(world.answers).as("nothing of it is written").hasSize(1);
        assertThat(world.later(Duration.ofMillis(4900)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(100)).begun()).containsExactly("http://a/2");
    }

    @Test
    void asksForRobotsTxtInATurnBeforeAndHeedsIt() {
        visit("http://a/private");
        visit("http://a/open");
        world.step();
        assertThat(world.loads).hasSize(1);
        world.settle();
        assertThat(answer().kind()).isEqualTo(OutcomeKind.REFUSED);
        assertThat(world.begun()).as("not at once after robots.txt").isEmpty();
        assertThat(world.later(Duration.ofSeconds(1)).begun()).containsExactly("http://a/open");
    }

    @Test
    void isMadeByTheOwnerAloneUnlessItIsToldOtherwise() {
        world.open("a");
        visit("http://a/1", 7, true, LONG);
        visit("http://a/2", 7, false, LONG);
        assertThat(world.settle().begun()).containsExactly("http://a/2");
        assertThat(told).containsExactly(new Visited.Elsewhere());
    }

    @Test
    void isRefusedAtOnceWhereItsHostIsClosedForLongerThanItsPatience() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.settle().end(World.status(503, Optional.of(Duration.ofMinutes(4)))).settle();
        visit("http://a/2");
        assertThat(world.settle().begun()).isEmpty();
        assertThat(told).hasSize(1).first().isInstanceOfSatisfying(Visited.Late.class,
                late -> assertThat(late.pause()).isEqualTo(Duration.ofMinutes(4)));
    }

    @Test
    void whatTheServerPutsOffHoldsForTheRequestsToo() {
        world.open("a");
        visit("http://a/visit");
        world.settle().end(World.status(503, Optional.of(Duration.ofMinutes(4)))).settle();
        world.deliver(1, "http://a/1");
        assertThat(world.later(Duration.ofMinutes(3)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMinutes(1)).begun()).containsExactly("http://a/1");
    }

    @Test
    void endsWithItsPatienceWhileItsHostIsLeftAloneUntilTheExchangeIsOver() {
        world.open("a");
        visit("http://a/visit", 0, true, Duration.ofSeconds(3));
        world.settle();
        world.deliver(1, "http://a/1");
        assertThat(world.frontier.due()).as("it wakes up for it").hasValue(Duration.ofSeconds(3).toNanos());
        world.later(Duration.ofSeconds(3));
        assertThat(answer()).isInstanceOf(Outcome.Failure.class);
        assertThat(world.begun()).containsExactly("http://a/visit");
        assertThat(world.frontier.flying(0)).isTrue();
        world.endWithPage().settle();
        assertThat(told).as("told once").hasSize(1);
        assertThat(world.begun()).containsExactly("http://a/1");
    }

    @Test
    void goesOnWhileTheFrontierHoldsAndEndsWhenItStops() {
        world.open("a", "b");
        world.frontier.hold(true);
        visit("http://a/1");
        assertThat(world.settle().begun()).containsExactly("http://a/1");
        world.frontier.stopping();
        visit("http://b/1");
        world.settle();
        assertThat(told).containsExactly(new Visited.Elsewhere());
    }

    @Test
    void aHostIsLookedAtWithoutBeingMade() {
        world.frontier.look(new HostKey("nobody"), 0, RUN, Optional.of("http://nobody/"), world.now);
        assertThat(world.frontier.status().hosts()).isZero();
    }
}
