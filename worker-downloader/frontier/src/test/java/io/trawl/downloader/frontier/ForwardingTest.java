package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlView.RunStatus;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.control.ControlRecord.MoveOrder;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.FrontierSettings.QueueKeys;
import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.frontier.queue.StoppedCrawlOffsets.RelocationRules;
import io.trawl.downloader.frontier.queue.StragglerOffsets.StragglerRules;
import io.trawl.downloader.politeness.RobotsSource.LoadedRobots;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.PolitenessKey;
import io.trawl.pattern.UrlPattern;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that go on elsewhere in the log: those that hold it, and those that an order moves. */
class ForwardingTest {
    private static final RequestPartition LOW = new RequestPartition(0, 0);
    private static final RequestPartition HIGH = new RequestPartition(2, 0);
    private static final Duration AGE = Duration.ofMinutes(10);
    private static final Terms STOPPED = new Terms(RunStatus.PRESENT, false, Duration.ZERO, "Trawl/0.1",
            DepthMode.EXACT);

    private static World world(long bodies) {
        World world = new World(Map.of("trawl.downloader.longest-pause", "2h"), 3, 4, 100_000, bodies,
                RelocationRules.USUAL, new StragglerRules(AGE, 100, 16), QueueKeys.by(PolitenessKey.HOST));
        world.assign(0);
        return world.open("slow", "b");
    }

    /** The first is tried, and the host closes for an hour. */
    private static void deliverToASlowHost(World world, int requests) {
        deliver(world, "slow", 0);
        world.settle().end(World.status(503, Optional.of(Duration.ofHours(1)))).settle();
        for (int i = 1; i < requests; i++) {
            deliver(world, "slow", i);
        }
        world.settle();
    }

    private static void deliver(World world, String host, int number) {
        world.deliver(LOW, world.request(World.RUN, "http://" + host + "/" + number, 0, Optional.empty()));
    }

    private static void order(World world, MoveOrder... moves) {
        world.frontier.ordered(List.of(new QueueMoves(World.RUN, moves.length, List.of(moves))), 1);
        world.settle();
    }

    private static MoveOrder move(int number, String match, int to, long until) {
        return new MoveOrder(number, UrlPattern.parse(match), to, 1, List.of(List.of(until), List.of(0L), List.of(0L)),
                Instant.EPOCH);
    }

    private static void fetchAll(World world, String... urls) {
        for (String url : urls) {
            world.later(Duration.ofHours(2));
            assertThat(world.begun()).containsExactly(url);
            world.endWithPage().settle().acknowledge().settle();
        }
        world.acknowledge().settle();
    }

    @ParameterizedTest
    @ValueSource(longs = {1 << 20, 1})
    void whatWaitsForLongDoesNotHoldTheLogAndComesInItsOrder(long bodies) {
        World world = world(bodies);
        deliverToASlowHost(world, 4);
        for (int i = 0; i < 200; i++) {
            deliver(world, "b", i);
            world.settle().endWithPage().settle().acknowledge().settle();
        }
        world.later(Duration.ofSeconds(2));
        assertThat(world.forwards).as("they have not waited for long").isEmpty();
        world.later(AGE);
        assertThat(world.forwards).as("also the one that was tried").hasSize(4)
                .allSatisfy(forward -> assertThat(forward.copy()).isInstanceOf(ForwardedRequest.AtEnd.class));
        assertThat(world.committed.getOrDefault(LOW, 0L)).as("not before the copies are in Kafka").isZero();
        world.forward().settle();
        assertThat(world.committed).containsEntry(LOW, 204L);
        world.later(AGE).later(AGE).later(AGE);
        assertThat(world.forwards).as("a copy must let many records be deleted").isEmpty();
        fetchAll(world, "http://slow/1", "http://slow/2", "http://slow/3", "http://slow/0");
        assertThat(world.committed).as("the copy of the tried one is a duplicate").containsEntry(LOW, 208L);
    }

