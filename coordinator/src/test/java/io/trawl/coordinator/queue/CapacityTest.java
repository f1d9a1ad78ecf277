package io.trawl.coordinator.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class CapacityTest {
    private static final int LEVELS = 3;
    private final ManualTime time = ManualTime.flowing();
    private final long[] backlog = new long[LEVELS];
    private int asked;

    @Test
    void theHighestLevelIsTheSmallestAndEachOneBelowIsABaseLarger() {
        CapacityRule rule = new CapacityRule(10, LEVELS);
        assertThat(rule.of(2)).contains(10L);
        assertThat(rule.of(1)).contains(20L);
        assertThat(rule.of(0)).contains(30L);
        assertThat(new CapacityRule(0, LEVELS).of(2)).isEmpty();
    }

    @Test
    void seedsFillALevelToItsCapacityAndNotBeyond() throws InterruptedException {
        Capacity capacity = capacity(10);
        backlog[2] = 4;
        assertThat(admit(capacity, 2, 5)).isEqualTo(5);
        assertThat(admit(capacity, 2, 5)).as("4 wait, 5 were admitted since").isEqualTo(1);
        assertThat(admit(capacity, 2, 5)).isZero();
        assertThat(admit(capacity, 1, 25)).as("another level").isEqualTo(20);
    }

    @Test
    void aCapacityThatIsChangedHoldsAtOnce() throws InterruptedException {
        AtomicLong base = new AtomicLong(10);
        Capacity capacity = new Capacity(() -> new CapacityRule(base.get(), LEVELS), backlog::clone, time);
        assertThat(admit(capacity, 2, 15)).isEqualTo(10);
        base.set(12);
        assertThat(admit(capacity, 2, 15)).isEqualTo(2);
        base.set(5);
        assertThat(admit(capacity, 2, 15)).as("more wait than there is room now").isZero();
        base.set(0);
        assertThat(admit(capacity, 2, 15)).as("no limit").isEqualTo(15);
    }

    @Test
    void theBrokerIsAskedOnlyWhenItMatters() throws InterruptedException {
        Capacity capacity = capacity(10);
        admit(capacity, 1, 5);
        admit(capacity, 1, 5);
        assertThat(asked).isEqualTo(1);
        backlog[1] = 3;
        time.advance(Duration.ofSeconds(1));
        assertThat(admit(capacity, 1, 17)).as("asked before a refusal: only 3 of the 10 still wait").isEqualTo(17);
        assertThat(asked).isEqualTo(2);
        admit(capacity, 1, 1);
        admit(capacity, 1, 1);
        assertThat(asked).as("many refusals do not cause many queries").isEqualTo(2);
    }

    @Test
    void whoeverWaitsWhileTheBrokerDoesNotAnswerIsToldWithTheFirst() throws Exception {
        CountDownLatch silent = new CountDownLatch(1);
        Capacity capacity = new Capacity(() -> new CapacityRule(10, LEVELS), () -> {
            asked++;
            silent.await();
            time.advance(Duration.ofSeconds(30));
            throw new TimeoutException("no answer");
        }, time);
        List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> callers = Stream.generate(() -> Thread.ofPlatform().start(() -> {
            try {
                capacity.reserve(seeds(2, 1), 1);
            } catch (TimeoutException | InterruptedException e) {
                failures.add(e);
            }
        })).limit(3).toList();
        await().until(() -> callers.stream().filter(thread -> thread.getState() == Thread.State.BLOCKED).count() == 2);
        silent.countDown();
        await().until(() -> failures.size() == 3);
        assertThat(failures).hasOnlyElementsOfType(TimeoutException.class);
        assertThat(asked).isEqualTo(1);
        assertThatThrownBy(() -> capacity.reserve(seeds(2, 1), 1)).isInstanceOf(TimeoutException.class);
        assertThat(asked).as("a later call asks again").isEqualTo(2);
    }

    @Test
    void withoutALimitTheBrokerIsNeverAskedAndNothingRefused() throws InterruptedException {
        Capacity capacity = capacity(0);
        assertThat(admit(capacity, 2, 100_000)).isEqualTo(100_000);
        capacity.reserve(seeds(2, 100_000), 1);
        assertThat(asked).isZero();
    }

    @Test
    void aReservedPlaceIsNotGivenToOthersAndIsFreeAfterItsSeedHasArrived() throws InterruptedException {
        Capacity capacity = capacity(10);
        capacity.reserve(seeds(2, 7), 1);
        assertThat(admit(capacity, 2, 5)).isEqualTo(3);
        BatchCapacity batchCapacity = capacity.room(List.of());
        for (int i = 0; i < 7; i++) {
            batchCapacity.arrived(2);
        }
        // One of the seven was seen before; it fills nothing.
        for (int i = 0; i < 6; i++) {
            assertThat(batchCapacity.take(2, true)).isTrue();
        }
        capacity.committed(batchCapacity);
        assertThat(admit(capacity, 2, 5)).as("10 less 3 less 6").isEqualTo(1);
    }

    @Test
    void placesAreReservedForAllSeedsOrForNone() throws InterruptedException {
        Capacity capacity = capacity(10);
        backlog[2] = 8;
        List<Seed> seeds = new java.util.ArrayList<>(seeds(2, 3));
        seeds.addAll(seeds(0, 4));
        assertThatThrownBy(() -> capacity.reserve(seeds, 1))
                .isInstanceOfSatisfying(ChannelFullException.class, e -> assertThat(e.wanted()).isEqualTo(3))
                .hasMessageContainingAll("CHANNEL_FULL", "priority 2 has a capacity of 10", "room for 2, not for 3");
        assertThat(admit(capacity, 2, 5)).isEqualTo(2);
        assertThat(admit(capacity, 0, 40)).as("nothing was reserved here either").isEqualTo(30);
    }

    @Test
    void aSeedWithoutPriorityGetsThatOfItsCrawl() throws InterruptedException {
        Capacity capacity = capacity(10);
        Seed plain = Seed.of(new CrawlId("docs"), "https://example.org/", Optional.empty());
        capacity.reserve(Collections.nCopies(20, plain), 1);
        assertThat(admit(capacity, 1, 1)).isZero();
        capacity.release(Collections.nCopies(20, plain), 1);
        assertThat(admit(capacity, 1, 21)).isEqualTo(20);
    }

    @Test
    void anUncommittedBatchTakesNoRoom() throws InterruptedException {
        Capacity capacity = capacity(10);
        BatchCapacity aborted = capacity.room(Collections.nCopies(10, 2));
        assertThat(aborted.take(2, false)).isTrue();
        assertThatThrownBy(() -> capacity.reserve(seeds(2, 1), 1)).as("claimed by the batch under way")
                .isInstanceOf(ChannelFullException.class);
        assertThat(admit(capacity, 2, 10)).isEqualTo(10);
    }

    @Test
    void aSeedWithAPlaceFromAnEarlierLeaderIsAdmittedAndTakesNoOtherPlace() throws InterruptedException {
        Capacity capacity = capacity(10);
        backlog[2] = 10;
        BatchCapacity batchCapacity = capacity.room(List.of());
        batchCapacity.arrived(2);
        batchCapacity.arrived(9);
        assertThat(batchCapacity.take(2, true)).isTrue();
        capacity.committed(batchCapacity);
        backlog[2] = 9;
        time.advance(Duration.ofSeconds(1));
        assertThatCode(() -> capacity.reserve(seeds(2, 1), 1)).doesNotThrowAnyException();
        assertThatThrownBy(() -> capacity.reserve(seeds(2, 1), 1)).isInstanceOf(ChannelFullException.class);
    }

    @Test
    void anUnresponsiveBrokerIsAskedAgainOnEveryCall() {
        Capacity capacity = new Capacity(() -> new CapacityRule(10, LEVELS), () -> {
            throw new TimeoutException("no answer");
        }, time);
        assertThatThrownBy(() -> capacity.reserve(seeds(2, 1), 1)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> capacity.room(List.of(2))).as("asked again, though a moment later")
                .isInstanceOf(TimeoutException.class);
    }

    private Capacity capacity(long base) {
        return new Capacity(() -> new CapacityRule(base, LEVELS), () -> {
            asked++;
            return backlog.clone();
        }, time);
    }

    /** Admits a batch of seeds of one level and returns how many had room. */
    private static int admit(Capacity capacity, int level, int seeds) throws InterruptedException {
        BatchCapacity batchCapacity = capacity.room(Collections.nCopies(seeds, level));
        int admitted = 0;
        for (int i = 0; i < seeds; i++) {
            admitted += batchCapacity.take(level, false) ? 1 : 0;
        }
        capacity.committed(batchCapacity);
        return admitted;
    }

    private static List<Seed> seeds(int level, int count) {
        return Collections.nCopies(count, Seed.of(new CrawlId("docs"), "https://example.org/", Optional.of(level)));
    }
}
