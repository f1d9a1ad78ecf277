package io.trawl.pipeline.sink;

import static io.trawl.pipeline.sink.SinkBench.PARTITION;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.model.InvalidValueException;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.ledger.ItemCounts;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSinkTest {
    private static final long LARGE = 1 << 20;
    @TempDir
    Path root;
    private SinkBench bench;

    @BeforeEach
    void bench() {
        bench = new SinkBench(root, 8);
    }

    private FileSink started() throws Exception {
        FileSink sink = bench.process(LARGE, FaultPoint.NONE);
        sink.takeOver(Set.of(PARTITION));
        return sink;
    }

    private void add(FileSink sink, long offset) throws Exception {
        Item item = SinkBench.item(offset);
        assertThat(bench.add(sink, offset, item, bench.lines.apply(item))).isTrue();
    }

    private long committed() {
        return bench.log.get(PARTITION).position().front();
    }

    @Test
    void filesAreNamedByRunKindPartitionAndFirstOffset() throws Exception {
        bench.work(bench.process(LARGE, FaultPoint.NONE));
        assertThat(bench.files(".jsonl")).map(root::relativize).map(Path::toString).containsExactly(
                "errors/blog-2/part-03-00000000000000000000.jsonl", "errors/docs-1/part-03-00000000000000000000.jsonl",
                "items/blog-2/part-03-00000000000000000000.jsonl", "items/docs-1/part-03-00000000000000000000.jsonl");
        assertThat(Files.readAllLines(root.resolve("items/docs-1/part-03-00000000000000000000.jsonl")).getFirst())
                .isEqualTo(
                        "{\"id\":\"id1\",\"key\":\"kid1\",\"crawl\":\"docs\",\"epoch\":1,\"url\":\"http://h/1\",\"n\":1}");
    }

    private static FileFormat csv(String... fields) {
        return FileFormat.of(SinkDefinition.files("csv", Optional.empty(), Optional.empty(), List.of(fields)),
                List.of());
    }

    @Test
    void aFileOfAnotherFormatBeginsWhereTheFieldsOfASinkAreChanged() throws Exception {
        FileSink sink = started();
        bench.lines = item -> List.of(csv("id", "n").line(item));
        bench.handle(sink, 1);
        bench.lines = item -> List.of(csv("n", "url", "id").line(item));
        bench.handle(sink, 2);
        sink.close(PARTITION);
        assertThat(Files.readString(root.resolve("items/docs-1/part-03-00000000000000000000.csv")))
                .isEqualTo("id,n\nid1,1\n");
        assertThat(Files.readString(root.resolve("items/docs-1/part-03-00000000000000000002.csv")))
                .isEqualTo("n,url,id\n2,http://h/2,id2\n");
        assertThat(requireNonNull(bench.log.items().get("docs/1")).sinks()).isEqualTo(Map.of("csv", 2L));
    }

    @Test
    void fewCompressedFilesAreOpenAtOnce() throws Exception {
        FileSink sink = started();
        FileFormat zstd = FileFormat
                .of(SinkDefinition.files("jsonl", Optional.of("all"), Optional.of("zstd"), List.of()), List.of());
        for (int run = 1; run <= 40; run++) {
            Item item = new Item("id" + run, "kid" + run, "docs/" + run, ItemKind.PAGE, "http://h/", Map.of());
            assertThat(bench.add(sink, run, item, List.of(zstd.line(item)))).isTrue();
            assertThat(bench.files(".part")).hasSizeLessThan(16);
        }
        assertThat(bench.files(".all.jsonl.zst")).hasSize(32);
    }

    @Test
    void anUnfinishedFileHasTheSuffixPart() throws Exception {
        add(started(), 1);
        assertThat(bench.files(".jsonl")).isEmpty();
        assertThat(bench.files(".part")).hasSize(1);
        assertThat(committed()).isEqualTo(-1);
    }

    @Test
    void aFileIsClosedAfterTheIdleTime() throws Exception {
        FileSink sink = started();
        add(sink, 0);
        bench.nanos = Duration.ofSeconds(9).toNanos();
        add(sink, 1);
        bench.nanos = Duration.ofSeconds(18).toNanos();
        sink.settle();
        assertThat(committed()).isEqualTo(-1);
        bench.nanos = Duration.ofSeconds(19).toNanos();
        sink.settle();
        assertThat(committed()).isEqualTo(2);
        assertThat(bench.counters.counts().completed()).isEqualTo(2);
    }

    @Test
    void aFileOfASteadyCrawlIsClosedAtItsAge() throws Exception {
        FileSink sink = started();
        for (int second = 0; second <= 300; second += 5) {
            assertThat(committed()).isEqualTo(-1);
            bench.nanos = Duration.ofSeconds(second).toNanos();
            add(sink, second);
            sink.settle();
        }
        assertThat(committed()).isEqualTo(301);
    }

    @Test
    void openFilesTakeAtMostAQuarterOfTheBacklogAtWhichAnalyzersHold() throws Exception {
        // A quarter of 160 items for four partitions.
        bench.backlog = 160;
        FileSink sink = started();
        for (int offset = 0; offset < 9; offset++) {
            add(sink, offset);
            sink.settle();
        }
        assertThat(committed()).isEqualTo(-1);
        add(sink, 9);
        assertThat(committed()).isEqualTo(10);
        bench.backlog = 16;
        sink.settle();
        add(sink, 10);
        assertThat(committed()).as("the limit was changed").isEqualTo(11);

        bench.backlog = 0;
        bench.backlogBytes = 16 * FileFormat.DEFAULT.line(SinkBench.item(11)).bytes().length;
        sink = started();
        add(sink, 11);
        assertThat(committed()).isEqualTo(12);
    }

    @Test
    void aSlowCrawlHasAtMostThreeHundredFilesADay() throws Exception {
        FileSink sink = started();
        for (int second = 0; second < 86_400; second += 12) {
            bench.nanos = Duration.ofSeconds(second).toNanos();
            // Every third item belongs to another run.
            add(sink, second * 3L + 1);
            bench.nanos += Duration.ofSeconds(11).toNanos();
            sink.settle();
        }
        assertThat(bench.files(".jsonl").stream().filter(file -> file.toString().contains("/items/")))
                .hasSizeBetween(250, 300);
    }

    @Test
    void aFileIsClosedAtOnceWhenTheNotedEndIsReached() throws Exception {
        FileSink sink = started();
        add(sink, 0);
        bench.ends.note(SinkBench.DOCS, 1, Map.of(PARTITION, 2L, 9, 1L));
        sink.settle();
        assertThat(committed()).isEqualTo(-1);
        sink.moved(PARTITION, 2);
        sink.settle();
        assertThat(committed()).isEqualTo(2);
        add(sink, 2);
        sink.settle();
        assertThat(committed()).isEqualTo(2);
    }

    @Test
    void aPositionThatOnlyPassesMarkersIsCommittedWithoutAFile() throws Exception {
        FileSink sink = started();
        sink.moved(PARTITION, 5);
        sink.settle();
        assertThat(committed()).isEqualTo(5);
        sink.skip(PARTITION, 6);
        sink.settle();
        assertThat(committed()).isEqualTo(7);
        assertThat(bench.files(".jsonl")).isEmpty();
        assertThat(bench.files(".part")).isEmpty();
    }

    @Test
    void errorsAreReportedOnlyWhenTheirOffsetIsCommitted() throws Exception {
        FileSink sink = started();
        sink.leaveOut(PARTITION, 0, SinkBench.item(0),
                new ItemAccount(ItemCounts.NONE, List.of(SinkBench.error("first"))));
        sink.settle();
        assertThat(bench.reported).isEmpty();
        sink.close(PARTITION);
        assertThat(bench.reported).extracting("cause").containsExactly("first");
        sink.unreadable(PARTITION, 1, SinkBench.error("second"));
        sink.discard(PARTITION);
        assertThat(bench.reported).hasSize(1);
    }

    @Test
    void aDiscardedPartitionLeavesNoFiles() throws Exception {
        FileSink sink = started();
        add(sink, 1);
        sink.discard(PARTITION);
        assertThat(bench.files(".part")).isEmpty();
        assertThat(sink.partitions()).isEmpty();
        bench.work(bench.process(LARGE, FaultPoint.NONE));
        assertThat(bench.stored()).isEqualTo(bench.expected());
    }

    @Test
    void anUnfinishedFileThatWasRemovedIsWrittenAgain() throws Exception {
        FileSink sink = started();
        add(sink, 1);
        Files.delete(bench.files(".part").getFirst());
        assertThat(sink.close(PARTITION)).isFalse();
        assertThat(committed()).isEqualTo(-1);
        bench.work(sink);
        assertThat(bench.stored()).isEqualTo(bench.expected());
    }

    @Test
    void aFullDiskCausesAClearErrorAndLosesNothing() throws Exception {
        FileSink sink = bench.process(LARGE, FaultPoint.NONE, path -> {
            FileOpener.REAL.create(path).close();
            return FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
        });
        assertThatThrownBy(() -> bench.work(sink)).isInstanceOf(StorageException.class)
                .hasMessageContaining("No space left on device").hasMessageContaining("Nothing is lost");
        assertThat(committed()).isEqualTo(-1);
        sink.discardAll();
        bench.work(bench.process(LARGE, FaultPoint.NONE));
        assertThat(bench.stored()).isEqualTo(bench.expected());
    }

    @Test
    void aFolderThatCannotBeWrittenIsReportedAtTheStart() throws Exception {
        Path file = Files.createFile(root.resolve("file"));
        assertThatThrownBy(() -> SinkFolder.check(file.resolve("pages"))).isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("TRAWL_OUT: ").hasMessageContaining("a folder that can be written");
        SinkFolder.check(root.resolve("pages"));
        assertThat(root.resolve("pages/items")).isEmptyDirectory();
    }

    @Test
    void anOffsetBelowTheLogStartIsNeverIgnored() {
        bench.log.startsAt(10);
        FileSink sink = bench.process(LARGE, FaultPoint.NONE);
        assertThatThrownBy(() -> sink.takeOver(Set.of(PARTITION))).isInstanceOf(StorageException.class)
                .hasMessageContaining("no committed offset");
        bench.log.set(PARTITION, 9, "");
        assertThatThrownBy(() -> sink.takeOver(Set.of(PARTITION))).isInstanceOf(StorageException.class)
                .hasMessageContaining("below 9");
    }

    @Test
    void offsetsThatWereResetDoNotStoreItemsTwice() throws Exception {
        bench.work(bench.process(LARGE, FaultPoint.NONE));
        bench.log.set(PARTITION, 0, "");
        assertThatThrownBy(() -> bench.work(bench.process(LARGE, FaultPoint.NONE))).isInstanceOf(StorageException.class)
                .hasMessageContaining("offsets reset");
        assertThat(bench.stored()).isEqualTo(bench.expected());
    }

    @Test
    void filesOfOffsetsThatKafkaHasLostAreSetAsideForTheItemsThatFollow() throws Exception {
        bench.work(bench.process(LARGE, FaultPoint.NONE));
        bench.log.cut = true;
        bench.log.set(PARTITION, 0, "");
        bench.work(bench.process(LARGE, FaultPoint.NONE));
        try (Stream<Path> files = Files.walk(root)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("lost-part-")))
                    .isNotEmpty();
        }
        assertThat(bench.stored()).hasSize(2 * bench.expected().size());
        assertThat(bench.stored().stream().distinct().toList()).isEqualTo(bench.expected());
    }

    @Test
    void deploymentsThatShareAFolderLeaveEachOthersFilesAlone() throws Exception {
        add(started(), 1);
        SinkBench other = new SinkBench(root, 8, "b2");
        other.work(other.process(LARGE, FaultPoint.NONE));
        assertThat(bench.files(".part")).as("of the first one, which still writes").hasSize(1);
        bench.work(bench.process(LARGE, FaultPoint.NONE));

        assertThat(bench.files(".jsonl")).map(root::relativize).map(Path::toString)
                .map(name -> name.replaceFirst("/part.*", "")).containsExactlyInAnyOrder("items/docs-1",
                        "items/docs-1@b2", "items/blog-2@a1", "items/blog-2", "errors/docs-1@b2", "errors/docs-1",
                        "errors/blog-2@a1", "errors/blog-2");
    }

    @Test
    void theTakeoverWaitsForANotedFileThatIsNotVisible() throws Exception {
        FileSink dying = bench.process(LARGE, faultStep -> {
            if (faultStep == FaultPoint.FaultStep.RENAME) {
                throw new IllegalStateException("killed");
            }
        });
        assertThatThrownBy(() -> bench.work(dying)).hasMessage("killed");
        Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
        Path part = bench.files(".part").getFirst();
        Files.move(part, elsewhere.resolve(part.getFileName()));
        FileSink next = bench.process(LARGE, FaultPoint.NONE);
        assertThat(next.takeOver(Set.of(PARTITION))).isEmpty();
        Files.move(elsewhere.resolve(part.getFileName()), part);
        assertThat(next.takeOver(Set.of(PARTITION))).containsEntry(PARTITION, 8L);
        assertThat(bench.stored()).isEqualTo(bench.expected());
    }

    @Test
    void notedFilesOfAReplacedRunMayBeMissing() throws Exception {
        FileSink dying = bench.process(LARGE, faultStep -> {
            if (faultStep == FaultPoint.FaultStep.RENAME) {
                throw new IllegalStateException("killed");
            }
        });
        assertThatThrownBy(() -> bench.work(dying)).hasMessage("killed");
        for (Path part : bench.files(".part")) {
            if (part.toString().contains("docs-1")) {
                Files.delete(part);
            }
        }
        bench.replaced = SinkBench.DOCS::equals;
        assertThat(bench.process(LARGE, FaultPoint.NONE).takeOver(Set.of(PARTITION))).containsEntry(PARTITION, 8L);
    }
}
