package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisLedgerIT {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final String NAMESPACE = TestRedis.namespace();
    private static final RedisStore STORE = REDIS.store(NAMESPACE);
    private static final Fingerprint URL = new Fingerprint(7, 8);
    private static int runs;
    private final CrawlRun run = CrawlRun.parse("docs-" + ++runs + "/1");
    private final Ledger ledger = STORE.ledger();

    @AfterAll
    static void close() {
        STORE.close();
    }

    @Test
    void anUnknownUrlHasNoFacts() {
        assertThat(ledger.lookUp(run, List.of(URL))).containsExactly(UrlFacts.NOTHING);
        assertThat(ledger.lookUp(run, List.of())).isEmpty();
        assertThat(ledger.learn(run, List.of())).isEmpty();
    }

    @Test
    void theSecondFactOfABatchSeesTheFirst() {
        assertThat(ledger.learn(run,
                List.of(fact(UrlFacts.responded(2, 50)), fact(UrlFacts.responded(1, 60)), fact(UrlFacts.requested(0)))))
                .containsExactly(UrlFacts.NOTHING, UrlFacts.responded(2, 50),
                        new UrlFacts(UrlFacts.NO_DEPTH, 50, 1, 60));
        assertThat(ledger.lookUp(run, List.of(URL))).containsExactly(new UrlFacts(0, 50, 1, 60));
    }

    @Test
    void aRetryFindsItsOwnOffset() {
        ledger.learn(run, List.of(fact(UrlFacts.responded(1, 50))));
        assertThat(ledger.learn(run, List.of(fact(UrlFacts.responded(1, 50)))))
                .containsExactly(UrlFacts.responded(1, 50));
    }

    @Test
    void anEntryTakesOneSixSevenOrTwelveBytes() {
        ledger.learn(run, List.of(fact(UrlFacts.requested(4))));
        assertThat(storedBytes()).isEqualTo(1);
        ledger.learn(run, List.of(fact(UrlFacts.responded(4, 1L << 33))));
        assertThat(storedBytes()).isEqualTo(6);
        assertThat(ledger.lookUp(run, List.of(URL))).containsExactly(new UrlFacts(4, 1L << 33, 4, 1L << 33));
        ledger.learn(run, List.of(fact(UrlFacts.requested(3))));
        assertThat(storedBytes()).isEqualTo(7);
        ledger.learn(run, List.of(fact(UrlFacts.responded(2, (1L << 33) + 1))));
        assertThat(storedBytes()).isEqualTo(12);
        assertThat(ledger.lookUp(run, List.of(URL))).containsExactly(new UrlFacts(3, 1L << 33, 2, (1L << 33) + 1));
    }

    private int storedBytes() {
        return REDIS.command("HVALS " + hash(run)).length();
    }

    /** The key of the hash that all others of a run are split from. */
    private static String hash(CrawlRun run) {
        return NAMESPACE + "ledger:" + run.crawl() + ":" + run.epoch() + ":" + incarnation() + ":{0}:f";
    }

    private static String incarnation() {
        return RedisKeys.of(NAMESPACE, "cluster", "topic").incarnation();
    }

    @Test
    void nothingIsWrittenWhenNothingChanges() {
        List<Fact> facts = List.of(fact(UrlFacts.requested(1)), fact(UrlFacts.responded(1, 9)));
        ledger.learn(run, facts);
        long writes = REDIS.calls("hset");
        ledger.learn(run, facts);
        ledger.learn(run,
                List.of(fact(UrlFacts.NOTHING), fact(UrlFacts.responded(2, 10)), fact(UrlFacts.responded(1, 10))));
        ledger.learn(run, List.of(new Fact(new Fingerprint(1, 1), UrlFacts.NOTHING)));
        assertThat(REDIS.calls("hset")).isEqualTo(writes);
    }

    @Test
    void aBatchIsOneCallByDigest() {
        List<Fingerprint> urls = IntStream.range(0, 200).mapToObj(i -> Fingerprint.of("https://example.org/" + i))
                .toList();
        ledger.lookUp(run, urls);
        long byText = REDIS.calls("eval");
        long byDigest = REDIS.calls("evalsha");
        ledger.lookUp(run, urls);
        ledger.learn(run, urls.stream().map(url -> new Fact(url, UrlFacts.requested(1))).toList());
        assertThat(REDIS.calls("evalsha") - byDigest).isBetween(2L, 3L);
        assertThat(REDIS.calls("eval")).isEqualTo(byText);
    }

    @Test
    void lostScriptsAreLoadedAgain() {
        ledger.learn(run, List.of(fact(UrlFacts.requested(1))));
        REDIS.command("SCRIPT FLUSH");
        assertThat(ledger.lookUp(run, List.of(URL))).containsExactly(UrlFacts.requested(1));
        REDIS.command("SCRIPT FLUSH");
        assertThat(ledger.learn(run, List.of(fact(UrlFacts.requested(0))))).containsExactly(UrlFacts.requested(1));
    }

    @Test
    void fiftyThousandEntriesInOneCallKeepTheirOrder() {
        List<Fact> facts = IntStream.range(0, 50_000).mapToObj(
                i -> new Fact(Fingerprint.of("https://example.org/" + i % 40_000), UrlFacts.responded(i % 250, i)))
                .toList();
        List<UrlFacts> before = ledger.learn(run, facts);
        assertThat(before.subList(0, 40_000)).containsOnly(UrlFacts.NOTHING);
        assertThat(before.subList(40_000, 50_000))
                .isEqualTo(facts.subList(0, 10_000).stream().map(Fact::facts).toList());
        List<UrlFacts> known = ledger.lookUp(run, facts.stream().map(Fact::request).toList());
        assertThat(known.subList(10_000, 40_000))
                .isEqualTo(facts.subList(10_000, 40_000).stream().map(Fact::facts).toList());
        assertThat(known.get(0)).isEqualTo(facts.get(0).facts().and(facts.get(40_000).facts()));
    }

    @Test
    void aForgottenRunLeavesNoKeyAndOtherRunsKeepTheirs() {
        CrawlRun next = CrawlRun.parse(run.crawl() + "/2");
        List<Fact> facts = facts(0, 5000);
        ledger.learn(run, facts);
        ledger.learn(next, facts);
        ledger.forget(run);
        assertThat(REDIS.keys(NAMESPACE + "ledger:" + run.crawl() + ":1:*")).isEmpty();
        assertThat(ledger.lookUp(run, urls(facts))).containsOnly(UrlFacts.NOTHING);
        assertThat(ledger.lookUp(next, urls(facts))).containsOnly(UrlFacts.requested(1));
    }

    @ParameterizedTest
    @CsvSource({"3, 4", "300, 4", "30000, 25"})
    void forgettingTouchesTheHashesThatAreThere(int urls, int calls) {
        ledger.learn(run, facts(0, urls));
        long scripts = REDIS.calls("evalsha");
        ledger.forget(run);
        assertThat(REDIS.calls("evalsha") - scripts).isBetween(1L, (long) calls);
        ledger.learn(run, facts(urls, urls + 2));
        ledger.forget(run);
        assertThat(REDIS.keys(NAMESPACE + "ledger:" + run.crawl() + ":1:*")).as("what was learnt late, too").isEmpty();
    }

    /** The deletion of many hashes takes many calls, between which the process may be killed. */
    @Test
    void theNextCallContinuesADeletionThatWasCutOff() {
        ledger.learn(run, facts(0, 20_000));
        IntStream.range(0, 4).forEach(digit -> REDIS.command("UNLINK " + hash(run) + "120" + digit));
        REDIS.command("HDEL " + hash(run) + "120 \"\"");
        ledger.learn(run, facts(20_000, 20_001));
        STORE.ledger().forget(run);
        assertThat(REDIS.keys(NAMESPACE + "ledger:" + run.crawl() + ":1:*")).isEmpty();
    }

    private static List<Fingerprint> urls(List<Fact> facts) {
        return facts.stream().map(Fact::request).toList();
    }

    private static List<Fact> facts(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> new Fact(Fingerprint.of("https://example.org/" + i), UrlFacts.requested(1))).toList();
    }

    @Test
    void runsThatAreOverAreForgottenTogetherAndOnce() {
        CrawlRun third = new CrawlRun(run.crawl(), 3);
        for (int epoch = 1; epoch <= 3; epoch++) {
            ledger.learn(new CrawlRun(run.crawl(), epoch), List.of(fact(UrlFacts.requested(1))));
        }
        ledger.forgetThrough(new CrawlRun(run.crawl(), 2));
        assertThat(ledger.lookUp(third, List.of(URL))).containsExactly(UrlFacts.requested(1));
        ledger.forgetThrough(third);
        assertThat(REDIS.keys(NAMESPACE + "ledger:" + run.crawl() + ":*")).isEmpty();
        ledger.learn(run, List.of(fact(UrlFacts.requested(1))));
        ledger.forgetThrough(third);
        assertThat(ledger.lookUp(run, List.of(URL))).as("recorded as done").containsExactly(UrlFacts.requested(1));
        ledger.forget(run);
    }

    @Test
    void aProcessThatKnowsNoneOrOlderHashesFindsTheFacts() {
        ledger.learn(run, facts(0, 10));
        Ledger other = STORE.ledger();
        for (int from = 10; from < 20_000; from += 999) {
            other.learn(run, facts(from, from + 999));
        }
        assertThat(ledger.lookUp(run, urls(facts(0, 20_000)))).containsOnly(UrlFacts.requested(1));
        assertThat(STORE.ledger().learn(run, facts(0, 20_000))).containsOnly(UrlFacts.requested(1));
        assertThat(STORE.ledger().lookUp(run, List.of(Fingerprint.of("https://example.org/new"))))
                .containsExactly(UrlFacts.NOTHING);
    }

    /** Someone who wants it finds URLs whose ids begin alike. */
    @Test
    void urlsWhoseIdsBeginAlikeAreKnownAndOthersStayQuick() {
        List<Fact> alike = IntStream.range(0, 3000)
                .mapToObj(i -> new Fact(new Fingerprint(0x1234_5678_9000_0000L + i * 7, i), UrlFacts.requested(1)))
                .toList();
        ledger.learn(run, alike);
        ledger.learn(run, facts(0, 3000));
        assertThat(ledger.lookUp(run, urls(alike))).containsOnly(UrlFacts.requested(1));
        ledger.lookUp(run, urls(facts(0, 100)));
        long scripts = REDIS.calls("evalsha");
        assertThat(ledger.lookUp(run, urls(facts(0, 100)))).containsOnly(UrlFacts.requested(1));
        assertThat(REDIS.calls("evalsha") - scripts).isLessThan(3);
        ledger.forget(run);
        assertThat(REDIS.keys(NAMESPACE + "ledger:" + run.crawl() + ":1:*")).isEmpty();
    }

    @Test
    void aCopyEndsWhereAnotherOneHasBegun() {
        CrawlRun next = CrawlRun.parse(run.crawl() + "-retry-1/1");
        ledger.learn(run, facts(0, 3000));
        ledger.continueRun(run, next, urls(facts(0, 5)));
        assertThat(ledger.lookUp(next, urls(facts(0, 5)))).containsOnly(UrlFacts.NOTHING);
        assertThat(ledger.lookUp(next, urls(facts(5, 3000)))).containsOnly(UrlFacts.requested(1));
        REDIS.command("SET " + hash(next).replaceFirst("f$", "continues") + " 2");
        assertThatIllegalStateException().isThrownBy(() -> ledger.continueRun(run, next, List.of()))
                .withMessageContaining("gets the facts of a later run, or from another coordinator");
        assertThat(ledger.lookUp(next, urls(facts(5, 3000)))).containsOnly(UrlFacts.requested(1));
    }

    @Test
    void factsOfAnotherKafkaOrNamespaceAreInvisible() {
        ledger.learn(run, List.of(fact(UrlFacts.requested(1))));
        for (String[] other : new String[][]{{NAMESPACE, "cluster", "topic2"}, {NAMESPACE, "cluster2", "topic"},
                {"x" + NAMESPACE, "cluster", "topic"}}) {
            try (RedisStore store = RedisStore.connect(RedisServers.at(REDIS.url()), other[0], other[1], other[2],
                    Time.system())) {
                assertThat(store.ledger().lookUp(run, List.of(URL))).containsExactly(UrlFacts.NOTHING);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1000", "30000", "200000"})
    void aUrlTakesFewBytesInARunOfAnySize(int urls) {
        double known = bytesPerUrl("known-only/", urls, UrlFacts.requested(0));
        double done = bytesPerUrl("with-facts/", urls, UrlFacts.requested(1).and(UrlFacts.responded(1, 123_456_789)));
        double all = bytesPerUrl("all-facts/", urls,
                UrlFacts.requested(2).and(UrlFacts.responded(2, 123_456_789)).and(UrlFacts.responded(1, 234_567_890)));
        org.slf4j.LoggerFactory.getLogger(RedisLedgerIT.class)
                .info("bytes per URL of {}: known {}, with facts {}, in the longest form {}", urls, known, done, all);
        // With the buffers of connections, and with the server's table of keys.
        assertThat(known).isLessThan(22);
        assertThat(done).isLessThan(26);
        assertThat(all).isLessThan(33);
    }

    private double bytesPerUrl(String name, int urls, UrlFacts facts) {
        List<CrawlRun> runs = IntStream.rangeClosed(1, Math.max(1, 60_000 / urls))
                .mapToObj(i -> CrawlRun.parse(name + i)).toList();
        List<Fact> all = facts(0, urls).stream().map(fact -> new Fact(fact.request(), facts)).toList();
        ledger.learn(run, all);
        long before = REDIS.info("used_memory");
        runs.forEach(measured -> ledger.learn(measured, all));
        long after = REDIS.info("used_memory");
        assertThat(REDIS.keys(NAMESPACE + "ledger:" + runs.getFirst().crawl() + ":1:*:f*").subList(0, 2))
                .allSatisfy(key -> assertThat(REDIS.command("OBJECT ENCODING " + key)).isIn("ziplist", "listpack"));
        runs.forEach(ledger::forget);
        ledger.forget(run);
        return (after - before) / (double) (runs.size() * urls);
    }

    private static Fact fact(UrlFacts facts) {
        return new Fact(URL, facts);
    }
}
