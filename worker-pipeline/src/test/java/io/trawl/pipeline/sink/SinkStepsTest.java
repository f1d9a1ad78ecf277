package io.trawl.pipeline.sink;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.definition.sink.SinkDefinition;
import io.trawl.ledger.ItemCounts;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.parquet.ParquetIds;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stops a process before each of its steps, and checks the state after its successor has finished. */
class SinkStepsTest {
    private static final long END = 34;
    private static final long SMALL = 250;
    @TempDir
    Path temp;

    private static final class Killed extends RuntimeException {}

    private static FaultPoint at(int which, Runnable then) {
        AtomicInteger seen = new AtomicInteger();
        return faultStep -> {
            if (seen.incrementAndGet() == which) {
                then.run();
            }
        };
    }

    private static void kill() {
        throw new Killed();
    }

    private int steps(String folder) throws Exception {
        AtomicInteger steps = new AtomicInteger();
        SinkBench bench = new SinkBench(temp.resolve(folder), END);
        bench.work(bench.process(SMALL, faultStep -> steps.incrementAndGet()));
        assertExact(bench);
        return steps.get();
    }

    private static void assertExact(SinkBench bench) throws Exception {
        assertThat(bench.stored()).isEqualTo(bench.expected());
        assertThat(bench.files(".part")).isEmpty();
        ItemCounts ledger = bench.log.items().values().stream().reduce(ItemCounts.NONE, ItemCounts::plus);
        assertThat(ledger.stored()).isEqualTo(bench.expected().size());
        assertThat(ledger.dropped()).containsExactly(Map.entry("odd: one", LongStream.range(0, END)
                .filter(offset -> !SinkBench.marker(offset) && SinkBench.dropped(offset)).count()));
        assertThat(bench.log.get(SinkBench.PARTITION).position().front()).isEqualTo(END);
        assertThat(bench.log.get(SinkBench.PARTITION).position().note()).isEmpty();
    }

    @Test
    void aKillBeforeAnyStepLosesAndRepeatsNothing() throws Exception {
        int steps = steps("undisturbed");
        assertThat(steps).isGreaterThan(60);
        for (int n = 1; n <= steps; n++) {
            SinkBench bench = new SinkBench(temp.resolve("kill" + n), END);
            FileSink first = bench.process(SMALL, at(n, SinkStepsTest::kill));
            assertThatThrownBy(() -> bench.work(first)).isInstanceOf(Killed.class);
            bench.work(bench.process(SMALL, FaultPoint.NONE));
            assertExact(bench);
        }
    }

    /** JSON lines of all items, and compressed comma-separated values of those that are even. */
    private static SinkBench severalSinks(Path folder) {
        SinkBench bench = new SinkBench(folder, END);
        FileFormat lines = FileFormat.of(SinkDefinition.files("jsonl", Optional.empty(), Optional.empty(), List.of()),
                List.of());
        FileFormat even = FileFormat
                .of(SinkDefinition.files("csv", Optional.of("even"), Optional.of("gzip"), List.of("id")), List.of());
        bench.lines = item -> SinkBench.even(item)
                ? List.of(lines.line(item), even.line(item))
                : List.of(lines.line(item));
        return bench;
    }

    private static void assertEachExact(SinkBench bench) throws Exception {
        assertExact(bench);
        List<String> even = bench.expected().stream().filter(id -> (id.charAt(id.length() - 1) - '0') % 2 == 0)
                .toList();
        assertThat(bench.compressed(".even.csv.gz")).isEqualTo(even);
        ItemCounts ledger = bench.log.items().values().stream().reduce(ItemCounts.NONE, ItemCounts::plus);
        assertThat(ledger.sinks())
                .isEqualTo(Map.of("jsonl", (long) bench.expected().size(), "even", (long) even.size()));
    }

    @Test
    void ofSeveralSinksEachIsExactAfterAKillBeforeAnyStepAndAnotherDuringTheRepair() throws Exception {
        AtomicInteger steps = new AtomicInteger();
        SinkBench undisturbed = severalSinks(temp.resolve("undisturbed"));
        undisturbed.work(undisturbed.process(SMALL, faultStep -> steps.incrementAndGet()));
        assertEachExact(undisturbed);
        for (int n = 1; n <= steps.get(); n++) {
            SinkBench bench = severalSinks(temp.resolve("kill" + n));
            FileSink first = bench.process(SMALL, at(n, SinkStepsTest::kill));
            assertThatThrownBy(() -> bench.work(first)).isInstanceOf(Killed.class);
            FileSink second = bench.process(SMALL, at(1 + n % 9, SinkStepsTest::kill));
            try {
                bench.work(second);
            } catch (Killed e) {
                bench.work(bench.process(SMALL, FaultPoint.NONE));
            }
            assertEachExact(bench);
        }
    }

    /** Their end, without which they cannot be read, is on disk before the commit. */
    @Test
    void everyParquetFileIsWholeAndTogetherTheyAreExactAfterAKillBeforeAnyStep() throws Exception {
        AtomicInteger steps = new AtomicInteger();
        SinkBench undisturbed = rows(temp.resolve("undisturbed"));
        undisturbed.work(undisturbed.process(SMALL, faultStep -> steps.incrementAndGet()));
        for (int n = 1; n <= steps.get(); n += 2) {
            SinkBench bench = rows(temp.resolve("kill" + n));
            FileSink first = bench.process(SMALL, at(n, SinkStepsTest::kill));
            assertThatThrownBy(() -> bench.work(first)).isInstanceOf(Killed.class);
            bench.work(bench.process(SMALL, FaultPoint.NONE));
            List<String> rows = new ArrayList<>();
            for (Path file : bench.files(".parquet")) {
                rows.addAll(ParquetIds.of(file));
            }
            assertThat(rows).containsExactlyInAnyOrderElementsOf(bench.expected());
            assertThat(bench.stored()).isEqualTo(bench.expected());
        }
    }

