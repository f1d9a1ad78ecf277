package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.module.Deal;
import io.trawl.module.Deal.Oldest;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Requests of crawls that are stopped, over or unknown. */
class FrontierCrawlsTest {
    private final World world = new World();

    @Test
    void requestsOfAStoppedCrawlAreParkedAndDelayNoOther() {
        CrawlRun other = new CrawlRun(RUN.crawl(), 2);
        Terms stopped = new Terms(RunStatus.PRESENT, false, Duration.ZERO, "Trawl/0.1",
                io.trawl.ledger.DepthMode.EXACT);
        world.crawls.put(other, stopped);
        world.open("a");
        world.deliver(new RequestPartition(2, 0), world.request(other, "http://a/stopped", 0, Optional.empty()));
        world.deliver(0, "http://a/1");
        assertThat(world.settle().begun()).containsExactly("http://a/1");
        assertThat(world.frontier.status(world.now).parked()).isOne();
        world.endWithPage();
        world.crawls.put(other, World.terms(Duration.ZERO));
        world.crawlsChanged(List.of());
        assertThat(world.settle().reread().settle().begun()).containsExactly("http://a/stopped");
        assertThat(world.counters.counts().called()).as("counted once").isEqualTo(2);
    }

    @Test
    void aRecordOfOneCrawlConcernsNoOther() {
        CrawlRun other = new CrawlRun(new CrawlId("other"), 1);
        world.crawls.put(other,
                new Terms(RunStatus.PRESENT, false, Duration.ZERO, "Trawl/0.1", io.trawl.ledger.DepthMode.EXACT));
        world.open("a");
        world.deliver(new RequestPartition(2, 0), world.request(other, "http://a/1", 0, Optional.empty()));
        assertThat(world.settle().begun()).isEmpty();
        world.crawls.put(other, World.terms(Duration.ZERO));
        world.frontier.crawlChanged(RUN.crawl(), world.now);
        assertThat(world.settle().reread().settle().begun()).isEmpty();
        world.frontier.crawlChanged(other.crawl(), world.now);
        assertThat(world.settle().reread().settle().begun()).containsExactly("http://a/1");
    }

    @Test
    void aStoppedCrawlLeavesMemoryToOthersOfItsPriorityAndResumesWhereItStopped() {
        World small = new World(Map.of(), 3, 4, 120);
        small.assign(0);
        small.open("a", "b");
        CrawlRun other = new CrawlRun(RUN.crawl(), 2);
        Terms stopped = new Terms(RunStatus.PRESENT, false, Duration.ZERO, "Trawl/0.1",
                io.trawl.ledger.DepthMode.EXACT);
        small.crawls.put(other, stopped);
        RequestPartition requestPartition = new RequestPartition(1, 0);
        for (int i = 0; i < 500; i++) {
            small.deliver(requestPartition, small.request(other, "http://a/" + i, 1, Optional.empty()));
            small.settle();
        }
        small.deliver(1, "http://b/1");
        assertThat(small.settle().begun()).containsExactly("http://b/1");
        assertThat(small.all).as("reading continues").filteredOn(FrontierAction.Scan.class::isInstance).isEmpty();
        assertThat(small.frontier.status(small.now).parked()).isEqualTo(500);
        small.crawls.put(other, World.terms(Duration.ZERO));
        small.crawlsChanged(List.of());
        small.settle().reread().settle();
        assertThat(small.all).as("now they are pending").filteredOn(FrontierAction.Scan.class::isInstance)
                .containsExactly(new FrontierAction.Scan(1, false));
        for (int i = 0; i <= 500; i++) {
            small.endWithPage().settle().acknowledge().settle();
        }
        assertThat(small.committed).containsEntry(requestPartition, 501L);
        assertThat(small.frontier.status(small.now).pending()).containsOnly(0L);
        assertThat(small.all).filteredOn(FrontierAction.BeginFetch.class::isInstance).hasSize(501);
    }

    @Test
    void requestsOfARunThatIsOverAreDroppedButCounted() {
        CrawlRun old = new CrawlRun(RUN.crawl(), 2);
        world.crawls.put(old, Terms.absent(RunStatus.OVER));
        long offset = world.deliver(new RequestPartition(2, 0),
                world.request(old, "http://a/old", 0, Optional.empty()));
        world.settle();
        assertThat(world.passes).singleElement().satisfies(pass -> assertThat(pass.offset()).isEqualTo(offset));
        assertThat(world.acknowledge().settle().committed).containsEntry(new RequestPartition(2, 0), 1L);
        assertThat(world.begun()).isEmpty();
    }

