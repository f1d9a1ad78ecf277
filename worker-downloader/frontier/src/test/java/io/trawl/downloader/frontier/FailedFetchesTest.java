package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Failed fetches are retried, and a host that never answers is given up. */
class FailedFetchesTest {
    private final World world = new World();

    @Test
    void onlyTheLastAttemptIsTheAnswer() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.settle();
        for (int i = 0; i < 2; i++) {
            world.end(World.failure(FailureReason.TIMEOUT)).settle();
            assertThat(world.sendAnswers).isEmpty();
            world.later(Duration.ofMinutes(1));
        }
        world.end(World.failure(FailureReason.TIMEOUT)).settle();
        assertThat(world.sendAnswers).singleElement().satisfies(a -> assertThat(a.answer().attempts()).isEqualTo(3));
    }

    @Test
    void aRetryOfOneRequestDoesNotDelayItsHost() {
        world.open("a");
        world.deliver(1, "http://a/broken");
        world.deliver(1, "http://a/2");
        world.settle().end(World.status(500, Optional.empty())).settle();
        assertThat(world.begun()).containsExactly("http://a/2");
        world.endWithPage();
        assertThat(world.later(Duration.ofSeconds(2)).begun()).containsExactly("http://a/broken");
    }

    @Test
    void aRetryComesBehindTheOtherPagesOfItsHost() {
        world.open("a");
        world.deliver(1, "http://a/broken");
        for (int i = 0; i < 5; i++) {
            world.deliver(1, "http://a/" + i);
        }
        world.settle().end(World.status(500, Optional.empty())).settle();
        world.later(Duration.ofSeconds(3));
        world.deliver(1, "http://a/later");
        assertThat(endAll()).containsExactly("http://a/0", "http://a/1", "http://a/2", "http://a/3", "http://a/4",
                "http://a/broken", "http://a/later");
    }

    @Test
    void aRetryComesBehindPagesOfWhichOnlyTheOffsetIsKept() {
        World cramped = new World(Map.of(), 3, 4, 10_000, 0).open("a");
        cramped.assign(0);
        cramped.deliver(1, "http://a/broken");
        for (int i = 0; i < 5; i++) {
            cramped.deliver(1, "http://a/" + i);
        }
        cramped.settle().end(World.status(500, Optional.empty())).settle();
        cramped.later(Duration.ofSeconds(3));
        cramped.deliver(1, "http://a/later");
        cramped.deliver(1, "http://a/last");
        assertThat(endAll(cramped)).containsExactly("http://a/0", "http://a/1", "http://a/2", "http://a/3",
                "http://a/4", "http://a/broken", "http://a/later", "http://a/last");
    }

    private List<String> endAll() {
        return endAll(world);
    }

    /** Ends all fetches with pages, one after the other; returns their URLs. */
    private static List<String> endAll(World world) {
        List<String> begun = new ArrayList<>();
        world.settle();
        while (!world.fetches.isEmpty()) {
            begun.addAll(world.begun());
            world.endWithPage().settle();
        }
        return begun;
    }

    @Test
    void aWithdrawnFetchTakesItsTurnAgainWithoutAnAttempt() {
        world.open("a");
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.settle().end(FetchResult.withdrawn(Duration.ZERO, Instant.EPOCH)).settle();
        assertThat(world.begun()).containsExactly("http://a/1");
        world.endWithPage().settle();
        assertThat(world.sendAnswers.getFirst().answer().attempts()).isOne();
    }

    @Test
    void aHostThatNeverAnswersIsGivenUpAndAllItsRequestsEndInBoundedTime() {
        world.open("a");
        for (int i = 0; i < 500; i++) {
            world.deliver(1, "http://a/" + i);
        }
        int sent = 0;
        world.settle();
        for (Duration passed = Duration.ZERO; world.sendAnswers.size() < 500; passed = passed.plusSeconds(10)) {
            assertThat(passed).isLessThan(Duration.ofHours(1));
            while (!world.fetches.isEmpty()) {
                sent++;
                world.end(World.failure(FailureReason.TIMEOUT)).settle();
            }
            world.later(Duration.ofSeconds(10));
        }
        assertThat(sent).isEqualTo(13);
        assertThat(world.frontier.status(world.now).givenUp()).isOne();
        assertThat(world.sendAnswers.getLast().answer().outcome()).isInstanceOfSatisfying(Outcome.Failure.class,
                failure -> {
                    assertThat(failure.reason()).isEqualTo(FailureReason.TIMEOUT);
                    assertThat(failure.cause()).contains("given up", "13 failures");
                });
        assertThat(world.sendAnswers).filteredOn(sendAnswer -> sendAnswer.answer().attempts() == 0).as("not sent")
                .hasSize(500 - sent);
    }

    @Test
    void aDeadHostIsGivenUpAloneInItsDomain() {
        World domain = new World(Map.of("trawl.politeness-key", "domain"), 3, 4, 10_000).open("dead.n.test:80",
                "www.n.test:80");
        domain.assign(0);
        for (int i = 0; i < 100; i++) {
            domain.deliver(1, "http://dead.n.test:80/" + i);
        }
        for (int i = 0; i < 20; i++) {
            domain.deliver(1, "http://www.n.test:80/" + i);
        }
        domain.settle();
        for (Duration passed = Duration.ZERO; domain.sendAnswers.size() < 120; passed = passed.plusSeconds(10)) {
            assertThat(passed).isLessThan(Duration.ofHours(1));
            while (!domain.fetches.isEmpty()) {
                boolean dead = domain.begun().getFirst().contains("dead");
                domain.end(dead ? World.failure(FailureReason.DNS) : World.page(Duration.ZERO)).settle();
            }
            domain.later(Duration.ofSeconds(10));
        }
        assertThat(domain.frontier.status(domain.now).givenUp()).isOne();
        assertThat(domain.sendAnswers).filteredOn(a -> a.answer().outcome() instanceof Outcome.Success)
                .extracting(a -> a.answer().request().host()).hasSize(20).containsOnly(new HostKey("www.n.test:80"));
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
        assertThat(world.sendAnswers).hasSize(20);
        assertThat(world.frontier.status(world.now).givenUp()).isZero();
    }
}
