package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.ledger.RunPermitStore.PermittedPage;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A fetch for a run with a limit begins with a permit of the run. */
class RunPermitsTest {
    private final World world = new World().open("a", "b", "c", "d", "e", "f");

    RunPermitsTest() {
        world.crawls.put(World.RUN, World.terms(Duration.ZERO).withLimited(true));
    }

    /** As an explanation says it. */
    private boolean withoutPermit() {
        return world.frontier.look(new HostKey("d:80"), 0, World.RUN, Optional.empty(), world.now).host()
                .withoutPermit();
    }

    @Test
    void aRunWithoutALimitTakesNoPermit() {
        world.crawls.put(World.RUN, World.terms(Duration.ZERO));
        world.deliver(1, "http://a/1");
        world.settle().endWithPage().settle().acknowledge().settle();
        assertThat(withoutPermit()).isFalse();
        assertThat(world.all).filteredOn(FrontierAction.UsePermit.class::isInstance).isEmpty();
    }

    @Test
    void withoutAPermitNothingIsFetchedUntilThereAreMore() {
        world.permits = 2;
        for (String host : List.of("a", "b", "c", "d")) {
            world.deliver(1, "http://" + host + "/1");
        }
        assertThat(world.settle().begun()).hasSize(2);
        assertThat(withoutPermit()).isTrue();
        world.endWithPage().endWithPage().settle().acknowledge();
        assertThat(world.later(Duration.ofSeconds(1)).begun()).as("pages keep their permits").isEmpty();
        world.permits = 1;
        assertThat(world.later(Duration.ofSeconds(1)).begun()).hasSize(1);
        world.endWithPage().settle().acknowledge();
        world.permits = 1;
        assertThat(world.later(Duration.ofSeconds(1)).begun()).hasSize(1);
        world.endWithPage().settle().acknowledge().settle();
        assertThat(world.counters.counts()).satisfies(counts -> {
            assertThat(counts.completed()).isEqualTo(4);
            assertThat(counts.handling()).isZero();
        });
    }

    @Test
    void aFetchWithoutAPageGivesItsPermitBackAtOnceAlsoIfItIsRetriedLater() {
        world.permits = 1;
        world.deliver(1, "http://a/fails");
        world.deliver(1, "http://b/1");
        assertThat(world.settle().begun()).hasSize(1);
        world.end(World.failure(FailureReason.CONNECT));
        assertThat(world.later(Duration.ofMillis(300)).begun()).containsExactly("http://b/1");
        world.end(World.status(404, Optional.empty())).settle();
        while (world.begun().isEmpty()) {
            world.later(Duration.ofSeconds(1));
        }
        assertThat(world.begun()).containsExactly("http://a/fails");
        world.endWithPage().settle().acknowledge().settle();
        assertThat(world.permits).isZero();
    }

    @Test
    void aRunWithoutPermitsDelaysNoOtherRunOfAHost() {
        CrawlRun other = new CrawlRun(World.RUN.crawl(), 2);
        world.crawls.put(other, World.terms(Duration.ZERO));
        world.permits = 0;
        world.deliver(1, "http://a/limited");
        for (int i = 0; i < 5; i++) {
            world.deliver(new RequestPartition(1, 0), world.request(other, "http://a/" + i, 1, Optional.empty()));
        }
        for (int i = 0; i < 5; i++) {
            while (world.settle().begun().isEmpty()) {
                world.later(Duration.ofMillis(100));
            }
            world.endWithPage().settle().acknowledge();
        }
        assertThat(world.now).isLessThan(Duration.ofSeconds(3).toNanos());
    }

    @Test
    void ofARequestThatHadNoPermitOnlyTheOffsetIsKeptWhenTheCrawlStops() {
        world.permits = 0;
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/1");
        assertThat(world.settle().later(Duration.ofSeconds(1)).begun()).isEmpty();
        assertThat(world.counters.counts().accepted()).isZero();
        world.crawls.put(World.RUN, CrawlTerms.Terms.absent(io.trawl.control.ControlView.RunStatus.PRESENT));
        world.crawlsChanged(List.of());
        assertThat(world.settle().frontier.status(world.now).parked()).isEqualTo(2);
        world.permits = 2;
        world.crawls.put(World.RUN, World.terms(Duration.ZERO).withLimited(true));
        world.crawlsChanged(List.of());
        assertThat(world.settle().reread().later(Duration.ofSeconds(1)).begun()).containsExactly("http://a/1");
        world.endWithPage().settle().acknowledge().settle().acknowledge().settle();
        assertThat(world.committed).containsEntry(new RequestPartition(1, 0), 2L);
    }

    @Test
    void aPageThatIsInKafkaSpendsItsPermit() {
        world.permits = 1;
        world.deliver(1, "http://a/1");
        world.settle().end(World.page("a page")).settle();
        assertThat(world.spent).containsExactly(new PermittedPage(6, false));
        world.acknowledge().settle();
        assertThat(world.spent).containsExactly(new PermittedPage(6, false), new PermittedPage(6, true));
    }
}
