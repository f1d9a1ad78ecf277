package io.trawl.pipeline.sink;

import static io.trawl.pipeline.sink.SinkBench.PARTITION;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.channel.offset.StoredPosition;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.ledger.ItemCounts;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.pipeline.sink.ItemOutputs.TopicLine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Crawls with files, each with a topic, and one of them with a sink of a plug-in, through refusals, failures, and kills
 * before each step. A topic can only append, so one item too many shows.
 */
class TopicDeliveriesTest {
    private static final long END = 64;
    private static final long SMALL = 700;
    /** How often the sink of the plug-in fails, and each of the topics. */
    private static final List<int[]> FAILURES = List.of(new int[]{0, 0, 0}, new int[]{1, 0, 0}, new int[]{0, 3, 0},
            new int[]{1, 3, 0}, new int[]{3, 4, 2}, new int[]{0, 2, 5});
    @TempDir
    Path temp;

    private static final class Killed extends RuntimeException {}

    private SinkBench bench(String folder) {
        SinkBench bench = new SinkBench(temp.resolve(folder), END);
        FileFormat lines = FileFormat.of(SinkDefinition.files("jsonl", Optional.empty(), Optional.empty(), List.of()),
                List.of());
        bench.lines = item -> List.of(lines.line(item));
        bench.topics = item -> List
                .of(new TopicLine(topic(item.crawl()), item.id(), Optional.of(FileFormat.object(item, List.of()))));
        bench.others = item -> item.crawl().equals("docs") ? List.of(SinkBench.Shelf.definition(false)) : List.of();
        // A batch for topics every few records, several in each file.
        bench.tick = 400_000_000;
        return bench;
    }

    private static SinkDefinition topic(String crawl) {
        return new SinkDefinition(BuiltInSink.KAFKA.type(), Optional.empty(), Optional.empty(), List.of(), List.of(),
                Map.of("topic", "out." + crawl), Optional.empty());
    }

    private static ItemCounts ledger(SinkBench bench) {
        return bench.log.items().values().stream().reduce(ItemCounts.NONE, ItemCounts::plus);
    }

    private static List<String> lines(SinkBench bench) throws Exception {
        List<String> lines = new ArrayList<>();
        for (Path file : bench.files(".jsonl")) {
            lines.addAll(Files.readAllLines(file));
        }
        return lines;
    }

    private static void assertExact(SinkBench bench) throws Exception {
        assertThat(bench.stored()).isEqualTo(bench.expected());
        assertThat(bench.log.topics.values().stream().flatMap(List::stream)).as("topics have the lines of files")
                .containsExactlyInAnyOrderElementsOf(lines(bench));
        assertThat(bench.log.topics.get("out.blog"))
                .hasSize((int) lines(bench).stream().filter(line -> line.contains("\"crawl\":\"blog\"")).count());
        assertThat(bench.shelf.items).hasSize(requireNonNull(bench.log.topics.get("out.docs")).size());
        ItemCounts ledger = ledger(bench);
        assertThat(ledger.stored()).isEqualTo(bench.expected().size());
        assertThat(ledger.sinks()).containsEntry("kafka", (long) bench.expected().size()).containsEntry("shelf",
                (long) bench.shelf.items.size());
        assertThat(bench.log.get(PARTITION).position()).isEqualTo(StoredPosition.of(END));
    }

    private static void fail(SinkBench bench, int... failures) {
        bench.shelf.failures = failures[0];
        Stream.of(Map.entry("out.docs", failures[1]), Map.entry("out.blog", failures[2]))
                .filter(refusals -> refusals.getValue() > 0)
                .forEach(refusals -> bench.log.refusals.put(refusals.getKey(), refusals.getValue()));
    }

    @Test
    void itemsAreInTopicsBeforeTheirFilesAreFinished() throws Exception {
        SinkBench bench = bench("ahead");
        FileSink sink = bench.process(1 << 20, FaultPoint.NONE);
        sink.takeOver(Set.of(PARTITION));
        for (long offset = 0; offset < 20; offset++) {
            assertThat(bench.handle(sink, offset)).isTrue();
            assertThat(sink.settle()).isEmpty();
        }
        assertThat(bench.log.topics.get("out.docs")).hasSizeGreaterThan(5);
        StoredPosition position = bench.log.get(PARTITION).position();
        assertThat(position.lowest()).as("files are not finished").isZero();
        assertThat(position.topics()).isGreaterThan(10);
        bench.work(bench.process(SMALL, FaultPoint.NONE));
        assertExact(bench);
    }

