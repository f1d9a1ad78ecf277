package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.lease.Claim;
import io.trawl.lease.Legacy;
import io.trawl.lease.PartitionLeases;
import io.trawl.lease.Shard;
import io.trawl.model.HostKey;
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

class RedisPartitionLeasesIT {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final HostKey A = new HostKey("a:80");
    private static final HostKey B = new HostKey("b:80");
    private final String namespace = TestRedis.namespace();
    private final RedisModules redis = RedisModules.connect(REDIS.url(), namespace, Time.system());
    private final PartitionLeases leases = redis.leases();
    private final Shard shard = new Shard(1, 7);

    @AfterEach
    void close() {
        redis.close();
    }

    private Legacy taken(Claim claim, Duration length) {
        return await().atMost(Duration.ofSeconds(10)).until(() -> leases.take(claim, length), Optional::isPresent).orElseThrow();
    }

    @Test
    void oneClaimOfManyIsHad() throws Exception {
        List<Callable<Boolean>> takes = java.util.stream.IntStream.range(0, 20)
                .<Callable<Boolean>>mapToObj(i -> () -> leases.take(Claim.on(shard), LONG).isPresent()).toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(threads.invokeAll(takes).stream().filter(f -> f.resultNow())).hasSize(1);
        }
        assertThat(leases.take(Claim.on(new Shard(1, 8)), LONG)).as("another shard").isPresent();
        assertThat(leases.take(Claim.on(new Shard(2, 7)), LONG)).as("another generation").isPresent();
    }

    @Test
    void aTakeWhoseAnswerWasLostMayBeRepeated() {
        Claim claim = Claim.on(shard);
        assertThat(leases.take(claim, LONG)).contains(Legacy.nothing());
        assertThat(leases.take(claim, LONG)).as("and is no break").contains(Legacy.nothing());
    }

    @Test
    void aRenewalKeepsWhatIsHeldAndTellsWhatIsNot() {
        Claim held = Claim.on(shard);
        Claim never = Claim.on(shard);
        Claim lapsed = Claim.on(new Shard(1, 8));
        leases.take(held, SHORT);
        leases.take(lapsed, Duration.ofMillis(1));
        await().until(() -> REDIS.command("EXISTS " + namespace + "leases:{0}:g1:8").equals("0"));
        Set<Claim> renewed = leases.renew(List.of(held, never, lapsed), LONG);
        assertThat(renewed.isEmpty() || renewed.equals(Set.of(held))).isTrue();
        Claim fresh = Claim.on(new Shard(1, 9));
        leases.take(fresh, LONG);
        assertThat(leases.renew(List.of(fresh), Duration.ofMinutes(5))).containsExactly(fresh);
        assertThat(Long.parseLong(REDIS.command("PTTL " + namespace + "leases:{0}:g1:9"))).isGreaterThan(LONG.toMillis());
        assertThat(leases.take(Claim.on(lapsed.shard()), LONG)).as("a lapsed one was not revived").isPresent();
    }

    @Test
    void whatWasHandedOverIsTakenWithoutABreak() {
        Claim first = Claim.on(shard);
        leases.take(first, LONG);
        leases.note(shard, Map.of(A, Duration.ofSeconds(30), B, Duration.ofMillis(1)));
        leases.release(List.of(first));
        await().until(() -> Long.parseLong(REDIS.command("ZSCORE " + namespace + "leases:{0}:g1:7:hosts b:80")) < redisNow());
        Legacy legacy = leases.take(Claim.on(shard), LONG).orElseThrow();
        assertThat(legacy.sinceBreak()).isEmpty();
        assertThat(legacy.pauses()).containsOnlyKeys(A);
        assertThat(legacy.pauses().get(A)).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30).plusMillis(2));
        assertThat(REDIS.command("ZCARD " + namespace + "leases:{0}:g1:7:hosts")).as("what is over is forgotten").isEqualTo("1");
    }

    private static long redisNow() {
        String[] time = REDIS.command("TIME").split("\n");
        return Long.parseLong(time[0]) * 1000 + Long.parseLong(time[1]) / 1000;
    }

    @Test
    void whoComesAfterACrashIsToldThatAndSoIsWhoComesAfterHim() {
        leases.take(Claim.on(shard), SHORT);
        leases.note(shard, Map.of(A, Duration.ofMinutes(5)));
        Claim second = Claim.on(shard);
        Legacy legacy = taken(second, LONG);
        assertThat(legacy.sinceBreak()).contains(Duration.ZERO);
        assertThat(legacy.pauses()).as("written through").containsOnlyKeys(A);
        leases.release(List.of(second));
        Legacy third = leases.take(Claim.on(shard), LONG).orElseThrow();
        assertThat(third.sinceBreak().orElseThrow()).as("the break is as old as it is").isBetween(Duration.ZERO,
                Duration.ofSeconds(30));
    }

    @Test
    void aShorterPauseNeverEndsALongerOneAndThousandsAreNoted() {
        Map<HostKey, Duration> many = new HashMap<>();
        for (int i = 0; i < 5000; i++) {
            many.put(new HostKey("h" + i + ":80"), Duration.ofMinutes(1));
        }
        leases.note(shard, many);
        leases.note(shard, Map.of(new HostKey("h1:80"), Duration.ofSeconds(1), new HostKey("h2:80"), Duration.ofDays(100_000)));
        Legacy legacy = leases.take(Claim.on(shard), LONG).orElseThrow();
        assertThat(legacy.pauses()).hasSize(5000);
        assertThat(legacy.pauses().get(new HostKey("h1:80"))).isGreaterThan(Duration.ofSeconds(30));
        assertThat(legacy.pauses().get(new HostKey("h2:80"))).isGreaterThan(Duration.ofDays(99_999));
    }

    @Test
    void aLateReleaseOfAnEarlierClaimEndsNothing() {
        Claim early = Claim.on(shard);
        leases.take(early, SHORT);
        Claim late = Claim.on(shard);
        taken(late, LONG);
        leases.release(List.of(early));
        assertThat(leases.renew(List.of(late), LONG)).containsExactly(late);
        leases.release(List.of(late));
        assertThat(leases.take(Claim.on(shard), LONG)).isPresent();
    }

    @Test
    void droppedLeasesAreFreeAtOnceAndCountAsBroken() {
        leases.take(Claim.on(shard), LONG);
        leases.take(Claim.on(new Shard(3, 1)), LONG);
        redis.dropLeases();
        assertThat(leases.take(Claim.on(shard), LONG).orElseThrow().sinceBreak()).contains(Duration.ZERO);
        assertThat(leases.take(Claim.on(new Shard(3, 1)), LONG)).isPresent();
    }

    @Test
    void fiftyPartitionsAreRenewedByOneCall() {
        List<Claim> claims = java.util.stream.IntStream.range(0, 50).mapToObj(i -> Claim.on(new Shard(1, i))).toList();
        claims.forEach(claim -> leases.take(claim, LONG));
        long before = REDIS.calls("evalsha");
        assertThat(leases.renew(claims, LONG)).hasSize(50);
        assertThat(REDIS.calls("evalsha") - before).isLessThanOrEqualTo(2);
    }
}
