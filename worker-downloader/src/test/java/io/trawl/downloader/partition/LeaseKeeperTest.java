package io.trawl.downloader.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.partition.LeaseKeeper.Grant;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.HostKey;
import io.trawl.politeness.InheritedPauses;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import io.trawl.telemetry.Outage;
import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaseKeeperTest {
    private static final Duration LENGTH = Duration.ofSeconds(10);
    private static final LeasedPartition ONE = new LeasedPartition(1, 1);
    private static final LeasedPartition TWO = new LeasedPartition(1, 2);
    private final ManualTime time = ManualTime.standing();
    private final Outage outage = new Outage("redis");
    private final Slow leases = new Slow();
    private final List<HeldLease> lost = new ArrayList<>();
    private final LeaseKeeper keeper = new LeaseKeeper(leases, LENGTH, time, outage, lost::add);

    /** Leases on the clock of the test; their calls take as long as the test demands, or fail. */
    private final class Slow implements PartitionLeaseStore {
        final Map<LeasedPartition, LeaseClaim> held = new HashMap<>();
        Duration call = Duration.ZERO;
        Duration asleep = Duration.ZERO;
        boolean away;
        int renewals;

        private void call() {
            pass(call);
            time.advance(asleep);
            if (away) {
                throw new LedgerUnavailableException("away", new IllegalStateException());
            }
        }

        @Override
        public Optional<InheritedPauses> take(LeaseClaim leaseClaim, Duration length) {
            call();
            LeaseClaim holder = held.putIfAbsent(leaseClaim.shard(), leaseClaim);
            return holder == null || holder.equals(leaseClaim)
                    ? Optional.of(InheritedPauses.nothing())
                    : Optional.empty();
        }

        @Override
        public Set<LeaseClaim> renew(Collection<LeaseClaim> leaseClaims, Duration length) {
            renewals++;
            call();
            Set<LeaseClaim> renewed = new HashSet<>(leaseClaims);
            renewed.retainAll(held.values());
            return renewed;
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
        public void note(LeasedPartition leasedPartition, Map<HostKey, Duration> pauses) {
            call();
        }

        @Override
        public void release(Collection<LeaseClaim> leaseClaims) {
            call();
            leaseClaims.forEach(leaseClaim -> held.remove(leaseClaim.shard(), leaseClaim));
        }
    }

    /** Time passes while this process runs. */
    private void pass(Duration duration) {
        Duration step = Duration.ofMillis(100);
        for (long i = duration.dividedBy(step); i > 0; i--) {
            time.advance(step);
            keeper.awake();
        }
    }

    private HeldLease take(LeasedPartition leasedPartition) {
        return keeper.take(LeaseClaim.on(leasedPartition)).map(Grant::lease).orElseThrow();
    }

    @Test
    void aLeaseIsCountedFromBeforeTheCallAndEndsBeforeRedisGivesItAway() {
        leases.call = Duration.ofSeconds(3);
        HeldLease lease = take(ONE);
        assertThat(lease.holds()).isTrue();
        pass(Duration.ofMillis(6400));
        assertThat(lease.holds()).isTrue();
        pass(Duration.ofMillis(200));
        assertThat(lease.holds()).as("9.6 s after the call began, half a second before its end").isFalse();
    }

    @Test
    void aRenewalCountsFromBeforeItsCallToo() {
        HeldLease lease = take(ONE);
        pass(Duration.ofSeconds(5));
        leases.call = Duration.ofSeconds(4);
        keeper.renew();
        pass(Duration.ofMillis(5400));
        assertThat(lease.holds()).isTrue();
        pass(Duration.ofMillis(200));
        assertThat(lease.holds()).isFalse();
    }

    @Test
    void anExpiredLeaseIsNotRevivedByALateAnswer() {
        HeldLease lease = take(ONE);
        pass(Duration.ofSeconds(9));
        leases.call = Duration.ofSeconds(2);
        keeper.renew();
        assertThat(lease.holds()).isFalse();
        keeper.watch();
        assertThat(lost).containsExactly(lease);
    }

    @Test
    void aLeaseThatRedisDoesNotKnowIsLostAtOnceAndReportedOnce() {
        HeldLease one = take(ONE);
        HeldLease two = take(TWO);
        leases.held.remove(ONE);
        keeper.renew();
        keeper.renew();
        keeper.watch();
        assertThat(lost).containsExactly(one);
        assertThat(one.holds()).isFalse();
        assertThat(two.holds()).isTrue();
    }

    @Test
    void whileRedisIsUnavailableLeasesExpireAndTheStateSaysSo() {
        HeldLease lease = take(ONE);
        leases.away = true;
        pass(Duration.ofSeconds(1));
        keeper.renew();
        assertThat(outage.now()).isTrue();
        assertThat(lease.holds()).isTrue();
        assertThat(keeper.watch()).as("the next check").isEqualTo(Duration.ofSeconds(1));
        pass(Duration.ofMillis(8200));
        assertThat(keeper.watch()).isEqualTo(Duration.ofMillis(300));
        pass(Duration.ofMillis(300));
        keeper.watch();
        assertThat(lost).containsExactly(lease);
        leases.away = false;
        keeper.renew();
        assertThat(lease.holds()).as("an expired lease never holds again").isFalse();
    }

    @Test
    void aClosedLeaseIsKeptFromOthersUntilItIsReleased() {
        HeldLease lease = take(ONE);
        lease.close();
        pass(Duration.ofSeconds(1));
        keeper.renew();
        assertThat(lease.holds()).isFalse();
        assertThat(keeper.take(LeaseClaim.on(ONE))).isEmpty();
        keeper.release(List.of(lease));
        assertThat(keeper.take(LeaseClaim.on(ONE))).isPresent();
        assertThat(lost).isEmpty();
    }

    @Test
    void allLeasesAreRenewedByOneCallAndNoneByNone() {
        keeper.renew();
        assertThat(leases.renewals).isZero();
        take(ONE);
        take(TWO);
        keeper.renew();
        assertThat(leases.renewals).isOne();
    }

    @Test
    void aHolderThatSleptWaitsForItsLeaseToBeConfirmed() {
        HeldLease kept = take(ONE);
        HeldLease forgotten = take(TWO);
        time.advance(Duration.ofSeconds(6));
        leases.held.remove(TWO);
        assertThat(kept.holds()).as("3.5 s before its end, but Redis may have lost it").isFalse();
        keeper.renew();
        assertThat(kept.holds()).as("a confirmation revives no lease that others may have seen end").isFalse();
        keeper.watch();
        assertThat(lost).containsExactlyInAnyOrder(kept, forgotten);
        assertThat(keeper.take(kept.claim()).orElseThrow().lease().holds()).as("Redis knows the claim").isTrue();
        leases.held.put(TWO, LeaseClaim.on(TWO));
        assertThat(keeper.take(forgotten.claim())).as("another has it by now").isEmpty();
    }

    @Test
    void aRenewalThatBeganBeforeTheSleepConfirmsNothing() {
        HeldLease lease = take(ONE);
        leases.asleep = Duration.ofSeconds(5);
        keeper.renew();
        assertThat(lease.holds()).isFalse();
    }
}
