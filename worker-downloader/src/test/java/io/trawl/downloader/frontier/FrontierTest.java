package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.MS;
import static io.trawl.downloader.frontier.World.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlRecord.StopSign;
import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.fetch.Fetched;
import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.downloader.frontier.World.Rules;
import io.trawl.lease.Legacy;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
        assertThat(one.all).filteredOn(Action.Fetch.class::isInstance).extracting(a -> ((Action.Fetch) a).request().url())
                .containsExactly("http://b/1", "http://c/1", "http://a/1");
    }

    @Test
    void theLargerPriorityLeavesFirstWithinAHostAlsoWhenItCameLater() {
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
        assertThat(world.frontier.status().slotsUsed()).isEqualTo(4);
        assertThat(world.endWithPage().settle().begun()).hasSize(4);
    }

    @Test
    void whileHeldNothingBeginsAndWhatIsInFlightIsAnswered() {
        world.open("a", "b", "c");
        world.facts.put("http://c/seen", UrlFacts.responded(0, 8));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        world.frontier.hold(true);
        world.deliver(2, "http://b/1");
        world.deliver(2, "http://c/seen");
        world.settle().endWithPage().settle();
        assertThat(world.answers).extracting(a -> a.reply().request().url()).as("not even a duplicate")
                .containsExactly("http://a/1");
        assertThat(world.acknowledge().later(Duration.ofMinutes(5)).begun()).isEmpty();
        assertThat(world.frontier.due()).as("no reason to wake up").isEmpty();
        world.frontier.hold(false);
        assertThat(world.settle().begun()).containsExactly("http://b/1", "http://a/2");
        assertThat(world.answers).extracting(a -> a.reply().outcome()).containsExactly(new Outcome.Duplicate());
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
        assertThat(world.answers).extracting(a -> a.reply().outcome()).containsExactly(new Outcome.Duplicate(),
                new Outcome.Duplicate());
        assertThat(world.answers).allMatch(a -> a.reply().factDepth().isEmpty());
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
        assertThat(world.answers.getFirst().reply().factDepth()).hasValue(0);
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
        assertThat(world.answers).extracting(a -> a.reply().outcome()).containsExactly(new Outcome.Duplicate());
    }

    @Test
    void aVerdictThatIsOlderThanTheAnswerOfItsUrlIsAskedForAgain() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.settle();
        world.deliver(1, "http://a/2");
        world.endWithPage().step();
        // The question about a/1 is asked before its answer is learnt, and comes back after it.
        world.deliver(2, "http://a/1");
        world.settle().acknowledge();
        assertThat(world.settle().begun()).doesNotContain("http://a/1");
    }

    @Test
    void theDelayCountsFromTheEndOfTheResponse() {
        world.crawls.put(RUN, World.terms(Duration.ofMillis(500)));
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        world.later(Duration.ofMillis(300)).endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(499)).begun()).isEmpty();
        assertThat(world.frontier.due()).hasValue(800 * MS);
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://a/2");
    }

    @Test
    void aSlowHostIsLeftAloneForAsLongAsItsLastResponseTook() {
        world.crawls.put(RUN, World.terms(Duration.ofMillis(500)));
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().end(World.page(Duration.ofSeconds(2))).settle();
        assertThat(world.later(Duration.ofMillis(1999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).hasSize(1);
    }

    @Test
    void withoutADelayThereIsNoPauseAndNoMultiple() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().end(World.page(Duration.ofSeconds(2))).settle();
        assertThat(world.begun()).containsExactly("http://a/2");
    }

    @Test
    void robotsIsLoadedFirstAndCountsAsARequest() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        world.deliver(1, "https://a/1");
        world.step().asked.clear();
        world.frontier.judged(1, List.of(UrlFacts.NOTHING), world.now);
        world.step();
        assertThat(world.loads).extracting(Action.LoadRobots::scheme).containsExactly("https");
        assertThat(world.frontier.status().slotsUsed()).isOne();
        world.settle();
        assertThat(world.begun()).isEmpty();
        assertThat(world.later(Duration.ofSeconds(1)).begun()).hasSize(1);
    }

    @Test
    void aHostKeepsItsPlaceInLineWhileItsRobotsAreAskedFor() {
        World one = new World(Map.of(), 3, 1, 1000);
        one.assign(0);
        one.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        List.of("a", "b", "c", "d", "e", "f", "g", "h", "i").forEach(host -> one.deliver(1, "http://" + host + "/"));
        int loads = 0;
        for (one.judgeAll(); one.begun().isEmpty(); one.judgeAll()) {
            loads++;
            Action.LoadRobots load = one.loads.removeFirst();
            one.now += Duration.ofMillis(500).toNanos();
            one.open(load.host().value());
            one.frontier.robotsLoaded(load.ticket(), one.robots(load.host()).orElseThrow(), one.now);
        }
        assertThat(one.begun()).containsExactly("http://a/");
        assertThat(loads).as("one more may have been judged already").isBetween(3, 4);
    }

    @Test
    void whatRobotsForbidsIsRefusedWithoutATurn() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(10)));
        world.open("a");
        world.deliver(1, "http://a/private/1");
        world.deliver(1, "http://a/2");
        world.settle();
        assertThat(world.begun()).containsExactly("http://a/2");
        assertThat(world.answers.getFirst().reply().outcome())
                .isEqualTo(new Outcome.Refused(RefusalReason.ROBOTS, "robots.txt forbids it"));
    }

    @Test
    void theCrawlDelayHoldsWithoutADelayToo() {
        world.robots.put(new HostKey("a"), new Rules(true, Optional.of(Duration.ofSeconds(3)), Optional.empty()));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(2999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).hasSize(1);
    }

    @Test
    void robotsThatCannotBeHadIsAskedForAgainAndThenTheHostsTroubleIsTheAnswer() {
        world.robots.put(new HostKey("a"), new Rules(false, Optional.empty(), Optional.of(World.failure(FailureReason.CONNECT))));
        world.deliver(1, "http://a/1");
        world.settle();
        assertThat(world.answers).isEmpty();
        world.later(Duration.ofSeconds(2)).later(Duration.ofSeconds(4)).later(Duration.ofSeconds(8));
        assertThat(world.all).filteredOn(Action.LoadRobots.class::isInstance).hasSize(3);
        assertThat(world.answers).extracting(a -> a.reply().outcome())
                .containsExactly(new Outcome.Failure(FailureReason.CONNECT, "for a test"));
    }

    @Test
    void aHostThatIsClosedForAsLongAsItsRobotsFailureIsRememberedIsAnswered() {
        Duration longest = Duration.ofMinutes(5);
        world.robotsKept = Optional.of(longest);
        world.robots.put(new HostKey("a"),
                new Rules(false, Optional.empty(), Optional.of(World.status(503, Optional.of(longest)))));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        for (int minutes = 0; minutes < 120; minutes += 5) {
            world.later(longest);
        }
        assertThat(world.all).filteredOn(Action.LoadRobots.class::isInstance).hasSize(3);
        assertThat(world.answers).hasSize(2).allSatisfy(a -> assertThat(a.reply().outcome()).isInstanceOf(Outcome.Refused.class));
        world.acknowledge();
        world.deliver(1, "http://a/3");
        world.settle();
        assertThat(world.all).as("asked for again when the failure is forgotten").filteredOn(Action.LoadRobots.class::isInstance)
                .hasSize(4);
        world.robots.remove(new HostKey("a"));
        assertThat(world.later(longest).begun()).containsExactly("http://a/3");
    }

    @Test
    void whatComesWhileRobotsIsGivenUpIsAnsweredAtOnceButNotForAnotherCrawler() {
        CrawlRun other = new CrawlRun(RUN.crawl(), 2);
        world.crawls.put(other, new Terms(Standing.PRESENT, true, Duration.ZERO, "Other/1", io.trawl.ledger.DepthMode.EXACT));
        world.robots.put(new HostKey("a"),
                new Rules(false, Optional.empty(), Optional.of(World.status(503, Optional.of(Duration.ofMinutes(2))))));
        world.deliver(1, "http://a/1");
        world.settle().later(Duration.ofMinutes(2)).later(Duration.ofMinutes(2));
        assertThat(world.answers).hasSize(1);
        world.deliver(1, "http://a/2");
        world.deliver(new Lane(1, 0), world.request(other, "http://a/3", 1, Optional.empty()));
        assertThat(world.settle().answers).extracting(a -> a.reply().request().url()).containsExactly("http://a/1", "http://a/2");
        assertThat(world.all).as("the pause holds for what must be asked").filteredOn(Action.LoadRobots.class::isInstance)
                .hasSize(3);
        world.later(Duration.ofMinutes(2));
        assertThat(world.all).filteredOn(Action.LoadRobots.class::isInstance).hasSize(4);
    }

    @Test
    void aHostThatNeverAnswersIsGivenUpAndAllItsRequestsEndInBoundedTime() {
        world.open("a");
        for (int i = 0; i < 500; i++) {
            world.deliver(1, "http://a/" + i);
        }
        int sent = 0;
        world.settle();
        for (Duration passed = Duration.ZERO; world.answers.size() < 500; passed = passed.plusSeconds(10)) {
            assertThat(passed).isLessThan(Duration.ofHours(1));
            while (!world.fetches.isEmpty()) {
                sent++;
                world.end(World.failure(FailureReason.TIMEOUT)).settle();
            }
            world.later(Duration.ofSeconds(10));
        }
        assertThat(sent).isEqualTo(13);
        assertThat(world.frontier.status().givenUp()).isOne();
        assertThat(world.answers.getLast().reply().outcome()).isInstanceOfSatisfying(Outcome.Failure.class, failure -> {
            assertThat(failure.reason()).isEqualTo(FailureReason.TIMEOUT);
            assertThat(failure.cause()).contains("given up", "13 failures");
        });
        assertThat(world.answers).filteredOn(answer -> answer.reply().attempts() == 0).as("not sent").hasSizeGreaterThan(490);
    }

    @Test
    void hostsOfADomainShareOnePauseAndOneRequestAtATimeButNotTheirRobots() {
        World domain = new World(Map.of("trawl.politeness-key", "domain"), 3, 4, 10_000);
        domain.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        domain.assign(0);
        domain.robots.put(new HostKey("a.n.test:80"), new Rules(false, Optional.empty(), Optional.empty()));
        domain.open("b.n.test:80", "c.n.test:8080", "o.test:80");
        domain.deliver(1, "http://a.n.test:80/1");
        domain.deliver(1, "http://b.n.test:80/1");
        domain.deliver(2, "http://c.n.test:8080/1");
        domain.deliver(1, "http://o.test:80/1");
        assertThat(domain.settle().begun()).containsExactlyInAnyOrder("http://c.n.test:8080/1", "http://o.test:80/1");
        domain.endWithPage().settle().endWithPage().settle();
        domain.later(Duration.ofMillis(999));
        assertThat(domain.begun()).isEmpty();
        domain.later(Duration.ofMillis(1));
        assertThat(domain.answers).extracting(a -> a.reply().request().url()).as("forbidden by its own robots.txt")
                .contains("http://a.n.test:80/1");
        assertThat(domain.begun()).containsExactly("http://b.n.test:80/1");
        domain.end(World.status(503, Optional.of(Duration.ofMinutes(2)))).step();
        assertThat(domain.closures).extracting(Action.Closed::host).containsExactly(new HostKey("n.test"));
        assertThat(domain.frontier.pauses(0, domain.now)).containsOnlyKeys(new HostKey("n.test"));
    }

    /** Two names at one address, of two partitions, the first of which has lost its lease when its request is the next. */
    private static World lapsedBeforeAnother() {
        World ip = new World(Map.of(), 3, 4, 10_000, 1 << 20, server -> new HostKey("ip/192.0.2.1")).open("a.test:80",
                "b.test:80");
        ip.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        ip.assign(0);
        ip.assign(1);
        ip.deliver(new Lane(1, 0), ip.request(RUN, "http://a.test:80/1", 1, Optional.empty()));
        ip.deliver(new Lane(1, 1), ip.request(RUN, "http://b.test:80/1", 1, Optional.empty()));
        ip.deliver(new Lane(1, 0), ip.request(RUN, "http://a.test:80/2", 1, Optional.empty()));
        ip.deliver(new Lane(1, 1), ip.request(RUN, "http://b.test:80/2", 1, Optional.empty()));
        assertThat(ip.settle().begun()).containsExactly("http://a.test:80/1");
        ip.endWithPage().later(Duration.ofMillis(999));
        assertThat(ip.begun()).isEmpty();
        assertThat(ip.later(Duration.ofMillis(1)).begun()).containsExactly("http://b.test:80/1");
        ip.frontier.lapsed(0, ip.leases.get(0), ip.now);
        assertThat(ip.endWithPage().later(Duration.ofSeconds(5)).begun()).as("no lease on the first one's partition").isEmpty();
        return ip;
    }

    @Test
    void aQueueOfSeveralPartitionsGoesOnInItsOrderWhenALeaseIsHadAgain() {
        World ip = lapsedBeforeAnother();
        ip.lease(0, Legacy.nothing());
        assertThat(ip.settle().begun()).containsExactly("http://a.test:80/2");
        ip.endWithPage().later(Duration.ofMillis(999));
        assertThat(ip.begun()).isEmpty();
        assertThat(ip.later(Duration.ofMillis(1)).begun()).containsExactly("http://b.test:80/2");
    }

    @Test
    void aQueueOfSeveralPartitionsGoesOnWithoutThoseOfAPartitionThatIsGivenBack() {
        World ip = lapsedBeforeAnother();
        ip.frontier.revoked(0, ip.now);
        assertThat(ip.settle().begun()).containsExactly("http://b.test:80/2");
    }

    @Test
    void aDeadHostIsGivenUpWithoutTheOthersOfItsDomain() {
        World domain = new World(Map.of("trawl.politeness-key", "domain"), 3, 4, 10_000).open("dead.n.test:80", "www.n.test:80");
        domain.assign(0);
        for (int i = 0; i < 100; i++) {
            domain.deliver(1, "http://dead.n.test:80/" + i);
        }
        for (int i = 0; i < 20; i++) {
            domain.deliver(1, "http://www.n.test:80/" + i);
        }
        domain.settle();
        for (Duration passed = Duration.ZERO; domain.answers.size() < 120; passed = passed.plusSeconds(10)) {
            assertThat(passed).isLessThan(Duration.ofHours(1));
            while (!domain.fetches.isEmpty()) {
                boolean dead = domain.begun().getFirst().contains("dead");
                domain.end(dead ? World.failure(FailureReason.DNS) : World.page(Duration.ZERO)).settle();
            }
            domain.later(Duration.ofSeconds(10));
        }
        assertThat(domain.frontier.status().givenUp()).isOne();
        assertThat(domain.answers).filteredOn(a -> a.reply().outcome() instanceof Outcome.Page)
                .extracting(a -> a.reply().request().host()).hasSize(20).containsOnly(new HostKey("www.n.test:80"));
    }

    @Test
    void aHostThatAnswersItsProbeIsFetchedAsBefore() {
        world.open("a");
        for (int i = 0; i < 20; i++) {
            world.deliver(1, "http://a/" + i);
        }
        world.settle();
        for (int i = 0; i < 10; i++) {
            world.end(World.failure(FailureReason.CONNECT)).settle();
            world.later(Duration.ofSeconds(20));
        }
        assertThat(world.begun()).as("closed").isEmpty();
        assertThat(world.later(Duration.ofMinutes(5)).begun()).as("the probe").hasSize(1);
        for (int left = world.fetches.size(); left > 0; left = world.fetches.size()) {
            world.endWithPage().settle();
        }
        assertThat(world.answers).hasSize(20);
        assertThat(world.frontier.status().givenUp()).isZero();
    }

    /** A host was forgotten while the ledger was asked about a request that waited elsewhere, and made anew with it; the answer went to the old one. */
    @Test
    void anAnswerOfTheLedgerFindsAHostThatWasForgottenInBetween() {
        Reference life = new Reference(-71706);
        life.live(400);
        life.end();
    }

    @Test
    void waitTimeAndRetryAfterHold() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(new Lane(1, 0), world.request(RUN, "http://a/2", 1, Optional.of(Duration.ofSeconds(2))));
        world.settle().endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(1999)).begun()).isEmpty();
        world.later(Duration.ofMillis(1)).end(World.status(503, Optional.of(Duration.ofSeconds(30)))).settle();
        assertThat(world.later(Duration.ofMillis(29_999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://a/2");
    }

    @Test
    void onlyTheLastAttemptIsTheAnswer() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.settle();
        for (int i = 0; i < 2; i++) {
            world.end(World.failure(FailureReason.TIMEOUT)).settle();
            assertThat(world.answers).isEmpty();
            world.later(Duration.ofMinutes(1));
        }
        world.end(World.failure(FailureReason.TIMEOUT)).settle();
        assertThat(world.answers).singleElement().satisfies(a -> assertThat(a.reply().attempts()).isEqualTo(3));
    }

    @Test
    void aRetryOfOneRequestDoesNotHoldUpItsHost() {
        world.open("a");
        world.deliver(1, "http://a/broken");
        world.deliver(1, "http://a/2");
        world.settle().end(World.status(500, Optional.empty())).settle();
        assertThat(world.begun()).containsExactly("http://a/2");
        world.endWithPage();
        assertThat(world.later(Duration.ofSeconds(2)).begun()).containsExactly("http://a/broken");
    }

    @Test
    void theLowWaterMarkIsTheLowestWithoutAnAcknowledgedAnswerElseThePosition() {
        Lane lane = new Lane(1, 0);
        world.open("a", "b");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://b/1");
        world.settle();
        world.end(World.page(Duration.ZERO)).end(World.page(Duration.ZERO)).settle();
        world.frontier.answered(List.of(world.answers.get(1).ticket()), world.now);
        assertThat(world.step().committed).doesNotContainKey(lane);
        world.frontier.answered(List.of(world.answers.get(0).ticket()), world.now);
        assertThat(world.step().committed).containsEntry(lane, 2L);
    }

    @Test
    void aPositionThatMovesOverAMarkerIsCommitted() {
        world.frontier.assigned(new Lane(0, 3), 99, 5);
        world.frontier.delivered(new Lane(0, 3), 99, List.of(), 9, world.now);
        assertThat(world.step().committed).containsEntry(new Lane(0, 3), 9L);
    }

    @Test
    void requestsOfAStoppedCrawlArePutAsideAndHoldUpNobody() {
        CrawlRun other = new CrawlRun(RUN.crawl(), 2);
        Terms stopped = new Terms(Standing.PRESENT, false, Duration.ZERO, "Trawl/0.1", io.trawl.ledger.DepthMode.EXACT);
        world.crawls.put(other, stopped);
        world.open("a");
        world.deliver(new Lane(2, 0), world.request(other, "http://a/stopped", 0, Optional.empty()));
        world.deliver(0, "http://a/1");
        assertThat(world.settle().begun()).containsExactly("http://a/1");
        assertThat(world.frontier.status().parked()).isOne();
        world.endWithPage();
        world.crawls.put(other, World.terms(Duration.ZERO));
        world.crawlsChanged(List.of());
        assertThat(world.settle().reread().settle().begun()).containsExactly("http://a/stopped");
        assertThat(world.counters.counts().called()).as("counted once").isEqualTo(2);
    }

    @Test
    void requestsOfARunThatIsOverAreDroppedButCounted() {
        CrawlRun old = new CrawlRun(RUN.crawl(), 2);
        world.crawls.put(old, Terms.absent(Standing.OVER));
        long offset = world.deliver(new Lane(2, 0), world.request(old, "http://a/old", 0, Optional.empty()));
        world.settle();
        assertThat(world.passes).singleElement().satisfies(pass -> assertThat(pass.offset()).isEqualTo(offset));
        assertThat(world.acknowledge().settle().committed).containsEntry(new Lane(2, 0), 1L);
        assertThat(world.begun()).isEmpty();
    }

    @Test
    void anUnknownCrawlIsRefusedOnlyAfterTheCommandsWereReadAgain() {
        CrawlRun unknown = new CrawlRun(RUN.crawl(), 9);
        world.open("a");
        world.deliver(new Lane(2, 0), world.request(unknown, "http://a/u", 0, Optional.empty()));
        world.deliver(new Lane(2, 0), world.request(unknown, "http://a/v", 0, Optional.empty()));
        world.settle();
        assertThat(world.all).filteredOn(Action.Refresh.class::isInstance).containsExactly(new Action.Refresh(unknown));
        assertThat(world.answers).isEmpty();
        world.frontier.refreshed(unknown, world.now);
        world.settle();
        assertThat(world.answers).hasSize(2).allMatch(a -> a.reply().outcome().detail().equals("UNKNOWN_CRAWL"));
    }

    @Test
    void aCrawlThatBecomesKnownMeanwhileIsFetched() {
        CrawlRun late = new CrawlRun(RUN.crawl(), 9);
        world.open("a");
        world.deliver(new Lane(2, 0), world.request(late, "http://a/u", 0, Optional.empty()));
        world.settle();
        world.crawls.put(late, World.terms(Duration.ZERO));
        world.frontier.refreshed(late, world.now);
        assertThat(world.settle().begun()).containsExactly("http://a/u");
    }

    @Test
    void aStopSignIsDealtWithOnceNothingOfItsCrawlIsUnderWay() {
        StopSign sign = new StopSign(Optional.of(RUN.crawl()), 3, true, Instant.EPOCH);
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        world.crawls.put(RUN, new Terms(Standing.PRESENT, false, Duration.ZERO, "Trawl/0.1", io.trawl.ledger.DepthMode.EXACT));
        world.crawlsChanged(List.of(sign));
        assertThat(world.frontier.status().deals()).isEmpty();
        world.settle().endWithPage().settle();
        assertThat(world.begun()).as("no new download").isEmpty();
        assertThat(world.frontier.status().deals()).as("not acknowledged").isEmpty();
        world.acknowledge().settle();
        assertThat(world.frontier.status().deals()).containsExactly(Map.entry(sign.key(), 3L));
    }

    @Test
    void aRevokedPartitionIsForgottenAndWhatIsInFlightIsAnsweredWithoutACommit() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        assertThat(world.frontier.revoked(0, world.now).get(new Lane(1, 0)).offset()).isZero();
        world.endWithPage().settle();
        assertThat(world.begun()).isEmpty();
        assertThat(world.answers).hasSize(1);
        world.acknowledge().settle();
        assertThat(world.committed).isEmpty();
        assertThat(world.frontier.status().pending()).containsOnly(0L);
    }

    @Test
    void aPartitionThatComesBackStillFindsItsHostBusy() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.settle();
        world.frontier.revoked(0, world.now);
        world.assign(0);
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        assertThat(world.settle().begun()).as("still the first").hasSize(1);
        world.endWithPage().settle().acknowledge().settle();
        assertThat(world.begun()).containsExactly("http://a/2");
        world.endWithPage().settle();
        assertThat(world.answers).extracting(a -> a.reply().outcome()).contains(new Outcome.Duplicate());
    }

    @Test
    void aStoppedCrawlLeavesOthersOfItsPriorityRoomAndGoesOnWhereItStopped() {
        World small = new World(Map.of(), 3, 4, 120);
        small.assign(0);
        small.open("a", "b");
        CrawlRun other = new CrawlRun(RUN.crawl(), 2);
        Terms stopped = new Terms(Standing.PRESENT, false, Duration.ZERO, "Trawl/0.1", io.trawl.ledger.DepthMode.EXACT);
        small.crawls.put(other, stopped);
        Lane lane = new Lane(1, 0);
        for (int i = 0; i < 500; i++) {
            small.deliver(lane, small.request(other, "http://a/" + i, 1, Optional.empty()));
            small.settle();
        }
        small.deliver(1, "http://b/1");
        assertThat(small.settle().begun()).containsExactly("http://b/1");
        assertThat(small.all).as("reading goes on").filteredOn(Action.Scan.class::isInstance).isEmpty();
        assertThat(small.frontier.status().parked()).isEqualTo(500);
        small.crawls.put(other, World.terms(Duration.ZERO));
        small.crawlsChanged(List.of());
        small.settle().reread().settle();
        assertThat(small.all).as("now they are pending").filteredOn(Action.Scan.class::isInstance)
                .containsExactly(new Action.Scan(1, false));
        for (int i = 0; i <= 500; i++) {
            small.endWithPage().settle().acknowledge().settle();
        }
        assertThat(small.committed).containsEntry(lane, 501L);
        assertThat(small.frontier.status().pending()).containsOnly(0L);
        assertThat(small.all).filteredOn(Action.Fetch.class::isInstance).hasSize(501);
    }

    @Test
    void requestsThatSleepWhenTheirRunEndsAreReadAgainAndDropped() {
        CrawlRun old = new CrawlRun(RUN.crawl(), 2);
        world.crawls.put(old, new Terms(Standing.PRESENT, false, Duration.ZERO, "Trawl/0.1", io.trawl.ledger.DepthMode.EXACT));
        world.deliver(new Lane(2, 0), world.request(old, "http://a/old", 0, Optional.empty()));
        world.settle();
        world.crawls.put(old, Terms.absent(Standing.OVER));
        world.crawlsChanged(List.of());
        world.settle().reread().settle();
        assertThat(world.passes).hasSize(1);
        assertThat(world.acknowledge().settle().committed).containsEntry(new Lane(2, 0), 1L);
    }

    @Test
    void lowerPrioritiesStopBeingReadFirstAndEachKeepsAShare() {
        World small = new World(Map.of(), 3, 4, 120);
        small.assign(0);
        for (int i = 0; i < 120; i++) {
            small.deliver(2, "http://a/" + i);
        }
        small.step();
        assertThat(small.all).filteredOn(Action.Scan.class::isInstance).containsExactly(new Action.Scan(2, false));
        for (int i = 0; i < 10; i++) {
            small.deliver(0, "http://b/" + i);
        }
        small.all.clear();
        small.step();
        assertThat(small.all).filteredOn(Action.Scan.class::isInstance).containsExactly(new Action.Scan(0, false));
    }

    @Test
    void countersBalanceAtRest() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().endWithPage().settle().acknowledge().settle().end(World.failure(FailureReason.TLS)).settle().acknowledge()
                .settle();
        var counts = world.counters.counts();
        assertThat(counts.called()).isEqualTo(3);
        assertThat(counts.accepted()).isEqualTo(counts.completed() + counts.failed()).isEqualTo(3);
        assertThat(counts.failed()).isOne();
    }

    @Test
    void whileStoppingNothingNewBegins() {
        world.open("a", "b");
        world.deliver(1, "http://a/1");
        world.settle();
        world.deliver(1, "http://b/1");
        world.frontier.stopping();
        assertThat(world.settle().begun()).hasSize(1);
        world.endWithPage().settle().acknowledge().settle();
        assertThat(world.frontier.status().quiet()).isTrue();
    }

    @Test
    void withoutALeaseNothingBeginsAndNobodyIsAsked() {
        world.open("a");
        world.frontier.lapsed(0, world.leases.get(0), 0);
        world.deliver(1, "http://a/1");
        assertThat(world.later(Duration.ofMinutes(5)).begun()).isEmpty();
        assertThat(world.frontier.due()).as("no reason to wake up").isEmpty();
        world.lease(0, Legacy.nothing());
        assertThat(world.settle().begun()).containsExactly("http://a/1");
    }

    @Test
    void hostsThatWereHandedOverWaitForTheRestAndOthersStartAtOnce() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(10)));
        world.open("a", "b");
        world.lease(0, new Legacy(Optional.empty(), Map.of(new HostKey("a"), Duration.ofSeconds(3))));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://b/1");
        assertThat(world.settle().begun()).containsExactly("http://b/1");
        assertThat(world.later(Duration.ofMillis(2999)).begun()).containsExactly("http://b/1");
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://b/1", "http://a/1");
    }

    @Test
    void afterACrashEveryHostWaitsOneDelayOfItsOwnFromTheBreak() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(10)));
        world.robots.put(new HostKey("b"), new Rules(true, Optional.of(Duration.ofSeconds(20)), Optional.empty()));
        world.open("a");
        world.now = 100 * MS;
        world.lease(0, new Legacy(Optional.of(Duration.ofSeconds(4)), Map.of()));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://b/1");
        assertThat(world.later(Duration.ofMillis(5999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://a/1");
        assertThat(world.later(Duration.ofSeconds(10)).begun()).containsExactly("http://a/1", "http://b/1");
    }

    @Test
    void whatIsLeftOfTheirPausesIsHandedOver() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(10)));
        world.open("a", "b", "c");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://b/1");
        world.settle().endWithPage().later(Duration.ofSeconds(4)).endWithPage().settle();
        assertThat(world.frontier.pauses(0, world.now)).isEqualTo(
                Map.of(new HostKey("a"), Duration.ofSeconds(6), new HostKey("b"), Duration.ofSeconds(10)));
        assertThat(world.frontier.pauses(1, world.now)).isEmpty();
        assertThat(world.frontier.pauses(0, world.now + 7_000 * MS)).containsOnlyKeys(new HostKey("b"));
    }

    @Test
    void aWithdrawnFetchTakesItsTurnAgainWithoutAnAttempt() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().end(Fetched.withdrawn(Duration.ZERO, Instant.EPOCH)).settle();
        assertThat(world.begun()).containsExactly("http://a/1");
        world.endWithPage().settle();
        assertThat(world.answers.getFirst().reply().attempts()).isOne();
    }

    @Test
    void longClosuresAreWrittenDownAtOnce() {
        world.open("a", "b");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://b/1");
        world.settle().end(World.status(503, Optional.of(Duration.ofSeconds(30))))
                .end(World.status(503, Optional.of(Duration.ofSeconds(3))))
                .settle();
        assertThat(world.closures).singleElement().satisfies(c -> {
            assertThat(c.host()).isEqualTo(new HostKey("a"));
            assertThat(c.pause()).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
        });
    }

    @Test
    void aHostMayHaveSeveralInFlightThatBeginADelayApart() {
        World several = new World(Map.of("trawl.downloader.per-host", "2"), 3, 4, 10_000).open("a");
        several.assign(0);
        several.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        for (int i = 1; i <= 4; i++) {
            several.deliver(1, "http://a/" + i);
        }
        assertThat(several.settle().begun()).containsExactly("http://a/1");
        assertThat(several.later(Duration.ofMillis(999)).begun()).hasSize(1);
        assertThat(several.later(Duration.ofMillis(1)).begun()).as("from the beginning of the last").hasSize(2);
        assertThat(several.later(Duration.ofSeconds(5)).begun()).as("no more than two").hasSize(2);
        assertThat(several.endWithPage().settle().begun()).as("the pause is long over").containsExactly("http://a/2",
                "http://a/3");
    }
}
