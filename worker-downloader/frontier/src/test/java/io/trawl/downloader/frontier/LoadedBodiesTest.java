package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.RUN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.ledger.DepthMode;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bodies in memory, bodies that are read again, and records that are not valid requests. */
class LoadedBodiesTest {
    private static final RequestPartition REQUEST_PARTITION = new RequestPartition(1, 0);
    /** Memory for one or two bodies. */
    private final World cramped = new World(Map.of(), 3, 1, 10_000, 1500).open("a", "b");

    LoadedBodiesTest() {
        cramped.assign(0);
    }

    @Test
    void requestsThatDoNotFitAreReadAgainBeforeTheirTurnAndFetchedInOrder() {
        for (int i = 0; i < 50; i++) {
            cramped.deliver(i < 25 ? 0 : 2, "http://a/" + i);
        }
        for (int i = 0; i < 50; i++) {
            assertThat(cramped.settle().begun()).containsExactly("http://a/" + (i + 25) % 50);
            cramped.endWithPage();
        }
        assertThat(cramped.all).filteredOn(FrontierAction.ReadBodies.class::isInstance).hasSizeGreaterThan(3);
    }

    @Test
    void aHostWithAPauseHasItsNextBodyBeforeItsTurn() {
        cramped.crawls.put(RUN, World.terms(Duration.ofSeconds(5)));
        for (int i = 0; i < 20; i++) {
            cramped.deliver(1, "http://a/" + i);
            cramped.deliver(1, "http://b/" + i);
        }
        cramped.settle();
        for (int i = 0; i < 10; i++) {
            cramped.endWithPage().settle().endWithPage().step();
            cramped.readBodiess.clear();
            assertThat(cramped.later(Duration.ofMillis(4990)).begun()).isEmpty();
            cramped.later(Duration.ofMillis(10));
            assertThat(cramped.begun()).hasSize(1);
        }
    }

    @Test
    void aRecordThatIsNotARequestIsReportedMarkedAndPassed() {
        long broken = cramped.deliver(REQUEST_PARTITION, "a".getBytes(UTF_8), "{broken".getBytes(UTF_8));
        long empty = cramped.deliver(REQUEST_PARTITION, null, null);
        cramped.deliver(1, "http://a/1");
        cramped.settle();
        assertThat(cramped.reportUnreadable).extracting(FrontierAction.ReportUnreadable::offset)
                .containsExactlyInAnyOrder(broken, empty);
        assertThat(cramped.reportUnreadable).filteredOn(none -> none.offset() == empty)
                .extracting(FrontierAction.ReportUnreadable::why).containsExactly("has no value");
        cramped.endWithPage().settle().acknowledge().settle();
        assertThat(cramped.committed).containsEntry(REQUEST_PARTITION, 3L);
        assertThat(cramped.counters.counts().called()).isEqualTo(3);
        assertThat(cramped.counters.counts().accepted()).isOne();
    }

    @Test
    void anOffsetThatIsNotInTheLogAnyMoreIsReportedAndDelaysNoOther() {
        for (int i = 0; i < 10; i++) {
            cramped.deliver(1, "http://a/" + i);
        }
        FrontierAction.ReadBodies readBodies = firstRead();
        cramped.logAway = false;
        cramped.frontier.read(readBodies.ask(), List.of(), cramped.now);
        cramped.settle();
        assertThat(cramped.reportUnreadable).extracting(FrontierAction.ReportUnreadable::offset)
                .containsExactlyElementsOf(readBodies.offsets());
        while (!cramped.begun().isEmpty()) {
            cramped.endWithPage().settle();
        }
        assertThat(cramped.acknowledge().settle().committed).containsEntry(REQUEST_PARTITION, 10L);
    }

    @Test
    void aRecordWithTheKeyOfAnotherHostWaitsForItsOwnHost() {
        World world = new World().open("a", "b");
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(5)));
        world.deliver(1, "http://a/1");
        Request misled = world.request(RUN, "http://a/2", 1, Optional.empty());
        world.deliver(REQUEST_PARTITION, "b".getBytes(UTF_8), Codec.encode(misled));
        world.deliver(REQUEST_PARTITION, null, Codec.encode(world.request(RUN, "http://a/3", 1, Optional.empty())));
        assertThat(world.settle().begun()).containsExactly("http://a/1");
        world.endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(4999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://a/2");
        world.endWithPage();
        assertThat(world.later(Duration.ofSeconds(5)).begun()).containsExactly("http://a/3");
        assertThat(world.frontier.status(world.now).hosts()).as("a wrong key leaves no host").isOne();
    }

    @Test
    void bodiesOfARevokedPartitionAreIgnored() {
        for (int i = 0; i < 10; i++) {
            cramped.deliver(1, "http://a/" + i);
        }
        FrontierAction.ReadBodies readBodies = firstRead();
        cramped.acknowledge();
        cramped.frontier.revoked(0, cramped.now);
        int begun = cramped.begun().size();
        cramped.frontier.read(readBodies.ask(), cramped.stored(readBodies.requestPartition(), readBodies.offsets()),
                cramped.now);
        cramped.frontier.offered(readBodies.requestPartition(), readBodies.assignment(),
                cramped.stored(readBodies.requestPartition(), readBodies.offsets()), cramped.now);
        assertThat(cramped.settle().begun()).hasSize(begun);
        assertThat(cramped.frontier.status(cramped.now).pending()).containsOnly(0L);
    }

    @Test
    void aThousandRequestsOfAStoppedCrawlAreSkippedInFewReads() {
        CrawlRun stopped = new CrawlRun(RUN.crawl(), 2);
        cramped.crawls.put(stopped, new Terms(RunStatus.PRESENT, true, Duration.ZERO, "Trawl/0.1", DepthMode.EXACT));
        for (int i = 0; i < 3000; i++) {
            cramped.deliver(REQUEST_PARTITION, cramped.request(stopped, "http://a/s" + i, 1, Optional.empty()));
        }
        cramped.deliver(1, "http://a/wanted");
        cramped.crawls.put(stopped, new Terms(RunStatus.PRESENT, false, Duration.ZERO, "Trawl/0.1", DepthMode.EXACT));
        cramped.crawlsChanged(List.of());
        assertThat(cramped.settle().begun()).containsExactly("http://a/wanted");
        assertThat(cramped.all).filteredOn(FrontierAction.ReadBodies.class::isInstance).hasSizeBetween(3, 12);
        assertThat(cramped.frontier.status(cramped.now).parked()).isEqualTo(3000);
    }

    /** Fetches until a body must be read. */
    private FrontierAction.ReadBodies firstRead() {
        cramped.logAway = true;
        for (cramped.settle(); cramped.readBodiess.isEmpty(); cramped.settle()) {
            cramped.endWithPage();
        }
        return cramped.readBodiess.removeFirst();
    }
}
