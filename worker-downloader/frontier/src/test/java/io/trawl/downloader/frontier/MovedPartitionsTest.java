package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.MS;
import static io.trawl.downloader.frontier.World.RUN;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.World.Rules;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.politeness.InheritedPauses;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Partitions that come and go, with their leases and with the pauses of their hosts. */
class MovedPartitionsTest {
    private final World world = new World();

    @Test
    void aRevokedPartitionIsForgottenAndItsExchangesInFlightAreAnsweredWithoutACommit() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        assertThat(requireNonNull(world.frontier.revoked(0, world.now).get(new RequestPartition(1, 0))).offset())
                .isZero();
        world.endWithPage().settle();
        assertThat(world.begun()).isEmpty();
        assertThat(world.sendAnswers).hasSize(1);
        world.acknowledge().settle();
        assertThat(world.committed).isEmpty();
        assertThat(world.frontier.status(world.now).pending()).containsOnly(0L);
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
        assertThat(world.sendAnswers).extracting(a -> a.answer().outcome()).contains(new Outcome.Duplicate());
    }

    @Test
    void withoutALeaseNoExchangeBeginsAndNoHostIsAsked() {
        world.open("a");
        world.frontier.leaseExpired(0, requireNonNull(world.leases.get(0)), 0);
        world.deliver(1, "http://a/1");
        assertThat(world.later(Duration.ofMinutes(5)).begun()).isEmpty();
        assertThat(world.frontier.due()).as("no timer").isEmpty();
        world.lease(0, InheritedPauses.nothing());
        assertThat(world.settle().begun()).containsExactly("http://a/1");
    }

    @Test
    void hostsWithInheritedPausesWaitForTheRestAndOthersStartAtOnce() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(10)));
        world.open("a", "b");
        world.lease(0, new InheritedPauses(Optional.empty(), Map.of(new HostKey("a"), Duration.ofSeconds(3))));
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
        world.lease(0, new InheritedPauses(Optional.of(Duration.ofSeconds(4)), Map.of()));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://b/1");
        assertThat(world.later(Duration.ofMillis(5999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://a/1");
        assertThat(world.later(Duration.ofSeconds(10)).begun()).containsExactly("http://a/1", "http://b/1");
    }

    @Test
    void theRestOfThePausesOfHostsIsHandedOver() {
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(10)));
        world.open("a", "b", "c");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://b/1");
        world.settle().endWithPage().later(Duration.ofSeconds(4)).endWithPage().settle();
        assertThat(world.frontier.pauses(0, world.now))
                .isEqualTo(Map.of(new HostKey("a"), Duration.ofSeconds(6), new HostKey("b"), Duration.ofSeconds(10)));
        assertThat(world.frontier.pauses(1, world.now)).isEmpty();
        assertThat(world.frontier.pauses(0, world.now + 7_000 * MS)).containsOnlyKeys(new HostKey("b"));
    }

    @Test
    void theLongestDelayOfTheCrawlsWithWaitingRequestsIsHandedOver() {
        CrawlRun slow = new CrawlRun(new CrawlId("slow"), 1);
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        world.crawls.put(slow, World.terms(Duration.ofSeconds(10)));
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().endWithPage().settle();
        assertThat(world.frontier.pauses(0, world.now)).isEqualTo(Map.of(new HostKey("a"), Duration.ofSeconds(1)));
        world.deliver(new RequestPartition(1, 0), world.request(slow, "http://a/3", 1, Optional.empty()));
        assertThat(world.frontier.pauses(0, world.now)).isEqualTo(Map.of(new HostKey("a"), Duration.ofSeconds(10)));
    }

    /** Two names at one address, of two partitions; the first partition has lost its lease when its request is next. */
    private static World lapsedBeforeAnother() {
        World ip = new World(Map.of(), 3, 4, 10_000, 1 << 20, server -> new HostKey("ip/192.0.2.1")).open("a.test:80",
                "b.test:80");
        ip.crawls.put(RUN, World.terms(Duration.ofSeconds(1)));
        ip.assign(0);
        ip.assign(1);
        ip.deliver(new RequestPartition(1, 0), ip.request(RUN, "http://a.test:80/1", 1, Optional.empty()));
        ip.deliver(new RequestPartition(1, 1), ip.request(RUN, "http://b.test:80/1", 1, Optional.empty()));
        ip.deliver(new RequestPartition(1, 0), ip.request(RUN, "http://a.test:80/2", 1, Optional.empty()));
        ip.deliver(new RequestPartition(1, 1), ip.request(RUN, "http://b.test:80/2", 1, Optional.empty()));
        assertThat(ip.settle().begun()).containsExactly("http://a.test:80/1");
        ip.endWithPage().later(Duration.ofMillis(999));
        assertThat(ip.begun()).isEmpty();
        assertThat(ip.later(Duration.ofMillis(1)).begun()).containsExactly("http://b.test:80/1");
        ip.frontier.leaseExpired(0, requireNonNull(ip.leases.get(0)), ip.now);
        assertThat(ip.endWithPage().later(Duration.ofSeconds(5)).begun()).as("no lease on the first one's partition")
                .isEmpty();
        return ip;
    }

    @Test
    void aQueueOfSeveralPartitionsResumesInItsOrderWhenALeaseIsAcquiredAgain() {
        World ip = lapsedBeforeAnother();
        ip.lease(0, InheritedPauses.nothing());
        assertThat(ip.settle().begun()).containsExactly("http://a.test:80/2");
        ip.endWithPage().later(Duration.ofMillis(999));
        assertThat(ip.begun()).isEmpty();
        assertThat(ip.later(Duration.ofMillis(1)).begun()).containsExactly("http://b.test:80/2");
    }

    @Test
    void aQueueOfSeveralPartitionsContinuesWithoutARevokedPartition() {
        World ip = lapsedBeforeAnother();
        ip.frontier.revoked(0, ip.now);
        assertThat(ip.settle().begun()).containsExactly("http://b.test:80/2");
    }
}
