package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import java.util.Collections;
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
    private final Ledger ledger = STORE.ledger(16);

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
    void anEntryTakesOneSevenOrTwelveBytes() {
        ledger.learn(run, List.of(fact(UrlFacts.requested(3))));
        assertThat(storedBytes()).isEqualTo(1);
        ledger.learn(run, List.of(fact(UrlFacts.responded(3, 1L << 33))));
        assertThat(storedBytes()).isEqualTo(7);
        ledger.learn(run, List.of(fact(UrlFacts.responded(2, (1L << 33) + 1))));
        assertThat(storedBytes()).isEqualTo(12);
        assertThat(ledger.lookUp(run, List.of(URL))).containsExactly(new UrlFacts(3, 1L << 33, 2, (1L << 33) + 1));
    }

    private int storedBytes() {
        return REDIS.command("HVALS " + NAMESPACE + "ledger:" + run.crawl() + ":1:" + incarnation() + ":{0}:0")
                .length();
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
        List<Fingerprint> urls = IntStream.range(0, 1000).mapToObj(i -> Fingerprint.of("https://example.org/" + i))
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
        List<Fact> facts = facts(0, 500);
        Ledger wide = STORE.ledger(3000);
        wide.learn(run, facts);
        wide.learn(next, facts);
        wide.forget(run);
        assertThat(REDIS.keys(NAMESPACE + "ledger:" + run.crawl() + ":1:*")).isEmpty();
        assertThat(wide.lookUp(run, List.of(facts.getFirst().request()))).containsExactly(UrlFacts.NOTHING);
        assertThat(wide.lookUp(next, List.of(facts.getFirst().request()))).containsExactly(UrlFacts.requested(1));
    }

    @ParameterizedTest
    @CsvSource({"3, 4", "20, 4", "30000, 100"})
    void forgettingTouchesTheHashesThatAreThere(int urls, int calls) {
        Ledger wide = STORE.ledger(65_536);
        CrawlRun other = new CrawlRun(run.crawl(), 2);
        wide.learn(other, facts(0, 10));
        wide.learn(run, facts(0, urls));
        long scripts = REDIS.calls("evalsha");
        long unlinked = REDIS.calls("unlink");
        wide.forget(run);
        assertThat(REDIS.calls("evalsha") - scripts).isBetween(1L, (long) calls);
        assertThat(REDIS.calls("unlink") - unlinked).isBetween(urls > 500 ? 60L : urls, urls > 500 ? 100L : urls + 20L);
        wide.learn(run, facts(urls, urls + 2));
        wide.forget(run);
        assertThat(REDIS.keys(NAMESPACE + "ledger:" + run.crawl() + ":1:*")).as("what was learnt late, too").isEmpty();
        assertThat(wide.lookUp(other, facts(0, 10).stream().map(Fact::request).toList()))
                .containsOnly(UrlFacts.requested(1));
        wide.forget(other);
    }

    /** The deletion of many hashes takes many calls, between which the process may be killed. */
    @Test
    void theNextCallContinuesADeletionThatWasCutOff() {
        Ledger wide = STORE.ledger(65_536);
        wide.learn(run, facts(0, 2000));
        String prefix = NAMESPACE + "ledger:" + run.crawl() + ":1:" + incarnation() + ":{0}:";
        REDIS.command("RENAME " + prefix + "marked " + prefix + "all");
        wide.learn(run, facts(2000, 2001));
        STORE.ledger(65_536).forget(run);
        assertThat(REDIS.keys(NAMESPACE + "ledger:" + run.crawl() + ":1:*")).isEmpty();
    }

    private static List<Fact> facts(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> new Fact(Fingerprint.of("https://example.org/" + i), UrlFacts.requested(1))).toList();
    }

    @Test
    void runsThatAreOverAreForgottenTogetherAndOnce() {
        Ledger wide = STORE.ledger(3000);
        CrawlRun third = new CrawlRun(run.crawl(), 3);
        for (int epoch = 1; epoch <= 3; epoch++) {
            wide.learn(new CrawlRun(run.crawl(), epoch), List.of(fact(UrlFacts.requested(1))));
        }
        wide.forgetThrough(new CrawlRun(run.crawl(), 2));
        assertThat(wide.lookUp(third, List.of(URL))).containsExactly(UrlFacts.requested(1));
        wide.forgetThrough(third);
        assertThat(REDIS.keys(NAMESPACE + "ledger:" + run.crawl() + ":*")).isEmpty();
        wide.learn(run, List.of(fact(UrlFacts.requested(1))));
        wide.forgetThrough(third);
        assertThat(wide.lookUp(run, List.of(URL))).as("recorded as done").containsExactly(UrlFacts.requested(1));
        wide.forget(run);
    }

    @Test
    void anotherNumberOfBucketsDoesNotHideTheFactsOfARun() {
        List<Fingerprint> urls = IntStream.range(0, 200).mapToObj(i -> Fingerprint.of("https://example.org/" + i))
                .toList();
        ledger.learn(run, urls.stream().map(url -> new Fact(url, UrlFacts.requested(1))).toList());
        assertThat(STORE.ledger(1_000_000).lookUp(run, urls))
                .isEqualTo(Collections.nCopies(200, UrlFacts.requested(1)));
    }

    @Test
    void factsOfAnotherKafkaOrNamespaceAreInvisible() {
        ledger.learn(run, List.of(fact(UrlFacts.requested(1))));
        for (String[] other : new String[][]{{NAMESPACE, "cluster", "topic2"}, {NAMESPACE, "cluster2", "topic"},
                {"x" + NAMESPACE, "cluster", "topic"}}) {
            try (RedisStore store = RedisStore.connect(RedisServers.at(REDIS.url()), other[0], other[1], other[2],
                    Time.system())) {
                assertThat(store.ledger(16).lookUp(run, List.of(URL))).containsExactly(UrlFacts.NOTHING);
            }
        }
    }

    @Test
    void aUrlTakesFewBytes() {
        double known = bytesPerUrl("known-only/1", UrlFacts.requested(0));
        double done = bytesPerUrl("with-facts/1", UrlFacts.requested(1).and(UrlFacts.responded(1, 123_456_789)));
        double all = bytesPerUrl("all-facts/1",
                UrlFacts.requested(2).and(UrlFacts.responded(2, 123_456_789)).and(UrlFacts.responded(1, 234_567_890)));
        org.slf4j.LoggerFactory.getLogger(RedisLedgerIT.class)
                .info("bytes per URL: known {}, with facts {}, in the longest form {}", known, done, all);
        assertThat(known).isLessThan(16);
        assertThat(done).isLessThan(24);
        assertThat(all).isLessThan(30);
    }

    private double bytesPerUrl(String name, UrlFacts facts) {
        int urls = 200_000;
        CrawlRun measured = CrawlRun.parse(name);
        Ledger wide = STORE.ledger(urls / 240);
        long before = REDIS.info("used_memory");
        wide.learn(measured, IntStream.range(0, urls)
                .mapToObj(i -> new Fact(Fingerprint.of("https://example.org/" + i), facts)).toList());
        long after = REDIS.info("used_memory");
        assertThat(REDIS.command(
                "OBJECT ENCODING " + NAMESPACE + "ledger:" + measured.crawl() + ":1:" + incarnation() + ":{0}:5"))
                .isIn("ziplist", "listpack");
        wide.forget(measured);
        return (after - before) / (double) urls;
    }

    private static Fact fact(UrlFacts facts) {
        return new Fact(URL, facts);
    }
}