    private static SinkBench rows(Path folder) {
        SinkBench bench = new SinkBench(folder, 12);
        FileFormat rows = FileFormat
                .of(SinkDefinition.files("parquet", Optional.empty(), Optional.empty(), List.of("id", "n")), List.of());
        bench.lines = item -> List.of(FileFormat.DEFAULT.line(item), rows.line(item));
        return bench;
    }

    @Test
    void aSecondKillDuringTheRepairOfTheFirstLosesAndRepeatsNothing() throws Exception {
        int steps = steps("undisturbed");
        for (int n = 1; n <= steps; n += 7) {
            for (int m = 1; m <= 12; m++) {
                SinkBench bench = new SinkBench(temp.resolve("kill" + n + "and" + m), END);
                for (int which : new int[]{n, m}) {
                    FileSink sink = bench.process(SMALL, at(which, SinkStepsTest::kill));
                    try {
                        bench.work(sink);
                    } catch (Killed e) {
                        assertThat(bench.log.get(SinkBench.PARTITION).position().front()).isLessThanOrEqualTo(END);
                    }
                }
                bench.work(bench.process(SMALL, FaultPoint.NONE));
                assertExact(bench);
            }
        }
    }

    @Test
    void aZombieThatWakesBeforeAnyStepDoesNoHarm() throws Exception {
        int steps = steps("undisturbed");
        for (int n = 1; n <= steps; n++) {
            SinkBench bench = new SinkBench(temp.resolve("zombie" + n), END);
            FileSink zombie = bench.process(SMALL, at(n, () -> {
                try {
                    bench.work(bench.process(SMALL + 100, FaultPoint.NONE));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }));
            bench.work(zombie);
            sweep(bench);
            assertExact(bench);
        }
    }

    @Test
    void aZombieThatWakesWhileItsSuccessorIsStillWritingDoesNoHarm() throws Exception {
        int steps = steps("undisturbed");
        for (int n = 1; n <= steps; n++) {
            SinkBench bench = new SinkBench(temp.resolve("zombie" + n), END);
            FileSink[] successor = new FileSink[1];
            FileSink zombie = bench.process(SMALL, at(n, () -> {
                successor[0] = bench.process(SMALL + 100, FaultPoint.NONE);
                begin(bench, successor[0]);
            }));
            bench.work(zombie);
            finish(bench, successor[0]);
            sweep(bench);
            assertExact(bench);
        }
    }

    @Test
    void aZombieThatWakesDuringItsTakeoverDoesNoHarm() throws Exception {
        for (FaultStep faultStep : new FaultStep[]{FaultStep.TAKE_OVER, FaultStep.THROW_AWAY}) {
            for (int dies = 2; dies <= 40; dies += 2) {
                SinkBench bench = new SinkBench(temp.resolve(faultStep + "" + dies), END);
                FileSink dead = bench.process(SMALL, at(dies, SinkStepsTest::kill));
                assertThatThrownBy(() -> bench.work(dead)).isInstanceOf(Killed.class);
                FileSink[] successor = new FileSink[1];
                FileSink zombie = bench.process(SMALL, reached -> {
                    if (reached == faultStep && successor[0] == null) {
                        successor[0] = bench.process(SMALL, FaultPoint.NONE);
                        begin(bench, successor[0]);
                    }
                });
                bench.work(zombie);
                if (successor[0] != null) {
                    finish(bench, successor[0]);
                }
                sweep(bench);
                assertExact(bench);
            }
        }
    }

    /** The partition's next owner removes a file that a zombie named in a rejected commit. */
    private static void sweep(SinkBench bench) throws Exception {
        bench.work(bench.process(SMALL, FaultPoint.NONE));
    }

    private long position;

    private void begin(SinkBench bench, FileSink sink) {
        try {
            position = requireNonNull(sink.takeOver(java.util.Set.of(SinkBench.PARTITION)).get(SinkBench.PARTITION));
            addUpTo(bench, Math.min(END, position + 2), sink);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void finish(SinkBench bench, FileSink sink) throws Exception {
        addUpTo(bench, END, sink);
        assertThat(sink.close(SinkBench.PARTITION)).isTrue();
    }

    private void addUpTo(SinkBench bench, long end, FileSink sink) throws Exception {
        for (; position < end; position++) {
            assertThat(bench.handle(sink, position)).isTrue();
        }
    }

    @Test
    void theStepsHaveAFixedOrder() throws Exception {
        SinkBench bench = new SinkBench(temp, 3);
        java.util.List<FaultStep> faultSteps = new java.util.ArrayList<>();
        bench.work(bench.process(1 << 20, faultSteps::add));
        assertThat(faultSteps).containsExactly(FaultStep.TAKE_OVER, FaultStep.WRITE, FaultStep.WRITE, FaultStep.WRITE,
                FaultStep.SYNC, FaultStep.SYNC, FaultStep.NAME, FaultStep.RENAME, FaultStep.RENAME, FaultStep.CLEAR,
                FaultStep.DONE);
    }
}