    @Test
    void aTopicThatRefusesItemsHoldsNoOtherSinkAndGetsWhatItMissed() throws Exception {
        SinkBench bench = bench("refuses");
        fail(bench, 0, Integer.MAX_VALUE, 0);
        FileSink sink = bench.process(SMALL, FaultPoint.NONE);
        for (int pass = 0; pass < 3; pass++) {
            long begin = requireNonNull(sink.takeOver(Set.of(PARTITION)).get(PARTITION));
            for (long offset = Math.max(begin, sink.wantedFrom(PARTITION).orElse(begin)); offset < END; offset++) {
                if (!bench.handle(sink, offset) || sink.partitions().isEmpty()) {
                    break;
                }
            }
        }
        assertThat(sink.close(PARTITION)).isTrue();
        assertThat(bench.stored()).as("files go on").isEqualTo(bench.expected());
        assertThat(bench.log.topics).containsOnlyKeys("out.blog");
        assertThat(bench.log.get(PARTITION).position().behind()).containsOnlyKeys("docs/kafka");
        assertThat(bench.reported).hasSize(1);
        bench.log.refusals.clear();
        bench.work(sink);
        assertExact(bench);
    }

    @Test
    void aRefusalOfItemsBehindThoseThatATopicHasRepeatsNone() throws Exception {
        SinkBench bench = bench("spans");
        FileSink dies = bench.process(1 << 20, FaultPoint.NONE);
        dies.takeOver(Set.of(PARTITION));
        for (long offset = 0; offset < 20; offset++) {
            assertThat(bench.handle(dies, offset)).isTrue();
            assertThat(dies.settle()).isEmpty();
        }
        assertThat(bench.log.get(PARTITION).position().topics()).isGreaterThan(10);
        // Nothing is written before the end now, and the first three times it is refused.
        bench.tick = 0;
        fail(bench, 0, 3, 0);
        bench.work(bench.process(1 << 20, FaultPoint.NONE));
        assertExact(bench);
    }

    @Test
    void aKillBeforeAnyStepLosesAndRepeatsNothingWhateverFails() throws Exception {
        EnumSet<FaultStep> reached = EnumSet.noneOf(FaultStep.class);
        int runs = 0;
        for (int[] failures : FAILURES) {
            AtomicInteger steps = new AtomicInteger();
            SinkBench undisturbed = bench("undisturbed" + runs);
            fail(undisturbed, failures);
            undisturbed.work(undisturbed.process(SMALL, step -> {
                reached.add(step);
                steps.incrementAndGet();
            }));
            assertExact(undisturbed);
            for (int n = 1; n <= steps.get(); n += 9) {
                SinkBench bench = bench("kill" + runs++);
                fail(bench, failures);
                workUntil(bench, n);
                workUntil(bench, 1 + n % 17);
                bench.work(bench.process(SMALL, FaultPoint.NONE));
                assertExact(bench);
            }
        }
        assertThat(reached).contains(FaultStep.PUBLISH, FaultStep.DELIVER, FaultStep.NAME, FaultStep.CLEAR);
    }

    private static void workUntil(SinkBench bench, int which) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        try {
            bench.work(bench.process(SMALL, _ -> {
                if (seen.incrementAndGet() == which) {
                    throw new Killed();
                }
            }));
        } catch (Killed e) {
            assertThat(seen.get()).isEqualTo(which);
        }
    }

    @Test
    void aZombieThatWakesBeforeAnyStepWritesNothingTwice() throws Exception {
        AtomicInteger steps = new AtomicInteger();
        SinkBench undisturbed = bench("undisturbed");
        undisturbed.work(undisturbed.process(SMALL, _ -> steps.incrementAndGet()));
        for (int n = 1; n <= steps.get(); n += 5) {
            SinkBench bench = bench("zombie" + n);
            AtomicInteger seen = new AtomicInteger();
            int which = n;
            bench.work(bench.process(SMALL, _ -> {
                if (seen.incrementAndGet() == which) {
                    try {
                        bench.work(bench.process(SMALL + 300, FaultPoint.NONE));
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }));
            assertExact(bench);
        }
    }
}
