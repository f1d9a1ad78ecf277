package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.RUN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.ledger.DepthMode;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is in memory, what is read again, and what becomes of records that are not as they should be. */
class BodiesTest {
    private static final Lane LANE = new Lane(1, 0);
    /** There is room for one body or two. */
    private final World cramped = new World(Map.of(), 3, 1, 10_000, 1500).open("a", "b");

    BodiesTest() {
        cramped.assign(0);
    }

    @Test
    void whatDoesNotFitIsReadAgainBeforeItsTurnAndFetchedInOrder() {
        for (int i = 0; i < 50; i++) {
            cramped.deliver(i < 25 ? 0 : 2, "http://a/" + i);
        }
        for (int i = 0; i < 50; i++) {
            assertThat(cramped.settle().begun()).containsExactly("http://a/" + (i + 25) % 50);
            cramped.endWithPage();
        }
        assertThat(cramped.all).filteredOn(Action.Read.class::isInstance).hasSizeGreaterThan(3);
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
            cramped.reads.clear();
            assertThat(cramped.later(Duration.ofMillis(4990)).begun()).isEmpty();
            cramped.later(Duration.ofMillis(10));
            assertThat(cramped.begun()).hasSize(1);
        }
    }

    @Test
    void aRecordThatIsNoRequestIsReportedMarkedAndPassed() {
        long broken = cramped.deliver(LANE, "a".getBytes(UTF_8), "{broken".getBytes(UTF_8));
        long empty = cramped.deliver(LANE, null, null);
        cramped.deliver(1, "http://a/1");
        cramped.settle();
        assertThat(cramped.unreadable).extracting(Action.Unreadable::offset).containsExactlyInAnyOrder(broken, empty);
        assertThat(cramped.unreadable).filteredOn(none -> none.offset() == empty).extracting(Action.Unreadable::why)
                .containsExactly("has no value");
        cramped.endWithPage().settle().acknowledge().settle();
        assertThat(cramped.committed).containsEntry(LANE, 3L);
        assertThat(cramped.counters.counts().called()).isEqualTo(3);
        assertThat(cramped.counters.counts().accepted()).isOne();
    }

    @Test
    void anOffsetThatIsNotInTheLogAnyMoreIsReportedAndHoldsUpNobody() {
        for (int i = 0; i < 10; i++) {
            cramped.deliver(1, "http://a/" + i);
        }
        Action.Read read = firstRead();
        cramped.logAway = false;
        cramped.frontier.read(read.ask(), List.of(), cramped.now);
        cramped.settle();
        assertThat(cramped.unreadable).extracting(Action.Unreadable::offset).containsExactlyElementsOf(read.offsets());
        while (!cramped.begun().isEmpty()) {
            cramped.endWithPage().settle();
        }
        assertThat(cramped.acknowledge().settle().committed).containsEntry(LANE, 10L);
    }

    @Test
    void aRecordUnderTheKeyOfAnotherHostWaitsForItsOwn() {
        World world = new World().open("a", "b");
        world.crawls.put(RUN, World.terms(Duration.ofSeconds(5)));
        world.deliver(1, "http://a/1");
        Request misled = world.request(RUN, "http://a/2", 1, Optional.empty());
        world.deliver(LANE, "b".getBytes(UTF_8), Codec.encode(misled));
        world.deliver(LANE, null, Codec.encode(world.request(RUN, "http://a/3", 1, Optional.empty())));
        assertThat(world.settle().begun()).containsExactly("http://a/1");
        world.endWithPage().settle();
        assertThat(world.later(Duration.ofMillis(4999)).begun()).isEmpty();
        assertThat(world.later(Duration.ofMillis(1)).begun()).containsExactly("http://a/2");
        world.endWithPage();
        assertThat(world.later(Duration.ofSeconds(5)).begun()).containsExactly("http://a/3");
        assertThat(world.frontier.status().hosts()).as("nobody is remembered for a key").isOne();
    }

    @Test
    void whatIsReadAfterItsPartitionHasGoneIsIgnored() {
        for (int i = 0; i < 10; i++) {
            cramped.deliver(1, "http://a/" + i);
        }
        Action.Read read = firstRead();
        cramped.acknowledge();
        cramped.frontier.revoked(0, cramped.now);
        int begun = cramped.begun().size();
        cramped.frontier.read(read.ask(), cramped.stored(read.lane(), read.offsets()), cramped.now);
        cramped.frontier.offered(read.lane(), read.tenure(), cramped.stored(read.lane(), read.offsets()), cramped.now);
        assertThat(cramped.settle().begun()).hasSize(begun);
        assertThat(cramped.frontier.status().pending()).containsOnly(0L);
    }

    @Test
    void aThousandRequestsOfAStoppedCrawlAreSkippedInFewReads() {
        CrawlRun stopped = new CrawlRun(RUN.crawl(), 2);
        cramped.crawls.put(stopped, new Terms(Standing.PRESENT, true, Duration.ZERO, "Trawl/0.1", DepthMode.EXACT));
        for (int i = 0; i < 3000; i++) {
            cramped.deliver(LANE, cramped.request(stopped, "http://a/s" + i, 1, Optional.empty()));
        }
        cramped.deliver(1, "http://a/wanted");
        cramped.crawls.put(stopped, new Terms(Standing.PRESENT, false, Duration.ZERO, "Trawl/0.1", DepthMode.EXACT));
        cramped.crawlsChanged(List.of());
        assertThat(cramped.settle().begun()).containsExactly("http://a/wanted");
        assertThat(cramped.all).filteredOn(Action.Read.class::isInstance).hasSizeBetween(3, 12);
        assertThat(cramped.frontier.status().parked()).isEqualTo(3000);
    }

    /** Fetches until a body must be read. */
    private Action.Read firstRead() {
        cramped.logAway = true;
        for (cramped.settle(); cramped.reads.isEmpty(); cramped.settle()) {
            cramped.endWithPage();
        }
        return cramped.reads.removeFirst();
    }
}
