package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.Answered;
import io.trawl.ledger.LedgerRecord.Emitted;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.RequestId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class TalliesTest {
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 2);
    private final Tallies tallies = new Tallies();

    @Test
    void everyKindOfAnswerIsCountedInItsPlace() {
        add(emitted(RUN, 1, 2, 3, 4, 5, 6, 7, 8));
        add(answered(OutcomeKind.PAGE, "200", true, 1));
        add(answered(OutcomeKind.PAGE, "200", false, 2));
        add(answered(OutcomeKind.REDIRECT, "301", true, 3));
        add(answered(OutcomeKind.HTTP_ERROR, "404", true, 4));
        add(answered(OutcomeKind.FAILURE, "TIMEOUT", true, 5));
        add(answered(OutcomeKind.REFUSED, "ROBOTS", true, 6));
        add(answered(OutcomeKind.DUPLICATE, "DUPLICATE", false, 7));
        RunStanding standing = tallies.standing(RUN);
        assertThat(standing.totals()).isEqualTo(new Totals(8, 1, 1, 1, 1, 1, 1, 1, 1, 7));
        assertThat(standing.errorsByKind()).isEqualTo(Map.of("HTTP_ERROR 404", 1L, "FAILURE TIMEOUT", 1L));
        assertThat(standing.refusals()).isEqualTo(Map.of(RefusalReason.ROBOTS, 1L));
        assertThat(standing.waitingByPriority()).isEqualTo(Map.of(0, 1L));
        assertThat(standing.nothingWaits()).isFalse();
        // Eight requests were of six URLs: one was answered by another's page, one by a DUPLICATE.
        assertThat(tallies.urls()).isEqualTo(6);
    }

    @Test
    void aRepeatedAnswerAndOneToAnUnknownIdCountForNothing() {
        add(emitted(RUN, 1));
        add(answered(OutcomeKind.FAILURE, "DNS", true, 1));
        add(answered(OutcomeKind.PAGE, "200", true, 1));
        add(answered(OutcomeKind.PAGE, "200", true, 99));
        assertThat(tallies.standing(RUN).totals().failures()).isEqualTo(1);
        assertThat(tallies.standing(RUN).totals().pages()).isZero();
        assertThat(tallies.standing(RUN).nothingWaits()).isTrue();
    }

    @Test
    void aRecordOfAnOlderRunIsDroppedAndANewerOneBeginsAnew() {
        CrawlRun next = new CrawlRun(RUN.crawl(), 3);
        add(emitted(RUN, 1));
        add(emitted(next, 2));
        add(emitted(RUN, 3));
        assertThat(tallies.standing(RUN)).isEqualTo(RunStanding.NONE);
        assertThat(tallies.standing(next).totals().emitted()).isEqualTo(1);
        assertThat(tallies.urls()).isEqualTo(1);
    }

    @Test
    void theRecordThatClosesADeletedCrawlLeavesItsTrafficAndNothingElse() {
        add(emitted(RUN, 1, 2));
        add(emitted(new CrawlRun(RUN.crawl(), 3)));
        add(answered(OutcomeKind.PAGE, "200", true, 1));
        assertThat(tallies.standing(RUN)).isEqualTo(RunStanding.NONE);
        assertThat(tallies.traffic().levels()).isEqualTo(Map.of(0, new LevelCounts(2, 0, 0, 2)));
    }

    @Test
    void aStraySeedIsNamedOnceAndRefusalsAddUp() {
        LedgerRecord stray = new LedgerRecord(RUN, List.of(), List.of(), Map.of(RefusalReason.DOMAIN, 3),
                List.of(new StraySeed("a", "b", "c")), 0);
        add(stray);
        add(stray);
        assertThat(tallies.standing(RUN).straySeeds()).hasSize(1);
        assertThat(tallies.standing(RUN).refusals()).isEqualTo(Map.of(RefusalReason.DOMAIN, 6L));
    }

    @Property(tries = 300)
    void whatIsEmittedIsAlwaysTheSumOfAnswersAndWhatWaits(@ForAll("ledgers") List<LedgerRecord> ledger) {
        Tallies any = new Tallies();
        for (LedgerRecord entry : ledger) {
            any.add(entry, Instant.EPOCH, Instant.EPOCH);
            Totals t = any.standing(RUN).totals();
            assertThat(t.emitted())
                    .isEqualTo(t.pages() + t.repeats() + t.redirects() + t.httpErrors() + t.failures() + t.refused()
                            + t.duplicates() + t.waiting());
            assertThat(any.standing(RUN).waitingByPriority().values().stream().mapToLong(n -> n).sum()).isEqualTo(t.waiting());
            assertThat(any.traffic().levels().values()).allMatch(l -> l.pushed() == l.popped() + l.waiting() && l.popped() >= 0);
            assertThat(any.traffic().levels().values().stream().mapToLong(LevelCounts::pushed).sum()).isEqualTo(t.emitted());
            assertThat(any.traffic().levels().values().stream().mapToLong(LevelCounts::waiting).sum()).isEqualTo(t.waiting());
        }
    }

    @Test
    void theTrafficOfALevelOutlivesARunAndNamesWhatThatLeftUndone() {
        CrawlRun next = new CrawlRun(RUN.crawl(), 3);
        CrawlRun other = new CrawlRun(new CrawlId("other"), 1);
        add(new LedgerRecord(RUN, List.of(new Emitted(new RequestId(1), 2, 0), new Emitted(new RequestId(2), 2, 0)),
                List.of(), Map.of(RefusalReason.CHANNEL_FULL, 4), List.of(), 0));
        add(answered(OutcomeKind.PAGE, "200", true, 1));
        add(new LedgerRecord(next, List.of(new Emitted(new RequestId(3), 2, 0)), List.of(),
                Map.of(RefusalReason.CHANNEL_FULL, 1), List.of(), 0));
        add(new LedgerRecord(other, List.of(new Emitted(new RequestId(4), 0, 0)), List.of(), Map.of(), List.of(), 0));
        add(answered(OutcomeKind.PAGE, "200", true, 2));
        assertThat(tallies.traffic().levels())
                .isEqualTo(Map.of(2, new LevelCounts(3, 1, 1, 1), 0, new LevelCounts(1, 0, 1, 0)));
        assertThat(tallies.traffic().refusals()).isEqualTo(Map.of(RefusalReason.CHANNEL_FULL, 5L));
    }

    @Provide
    Arbitrary<List<LedgerRecord>> ledgers() {
        Arbitrary<RequestId> ids = Arbitraries.longs().between(1, 30).map(RequestId::new);
        Arbitrary<Emitted> emitted = Combinators.combine(ids, Arbitraries.integers().between(0, 9))
                .as((id, p) -> new Emitted(id, p, 0));
        Arbitrary<Answered> answered = Combinators.combine(ids, Arbitraries.of(OutcomeKind.class), Arbitraries.of(true, false))
                .as((id, kind, stored) -> new Answered(id, kind, "404", stored));
        return Combinators.combine(emitted.list().ofMaxSize(5), answered.list().ofMaxSize(5))
                .as((e, a) -> new LedgerRecord(RUN, e, a, Map.of(), List.of(), 0)).list().ofMaxSize(30);
    }

    private static LedgerRecord emitted(CrawlRun run, long... ids) {
        List<Emitted> list = java.util.Arrays.stream(ids).mapToObj(id -> new Emitted(new RequestId(id), 0, 0)).toList();
        return new LedgerRecord(run, list, List.of(), Map.of(), List.of(), 0);
    }

    private static LedgerRecord answered(OutcomeKind kind, String detail, boolean stored, long id) {
        return new LedgerRecord(RUN, List.of(), List.of(new Answered(new RequestId(id), kind, detail, stored)), Map.of(),
                List.of(), 1);
    }

    private void add(LedgerRecord record) {
        tallies.add(record, Instant.EPOCH, Instant.EPOCH);
    }
}
