package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.MapLedger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Announcements to the ledger, and the behaviour while the ledger is unavailable. */
class AnnouncementsTest {
    @Test
    void requestsAreAnnouncedAfterTheCommitAndNotBefore() {
        MapLedger ledger = new MapLedger();
        try (Bench bench = Bench.with(ledger)) {
            Written w = bench.handle(page(5, request(A, 1), linking("/b")));
            assertThat(ledger.lookUp(Fixtures.RUN, List.of(Fingerprint.of(B)))).containsExactly(UrlFacts.NOTHING);
            w.outgoing().committed().run();
            assertThat(ledger.lookUp(Fixtures.RUN, List.of(Fingerprint.of(B)))).containsExactly(UrlFacts.requested(2));
        }
    }

    /** A ledger that becomes unavailable. */
    private static final class UnavailableLedger implements Ledger {
        private final MapLedger ledger = new MapLedger();
        private boolean unavailable;

        @Override
        public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
            return ledger.lookUp(run, urls);
        }

        @Override
        public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
            if (unavailable) {
                throw new LedgerUnavailableException("unavailable", new IllegalStateException());
            }
            return ledger.learn(run, facts);
        }

        @Override
        public void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
            ledger.continueRun(from, to, without);
        }

        @Override
        public void forget(CrawlRun run) {
            ledger.forget(run);
        }
    }

    @Test
    void aFailedAnnouncementIsDropped() {
        UnavailableLedger ledger = new UnavailableLedger();
        try (Bench bench = Bench.with(ledger)) {
            Written w = bench.handle(page(5, request(A, 1), linking("/b")));
            ledger.unavailable = true;
            w.outgoing().committed().run();
            assertThat(bench.counters.counts().completed()).isEqualTo(1);
        }
    }

    @Test
    void withoutTheLedgerNothingIsDecided() {
        UnavailableLedger ledger = new UnavailableLedger();
        ledger.unavailable = true;
        try (Bench bench = Bench.with(ledger)) {
            assertThatThrownBy(() -> bench.handle(page(5, request(A, 1), "")))
                    .isInstanceOf(LedgerUnavailableException.class);
            ledger.unavailable = false;
            assertThat(bench.commit(page(5, request(A, 1), "")).items()).hasSize(1);
            assertThat(bench.counters.counts().handling()).isZero();
            assertThat(bench.counters.counts().returned()).isEqualTo(1);
        }
    }

    @Test
    void aDuplicateIsOnlyAnswered() {
        MapLedger ledger = new MapLedger();
        try (Bench bench = Bench.with(ledger)) {
            Written w = bench.commit(outcome(5, request(A, 1), new Outcome.Duplicate()));
            assertThat(w.outgoing().records()).hasSize(1);
            assertThat(w.ledger().answered()).containsExactly(
                    new AnsweredRequest(request(A, 1).id(), OutcomeKind.DUPLICATE, "DUPLICATE", false));
            assertThat(ledger.lookUp(Fixtures.RUN, List.of(Fingerprint.of(A)))).containsExactly(UrlFacts.NOTHING);
        }
    }
}
