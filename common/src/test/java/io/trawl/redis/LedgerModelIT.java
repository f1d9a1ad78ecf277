package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.MapLedger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.lifecycle.AfterContainer;

/** The ledger in Redis behaves like a map of {@link UrlFacts#and}, for all facts and batches. */
class LedgerModelIT {
    private static final RedisStore STORE = TestRedis.shared().store(TestRedis.namespace());
    private static int runs;

    @AfterContainer
    static void close() {
        STORE.close();
    }

    @Property(tries = 300)
    void theLedgerIsAMapOfMinima(@ForAll("batches") List<List<Fact>> batches) {
        CrawlRun run = CrawlRun.parse("model/" + ++runs);
        Ledger real = STORE.ledger();
        Ledger model = new MapLedger();
        for (List<Fact> batch : batches) {
            assertThat(real.learn(run, batch)).isEqualTo(model.learn(run, batch));
        }
        assertThat(real.lookUp(run, urls())).isEqualTo(model.lookUp(run, urls()));
        CrawlRun next = CrawlRun.parse("next/" + runs);
        for (Ledger each : List.of(real, model)) {
            each.learn(next, List.of(new Fact(urls().get(2), UrlFacts.requested(0))));
            each.continueRun(run, next, urls().subList(3, 5));
        }
        assertThat(real.lookUp(next, urls())).isEqualTo(model.lookUp(next, urls()));
    }

    @Provide
    Arbitrary<List<List<Fact>>> batches() {
        Arbitrary<Integer> depth = Arbitraries.of(0, 1, 2, 10, 254, 255);
        Arbitrary<Long> offset = Arbitraries.of(0L, 1L, 2L, 255L, 256L, 1L << 32, (1L << 40) - 2, UrlFacts.NO_OFFSET);
        Arbitrary<UrlFacts> any = Combinators.combine(depth, offset, depth, offset).as(UrlFacts::new);
        Arbitrary<UrlFacts> usual = Combinators.combine(depth, offset).as(UrlFacts::responded);
        Arbitrary<UrlFacts> facts = Arbitraries.oneOf(any, usual, depth.map(UrlFacts::requested));
        return Combinators.combine(Arbitraries.of(urls()), facts).as(Fact::new).list().ofMaxSize(12).list()
                .ofMaxSize(5);
    }

    /** So many URLs that hashes split, of which many have the first bits in common, learnt by processes in turn. */
    @Property(tries = 12)
    void hashesThatSplitHaveTheSameFacts(@ForAll @LongRange(min = 0) long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CrawlRun run = CrawlRun.parse("model/" + ++runs);
        CrawlRun next = CrawlRun.parse("next/" + runs);
        long same = random.nextLong();
        List<Fingerprint> urls = IntStream.range(0, random.nextInt(100, 6000))
                .mapToObj(
                        _ -> new Fingerprint(random.nextBoolean() ? random.nextLong() : same ^ random.nextLong() >>> 11,
                                random.nextLong()))
                .toList();
        List<Ledger> processes = List.of(STORE.ledger(), STORE.ledger(), STORE.ledger());
        Ledger model = new MapLedger();
        for (int batch = 0; batch < 12; batch++) {
            List<Fact> facts = IntStream.range(0, random.nextInt(1, 1500))
                    .mapToObj(
                            _ -> new Fact(urls.get(random.nextInt(urls.size())), UrlFacts.requested(random.nextInt(9))))
                    .toList();
            assertThat(processes.get(random.nextInt(3)).learn(run, facts)).isEqualTo(model.learn(run, facts));
        }
        for (Ledger each : List.of(STORE.ledger(), model)) {
            each.continueRun(run, next, urls.subList(0, 50));
        }
        for (Ledger process : processes) {
            assertThat(process.lookUp(run, urls)).isEqualTo(model.lookUp(run, urls));
            assertThat(process.lookUp(next, urls)).isEqualTo(model.lookUp(next, urls));
        }
        processes.getFirst().forget(run);
        processes.getFirst().forget(next);
        assertThat(processes.getLast().lookUp(run, urls)).containsOnly(UrlFacts.NOTHING);
    }

    /** Fields whose bytes are awkward. */
    private static List<Fingerprint> urls() {
        return List.of(new Fingerprint(0, 0), new Fingerprint(-1, 0), new Fingerprint(0, -1),
                new Fingerprint(-1, 0x0D0A2224252A0000L), new Fingerprint(1, 42));
    }
}
