package io.trawl.downloader.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.downloader.frontier.FrontierAction.RecordPause;
import io.trawl.downloader.response.BatchExecutor;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.HostKey;
import io.trawl.politeness.InheritedPauses;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import io.trawl.telemetry.Outage;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Long pauses, which the next owner of a partition finds although this process dies. */
class PauseWriterTest {
    private static final HostKey A = new HostKey("a:80");
    private static final HostKey B = new HostKey("b:80");
    private final ManualTime time = ManualTime.standing();
    private final Outage outage = new Outage("redis");
    private final Noted leases = new Noted();
    private final List<Throwable> broken = new CopyOnWriteArrayList<>();
    private final AtomicReference<BatchExecutor<PauseWriter.Until>> executor = new AtomicReference<>();
    private final PauseWriter writer = PauseWriter.open(leases, 2, time, work -> {
        executor.set(new BatchExecutor<>("pauses", 10, work, outage, Time.system(), broken::add));
        return executor.get();
    });

    /** What is noted, one call after the other. */
    private static final class Noted implements PartitionLeaseStore {
        final List<Map.Entry<LeasedPartition, Map<HostKey, Duration>>> calls = new CopyOnWriteArrayList<>();
        volatile boolean away;

        @Override
        public void note(LeasedPartition leasedPartition, Map<HostKey, Duration> pauses) {
            if (away) {
                throw new LedgerUnavailableException("away", new IllegalStateException());
            }
            calls.add(Map.entry(leasedPartition, Map.copyOf(pauses)));
        }

        @Override
        public Optional<InheritedPauses> take(LeaseClaim leaseClaim, Duration length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<LeaseClaim> renew(Collection<LeaseClaim> leaseClaims, Duration length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<InheritedPauses> close(LeasedPartition leasedPartition) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void bequeath(LeasedPartition leasedPartition, InheritedPauses pauses) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void release(Collection<LeaseClaim> leaseClaims) {
            throw new UnsupportedOperationException();
        }
    }

    @AfterEach
    void close() {
        executor.get().close();
        assertThat(broken).isEmpty();
    }

    private static Map.Entry<LeasedPartition, Map<HostKey, Duration>> noted(int partition, HostKey host, int seconds) {
        return Map.entry(new LeasedPartition(2, partition), Map.of(host, Duration.ofSeconds(seconds)));
    }

    @Test
    void aPauseIsNotedAtOnce() {
        writer.closed(new RecordPause(7, A, Duration.ofSeconds(30)));
        await().untilAsserted(() -> assertThat(leases.calls).containsExactly(noted(7, A, 30)));
    }

    @Test
    void whenRedisIsBackWhatIsLeftIsNotedAndNothingOfWhatIsOver() {
        leases.away = true;
        writer.closed(new RecordPause(7, A, Duration.ofSeconds(30)));
        await().until(outage::now);
        writer.closed(new RecordPause(8, A, Duration.ofSeconds(10)));
        writer.closed(new RecordPause(9, B, Duration.ofSeconds(20)));
        time.advance(Duration.ofSeconds(12));
        leases.away = false;
        await().untilAsserted(() -> assertThat(leases.calls).containsExactly(noted(7, A, 18), noted(9, B, 8)));
    }
}
