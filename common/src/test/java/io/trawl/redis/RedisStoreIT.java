package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The behaviour when Redis is down, failing or badly configured. */
class RedisStoreIT {
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private static final Fingerprint URL = new Fingerprint(1, 2);
    private static final Duration BOUND = Duration.ofSeconds(35);
    private final TestRedis redis = TestRedis.start();

    @AfterEach
    void end() {
        redis.close();
    }

    @Test
    void aKilledServerIsUnavailableAndTheStoreRecoversByItself() {
        try (RedisStore store = redis.store("t.")) {
            Ledger ledger = store.ledger();
            ledger.learn(RUN, List.of(new Fact(URL, UrlFacts.requested(1))));
            redis.kill();
            assertUnavailable(ledger);
            redis.startAgain();
            await().ignoreExceptionsInstanceOf(LedgerUnavailableException.class)
                    .until(() -> ledger.lookUp(RUN, List.of(URL)).getFirst().known() == 1);
        }
    }

    @Test
    void aServerThatNeverAnswersIsUnavailableAndTheStoreRecoversByItself() throws Exception {
        try (RedisStore store = redis.store("t.")) {
            Ledger ledger = store.ledger();
            ledger.learn(RUN, List.of(new Fact(URL, UrlFacts.requested(1))));
            long process = redis.info("process_id");
            redis.signal(process, "STOP");
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                // More than there are connections yet.
                Callable<Boolean> call = Executors.callable(() -> assertUnavailable(ledger), true);
                for (Future<Boolean> each : threads.invokeAll(Collections.nCopies(4, call))) {
                    each.get();
                }
            } finally {
                redis.signal(process, "CONT");
            }
            await().ignoreExceptionsInstanceOf(LedgerUnavailableException.class)
                    .until(() -> ledger.lookUp(RUN, List.of(URL)).getFirst().known() == 1);
        }
    }

    private static void assertUnavailable(Ledger ledger) {
        long begin = Time.system().nanos();
        assertThatExceptionOfType(LedgerUnavailableException.class).isThrownBy(() -> ledger.lookUp(RUN, List.of(URL)))
                .withMessageContaining("Redis at redis://127.0.0.1").withMessageContaining("look")
                .withMessageNotContaining("java.");
        assertThat(Duration.ofNanos(Time.system().nanos() - begin)).isLessThan(BOUND);
    }

    @Test
    void aServerOutOfMemoryIsUnavailable() {
        try (RedisStore store = redis.store("t.")) {
            Ledger ledger = store.ledger();
            ledger.learn(RUN, List.of(new Fact(URL, UrlFacts.requested(1))));
            redis.command("CONFIG SET maxmemory 1");
            assertThatExceptionOfType(LedgerUnavailableException.class)
                    .isThrownBy(() -> ledger.learn(RUN, List.of(new Fact(URL, UrlFacts.requested(0)))))
                    .withMessageMatching("Redis refuses writes: memory is full \\([0-9.]+ MB used, limit 0\\.0 MB\\)");
            redis.command("CONFIG SET maxmemory 0");
            assertThat(ledger.learn(RUN, List.of(new Fact(URL, UrlFacts.requested(0)))))
                    .containsExactly(UrlFacts.requested(1));
        }
    }

    @Test
    void connectingToNothingFailsSoonAndLeavesNoThreads() {
        redis.kill();
        redis.startAgain();
        String url = redis.url();
        redis.kill();
        connectInVain(url);
        int threads = Thread.activeCount();
        for (int i = 0; i < 3; i++) {
            connectInVain(url);
        }
        await().until(() -> Thread.activeCount() <= threads + 2);
    }

    private static void connectInVain(String url) {
        assertThatExceptionOfType(LedgerUnavailableException.class)
                .isThrownBy(() -> RedisStore.connect(RedisServers.at(url), "t.", "c", "r", Time.system()))
                .withMessageContaining("cannot be used now");
    }

    @Test
    void aRejectedPasswordIsAnErrorOfTheUser() {
        redis.command("ACL SETUSER default on >hush allkeys +@all");
        String right = redis.url(":hush");
        try (RedisStore store = RedisStore.connect(RedisServers.at(right), "t.", "c", "r", Time.system())) {
            assertThat(store.ledger().lookUp(RUN, List.of(URL))).containsExactly(UrlFacts.NOTHING);
        }
        for (String wrong : List.of(redis.url(""), redis.url(":guess"), redis.url("ann:guess"))) {
            assertThatExceptionOfType(InvalidValueException.class)
                    .isThrownBy(() -> RedisStore.connect(RedisServers.at(wrong), "t.", "c", "r", Time.system()))
                    .withMessageContaining("TRAWL_REDIS_URL").withMessageNotContaining("guess");
        }
    }

    @Test
    void aDatabaseThatTheServerLacksIsAnErrorOfTheUser() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(
                        () -> RedisStore.connect(RedisServers.at(redis.url() + "/99"), "t.", "c", "r", Time.system()))
                .withMessageMatching(
                        "TRAWL_REDIS_URL: 'redis://.*/99' is not valid: with a database that the server has");
    }

    @Test
    void aClosedStoreIsUnavailable() {
        RedisStore store = redis.store("t.");
        Ledger ledger = store.ledger();
        store.close();
        assertThatExceptionOfType(LedgerUnavailableException.class).isThrownBy(() -> ledger.lookUp(RUN, List.of(URL)));
    }

    @Test
    void aClosedModuleLeavesTheSharedClientToTheOthers() {
        try (RedisModuleStore process = RedisModuleStore.connect(RedisServers.at(redis.url()), "t.", Time.system())) {
            Ledger ledger = process.store("c", "r").ledger();
            try (RedisStore other = process.store("c", "r")) {
                other.ledger().learn(RUN, List.of(new Fact(URL, UrlFacts.requested(1))));
            }
            assertThat(ledger.lookUp(RUN, List.of(URL))).containsExactly(UrlFacts.requested(1));
        }
    }

    @Test
    void thousandsOfThreadsAreServedThroughFewConnections() throws Exception {
        try (RedisStore store = redis.store("t."); var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Ledger ledger = store.ledger();
            List<Future<List<UrlFacts>>> answers = new ArrayList<>();
            for (int i = 0; i < 5000; i++) {
                answers.add(threads.submit(() -> ledger.lookUp(RUN, List.of(URL))));
            }
            for (Future<List<UrlFacts>> answer : answers) {
                assertThat(answer.get()).containsExactly(UrlFacts.NOTHING);
            }
            assertThat(redis.info("connected_clients")).isLessThan(RedisServers.CONNECTIONS + 5);
        }
    }

    @Test
    void aCallWaitsOnlyForEarlierOnes() throws Exception {
        int callers = 100;
        int calls = 50_000;
        AtomicInteger all = new AtomicInteger();
        try (RedisStore store = redis.store("t."); var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Ledger ledger = store.ledger();
            List<Callable<Integer>> busy = Collections.nCopies(callers, () -> {
                int own = 0;
                for (; all.incrementAndGet() <= calls; own++) {
                    ledger.lookUp(RUN, List.of(URL));
                }
                return own;
            });
            for (Future<Integer> own : threads.invokeAll(busy)) {
                assertThat(own.get()).isGreaterThan(calls / callers / 2);
            }
        }
    }

    @Test
    void aWellConfiguredServerCausesNoWarnings() {
        try (RedisStore store = redis.store("t.")) {
            assertThat(store.check()).isEmpty();
        }
    }

    @Test
    void everySettingThatCostsMemoryOrRepeatsWorkCausesAWarning() {
        redis.command("CONFIG SET appendonly no");
        redis.command("CONFIG SET maxmemory-policy allkeys-lru");
        redis.command("CONFIG SET hash-max-ziplist-entries 128");
        redis.command("CONFIG SET hash-max-ziplist-value 8");
        try (RedisStore store = redis.store("t.")) {
            assertThat(store.check()).hasSize(4).anyMatch(f -> f.contains("appendonly no"))
                    .anyMatch(f -> f.contains("maxmemory-policy allkeys-lru"))
                    .anyMatch(f -> f.contains("hash-max-ziplist-entries 128"))
                    .anyMatch(f -> f.contains("hash-max-ziplist-value 8"));
        }
    }

    @Test
    void aServerThatHidesItsSettingsIsUsable() {
        redis.command("ACL SETUSER crawler on >secret allkeys allchannels +@all -config");
        try (RedisStore store = RedisStore.connect(RedisServers.at(redis.url("crawler:secret")), "t.", "c", "r",
                Time.system())) {
            assertThat(store.check()).singleElement().asString().contains("CONFIG GET");
            assertThat(store.ledger().lookUp(RUN, List.of(URL))).containsExactly(UrlFacts.NOTHING);
        }
    }
}