    @Test
    void offsetsOfAStoppedRunThatEndsAreReadAgainAndDropped() {
        CrawlRun old = new CrawlRun(RUN.crawl(), 2);
        world.crawls.put(old,
                new Terms(RunStatus.PRESENT, false, Duration.ZERO, "Trawl/0.1", io.trawl.ledger.DepthMode.EXACT));
        world.deliver(new RequestPartition(2, 0), world.request(old, "http://a/old", 0, Optional.empty()));
        world.settle();
        world.crawls.put(old, Terms.absent(RunStatus.OVER));
        world.crawlsChanged(List.of());
        world.settle().reread().settle();
        assertThat(world.passes).hasSize(1);
        assertThat(world.acknowledge().settle().committed).containsEntry(new RequestPartition(2, 0), 1L);
    }

    @Test
    void anUnknownCrawlIsRefusedOnlyAfterControlWasReadAgain() {
        CrawlRun unknown = new CrawlRun(RUN.crawl(), 9);
        world.open("a");
        world.deliver(new RequestPartition(2, 0), world.request(unknown, "http://a/u", 0, Optional.empty()));
        world.deliver(new RequestPartition(2, 0), world.request(unknown, "http://a/v", 0, Optional.empty()));
        world.settle();
        assertThat(world.all).filteredOn(FrontierAction.Refresh.class::isInstance)
                .containsExactly(new FrontierAction.Refresh(unknown));
        assertThat(world.sendAnswers).isEmpty();
        world.frontier.refreshed(unknown, world.now);
        world.settle();
        assertThat(world.sendAnswers).hasSize(2).allMatch(a -> a.answer().outcome().detail().equals("UNKNOWN_CRAWL"));
    }

    @Test
    void aCrawlThatBecomesKnownMeanwhileIsFetched() {
        CrawlRun late = new CrawlRun(RUN.crawl(), 9);
        world.open("a");
        world.deliver(new RequestPartition(2, 0), world.request(late, "http://a/u", 0, Optional.empty()));
        world.settle();
        world.crawls.put(late, World.terms(Duration.ZERO));
        world.frontier.refreshed(late, world.now);
        assertThat(world.settle().begun()).containsExactly("http://a/u");
    }

    @Test
    void aStopSignIsDealtWithOnceNothingOfItsCrawlIsInFlight() {
        StopSign sign = new StopSign(Optional.of(RUN.crawl()), 3, true, Instant.EPOCH);
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        world.crawls.put(RUN,
                new Terms(RunStatus.PRESENT, false, Duration.ZERO, "Trawl/0.1", io.trawl.ledger.DepthMode.EXACT));
        world.crawlsChanged(List.of(sign));
        assertThat(world.frontier.status(world.now).deals())
                .containsExactly(Deal.waiting(sign.key(), 3, 1, Optional.of(new Oldest("http://a/1", Duration.ZERO))));
        world.settle().endWithPage().settle();
        assertThat(world.begun()).as("no new download").isEmpty();
        assertThat(world.frontier.status(world.now).deals()).as("not acknowledged")
                .containsExactly(Deal.waiting(sign.key(), 3, 1, Optional.empty()));
        world.acknowledge().settle();
        assertThat(world.frontier.status(world.now).deals()).singleElement().satisfies(deal -> {
            assertThat(deal.version()).isEqualTo(3);
            assertThat(deal.took()).isPresent();
            assertThat(deal.inFlight()).isOne();
        });
    }

    @Test
    void aHostWithAStopSignIsLeftAloneUntilItIsReset() {
        StopSign sign = new StopSign(SignScope.ofHost("a"), 3, true, Instant.EPOCH);
        world.open("a");
        world.open("b");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle();
        world.crawlsChanged(List.of(sign));
        assertThat(world.frontier.status(world.now).deals()).singleElement()
                .satisfies(deal -> assertThat(deal.oldest()).map(Oldest::url).contains("http://a/1"));
        world.settle().endWithPage().settle().acknowledge().settle();
        world.deliver(1, "http://b/1");
        assertThat(world.settle().begun()).as("other hosts go on").containsExactly("http://b/1");
        assertThat(world.frontier.status(world.now).deals()).singleElement()
                .satisfies(deal -> assertThat(deal.took()).isPresent());
        world.endWithPage().settle().acknowledge();
        world.crawlsChanged(List.of(new StopSign(SignScope.ofHost("a"), 4, false, Instant.EPOCH)));
        assertThat(world.settle().begun()).containsExactly("http://a/2");
    }

