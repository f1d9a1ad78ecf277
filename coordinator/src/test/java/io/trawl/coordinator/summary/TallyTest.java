package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.summary.Traffic.LevelCounts;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.ledger.LedgerRecord.MovedRequest;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.ledger.RenderCounts;
import io.trawl.ledger.SeedDomains;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request.RequestId;
import io.trawl.testkit.DamagedRecords;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 2);
    private static final TopicPartition PARTITION = new TopicPartition("t.ledger", 3);
    private static final CrawlRun OTHER = new CrawlRun(new CrawlId("other"), 1);
    private final LedgerFollower follower = TallyFixture.unread(Time.system());
    private final Tally tally = follower.tally();

    @Test
    void everyKindOfAnswerIsCountedInItsPlace() {
        add(emitted(RUN, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
        add(emitted(RUN, 11, 12, 13)
                .withExempt(java.util.stream.LongStream.of(11, 12, 13).mapToObj(RequestId::new).toList()));
        add(answered(OutcomeKind.PAGE, "requisite 200", true, 11));
        add(answered(OutcomeKind.HTTP_ERROR, "requisite 404", true, 12));
        add(answered(OutcomeKind.PAGE, "source 200", true, 9));
        add(answered(OutcomeKind.HTTP_ERROR, "source 404", true, 10));
        add(answered(OutcomeKind.PAGE, "200", true, 1));
        add(answered(OutcomeKind.PAGE, "200", false, 2));
        add(answered(OutcomeKind.REDIRECT, "301", true, 3));
        add(answered(OutcomeKind.HTTP_ERROR, "404", true, 4));
        add(answered(OutcomeKind.FAILURE, "TIMEOUT", true, 5));
        add(answered(OutcomeKind.REFUSED, "ROBOTS", true, 6));
        add(answered(OutcomeKind.DUPLICATE, "DUPLICATE", false, 7));
        RunSnapshot snapshot = tally.snapshot(RUN);
        assertThat(snapshot.totals()).isEqualTo(new Totals(13, 1, 0, 0, 2, 2, 1, 1, 1, 1, 1, 1, 2, 1, 11, 1, 0,
                Optional.empty(), new ItemTotals(0, 0, 0, 0, 0)));
        assertThat(snapshot.errorsByKind()).isEqualTo(Map.of("HTTP_ERROR 404", 1L, "FAILURE TIMEOUT", 1L));
        assertThat(snapshot.refusals()).isEqualTo(Map.of(RefusalReason.ROBOTS, 1L));
        assertThat(snapshot.waitingByPriority()).isEqualTo(Map.of(0, 2L));
        assertThat(snapshot.nothingWaits()).isFalse();
        // Thirteen requests were of eleven URLs: one was answered by another's page, one by a DUPLICATE.
        assertThat(tally.urls()).isEqualTo(11);
    }

    @Test
    void aRequestIsUnavailableIfItsPageMayBeThere() {
        add(emitted(RUN, 1, 2, 3, 4, 5, 6, 7, 8));
        add(answered(OutcomeKind.HTTP_ERROR, "404", true, 1));
        add(answered(OutcomeKind.HTTP_ERROR, "410", true, 2));
        add(answered(OutcomeKind.HTTP_ERROR, "source 404", true, 3));
        add(answered(OutcomeKind.FAILURE, "CONNECT", false, 4));
        assertThat(tally.totals(RUN).unavailable()).isZero();
        add(answered(OutcomeKind.HTTP_ERROR, "503", true, 5));
        add(answered(OutcomeKind.HTTP_ERROR, "429", true, 6));
        add(answered(OutcomeKind.HTTP_ERROR, "source 503", true, 7));
        add(answered(OutcomeKind.FAILURE, "CONNECT", true, 8));
        assertThat(tally.totals(RUN).unavailable()).isEqualTo(4);
    }

    private static Map<String, Long> fields(long leftOut) {
        return Map.of("extract.items[0].fields.n", leftOut);
    }

    @Test
    void renderedPagesAreSummedUpAndARunWithoutThemHasNone() {
        add(emitted(RUN, 1));
        assertThat(tally.snapshot(RUN).totals().render()).isEmpty();
        RenderCounts one = new RenderCounts(2, 1, 900, 12, Map.of("SERVER", 3L));
        add(LedgerRecord.empty(RUN).rendered(Optional.of(one)));
        add(LedgerRecord.empty(RUN)
                .rendered(Optional.of(new RenderCounts(1, 0, 100, 1, Map.of("SERVER", 1L, "METHOD", 1L)))));
        Totals totals = tally.snapshot(RUN).totals();
        assertThat(totals.render()).contains(new RenderCounts(3, 1, 1000, 13, Map.of("SERVER", 4L, "METHOD", 1L)));
        assertThat(Totals.NONE.plus(totals).render()).isEqualTo(totals.render());
    }

    @Test
    void aRepeatedAnswerAndOneToAnUnknownIdCountForNothing() {
        add(emitted(RUN, 1));
        add(answered(OutcomeKind.FAILURE, "DNS", true, 1));
        add(answered(OutcomeKind.PAGE, "200", true, 1));
        add(answered(OutcomeKind.PAGE, "200", true, 99));
        assertThat(tally.snapshot(RUN).totals().failures()).isEqualTo(1);
        assertThat(tally.snapshot(RUN).totals().pages()).isZero();
        assertThat(tally.snapshot(RUN).nothingWaits()).isTrue();
    }

    @Test
    void aRecordOfAnOlderRunIsDroppedAndANewerRunResetsTheTotals() {
        CrawlRun next = new CrawlRun(RUN.crawl(), 3);
        add(emitted(RUN, 1));
        add(emitted(next, 2));
        add(emitted(RUN, 3));
        assertThat(tally.snapshot(RUN)).isEqualTo(RunSnapshot.NONE);
        assertThat(tally.snapshot(next).totals().emitted()).isEqualTo(1);
        assertThat(tally.urls()).isEqualTo(1);
    }

    @Test
    void theRecordThatClosesADeletedCrawlLeavesItsTrafficAndNothingElse() {
        add(emitted(RUN, 1, 2));
        add(emitted(new CrawlRun(RUN.crawl(), 3)));
        add(answered(OutcomeKind.PAGE, "200", true, 1));
        assertThat(tally.snapshot(RUN)).isEqualTo(RunSnapshot.NONE);
        assertThat(tally.traffic().levels()).isEqualTo(Map.of(0, new LevelCounts(2, 0, 0, 2)));
    }

    @Test
    void theTrafficIsThatOfTheLastRecordAndWhoeverListensIsToldOfItsRun() {
        List<CrawlRun> told = new ArrayList<>();
        follower.whenAdded(told::add);
        follower.add(record(0, emitted(RUN, 1)));
        assertThat(tally.traffic().levels()).isEqualTo(Map.of(0, new LevelCounts(1, 0, 1, 0)));
        follower.add(record(1, emitted(RUN, 2)));
        assertThat(tally.traffic().levels()).isEqualTo(Map.of(0, new LevelCounts(2, 0, 2, 0)));
        assertThat(told).as("after the whole poll").isEmpty();
        follower.moved(Map.of());
        assertThat(told).containsExactly(RUN);
        follower.moved(Map.of());
        assertThat(told).hasSize(1);
    }

    @Test
    void everyItemIsStoredDroppedOrRejectedOrWaits() {
        add(LedgerRecord.of(RUN,
                ItemCounts.written(7, Map.of("PARSE", 1L, "FIELD extract.items[0].fields.n", 4L, "ENTRY", 3L))));
        assertThat(items()).isEqualTo(new ItemTotals(7, 0, 0, 0, 7, fields(4), Map.of(), Map.of(), Map.of()));
        add(LedgerRecord.of(RUN,
                new ItemCounts(0, 2, Map.of("short: no text", 1L, "short: one word", 1L),
                        Map.of("score: IllegalStateException", 1L), Map.of("PROCESSOR", 2L),
                        Map.of("csv", 2L, "jsonl", 1L), Map.of("index", 1L), Map.of("chunks", 5L), Map.of())));
        add(LedgerRecord.of(RUN, ItemCounts.dropped("short", "no text").plus(ItemCounts.STORED)));
        assertThat(items()).isEqualTo(new ItemTotals(7, 3, 3, 1, 0, fields(4), Map.of("csv", 2L, "jsonl", 1L),
                Map.of("index", 1L), Map.of("chunks", 5L)));
        assertThat(items().plus(items())).as("of two crawls").isEqualTo(new ItemTotals(14, 6, 6, 2, 0, fields(8),
                Map.of("csv", 4L, "jsonl", 2L), Map.of("index", 2L), Map.of("chunks", 10L)));
        RunSnapshot snapshot = tally.snapshot(RUN);
        assertThat(snapshot.totals().entriesNotTaken()).isEqualTo(3);
        assertThat(snapshot.droppedItems()).isEqualTo(Map.of("short: no text", 2L, "short: one word", 1L));
        assertThat(snapshot.rejectedItems()).isEqualTo(Map.of("score: IllegalStateException", 1L));
        assertThat(snapshot.errorsByKind()).isEqualTo(Map.of("PARSE", 1L, "PROCESSOR", 2L));
    }

    @Test
    void reasonsThatPluginsInventForEachItemAreBounded() {
        IntStream.range(0, 300).forEach(i -> add(LedgerRecord.of(RUN, ItemCounts.dropped("short", "the URL is " + i))));
        assertThat(tally.snapshot(RUN).droppedItems()).hasSize(101).containsEntry("OTHER", 200L);
        assertThat(items().dropped()).isEqualTo(300);
    }

    private ItemTotals items() {
        return tally.snapshot(RUN).totals().items();
    }

    @Test
    void aStraySeedIsNamedOnceAndRefusalsAddUp() {
        LedgerRecord stray = new LedgerRecord(RUN, List.of(), List.of(), Map.of(RefusalReason.DOMAIN, 3),
                List.of(new StraySeed("a", "b", "c")), 0);
        add(stray);
        add(stray);
        assertThat(tally.snapshot(RUN).straySeeds()).hasSize(1);
        assertThat(tally.snapshot(RUN).refusals()).isEqualTo(Map.of(RefusalReason.DOMAIN, 6L));
    }

    @Test
    void refusalsByRuleAddUpAndAreBounded() {
        IntStream.range(0, 2100).forEach(i -> add(new LedgerRecord(RUN, List.of(), List.of(),
                Map.of(RefusalReason.EXCLUDED, 2), Map.of("scope.exclude: /" + i, 1), List.of(), 0, Optional.empty())));
        assertThat(tally.snapshot(RUN).refusalsByRule()).hasSize(2001).containsEntry("other rules", 100L)
                .containsEntry("scope.exclude: /1", 1L);
        add(new LedgerRecord(RUN, List.of(), List.of(), Map.of(), Map.of("scope.exclude: /1", 4), List.of(), 0,
                Optional.empty()));
        assertThat(tally.snapshot(RUN).refusalsByRule()).hasSize(2001).containsEntry("scope.exclude: /1", 5L);
    }

    @Property(tries = 300)
    void theEmittedRequestsAreAlwaysTheSumOfAnsweredAndWaitingOnes(@ForAll("ledgers") List<LedgerRecord> ledger) {
        Tally any = new Tally();
        for (LedgerRecord entry : ledger) {
            any.add(0, entry, Instant.EPOCH, Instant.EPOCH);
            Totals t = any.snapshot(RUN).totals();
            assertThat(t.emitted()).isEqualTo(t.pages() + t.unchanged() + t.sources() + t.requisites() + t.repeats()
                    + t.redirects() + t.httpErrors() + t.failures() + t.refused() + t.duplicates() + t.waiting());
            assertThat(any.snapshot(RUN).waitingByPriority().values().stream().mapToLong(n -> n).sum())
                    .isEqualTo(t.waiting());
            assertThat(any.traffic().levels().values())
                    .allMatch(l -> l.pushed() == l.popped() + l.waiting() && l.popped() >= 0);
            assertThat(any.traffic().levels().values().stream().mapToLong(LevelCounts::pushed).sum())
                    .as("what was moved is pushed once more")
                    .isEqualTo(t.emitted() + any.moved(RUN).values().stream().mapToLong(n -> n).sum());
            assertThat(any.traffic().levels().values().stream().mapToLong(LevelCounts::waiting).sum())
                    .isEqualTo(t.waiting());
        }
    }

    @Test
    void theTrafficOfALevelOutlivesARunAndNamesWhatThatLeftUndone() {
        CrawlRun next = new CrawlRun(RUN.crawl(), 3);
        CrawlRun other = new CrawlRun(new CrawlId("other"), 1);
        add(new LedgerRecord(RUN,
                List.of(new EmittedRequest(new RequestId(1), 2, 0), new EmittedRequest(new RequestId(2), 2, 0)),
                List.of(), Map.of(RefusalReason.CHANNEL_FULL, 4), List.of(), 0));
        add(answered(OutcomeKind.PAGE, "200", true, 1));
        add(new LedgerRecord(next, List.of(new EmittedRequest(new RequestId(3), 2, 0)), List.of(),
                Map.of(RefusalReason.CHANNEL_FULL, 1), List.of(), 0));
        add(new LedgerRecord(other, List.of(new EmittedRequest(new RequestId(4), 0, 0)), List.of(), Map.of(), List.of(),
                0));
        add(answered(OutcomeKind.PAGE, "200", true, 2));
        assertThat(tally.traffic().levels())
                .isEqualTo(Map.of(2, new LevelCounts(3, 1, 1, 1), 0, new LevelCounts(1, 0, 1, 0)));
        assertThat(tally.traffic().refusals()).isEqualTo(Map.of(RefusalReason.CHANNEL_FULL, 5L));
    }

    @Test
    void runsInDifferentPartitionsHaveTheSameSumsInWhateverOrderThePartitionsAreRead() {
        CrawlRun next = new CrawlRun(RUN.crawl(), RUN.epoch() + 1);
        List<LedgerRecord> former = List.of(emitted(RUN, 1), emitted(RUN, 2),
                answered(OutcomeKind.PAGE, "200", true, 1), LedgerRecord.empty(next),
                answered(OutcomeKind.PAGE, "200", true, 2));
        List<LedgerRecord> latter = List.of(emitted(next, 3), emitted(next, 4));
        Tally inOrder = new Tally();
        former.forEach(record -> inOrder.add(0, record, Instant.EPOCH, Instant.EPOCH));
        latter.forEach(record -> inOrder.add(5, record, Instant.EPOCH, Instant.EPOCH));
        Tally reversed = new Tally();
        latter.forEach(record -> reversed.add(5, record, Instant.EPOCH, Instant.EPOCH));
        former.forEach(record -> reversed.add(0, record, Instant.EPOCH, Instant.EPOCH));

        assertThat(reversed.traffic()).isEqualTo(inOrder.traffic());
        assertThat(reversed.traffic().levels().values())
                .as("a record behind the one that closes its run does not count")
                .containsExactly(new LevelCounts(4, 1, 2, 1));
        assertThat(reversed.snapshot(next)).isEqualTo(inOrder.snapshot(next));
        assertThat(reversed.snapshot(next).totals().waiting()).isEqualTo(2);
        assertThat(reversed.snapshot(RUN)).as("it is over").isEqualTo(RunSnapshot.NONE);
        assertThat(reversed.urls()).isEqualTo(2);
        assertThat(reversed.pagesOfDay(crawl -> true, Instant.EPOCH)).isEqualTo(1);
    }

    @Test
    void redeliveredRecordsCountOnce() {
        List<ConsumerRecord<byte[], byte[]>> records = List.of(record(0, emitted(RUN, 7)),
                record(1, answered(OutcomeKind.PAGE, "200", true, 7)));
        IntStream.range(0, 3).forEach(i -> records.forEach(follower::add));
        assertThat(tally.snapshot(RUN).totals().emitted()).isEqualTo(1);
        assertThat(tally.snapshot(RUN).totals().pages()).isEqualTo(1);
        assertThat(tally.snapshot(RUN).totals().waiting()).isZero();
        assertThat(tally.snapshot(RUN).totals().bytes()).isEqualTo(1);
    }

    @Test
    void aReaderThatFailedBetweenARecordAndItsPositionContinuesAfterTheRecord() {
        follower.add(record(0, emitted(RUN, 7)));
        assertThat(tally.reached(Map.of(PARTITION, 1L))).isTrue();
        assertThat(tally.reached(Map.of(PARTITION, 2L))).isFalse();
    }

    @Test
    void positionsMoveOverMarkersAndNeverGoBack() {
        follower.add(record(5, emitted(RUN, 7)));
        follower.moved(Map.of(PARTITION, new OffsetAndMetadata(7)));
        assertThat(tally.reached(Map.of(PARTITION, 7L))).isTrue();
        assertThat(tally.reached(Map.of(PARTITION, 8L))).isFalse();
        follower.moved(Map.of(PARTITION, new OffsetAndMetadata(6)));
        assertThat(tally.reached(Map.of(PARTITION, 7L))).isTrue();
        assertThat(tally.reached(Map.of(PARTITION, 8L))).isFalse();
    }

    @Test
    void unreadableRecordsAreSkipped() {
        addForeign(0, new byte[]{'x'});
        follower.add(record(1, emitted(RUN, 7)));
        assertThat(tally.snapshot(RUN).totals().emitted()).isEqualTo(1);
        assertThat(tally.reached(Map.of(PARTITION, 2L))).isTrue();
        assertThat(tally.reached(Map.of(PARTITION, 3L))).isFalse();
    }

    /** The follower skips what is refused. */
    private void addForeign(long offset, byte @Nullable [] value) {
        try {
            follower.add(new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, new byte[0], value));
        } catch (MalformedRecordException e) {
            assertThat(e.getMessage()).doesNotContain("\n");
        }
    }

    @Test
    void damagedRecordsCountWholeOrNotAtAllAndHoldNothingUp() {
        List<byte[]> damaged = DamagedRecords.of(DamagedRecords.recorded("ledger"));
        long offset = 0;
        addForeign(offset++, null);
        for (byte[] value : damaged) {
            addForeign(offset++, value);
            tally.traffic();
        }
        CrawlRun other = CrawlRun.parse("other/1");
        follower.add(record(offset, emitted(other, 7)));
        assertThat(tally.snapshot(other).totals().emitted()).isEqualTo(1);
        assertThat(tally.snapshot(other).totals().waiting()).isEqualTo(1);
        assertThat(tally.reached(Map.of(PARTITION, offset + 1))).isTrue();
    }

    @Test
    void aMovedRequestWaitsAtItsNewPriorityAndALateEntryOfAnEarlierOrderCountsForNothing() {
        add(emitted(RUN, 1, 2, 3));
        add(moved(1, 2, 1));
        add(moved(1, 2, 1));
        add(moved(2, 2, 1));
        add(moved(2, 0, 2));
        add(moved(2, 2, 1));
        add(moved(9, 2, 1));
        assertThat(tally.snapshot(RUN).waitingByPriority()).isEqualTo(Map.of(0, 2L, 2, 1L));
        assertThat(tally.moved(RUN)).isEqualTo(Map.of(1, 2L, 2, 1L));
        assertThat(tally.traffic().levels())
                .isEqualTo(Map.of(0, new Traffic.LevelCounts(4, 2, 2, 0), 2, new Traffic.LevelCounts(2, 1, 1, 0)));
        add(answered(OutcomeKind.PAGE, "200", true, 1));
        add(moved(1, 0, 3));
        assertThat(tally.snapshot(RUN).waitingByPriority()).as("an answered one waits nowhere")
                .isEqualTo(Map.of(0, 2L));
        assertThat(tally.snapshot(RUN).totals().emitted()).isEqualTo(3);
    }

    @Test
    void whatWaitedAtAPriorityThatIsGoneWaitsAtThePresentOneAndMovesByTheNextOrder() {
        add(emitted(RUN, 1, 2));
        add(moved(2, 3, 2));
        add(moved(2, 1, MovedRequest.REPLACED));
        assertThat(tally.snapshot(RUN).waitingByPriority()).isEqualTo(Map.of(0, 1L, 1, 1L));
        assertThat(tally.moved(RUN)).as("by no other order").isEqualTo(Map.of(2, 1L));
        add(moved(2, 0, 3));
        assertThat(tally.snapshot(RUN).waitingByPriority()).isEqualTo(Map.of(0, 2L));
    }

    private static LedgerRecord moved(long id, int to, int order) {
        return LedgerRecord.ofMoved(RUN, List.of(new MovedRequest(new RequestId(id), to, order)));
    }

    @Property(tries = 300)
    void aSnapshotAndTheRecordsBehindItMakeTheSameSumsAsAllRecords(@ForAll("ledgers") List<LedgerRecord> records,
            @ForAll @IntRange(max = 30) int counted, @ForAll @IntRange(min = 1, max = 30) int nextRun) {
        Instant now = Instant.parse("2026-01-01T12:00:00Z");
        TallySums all = new TallySums();
        TallySums some = new TallySums();
        for (int i = 0; i < records.size(); i++) {
            LedgerRecord record = records.get(i)
                    .rendered(Optional.of(new RenderCounts(1, 0, i, 2, Map.of("SERVER", 1L))))
                    .accepting(Optional.of(new SeedDomains(i, Set.of("a" + i))));
            LedgerRecord placed = i % 2 == 0 ? record : next(record, i >= nextRun);
            if (i == counted) {
                some = LedgerSnapshot.of(1, "", Map.of(0, (long) i), some).sums();
            }
            Instant at = now.minusSeconds(i % 3 * 90);
            assertThat(some.add(i % 2, placed, at, now)).isEqualTo(all.add(i % 2, placed, at, now));
        }
        TallySums read = LedgerSnapshot.of(2, "", Map.of(), some).sums();
        for (CrawlRun run : List.of(RUN, OTHER, new CrawlRun(OTHER.crawl(), 2))) {
            assertThat(read.run(run).map(RunTally::snapshot)).isEqualTo(all.run(run).map(RunTally::snapshot));
            assertThat(read.run(run).map(RunTally::moved)).isEqualTo(all.run(run).map(RunTally::moved));
            assertThat(read.run(run).map(RunTally::domains)).isEqualTo(all.run(run).map(RunTally::domains));
            assertThat(read.run(run).map(tally -> tally.waiting().ids().collect(Collectors.toSet())))
                    .isEqualTo(all.run(run).map(tally -> tally.waiting().ids().collect(Collectors.toSet())));
            assertThat(read.run(run).map(tally -> tally.minutes(now, 10)))
                    .isEqualTo(all.run(run).map(tally -> tally.minutes(now, 10)));
        }
        assertThat(read.traffic()).isEqualTo(all.traffic());
        assertThat(read.recent(now)).isEqualTo(all.recent(now));
        assertThat(read.minutes(now, 60)).isEqualTo(all.minutes(now, 60));
        assertThat(read.pagesOfDay(_ -> true, now)).isEqualTo(all.pagesOfDay(_ -> true, now));
        assertThat(read.newestEpoch(OTHER.crawl())).isEqualTo(all.newestEpoch(OTHER.crawl()));
    }

    private static LedgerRecord next(LedgerRecord of, boolean later) {
        return new LedgerRecord(later ? new CrawlRun(OTHER.crawl(), 2) : OTHER, of.emitted(), of.answered(),
                Map.of(RefusalReason.ROBOTS, 2), Map.of("a rule", 1),
                List.of(new StraySeed("http://a/", "http://b/", "b")), 7, of.moved(), Optional.of(ItemCounts.STORED),
                of.render(), of.domains(), of.emitted().stream().map(EmittedRequest::id).toList());
    }

    @Provide
    Arbitrary<List<LedgerRecord>> ledgers() {
        Arbitrary<RequestId> ids = Arbitraries.longs().between(1, 30).map(RequestId::new);
        Arbitrary<EmittedRequest> emittedRequest = Combinators.combine(ids, Arbitraries.integers().between(0, 9))
                .as((id, p) -> new EmittedRequest(id, p, 0));
        Arbitrary<AnsweredRequest> answeredRequest = Combinators
                .combine(ids, Arbitraries.of(OutcomeKind.class), Arbitraries.of(true, false))
                .as((id, kind, stored) -> new AnsweredRequest(id, kind, "503", stored));
        Arbitrary<MovedRequest> movedRequest = Combinators
                .combine(ids, Arbitraries.integers().between(0, 9), Arbitraries.integers().between(1, 4))
                .as(MovedRequest::new);
        return Combinators
                .combine(emittedRequest.list().ofMaxSize(5), answeredRequest.list().ofMaxSize(5),
                        movedRequest.list().ofMaxSize(5))
                .as((e, a, m) -> new LedgerRecord(RUN, e, a, Map.of(), Map.of(), List.of(), 0, m, Optional.empty(),
                        Optional.empty(), Optional.empty(), List.of()))
                .list().ofMaxSize(30);
    }

    private static LedgerRecord emitted(CrawlRun run, long... ids) {
        List<EmittedRequest> list = java.util.Arrays.stream(ids)
                .mapToObj(id -> new EmittedRequest(new RequestId(id), 0, 0)).toList();
        return new LedgerRecord(run, list, List.of(), Map.of(), List.of(), 0);
    }

    private static LedgerRecord answered(OutcomeKind kind, String detail, boolean stored, long id) {
        return new LedgerRecord(RUN, List.of(), List.of(new AnsweredRequest(new RequestId(id), kind, detail, stored)),
                Map.of(), List.of(), 1);
    }

    private void add(LedgerRecord record) {
        tally.add(0, record, Instant.EPOCH, Instant.EPOCH);
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset, LedgerRecord ledger) {
        return new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, new byte[0],
                Codec.encode(ledger));
    }

    /** Nothing is added any more, and a leader has thousands of such runs. */
    @Test
    void theMinutesOfARunThatHasEndedAreForgottenWhenADayHasPassed() {
        ManualTime time = ManualTime.standing();
        LedgerFollower idle = TallyFixture.unread(time);
        Tally ended = idle.tally();
        Instant then = time.now();
        ended.add(0, emitted(RUN, 1), then, then);
        ended.add(0, answered(OutcomeKind.PAGE, "200", true, 1), then, then);
        time.advance(Duration.ofHours(23));
        idle.moved(Map.of());
        Instant after = then.plus(Duration.ofMinutes(2));
        assertThat(ended.minutes(Optional.of(RUN), after, 10)).anyMatch(work -> work.pages() == 1);
        time.advance(Duration.ofHours(2));
        idle.moved(Map.of());
        assertThat(ended.minutes(Optional.of(RUN), after, 10)).allMatch(Activity.Work.NONE::equals);
        assertThat(ended.snapshot(RUN).totals().pages()).isOne();
    }
}
