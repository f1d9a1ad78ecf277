package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.definition.CrawlDefinition.HostLimits;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Requests beyond the budget of their host are refused at their turn, without a fetch. */
class HostBudgetsTest {
    private static final HostKey HOST = new HostKey("a");
    private final World world = new World().open("a", "b");

    private void limit(HostLimits limits) {
        world.crawls.put(World.RUN, World.terms(Duration.ZERO).withHostLimits(Optional.of(limits)));
    }

    private static HostLimits urls(long most) {
        return new HostLimits(Optional.of(most), Optional.empty(), Optional.empty());
    }

    private List<Outcome> refused() {
        return world.sendAnswers.stream().map(answer -> answer.answer().outcome())
                .filter(Outcome.Refused.class::isInstance).toList();
    }

    @Test
    void noMoreUrlsOfAHostAreFetchedThanItsBudgetHas() {
        limit(urls(3));
        for (int i = 0; i < 10; i++) {
            world.deliver(1, "http://a/" + i);
            world.deliver(1, "http://b/" + i);
        }
        int fetched = 0;
        for (world.settle(); !world.fetches.isEmpty(); world.endWithPage().settle()) {
            fetched++;
        }
        assertThat(fetched).isEqualTo(6);
        assertThat(refused()).hasSize(14).allSatisfy(
                outcome -> assertThat(((Outcome.Refused) outcome).reason()).isEqualTo(RefusalReason.BUDGET));
        assertThat(((Outcome.Refused) refused().getFirst()).cause()).contains("3 URLs (limits.host.maxUrls)");
    }

    @Test
    void whatAnEarlierOwnerHasUsedCounts() {
        limit(urls(3));
        world.used.put(HOST, 2L);
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        assertThat(world.settle().begun()).containsExactly("http://a/1");
        world.endWithPage().settle();
        assertThat(world.begun()).isEmpty();
        assertThat(refused()).hasSize(1);
    }

    @Test
    void aRetryIsNotAnotherUrl() {
        limit(urls(1));
        world.deliver(1, "http://a/1");
        world.settle().end(World.failure(FailureReason.CONNECT));
        while (world.begun().isEmpty()) {
            world.later(Duration.ofSeconds(1));
        }
        assertThat(world.begun()).containsExactly("http://a/1");
        assertThat(world.used).containsEntry(HOST, 1L);
    }

    @Test
    void failuresAreCountedAndThenTheHostIsNotAsked() {
        limit(new HostLimits(Optional.empty(), Optional.of(2L), Optional.empty()));
        for (int i = 0; i < 5; i++) {
            world.deliver(1, "http://a/" + i);
        }
        int fetched = 0;
        for (world.settle(); !world.fetches.isEmpty(); world.end(World.failure(FailureReason.TOO_LARGE)).settle()) {
            fetched++;
        }
        assertThat(fetched).isEqualTo(2);
        assertThat(refused()).hasSize(3);
    }

    @Test
    void afterItsTimeAHostIsNotAsked() {
        limit(new HostLimits(Optional.empty(), Optional.empty(), Optional.of(Duration.ofMinutes(1))));
        for (int i = 0; i < 5; i++) {
            world.deliver(1, "http://a/" + i);
        }
        world.settle().endWithPage().settle();
        assertThat(world.begun()).containsExactly("http://a/1");
        world.now += Duration.ofMinutes(1).toNanos();
        world.endWithPage().settle();
        assertThat(world.begun()).isEmpty();
        assertThat(refused()).hasSize(3);
    }

    @Test
    void aLargerBudgetHoldsFromThenOn() {
        limit(urls(1));
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().endWithPage().settle();
        assertThat(refused()).hasSize(1);
        limit(urls(2));
        world.crawlsChanged(List.of());
        world.deliver(1, "http://a/3");
        assertThat(world.settle().begun()).containsExactly("http://a/3");
    }
}