    @Test
    void aStragglerWhoseRobotsTxtIsBeingLoadedStaysWhereItIs() {
        World world = world(1 << 20);
        deliver(world, "new", 0);
        world.step();
        FrontierAction.LookUp lookUp = world.asked.removeFirst();
        for (int i = 0; i < 200; i++) {
            deliver(world, "b", i);
            world.settle().endWithPage().settle().acknowledge().settle();
        }
        world.now += AGE.toNanos();
        FrontierAction.ReadBodies read = world.step().readBodiess.removeFirst();
        world.frontier.lookedUp(lookUp.ask(), List.of(UrlFacts.NOTHING), world.now);
        world.step().answerLookUps();
        FrontierAction.LoadRobots load = world.step().loads.removeFirst();
        world.frontier.read(read.ask(), world.stored(read.requestPartition(), read.offsets()), world.now);
        assertThat(world.settle().forwards).as("its exchange holds the log for a moment only").isEmpty();
        world.open("new").frontier.robotsLoaded(load.ticket(),
                new LoadedRobots(world.robots(load.host()).orElseThrow(), true), world.now);
        assertThat(world.settle().begun()).containsExactly("http://new/0");
    }

    @Test
    void aHostOfWhichMuchWaitsIsNotCopiedAgainAndAgain() {
        World world = world(1 << 20);
        deliverToASlowHost(world, 50);
        for (int i = 0; i < 300; i++) {
            deliver(world, "b", i);
            world.settle().endWithPage().settle().acknowledge().settle();
        }
        world.later(Duration.ofSeconds(2)).later(AGE).later(AGE);
        assertThat(world.forwards).as("300 records for 50 copies").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1 << 20, 1})
    void anOrderMovesWhatWaitsAndNothingThatComesLater(long bodies) {
        World world = world(bodies);
        deliverToASlowHost(world, 4);
        deliver(world, "slow", 4);
        world.logAway = true;
        order(world, move(1, "slow", 2, 4));
        assertThat(world.frontier.status(world.now).deals()).singleElement()
                .satisfies(deal -> assertThat(deal.took()).as("they are being read").isEmpty());
        world.logAway = false;
        world.settle();
        assertThat(world.forwards).as("without the one that was tried").hasSize(3).allSatisfy(
                forward -> assertThat(forward.copy()).isInstanceOfSatisfying(ForwardedRequest.AtPriority.class,
                        copy -> assertThat(copy.request().priority()).isEqualTo(2)));
        assertThat(world.frontier.status(world.now).deals()).singleElement()
                .satisfies(deal -> assertThat(deal.took()).as("they are on their way").isEmpty());
        world.forward().settle();
        assertThat(world.frontier.status(world.now).deals()).singleElement()
                .satisfies(deal -> assertThat(deal.took()).isPresent());
        assertThat(world.frontier.status(world.now).pending()).containsExactly(2L, 0L, 3L);
        fetchAll(world, "http://slow/1", "http://slow/2", "http://slow/3");
        assertThat(world.committed).containsEntry(HIGH, 3L);
    }

    @Test
    void theNextOwnerCarriesOutWhatItsPredecessorHasLeft() {
        World world = world(1 << 20);
        deliverToASlowHost(world, 3);
        order(world, move(1, "slow", 2, 3));
        assertThat(world.forwards).hasSize(2);
        world.forwards.clear();
        world.frontier.revoked(0, world.now);
        world.assign(0);
        for (int i = 0; i < 3; i++) {
            deliver(world, "slow", i);
        }
        world.settle();
        assertThat(world.forwards).extracting(FrontierAction.Forward::offset).contains(0L, 1L, 2L);
    }

    @Test
    void theLastOrderAboutARequestDecidesWhereItWaits() {
        World world = world(1 << 20);
        deliverToASlowHost(world, 3);
        order(world, move(1, "slow", 2, 3), move(2, "/1", 0, 3));
        assertThat(world.forwards).singleElement()
                .satisfies(forward -> assertThat(((ForwardedRequest.AtPriority) forward.copy()).request().url())
                        .isEqualTo("http://slow/2"));
    }

    @Test
    void whatWaitsInAStoppedCrawlIsMovedToo() {
        World world = world(1 << 20);
        world.crawls.put(World.RUN, STOPPED);
        for (int i = 0; i < 3; i++) {
            deliver(world, "b", i);
        }
        world.settle();
        order(world, move(1, "b", 2, 3));
        assertThat(world.forwards).hasSize(3);
        world.forward().settle();
        assertThat(world.committed).containsEntry(LOW, 3L);
        world.crawls.put(World.RUN, World.terms(Duration.ZERO));
        world.crawlsChanged(List.of());
        world.settle().reread().settle();
        assertThat(world.begun()).containsExactly("http://b/0");
    }
}
