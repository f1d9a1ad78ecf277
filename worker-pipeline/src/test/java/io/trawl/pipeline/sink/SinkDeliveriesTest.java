package io.trawl.pipeline.sink;

import static io.trawl.pipeline.sink.SinkBench.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.channel.offset.StoredPosition;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlId;
import io.trawl.pipeline.format.FileFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A crawl with files and a sink of a plug-in, and another one with files alone, through failures of the sink and kills
 * before each step.
 */
class SinkDeliveriesTest {
    private static final long END = 34;
    private static final long SMALL = 250;
    @TempDir
    Path temp;

    private static final class Killed extends RuntimeException {}

    private SinkBench bench(String folder) {
        SinkBench bench = new SinkBench(temp.resolve(folder), END);
        FileFormat lines = FileFormat.of(SinkDefinition.files("jsonl", Optional.empty(), Optional.empty(), List.of()),
                List.of());
        bench.lines = item -> List.of(lines.line(item));
        shelf(bench, false);
        return bench;
    }

    private static void shelf(SinkBench bench, boolean skip) {
        bench.others = item -> item.crawl().equals("docs") ? List.of(SinkBench.Shelf.definition(skip)) : List.of();
    }

    private static List<String> docs(SinkBench bench) {
        return bench.expected().stream().filter(id -> Long.parseLong(id.substring(2)) % 3 != 0).toList();
    }

    private static ItemCounts ledger(SinkBench bench) {
        return bench.log.items().values().stream().reduce(ItemCounts.NONE, ItemCounts::plus);
    }

    private static void assertExact(SinkBench bench) throws Exception {
        assertThat(bench.stored()).isEqualTo(bench.expected());
        assertThat(bench.files(".part")).isEmpty();
        assertThat(bench.shelf.items.keySet()).containsExactlyInAnyOrderElementsOf(docs(bench));
        assertThat(ledger(bench).stored()).isEqualTo(bench.expected().size());
        assertThat(ledger(bench).sinks())
                .isEqualTo(Map.of("jsonl", (long) bench.expected().size(), "shelf", (long) docs(bench).size()));
        assertThat(ItemCounts.total(ledger(bench).dropped())).isEqualTo(LongStream.range(0, END)
                .filter(offset -> !SinkBench.marker(offset) && SinkBench.dropped(offset)).count());
        assertThat(bench.log.get(PARTITION).position()).isEqualTo(StoredPosition.of(END));
    }

    /** A process that has read everything while the sink failed. */
    private static FileSink withSinkBehind(SinkBench bench) throws Exception {
        bench.shelf.failures = Integer.MAX_VALUE;
        FileSink sink = bench.process(SMALL, FaultPoint.NONE);
        sink.takeOver(Set.of(PARTITION));
        for (long offset = 0; offset < END; offset++) {
            assertThat(bench.handle(sink, offset)).isTrue();
        }
        assertThat(sink.close(PARTITION)).isTrue();
        assertThat(sink.settle()).as("the sink is asked again in a second").isEmpty();
        return sink;
    }

    @Test
    void aSinkThatFailsGetsWhatItMissedAndHoldsNoOtherOne() throws Exception {
        SinkBench bench = bench("fails");
        FileSink sink = withSinkBehind(bench);
        assertThat(bench.stored()).as("files go on").isEqualTo(bench.expected());
        StoredPosition position = bench.log.get(PARTITION).position();
        assertThat(position.front()).isEqualTo(END);
        assertThat(position.behind()).containsOnlyKeys("docs/shelf");
        assertThat(position.lowest()).as("nothing is deleted that the sink lacks").isEqualTo(1);
        assertThat(position.holds(new CrawlId("blog"), END)).as("the other crawl may end").isTrue();
        assertThat(position.holds(new CrawlId("docs"), END)).isFalse();
        assertThat(ledger(bench).sinks()).as("an item counts when all sinks have it")
                .isEqualTo(Map.of("jsonl", (long) bench.expected().size() - docs(bench).size()));
        assertThat(bench.reported).as("reported once").hasSize(1);

        bench.shelf.failures = 0;
        bench.work(sink);
        assertExact(bench);
    }

