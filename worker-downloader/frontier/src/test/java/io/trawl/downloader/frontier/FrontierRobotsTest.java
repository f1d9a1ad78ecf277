package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlView.RunStatus;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.direct.FrontierView.Robots;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.World.Rules;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsSource.LoadedRobots;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.definition.FetchStyle;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.politeness.InheritedPauses;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The robots.txt of a host is loaded first, in a turn. */
class FrontierRobotsTest {
    private final World world = new World();

    @Test
    void robotsIsLoadedFirstAndCountsAsARequest() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        world.deliver(1, "https://a/1");
        world.step().asked.clear();
        world.frontier.lookedUp(1, List.of(UrlFacts.NOTHING), world.now);
        world.step();
        assertThat(world.loads).extracting(FrontierAction.LoadRobots::scheme).containsExactly("https");
        assertThat(world.frontier.status(world.now).slotsUsed()).isOne();
        world.settle();
        assertThat(world.begun()).isEmpty();
        assertThat(world.later(Duration.ofSeconds(1)).begun()).hasSize(1);
    }

    @Test
    void aLookUpThatTheFleetAnswersCostsNoDelay() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(10)));
        world.inFleet.add(new HostKey("a"));
        world.lease(0, new InheritedPauses(Optional.empty(), Map.of(new HostKey("a"), Duration.ofSeconds(3))));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        assertThat(world.settle().all).as("the pause of an earlier owner's request")
                .noneMatch(FrontierAction.LoadRobots.class::isInstance);
        assertThat(world.later(Duration.ofSeconds(3)).begun()).containsExactly("http://a/1");
        assertThat(world.all).filteredOn(FrontierAction.LoadRobots.class::isInstance).hasSize(1);
        world.endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(9_999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://a/2");
    }

    @Test
    void nothingBeginsWhileALookUpIsUnderWayThatTheFleetMayAnswer() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        world.deliver(1, "http://a/1");
        world.answerAllLookUps();
        FrontierAction.LoadRobots load = world.loads.removeFirst();
        world.open("a");
        assertThat(world.later(Duration.ofSeconds(5)).begun()).isEmpty();
        world.frontier.robotsLoaded(load.ticket(), new LoadedRobots(world.robots(load.host()).orElseThrow(), false),
                world.now);
        assertThat(world.settle().begun()).containsExactly("http://a/1");
    }

    @Test
    void afterALookUpThatTheFleetAnswersTheCrawlDelayHoldsSinceTheLastRequest() {
        HostKey host = new HostKey("a");
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().endWithPage();
        world.robots.put(host, new Rules(true, Optional.of(Duration.ofSeconds(5)), Optional.empty()));
        world.robotsUntil.put(host, world.now);
        world.inFleet.add(host);
        world.settle().now += Duration.ofSeconds(1).toNanos();
        world.answerAllLookUps();
        assertThat(world.loads).hasSize(1);
        world.robotsUntil.remove(host);
        assertThat(world.settle().later(Duration.ofMillis(3_999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://a/2");
    }

    @Test
    void theCrawlDelayOfAFileThatWasFetchedJustBeforeIsHandedOver() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        world.deliver(1, "http://a/1");
        world.answerAllLookUps();
        FrontierAction.LoadRobots load = world.loads.removeFirst();
        world.crawls.put(RUN, new Terms(RunStatus.PRESENT, false, Duration.ofSeconds(1), "Trawl/0.1", DepthMode.EXACT));
        world.crawlsChanged(List.of());
        world.robots.put(load.host(), new Rules(true, Optional.of(Duration.ofSeconds(30)), Optional.empty()));
        world.frontier.robotsLoaded(load.ticket(), new LoadedRobots(world.robots(load.host()).orElseThrow(), true),
                world.now);
        assertThat(world.frontier.pauses(0, world.now)).as("none of its requests waits here")
                .isEqualTo(Map.of(load.host(), Duration.ofSeconds(30)));
    }

    @Test
    void aLookUpThatTheFleetAnswersLeavesNoPauseToHandOver() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(10)));
        world.inFleet.add(new HostKey("a"));
        world.deliver(1, "http://a/private");
        world.settle();
        assertThat(world.sendAnswers).hasSize(1);
        assertThat(world.frontier.pauses(0, world.now)).isEmpty();
    }

    @Test
    void aHostKeepsItsRankWhileItsRobotsTxtIsLoaded() {
        World one = new World(Map.of(), 3, 1, 1000);
        one.assign(0);
        one.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        List.of("a", "b", "c", "d", "e", "f", "g", "h", "i").forEach(host -> one.deliver(1, "http://" + host + "/"));
        int loads = 0;
        for (one.answerAllLookUps(); one.begun().isEmpty(); one.answerAllLookUps()) {
            loads++;
            FrontierAction.LoadRobots load = one.loads.removeFirst();
            one.now += Duration.ofMillis(500).toNanos();
            one.open(load.host().value());
            one.frontier.robotsLoaded(load.ticket(), new LoadedRobots(one.robots(load.host()).orElseThrow(), true),
                    one.now);
        }
        assertThat(one.begun()).containsExactly("http://a/");
        assertThat(loads).as("one more may have been looked up already").isBetween(3, 4);
    }

    @Test
    void aUrlThatRobotsTxtForbidsIsRefusedWithoutATurn() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(10)));
        world.open("a");
        world.deliver(1, "http://a/private/1");
        world.deliver(1, "http://a/2");
        world.settle();
        assertThat(world.begun()).containsExactly("http://a/2");
        assertThat(world.sendAnswers.getFirst().answer().outcome())
                .isEqualTo(new Outcome.Refused(RefusalReason.ROBOTS, "robots.txt forbids it"));
    }

    @Test
    void theRobotsTxtOfAnIgnoredHostIsNeitherLoadedNorObeyed() {
        world.crawls.put(RUN, new Terms(RunStatus.PRESENT, true, Duration.ZERO,
                new FetchProfile("Trawl/0.1").withIgnoreRobots(Set.of("own")), DepthMode.EXACT, Optional.empty(), 1,
                false, CrawlTerms.TermsOfScope.EVERYTHING, io.trawl.definition.url.IdentityRules.DEFAULT));
        world.robots.put(new HostKey("own:80"),
                new Rules(false, Optional.of(Duration.ofDays(1)), Optional.of(World.failure(FailureReason.CONNECT))));
        world.deliver(1, "http://own:80/private/1");
        world.deliver(1, "http://own.other:80/private/1");
        world.settle();
        assertThat(world.begun()).containsExactly("http://own:80/private/1");
        assertThat(world.all).filteredOn(FrontierAction.LoadRobots.class::isInstance)
                .extracting(load -> ((FrontierAction.LoadRobots) load).host().value()).containsExactly("own.other:80");
    }

    @Test
    void aFailedLoadOfRobotsTxtIsRetriedAndThenItsFailureIsTheAnswer() {
        world.robots.put(new HostKey("a"),
                new Rules(false, Optional.empty(), Optional.of(World.failure(FailureReason.CONNECT))));
        world.deliver(1, "http://a/1");
        world.settle();
        assertThat(world.sendAnswers).isEmpty();
        world.later(Duration.ofSeconds(2)).later(Duration.ofSeconds(4)).later(Duration.ofSeconds(8));
        assertThat(world.all).filteredOn(FrontierAction.LoadRobots.class::isInstance).hasSize(3);
        assertThat(world.sendAnswers).extracting(a -> a.answer().outcome())
                .containsExactly(new Outcome.Failure(FailureReason.CONNECT, "for a test"));
        assertThat(asExplained()).extracting(HostView::robots, HostView::robotsTrouble).containsExactly(Robots.GIVEN_UP,
                Optional.of("for a test"));
    }

    @Test
    void aHostThatTheAddressGuardRefusesIsAskedOnceAndAnsweredAsThat() {
        Outcome closed = new Outcome.Refused(RefusalReason.ADDRESS, "10.0.0.1 is private");
        world.robots.put(new HostKey("a"), new Rules(false, Optional.empty(),
                Optional.of(FetchResult.without(closed, Duration.ZERO, Instant.EPOCH))));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        world.later(Duration.ofSeconds(2));
        assertThat(world.all).filteredOn(FrontierAction.LoadRobots.class::isInstance).hasSize(1);
        assertThat(world.sendAnswers).extracting(a -> a.answer().outcome()).containsExactly(closed, closed);
        assertThat(asExplained()).extracting(HostView::robots, HostView::robotsTrouble).containsExactly(Robots.REFUSED,
                Optional.of("10.0.0.1 is private"));
    }

    /** The host of the tests, as an explanation has it. */
    private HostView asExplained() {
        return world.frontier.look(new HostKey("a"), 0, RUN, Optional.empty(), world.now).host();
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
        assertThat(world.all).filteredOn(FrontierAction.LoadRobots.class::isInstance).hasSize(3);
        assertThat(world.sendAnswers).hasSize(2)
                .allSatisfy(a -> assertThat(a.answer().outcome()).as("that says nothing about the URL")
                        .isEqualTo(new Outcome.Failure(FailureReason.ROBOTS,
                                "robots.txt is unreachable, which forbids everything (503)")));
        world.acknowledge();
        world.deliver(1, "http://a/3");
        world.settle();
        assertThat(world.all).as("loaded again when the failure is forgotten")
                .filteredOn(FrontierAction.LoadRobots.class::isInstance).hasSize(4);
        world.robots.remove(new HostKey("a"));
        assertThat(world.later(longest).begun()).containsExactly("http://a/3");
    }

    @Test
    void requestsWhileRobotsTxtIsGivenUpAreAnsweredAtOnceButNotThoseOfAnotherCrawler() {
        CrawlRun other = new CrawlRun(RUN.crawl(), 2);
        world.crawls.put(other,
                new Terms(RunStatus.PRESENT, true, Duration.ZERO, "Other/1", io.trawl.ledger.DepthMode.EXACT));
        world.robots.put(new HostKey("a"),
                new Rules(false, Optional.empty(), Optional.of(World.status(503, Optional.of(Duration.ofMinutes(2))))));
        world.deliver(1, "http://a/1");
        world.settle().later(Duration.ofMinutes(2)).later(Duration.ofMinutes(2));
        assertThat(world.sendAnswers).hasSize(1);
        world.deliver(1, "http://a/2");
        world.deliver(new RequestPartition(1, 0), world.request(other, "http://a/3", 1, Optional.empty()));
        assertThat(world.settle().sendAnswers).extracting(a -> a.answer().request().url()).containsExactly("http://a/1",
                "http://a/2");
        assertThat(world.all).as("the pause holds for exchanges")
                .filteredOn(FrontierAction.LoadRobots.class::isInstance).hasSize(3);
        world.later(Duration.ofMinutes(2));
        assertThat(world.all).filteredOn(FrontierAction.LoadRobots.class::isInstance).hasSize(4);
    }

    /** A file whose verdicts take many steps; counts those that were made. */
    private static final class CostlyRules implements RobotsRules {
        private final Version version = new Version(Optional.of("digest"));
        private final int cost;
        private long spent;

        CostlyRules(int cost) {
            this.cost = cost;
        }

        @Override
        public RobotsVerdict check(String url, int steps) {
            spent += Math.min(cost, steps);
            return steps < cost ? RobotsVerdict.TOO_COSTLY : RobotsVerdict.ALLOWED;
        }

        @Override
        public Version version() {
            return version;
        }

        @Override
        public Optional<Duration> crawlDelay() {
            return Optional.empty();
        }

        @Override
        public boolean unreachable() {
            return false;
        }
    }

    @Test
    void aHostWithACostlyRobotsTxtDelaysNoOther() {
        CostlyRules costly = new CostlyRules(RobotsRules.MOST_STEPS);
        world.robots.put(new HostKey("a"), costly);
        world.open("b", "c");
        for (int i = 0; i < 50; i++) {
            world.deliver(2, "http://a/" + i);
            world.deliver(1, "http://b/" + i);
            world.deliver(0, "http://c/" + i);
        }
        int others = 0;
        for (world.answerAllLookUps(); !world.fetches.isEmpty(); world.answerAllLookUps()) {
            others++;
            world.endWithPage();
        }
        assertThat(others).as("while the verdicts are being made elsewhere").isEqualTo(100);
        assertThat(world.checks).hasSize(1);
        int requests = 0;
        long elsewhere = 0;
        for (; !world.checks.isEmpty(); world.answerAllLookUps()) {
            long before = costly.spent;
            world.check();
            elsewhere += costly.spent - before;
            for (world.answerAllLookUps(); !world.fetches.isEmpty(); world.answerAllLookUps()) {
                assertThat(world.begun()).containsExactly("http://a/" + requests++);
                world.endWithPage();
            }
        }
        assertThat(requests).isEqualTo(50);
        assertThat(elsewhere).as("each verdict is made once").isEqualTo(50L * RobotsRules.MOST_STEPS);
        assertThat(costly.spent - elsewhere).as("steps on the frontier's thread").isLessThanOrEqualTo(50 * 4000);
    }

    @Test
    void aUrlThatTakesTooManyStepsIsRefusedWithThatCause() {
        world.robots.put(new HostKey("a"), new CostlyRules(RobotsRules.MOST_STEPS + 1));
        world.deliver(1, "http://a/1");
        world.settle();
        assertThat(world.sendAnswers.getFirst().answer().outcome()).isEqualTo(new Outcome.Refused(RefusalReason.ROBOTS,
                "robots.txt forbids it: its rules could not be matched with this URL within 4000000 steps"));
    }

    @Test
    void anArchiveIsToldWhichFilePermittedAPage() {
        Terms plain = World.terms(Duration.ZERO);
        world.robots.put(new HostKey("a"), new CostlyRules(5000));
        for (Terms terms : List.of(plain, plain.withProfile(plain.profile().withArchived(true)))) {
            world.crawls.put(RUN, terms);
            world.crawlsChanged(List.of());
            world.deliver(1, "http://a/" + world.sendAnswers.size());
            world.settle().endWithPage().settle();
        }
        assertThat(world.sendAnswers).extracting(a -> a.answer().fetched().orElseThrow().robots())
                .containsExactly(Optional.empty(), Optional.of("digest"));
    }

    @Test
    void aVerdictOfAnOlderFileCountsForNothing() {
        world.robots.put(new HostKey("a"), new CostlyRules(5000));
        world.deliver(1, "http://a/1");
        world.answerAllLookUps();
        assertThat(world.checks).hasSize(1);
        world.robots.put(new HostKey("a"),
                new Rules(false, Optional.empty(), Optional.empty(), 5000, new RobotsRules.Version(Optional.empty())));
        world.settle();
        assertThat(world.begun()).isEmpty();
        assertThat(world.sendAnswers).extracting(a -> a.answer().outcome())
                .containsExactly(new Outcome.Refused(RefusalReason.ROBOTS, "robots.txt forbids it"));
    }

    @Test
    void aNewFileCountsForRequestsWithAVerdictOfTheOldOne() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        world.robots.put(new HostKey("a"), new CostlyRules(5000));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        assertThat(world.settle().begun()).containsExactly("http://a/1");
        world.robots.put(new HostKey("a"), new Rules(false, Optional.empty(), Optional.empty()));
        world.endWithPage();
        world.later(Duration.ofSeconds(1));
        assertThat(world.sendAnswers).extracting(a -> a.answer().outcome())
                .contains(new Outcome.Refused(RefusalReason.ROBOTS, "robots.txt forbids it"));
        assertThat(world.begun()).isEmpty();
    }

    @Test
    void aDuplicateNeedsNoVerdict() {
        CostlyRules costly = new CostlyRules(5000);
        world.robots.put(new HostKey("a"), costly);
        world.facts.put("http://a/1", UrlFacts.responded(0, 7));
        world.deliver(1, "http://a/1");
        world.step();
        world.answerAllLookUps();
        assertThat(world.sendAnswers).extracting(a -> a.answer().outcome()).containsExactly(new Outcome.Duplicate());
    }
}
