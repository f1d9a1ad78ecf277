package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.model.HostKey;
import io.trawl.politeness.InheritedPauses;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisPartitionLeaseStoreIT {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final HostKey A = new HostKey("a:80");
    private static final HostKey B = new HostKey("b:80");
    private final String namespace = TestRedis.namespace();
    private final RedisModuleStore redis = RedisModuleStore.connect(RedisServers.at(REDIS.url()), namespace,
            Time.system());
    private final PartitionLeaseStore leases = redis.leases();
    private final LeasedPartition leasedPartition = new LeasedPartition(1, 7);

    @AfterEach
    void close() {
        redis.close();
    }

    private InheritedPauses taken(LeaseClaim leaseClaim, Duration length) {
        return await().until(() -> leases.take(leaseClaim, length), Optional::isPresent).orElseThrow();
    }

    @Test
    void onlyOneOfManyClaimsGetsTheLease() throws Exception {
        List<Callable<Boolean>> takes = java.util.stream.IntStream.range(0, 20)
                .<Callable<Boolean>>mapToObj(i -> () -> leases.take(LeaseClaim.on(leasedPartition), LONG).isPresent())
                .toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(threads.invokeAll(takes).stream().filter(f -> f.resultNow())).hasSize(1);
        }
        assertThat(leases.take(LeaseClaim.on(new LeasedPartition(1, 8)), LONG)).as("another partition").isPresent();
        assertThat(leases.take(LeaseClaim.on(new LeasedPartition(2, 7)), LONG)).as("another generation").isPresent();
    }

    @Test
    void aTakeWhoseReplyWasLostMayBeRepeated() {
        LeaseClaim leaseClaim = LeaseClaim.on(leasedPartition);
        assertThat(leases.take(leaseClaim, LONG)).contains(InheritedPauses.nothing());
        assertThat(leases.take(leaseClaim, LONG)).as("and is no break").contains(InheritedPauses.nothing());
    }

    @Test
    void aRenewalKeepsHeldLeasesAndReportsLostOnes() {
        LeaseClaim held = LeaseClaim.on(leasedPartition);
        LeaseClaim never = LeaseClaim.on(leasedPartition);
        LeaseClaim lapsed = LeaseClaim.on(new LeasedPartition(1, 8));
        leases.take(held, SHORT);
        leases.take(lapsed, Duration.ofMillis(1));
        await().until(() -> REDIS.command("EXISTS " + namespace + "leases:{0}:g1:8").equals("0"));
        Set<LeaseClaim> renewed = leases.renew(List.of(held, never, lapsed), LONG);
        assertThat(renewed.isEmpty() || renewed.equals(Set.of(held))).isTrue();
        LeaseClaim fresh = LeaseClaim.on(new LeasedPartition(1, 9));
        leases.take(fresh, LONG);
        assertThat(leases.renew(List.of(fresh), Duration.ofMinutes(5))).containsExactly(fresh);
        assertThat(Long.parseLong(REDIS.command("PTTL " + namespace + "leases:{0}:g1:9")))
                .isGreaterThan(LONG.toMillis());
        assertThat(leases.take(LeaseClaim.on(lapsed.shard()), LONG)).as("a lapsed one was not revived").isPresent();
    }

    @Test
    void aReleasedLeaseIsTakenWithoutABreak() {
        LeaseClaim first = LeaseClaim.on(leasedPartition);
        leases.take(first, LONG);
        leases.note(leasedPartition, Map.of(A, Duration.ofSeconds(30), B, Duration.ofMillis(1)));
        leases.release(List.of(first));
        await().until(
                () -> Long.parseLong(REDIS.command("ZSCORE " + namespace + "leases:{0}:g1:7:hosts b:80")) < redisNow());
        InheritedPauses inheritedPauses = leases.take(LeaseClaim.on(leasedPartition), LONG).orElseThrow();
        assertThat(inheritedPauses.sinceBreak()).isEmpty();
        assertThat(inheritedPauses.pauses()).containsOnlyKeys(A);
        assertThat(inheritedPauses.pauses().get(A)).isBetween(Duration.ofSeconds(20),
                Duration.ofSeconds(30).plusMillis(2));
        assertThat(REDIS.command("ZCARD " + namespace + "leases:{0}:g1:7:hosts")).as("a pause that is over is removed")
                .isEqualTo("1");
    }

    private static long redisNow() {
        String[] time = REDIS.command("TIME").split("\n");
        return Long.parseLong(time[0]) * 1000 + Long.parseLong(time[1]) / 1000;
    }

    @Test
    void aClosedPartitionIsClosedOnceItIsFreeAndNobodyGetsItAgain() {
        LeaseClaim owner = LeaseClaim.on(leasedPartition);
        leases.take(owner, LONG);
        leases.note(leasedPartition, Map.of(A, Duration.ofSeconds(30)));
        assertThat(leases.close(leasedPartition)).as("while an owner has it").isEmpty();
        assertThat(leases.renew(List.of(owner), LONG)).as("the owner keeps it").containsExactly(owner);
        leases.release(List.of(owner));
        InheritedPauses left = leases.close(leasedPartition).orElseThrow();
        assertThat(left.sinceBreak()).isEmpty();
        assertThat(left.pauses()).containsOnlyKeys(A);
        assertThat(leases.close(leasedPartition).orElseThrow().pauses()).as("of the next leader").containsOnlyKeys(A);
        assertThat(leases.take(LeaseClaim.on(leasedPartition), LONG)).as("of a downloader that slept").isEmpty();
    }

    @Test
    void anOwnerThatDiesBeforeAPartitionIsClosedIsABreakForItsHeirs() {
        LeasedPartition heir = new LeasedPartition(2, 3);
        leases.take(LeaseClaim.on(leasedPartition), SHORT);
        InheritedPauses left = await().until(() -> leases.close(leasedPartition), Optional::isPresent).orElseThrow();
        assertThat(left.sinceBreak()).isPresent();
        leases.bequeath(heir, new InheritedPauses(left.sinceBreak(), Map.of(B, Duration.ofMinutes(1))));
        leases.bequeath(heir, new InheritedPauses(Optional.of(Duration.ofHours(1)), Map.of(B, Duration.ofSeconds(1))));
        InheritedPauses inherited = leases.take(LeaseClaim.on(heir), LONG).orElseThrow();
        assertThat(inherited.sinceBreak().orElseThrow()).as("the latest break").isLessThan(Duration.ofMinutes(1));
        assertThat(inherited.pauses().get(B)).as("the longest pause").isGreaterThan(Duration.ofSeconds(30));
    }

    @Test
    void ownersAfterACrashSeeTheBreak() {
        leases.take(LeaseClaim.on(leasedPartition), SHORT);
        leases.note(leasedPartition, Map.of(A, Duration.ofMinutes(5)));
        LeaseClaim second = LeaseClaim.on(leasedPartition);
        InheritedPauses inheritedPauses = taken(second, LONG);
        assertThat(inheritedPauses.sinceBreak()).contains(Duration.ZERO);
        assertThat(inheritedPauses.pauses()).as("written through").containsOnlyKeys(A);
        leases.release(List.of(second));
        InheritedPauses third = leases.take(LeaseClaim.on(leasedPartition), LONG).orElseThrow();
        assertThat(third.sinceBreak().orElseThrow()).as("the age of the break").isBetween(Duration.ZERO,
                Duration.ofSeconds(30));
    }

    @Test
    void aShorterPauseNeverEndsALongerOneAndThousandsAreRecorded() {
        Map<HostKey, Duration> many = new HashMap<>();
        for (int i = 0; i < 5000; i++) {
            many.put(new HostKey("h" + i + ":80"), Duration.ofMinutes(1));
        }
        leases.note(leasedPartition, many);
        leases.note(leasedPartition,
                Map.of(new HostKey("h1:80"), Duration.ofSeconds(1), new HostKey("h2:80"), Duration.ofDays(100_000)));
        InheritedPauses inheritedPauses = leases.take(LeaseClaim.on(leasedPartition), LONG).orElseThrow();
        assertThat(inheritedPauses.pauses()).hasSize(5000);
        assertThat(inheritedPauses.pauses().get(new HostKey("h1:80"))).isGreaterThan(Duration.ofSeconds(30));
        assertThat(inheritedPauses.pauses().get(new HostKey("h2:80"))).isGreaterThan(Duration.ofDays(99_999));
    }

    @Test
    void aLateReleaseOfAnEarlierClaimHasNoEffect() {
        LeaseClaim early = LeaseClaim.on(leasedPartition);
        leases.take(early, SHORT);
        LeaseClaim late = LeaseClaim.on(leasedPartition);
        taken(late, LONG);
        leases.release(List.of(early));
        assertThat(leases.renew(List.of(late), LONG)).containsExactly(late);
        leases.release(List.of(late));
        assertThat(leases.take(LeaseClaim.on(leasedPartition), LONG)).isPresent();
    }

    @Test
    void droppedLeasesAreFreeAtOnceAndCountAsBroken() {
        leases.take(LeaseClaim.on(leasedPartition), LONG);
        leases.take(LeaseClaim.on(new LeasedPartition(3, 1)), LONG);
        redis.dropLeases();
        assertThat(leases.take(LeaseClaim.on(leasedPartition), LONG).orElseThrow().sinceBreak())
                .contains(Duration.ZERO);
        assertThat(leases.take(LeaseClaim.on(new LeasedPartition(3, 1)), LONG)).isPresent();
    }

    @Test
    void fiftyPartitionsAreRenewedByOneCall() {
        List<LeaseClaim> leaseClaims = java.util.stream.IntStream.range(0, 50)
                .mapToObj(i -> LeaseClaim.on(new LeasedPartition(1, i))).toList();
        leaseClaims.forEach(leaseClaim -> leases.take(leaseClaim, LONG));
        long before = REDIS.calls("evalsha");
        assertThat(leases.renew(leaseClaims, LONG)).hasSize(50);
        assertThat(REDIS.calls("evalsha") - before).isLessThanOrEqualTo(2);
    }
}
