package io.trawl.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.Ledger.Fact;
import io.trawl.model.CrawlRun;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CachedLedgerTest {
    private static final List<Fingerprint> URLS = IntStream.range(0, 100)
            .mapToObj(number -> Fingerprint.of("https://example.org/" + number)).toList();
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private final MapLedger truth = new MapLedger();
    private boolean valid = true;
    private final CachedLedger cached = new CachedLedger(truth, 1000, () -> valid);

    @Test
    void aLearnedUrlIsSurelyKnownAtThatDepthAndDeeper() {
        Fingerprint url = Fingerprint.of("https://example.org/");
        assertThat(cached.surelyKnown(RUN, url, 9)).isFalse();
        cached.learn(RUN, List.of(new Fact(url, UrlFacts.requested(2))));
        assertThat(cached.surelyKnown(RUN, url, 1)).isFalse();
        assertThat(cached.surelyKnown(RUN, url, 2)).isTrue();
        assertThat(cached.surelyKnown(RUN, url, 3)).isTrue();
    }

    @Test
    void factsOfOtherProcessesAreKnownOnlyAfterALookup() {
        Fingerprint url = Fingerprint.of("https://example.org/a");
        truth.learn(RUN, List.of(new Fact(url, UrlFacts.responded(1, 77))));
        assertThat(cached.surelyKnown(RUN, url, 1)).isFalse();
        assertThat(cached.lookUp(RUN, List.of(url))).containsExactly(UrlFacts.responded(1, 77));
        assertThat(cached.surelyKnown(RUN, url, 1)).isTrue();
    }

    /** A process that slept, and does not know yet whether its topics are still there. */
    @Test
    void aCacheAboutTopicsThatMayBeGoneSaysNothing() {
        Fingerprint url = Fingerprint.of("https://example.org/asleep");
        cached.learn(RUN, List.of(new Fact(url, UrlFacts.requested(0))));
        valid = false;
        assertThat(cached.surelyKnown(RUN, url, 0)).isFalse();
        valid = true;
        assertThat(cached.surelyKnown(RUN, url, 0)).isTrue();
    }

    @Test
    void runsAreKeptApart() {
        Fingerprint url = Fingerprint.of("https://example.org/b");
        cached.learn(RUN, List.of(new Fact(url, UrlFacts.requested(0))));
        assertThat(cached.surelyKnown(CrawlRun.parse("docs/2"), url, 9)).isFalse();
        assertThat(cached.surelyKnown(CrawlRun.parse("other/1"), url, 9)).isFalse();
    }

    @Test
    void aForgottenRunLeavesNothingInTheCache() {
        Fingerprint url = Fingerprint.of("https://example.org/c");
        cached.learn(RUN, List.of(new Fact(url, UrlFacts.requested(0))));
        cached.forget(RUN);
        assertThat(cached.surelyKnown(RUN, url, 9)).isFalse();
    }

    @Test
    void theCacheStaysCorrectWhenTheStoreHasLostEverything() {
        Fingerprint url = Fingerprint.of("https://example.org/d");
        cached.learn(RUN, List.of(new Fact(url, UrlFacts.requested(1))));
        truth.forget(RUN);
        assertThat(cached.lookUp(RUN, List.of(url))).containsExactly(UrlFacts.NOTHING);
        assertThat(cached.surelyKnown(RUN, url, 1)).isTrue();
    }

    @Property
    void aSmallCacheEvictsEntriesButNeverContradictsTheLedger(
            @ForAll @Size(max = 200) List<@IntRange(max = 99) Integer> urls, @ForAll @IntRange(max = 40) int entries) {
        MapLedger ledger = new MapLedger();
        CachedLedger small = new CachedLedger(ledger, entries, () -> true);
        for (int i = 0; i < urls.size(); i++) {
            small.learn(RUN, List.of(new Fact(url(urls.get(i)), UrlFacts.requested(i % 7))));
            for (int n = 0; n < 100; n++) {
                for (int depth = 0; depth < 7; depth++) {
                    if (small.surelyKnown(RUN, url(n), depth)) {
                        assertThat(LedgerRules.nearer(ledger.lookUp(RUN, List.of(url(n))).getFirst(), depth)).isFalse();
                    }
                }
            }
            assertThat(small.surelyKnown(RUN, url(urls.get(i)), 7)).as("the latest").isTrue();
        }
    }

    @Test
    void manyUrlsFitAndTheOldestAreEvicted() {
        CachedLedger big = new CachedLedger(truth, 10_000, () -> true);
        List<Fact> facts = IntStream.range(0, 20_000)
                .mapToObj(i -> new Fact(Fingerprint.of("https://example.org/" + i), UrlFacts.requested(0))).toList();
        facts.forEach(fact -> big.learn(RUN, List.of(fact)));
        assertThat(remembered(big, facts)).isBetween(9_900L, 10_000L);
        assertThat(remembered(big, facts.subList(15_000, 20_000))).isGreaterThan(4_500);
        assertThat(remembered(big, facts.subList(0, 5_000))).isLessThan(500);
    }

    private static long remembered(CachedLedger ledger, List<Fact> facts) {
        return facts.stream().filter(fact -> ledger.surelyKnown(RUN, fact.request(), 0)).count();
    }

    private static Fingerprint url(int number) {
        return URLS.get(number);
    }
}
