package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.downloader.frontier.World.Rules;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The robots.txt of a host comes first, and costs a turn. */
class FrontierRobotsTest {
    private final World world = new World();

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
}
