package io.trawl.downloader.robots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.model.HostKey;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A manual clock: time passes only by waiting. */
class RedirectThrottleTest {
    private static final HostKey A = new HostKey("a:80");
    private static final HostKey B = new HostKey("b:80");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private final AtomicLong nanos = new AtomicLong(-5);
    private final RedirectThrottle gate = new RedirectThrottle(SECOND, new Time() {
        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public void pause(Duration duration) {
            nanos.addAndGet(duration.toNanos());
        }
    });

    private static <T> T done(CompletableFuture<Optional<T>> passed) {
        return passed.orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join().orElseThrow();
    }

    @Test
    void exchangesWithOneHostAreADelayApartAndNeverTwoAtATime() {
        List<Long> starts = new CopyOnWriteArrayList<>();
        AtomicInteger under = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletableFuture<Optional<Integer>>> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int n = i;
            all.add(gate.pass(A, () -> {
                starts.add(nanos.get());
                most.accumulateAndGet(under.incrementAndGet(), Math::max);
                return CompletableFuture.supplyAsync(() -> {
                    nanos.addAndGet(Duration.ofMillis(300).toNanos());
                    under.decrementAndGet();
                    return n;
                });
            }));
        }
        all.forEach(RedirectThrottleTest::done);
        assertThat(most).hasValue(1);
        for (int i = 1; i < starts.size(); i++) {
            assertThat(starts.get(i) - starts.get(i - 1)).isGreaterThanOrEqualTo(Duration.ofMillis(1300).toNanos());
        }
    }

    @Test
    void aRedirectKeepsTheDelayFromTheHostsOwnTurnAndAnotherHostDoesNotWait() {
        gate.requested(A);
        done(gate.pass(B, () -> CompletableFuture.completedFuture(1)));
        assertThat(nanos.get()).isEqualTo(-5);
        done(gate.pass(A, () -> CompletableFuture.completedFuture(1)));
        assertThat(nanos.get()).isEqualTo(SECOND.toNanos() - 5);
    }

    @Test
    void tooManyRedirectsAreRefusedInsteadOfHoldingSlots() {
        CompletableFuture<Integer> slow = new CompletableFuture<>();
        List<CompletableFuture<Optional<Integer>>> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            all.add(gate.pass(A, () -> slow));
        }
        assertThat(all.stream().filter(CompletableFuture::isDone)).hasSize(8)
                .allSatisfy(f -> assertThat(f.join()).isEmpty());
        slow.complete(7);
        assertThat(all.stream().limit(32).map(RedirectThrottleTest::done)).containsOnly(7);
        await().untilAsserted(() -> assertThat(gate.pass(A, () -> slow).join()).contains(7));
    }
}