    @Test
    void aKillBeforeAnyStepLosesAndRepeatsNothingWhicheverCallsFail() throws Exception {
        for (int failures : new int[]{0, 1, 3}) {
            AtomicInteger steps = new AtomicInteger();
            SinkBench undisturbed = bench("undisturbed" + failures);
            undisturbed.shelf.failures = failures;
            undisturbed.work(undisturbed.process(SMALL, faultStep -> steps.incrementAndGet()));
            assertExact(undisturbed);
            for (int n = 1; n <= steps.get(); n += failures == 1 ? 1 : 4) {
                SinkBench bench = bench("kill" + n + "of" + failures);
                bench.shelf.failures = failures;
                bench.shelf.large = n % 2 == 0;
                workUntil(bench, n);
                workUntil(bench, 1 + n % 11);
                bench.work(bench.process(SMALL, FaultPoint.NONE));
                assertExact(bench);
            }
        }
    }

    @Test
    void anItemThatASinkRefusesForGoodIsCountedAndReportedOnceAndHoldsNothing() throws Exception {
        for (int failures : new int[]{0, 1}) {
            SinkBench bench = bench("refused" + failures);
            bench.shelf.refused = "id7";
            bench.shelf.failures = failures;
            bench.work(bench.process(SMALL, FaultPoint.NONE));
            assertThat(bench.log.get(PARTITION).position()).isEqualTo(StoredPosition.of(END));
            assertThat(bench.stored()).as("it is in the files").isEqualTo(bench.expected());
            assertThat(bench.shelf.items.keySet()).hasSize(docs(bench).size() - 1).doesNotContain("id7");
            assertThat(ledger(bench).stored()).isEqualTo(bench.expected().size());
            assertThat(ledger(bench).sinks())
                    .isEqualTo(Map.of("jsonl", (long) bench.expected().size(), "shelf", (long) docs(bench).size() - 1));
            assertThat(ledger(bench).skipped()).isEqualTo(Map.of("shelf", 1L));
            assertThat(ledger(bench).errors()).isEqualTo(Map.of("SINK", 1L));
            assertThat(bench.reported.stream().filter(error -> error.cause().endsWith("refuses it: no"))).hasSize(1);
        }
    }

    @Test
    void aSinkThatWantsLargeBatchesGetsThemAfterAMinuteAndBeforeEachCommit() throws Exception {
        SinkBench bench = bench("large");
        bench.shelf.large = true;
        FileSink sink = bench.process(1 << 20, FaultPoint.NONE);
        sink.takeOver(Set.of(PARTITION));
        for (long offset = 0; offset < 20; offset++) {
            assertThat(bench.handle(sink, offset)).isTrue();
            bench.nanos += Duration.ofSeconds(2).toNanos();
            sink.settle();
        }
        assertThat(bench.shelf.batches).isLessThanOrEqualTo(1);
        bench.nanos += Duration.ofSeconds(60).toNanos();
        sink.settle();
        assertThat(bench.shelf.items).as("after a minute").hasSizeGreaterThan(5);
        for (long offset = 20; offset < END; offset++) {
            assertThat(bench.handle(sink, offset)).isTrue();
        }
        assertThat(sink.close(PARTITION)).isTrue();
        assertExact(bench);
    }

    private static void workUntil(SinkBench bench, int which) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        try {
            bench.work(bench.process(SMALL, faultStep -> {
                if (seen.incrementAndGet() == which) {
                    throw new Killed();
                }
            }));
        } catch (Killed e) {
            assertThat(seen.get()).isEqualTo(which);
        }
    }

    @Test
    void whatASinkThatIsGivenUpMissesIsCounted() throws Exception {
        SinkBench bench = bench("skipped");
        FileSink sink = withSinkBehind(bench);
        bench.wanted = key -> false;
        shelf(bench, true);
        assertThat(sink.settle()).as("its crawl waits no longer").containsExactly(PARTITION);
        bench.work(sink);
        assertThat(bench.log.get(PARTITION).position()).isEqualTo(StoredPosition.of(END));
        assertThat(ledger(bench).skipped()).isEqualTo(Map.of("shelf", (long) docs(bench).size()));
        assertThat(ledger(bench).stored()).isEqualTo(bench.expected().size());
        assertThat(bench.stored()).isEqualTo(bench.expected());
    }
}
