package io.trawl.downloader.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.answer.Outage;
import io.trawl.downloader.lease.LeaseKeeper.Grant;
import io.trawl.lease.Claim;
import io.trawl.lease.Legacy;
import io.trawl.lease.PartitionLeases;
import io.trawl.lease.Shard;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.HostKey;
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
    private static final Shard ONE = new Shard(1, 1);
    private static final Shard TWO = new Shard(1, 2);
    private final ManualTime time = ManualTime.standing();
    private final Outage outage = new Outage("redis");
    private final Slow leases = new Slow();
    private final List<HeldLease> lost = new ArrayList<>();
    private final LeaseKeeper keeper = new LeaseKeeper(leases, LENGTH, time, outage, lost::add);

    /** Leases on the test's own clock, whose calls take as long as the test says, or fail. */
    private final class Slow implements PartitionLeases {
        final Map<Shard, Claim> held = new HashMap<>();
        Duration call = Duration.ZERO;
        boolean away;
        int renewals;

        private void call() {
            time.advance(call);
            if (away) {
                throw new LedgerUnavailable("away", new IllegalStateException());
            }
        }

        @Override
        public Optional<Legacy> take(Claim claim, Duration length) {
            call();
            return held.putIfAbsent(claim.shard(), claim) == null ? Optional.of(Legacy.nothing()) : Optional.empty();
        }

        @Override
        public Set<Claim> renew(Collection<Claim> claims, Duration length) {
            renewals++;
            call();
            Set<Claim> renewed = new HashSet<>(claims);
            renewed.retainAll(held.values());
            return renewed;
        }

        @Override
        public void note(Shard shard, Map<HostKey, Duration> pauses) {
            call();
        }

        @Override
        public void release(Collection<Claim> claims) {
            call();
            claims.forEach(claim -> held.remove(claim.shard(), claim));
        }
    }

    private HeldLease take(Shard shard) {
        return keeper.take(shard).map(Grant::lease).orElseThrow();
    }

    @Test
    void aLeaseIsCountedFromBeforeTheCallAndEndsBeforeRedisGivesItAway() {
        leases.call = Duration.ofSeconds(3);
        HeldLease lease = take(ONE);
        assertThat(lease.holds()).isTrue();
        time.advance(Duration.ofMillis(6400));
        assertThat(lease.holds()).isTrue();
        time.advance(Duration.ofMillis(200));
        assertThat(lease.holds()).as("9.6 s after the call began, half a second before its end").isFalse();
    }

    @Test
    void aRenewalCountsFromBeforeItsCallToo() {
        HeldLease lease = take(ONE);
        time.advance(Duration.ofSeconds(5));
        leases.call = Duration.ofSeconds(4);
        keeper.renew();
        time.advance(Duration.ofMillis(5400));
        assertThat(lease.holds()).isTrue();
        time.advance(Duration.ofMillis(200));
        assertThat(lease.holds()).isFalse();
    }

    @Test
    void whatHasRunOutIsNotRevivedByALateAnswer() {
        HeldLease lease = take(ONE);
        time.advance(Duration.ofSeconds(9));
        leases.call = Duration.ofSeconds(2);
        keeper.renew();
        assertThat(lease.holds()).isFalse();
        keeper.watch();
        assertThat(lost).containsExactly(lease);
    }

    @Test
    void aLeaseThatRedisDoesNotKnowIsLostAtOnceAndToldOnce() {
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
    void whileRedisIsAwayLeasesRunOutAndTheStateSaysSo() {
        HeldLease lease = take(ONE);
        leases.away = true;
        time.advance(Duration.ofSeconds(1));
        keeper.renew();
        assertThat(outage.now()).isTrue();
        assertThat(lease.holds()).isTrue();
        assertThat(keeper.watch()).as("looks again in time").isEqualTo(Duration.ofSeconds(1));
        time.advance(Duration.ofMillis(8200));
        assertThat(keeper.watch()).isEqualTo(Duration.ofMillis(300));
        time.advance(Duration.ofMillis(300));
        keeper.watch();
        assertThat(lost).containsExactly(lease);
        leases.away = false;
        keeper.renew();
        assertThat(lease.holds()).as("there is no way back").isFalse();
    }

    @Test
    void aClosedLeaseIsKeptFromOthersUntilItIsReleased() {
        HeldLease lease = take(ONE);
        lease.close();
        time.advance(Duration.ofSeconds(1));
        keeper.renew();
        assertThat(lease.holds()).isFalse();
        assertThat(keeper.take(ONE)).isEmpty();
        keeper.release(List.of(lease));
        assertThat(keeper.take(ONE)).isPresent();
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
}