    private static final Terms STOPPED = new Terms(RunStatus.PRESENT, false, Duration.ZERO, "Trawl/0.1",
            io.trawl.ledger.DepthMode.EXACT);
    private static final CrawlRun WAITING = new CrawlRun(RUN.crawl(), 2);
    private static final RequestPartition LOG = new RequestPartition(1, 0);

    /** Requests of the other crawl come and are answered. */
    private void othersGoOn(int requests) {
        for (int i = 0; i < requests; i++) {
            world.deliver(1, "http://b/" + world.now + "/" + i);
            world.settle().endWithPage().settle().acknowledge().settle();
        }
    }

    @Test
    void whatWaitsInAStoppedCrawlDoesNotHoldTheLogOfOthers() {
        World world = this.world.open("a", "b");
        world.crawls.put(WAITING, STOPPED);
        for (int i = 0; i < 300; i++) {
            world.deliver(LOG, world.request(WAITING, "http://a/" + i, 0, Optional.empty()));
        }
        othersGoOn(800);
        world.later(Duration.ofSeconds(2));
        assertThat(world.forwards).as("a copy would not free enough").isEmpty();
        othersGoOn(500);
        world.later(Duration.ofSeconds(2));
        while (!world.forwards.isEmpty()) {
            world.forward().settle();
        }
        assertThat(world.committed).as("1,600 records, then 300 copies").containsEntry(LOG, 1600L);
        assertThat(world.frontier.status(world.now).parked()).isEqualTo(300);
        world.crawls.put(WAITING, World.terms(Duration.ZERO));
        world.crawlsChanged(List.of());
        world.settle().reread().settle();
        for (int i = 0; i < 300; i++) {
            assertThat(world.begun()).as("in their order").contains("http://a/" + i);
            world.endWithPage().settle().acknowledge().settle();
        }
        assertThat(world.committed).containsEntry(LOG, 1900L);
        assertThat(world.all).filteredOn(FrontierAction.BeginFetch.class::isInstance).hasSize(1600);
    }

    @Test
    void aRequestThatWasTriedBeforeItsCrawlStoppedDoesNotHoldTheLogEither() {
        World world = this.world.open("a", "b");
        world.crawls.put(WAITING, World.terms(Duration.ZERO));
        world.deliver(LOG, world.request(WAITING, "http://a/x", 0, Optional.empty()));
        world.deliver(LOG, world.request(WAITING, "http://a/x", 0, Optional.empty()));
        world.settle().end(World.failure(io.trawl.model.FailureReason.CONNECT)).settle();
        world.crawls.put(WAITING, STOPPED);
        world.crawlsChanged(List.of());
        world.later(Duration.ofMinutes(1));
        othersGoOn(1100);
        world.later(Duration.ofSeconds(2)).forward().settle();
        assertThat(world.committed).containsEntry(LOG, 1102L);
        assertThat(world.counters.counts().handling()).isZero();
        world.crawls.put(WAITING, World.terms(Duration.ZERO));
        world.crawlsChanged(List.of());
        assertThat(world.settle().reread().settle().begun()).containsExactly("http://a/x");
        world.endWithPage().settle().acknowledge().settle().acknowledge().settle();
        assertThat(world.committed).containsEntry(LOG, 1104L);
    }

    @Test
    void aCrawlThatResumesWhileItsRequestsAreCopiedFetchesEachOnce() {
        World world = this.world.open("a", "b");
        world.crawls.put(WAITING, STOPPED);
        for (int i = 0; i < 10; i++) {
            world.deliver(LOG, world.request(WAITING, "http://a/" + i, 0, Optional.empty()));
        }
        othersGoOn(1000);
        world.later(Duration.ofSeconds(2));
        assertThat(world.forwards).hasSize(10);
        world.crawls.put(WAITING, World.terms(Duration.ZERO));
        world.crawlsChanged(List.of());
        world.settle().reread().settle();
        assertThat(world.begun()).as("the copies will be").isEmpty();
        world.forward().settle();
        for (int i = 0; i < 10; i++) {
            world.endWithPage().settle().acknowledge().settle();
        }
        assertThat(world.begun()).isEmpty();
        assertThat(world.committed).containsEntry(LOG, 1020L);
    }
}
