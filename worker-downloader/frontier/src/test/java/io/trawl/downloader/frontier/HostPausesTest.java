package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.MS;
import static io.trawl.downloader.frontier.World.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.World.Rules;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a host is left alone between two requests. */
class HostPausesTest {
    private final World world = new World();

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
    void withoutADelayThereIsNoPauseAndNoAdaptiveFactor() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().end(World.page(Duration.ofSeconds(2))).settle();
        assertThat(world.begun()).containsExactly("http://a/2");
    }

    @Test
    void theCrawlDelayAlsoHoldsWithoutADelay() {
        world.robots.put(new HostKey("a"), new Rules(true, Optional.of(Duration.ofSeconds(3)), Optional.empty()));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(2999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).hasSize(1);
    }

    @Test
    void waitTimeAndRetryAfterHold() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(new RequestPartition(1, 0),
                world.request(RUN, "http://a/2", 1, Optional.of(Duration.ofSeconds(2))));
        world.settle().endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(1999)).begun()).isEmpty();
        world.later(Duration.ofMillis(1)).end(World.status(503, Optional.of(Duration.ofSeconds(30)))).settle();
        assertThat(world.later(Duration.ofMillis(29_999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://a/2");
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
        assertThat(several.later(Duration.ofMillis(1)).begun()).as("from the start of the last").hasSize(2);
        assertThat(several.later(Duration.ofSeconds(5)).begun()).as("no more than two").hasSize(2);
        assertThat(several.endWithPage().settle().begun()).as("the pause is long over").containsExactly("http://a/2",
                "http://a/3");
    }

    @Test
    void longPausesAreRecordedAtOnce() {
        world.open("a", "b");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://b/1");
        world.settle().end(World.status(503, Optional.of(Duration.ofSeconds(30))))
                .end(World.status(503, Optional.of(Duration.ofSeconds(3)))).settle();
        assertThat(world.closures).singleElement().satisfies(c -> {
            assertThat(c.host()).isEqualTo(new HostKey("a"));
            assertThat(c.pause()).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
        });
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
        assertThat(domain.sendAnswers).extracting(a -> a.answer().request().url()).as("forbidden by its own robots.txt")
                .contains("http://a.n.test:80/1");
        assertThat(domain.begun()).containsExactly("http://b.n.test:80/1");
        domain.end(World.status(503, Optional.of(Duration.ofMinutes(2)))).step();
        assertThat(domain.closures).extracting(FrontierAction.RecordPause::host).containsExactly(new HostKey("n.test"));
        assertThat(domain.frontier.pauses(0, domain.now)).containsOnlyKeys(new HostKey("n.test"));
    }
}
