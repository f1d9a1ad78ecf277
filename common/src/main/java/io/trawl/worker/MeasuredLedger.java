package io.trawl.worker;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** A ledger whose calls are counted and timed. */
final class MeasuredLedger implements Ledger {
    private final Ledger ledger;
    private final Timer lookUps;
    private final Timer learning;
    private final Counter urls;
    private final Counter failures;

    MeasuredLedger(Ledger ledger, MeterRegistry meters) {
        this.ledger = ledger;
        this.lookUps = timer(meters, "look-up");
        this.learning = timer(meters, "learn");
        this.urls = Counter.builder("trawl.ledger.urls").description("URLs in calls of the ledger").register(meters);
        this.failures = Counter.builder("trawl.ledger.failures")
                .description("Calls of the ledger that Redis did not answer").register(meters);
    }

    private static Timer timer(MeterRegistry meters, String call) {
        return Timer.builder("trawl.ledger.calls").description("Calls of the ledger in Redis").tag("call", call)
                .serviceLevelObjectives(Duration.ofMillis(1), Duration.ofMillis(3), Duration.ofMillis(10),
                        Duration.ofMillis(30), Duration.ofMillis(100), Duration.ofMillis(300), Duration.ofSeconds(1),
                        Duration.ofSeconds(10))
                .register(meters);
    }

    private <T> T timed(Timer timer, int size, Supplier<T> call) {
        urls.increment(size);
        Timer.Sample sample = Timer.start();
        try {
            return call.get();
        } catch (LedgerUnavailableException e) {
            failures.increment();
            throw e;
        } finally {
            sample.stop(timer);
        }
    }

    @Override
    public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> asked) {
        return timed(lookUps, asked.size(), () -> ledger.lookUp(run, asked));
    }

    @Override
    public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
        return timed(learning, facts.size(), () -> ledger.learn(run, facts));
    }

    @Override
    public void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
        ledger.continueRun(from, to, without);
    }

    @Override
    public void forgetThrough(CrawlRun last) {
        ledger.forgetThrough(last);
    }

    @Override
    public void forget(CrawlRun run) {
        ledger.forget(run);
    }

    @Override
    public boolean surelyKnown(CrawlRun run, Fingerprint url, int depth) {
        return ledger.surelyKnown(run, url, depth);
    }
}
