package io.trawl.pipeline.sink;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.ItemsRefusedException;
import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.module.Counters;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.format.FileLine;
import io.trawl.pipeline.sink.ItemOutputs.SinkItems;
import io.trawl.pipeline.sink.ItemOutputs.TopicLine;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.pipeline.spi.FileWriters;
import io.trawl.plugin.Plugins;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** A folder, a log of items (every tenth offset is a transaction marker), and pipelines that store it, for one test. */
final class SinkBench {
    private static final FileWriters WRITERS = FileWriters.among(Plugins.in(Optional.empty()));
    static final CrawlRun DOCS = CrawlRun.parse("docs/1");
    static final CrawlRun BLOG = CrawlRun.parse("blog/2");
    static final int PARTITION = 3;
    final OffsetLog log = new OffsetLog();
    final NotedEnds ends = new NotedEnds();
    final Counters counters = new Counters();
    final List<CrawlerError> reported = new ArrayList<>();
    final Path root;
    private final String owner;
    final long end;
    long nanos;
    /** How long each record takes. */
    long tick;
    long backlog;
    long backlogBytes;
    Predicate<CrawlRun> replaced = run -> false;
    final Shelf shelf = new Shelf();
    Predicate<String> wanted = key -> true;
    Function<Item, List<SinkDefinition>> others = item -> List.of();
    Function<Item, List<TopicLine>> topics = item -> List.of();
    Function<Item, List<FileLine>> lines = item -> List.of(FileFormat.DEFAULT.line(item));
    private int processes;

    SinkBench(Path root, long end) {
        this(root, end, "a1");
    }

    /** @param owner the deployment of the pipelines */
    SinkBench(Path root, long end, String owner) {
        this.owner = owner;
        this.root = root;
        this.end = end;
    }

    /** A sink that its fault point kills by throwing. */
    FileSink process(long fileSize, FaultPoint faults) {
        return process(fileSize, faults, FileOpener.REAL);
    }

    FileSink process(long fileSize, FaultPoint faults, FileOpener fileOpener) {
        return new FileSink(new SinkFolder(root, owner, WRITERS),
                new FileRules(fileSize, Duration.ofSeconds(10), Duration.ofMinutes(5), () -> backlog,
                        () -> backlogBytes, "n" + processes++, replaced),
                ends,
                new FileSink.SinkPorts(log.own(), reported::add, counters, () -> nanos, fileOpener, faults,
                        new RetriedSinks(List.of(shelf), new SinkCalls(Duration.ofSeconds(10)), key -> wanted.test(key),
                                (crawl, cause) -> reported.add(error(cause)), (item, cause) -> error(cause),
                                () -> nanos)));
    }

    /** A sink of a plug-in in memory that finds items by their ids. */
    static final class Shelf implements Sink {
        final Map<String, Item> items = new TreeMap<>();
        /** Fails while this is above 0, each time once less; after it has stored the first item of the batch. */
        int failures;
        /** It refuses the item with this id for good. */
        String refused = "";
        boolean large;
        int batches;

        @Override
        public String type() {
            return "test.shelf";
        }

        @Override
        public boolean wantsLargeBatches() {
            return large;
        }

        @Override
        public void store(SinkBatch batch) throws ItemsRefusedException {
            batches++;
            for (SinkBatch.PlacedItem item : batch.items()) {
                if (!item.item().id().equals(refused)) {
                    items.put(item.item().id(), item.item());
                }
                if (failures > 0) {
                    failures--;
                    throw new IllegalStateException("the shelf is away");
                }
            }
            Map<Long, String> reasons = new TreeMap<>();
            batch.items().stream().filter(item -> item.item().id().equals(refused))
                    .forEach(item -> reasons.put(item.position(), "no"));
            if (!reasons.isEmpty()) {
                throw new ItemsRefusedException(reasons);
            }
        }

        /** In a crawl. */
        static SinkDefinition definition(boolean skip) {
            return new SinkDefinition("test.shelf", Optional.of("shelf"), Optional.empty(), List.of(), List.of(),
                    Map.of(), skip ? Optional.of(true) : Optional.empty());
        }
    }

    static boolean marker(long offset) {
        return offset % 10 == 9;
    }

    static boolean dropped(long offset) {
        return offset % 8 == 6;
    }

    static Item item(long offset) {
        CrawlRun run = offset % 3 == 0 ? BLOG : DOCS;
        return new Item("id" + offset, "kid" + offset, run.toString(), offset % 7 == 0 ? ItemKind.ERROR : ItemKind.PAGE,
                "http://h/" + offset, Map.of("n", offset));
    }

    /**
     * Takes over the partition and stores the rest of the log, until no sink is behind; returns early if it is fenced.
     */
    void work(FileSink sink) throws Exception {
        for (Optional<Long> begin = begin(sink); begin.isPresent(); begin = begin(sink)) {
            boolean kept = store(sink, begin.get());
            if (kept && log.get(PARTITION).position().even() && log.get(PARTITION).position().front() >= end) {
                return;
            }
            nanos += Duration.ofSeconds(61).toNanos();
            sink.settle();
        }
    }

    /** Handles the log from an offset on. @return false if the partition was lost */
    private boolean store(FileSink sink, long begin) throws InterruptedException {
        for (long offset = begin; offset < end; offset++) {
            OptionalLong wanted = sink.wantedFrom(PARTITION);
            if (wanted.isPresent()) {
                sink.moved(PARTITION, wanted.getAsLong());
                offset = wanted.getAsLong();
            }
            if (offset < end && !handle(sink, offset)) {
                return false;
            }
            if (!sink.settle().isEmpty()) {
                return begin(sink).isPresent();
            }
        }
        return sink.close(PARTITION);
    }

    /** The record at an offset: a marker, a dropped item or one to store. */
    boolean handle(FileSink sink, long offset) throws InterruptedException {
        nanos += tick;
        Item item = item(offset);
        if (marker(offset)) {
            sink.moved(PARTITION, offset + 1);
        } else if (!sink.wants(PARTITION, offset, item.crawl())) {
            sink.skip(PARTITION, offset);
        } else if (dropped(offset)) {
            return sink.ready(PARTITION, offset, item, List.of()) && sink.leaveOut(PARTITION, offset, item,
                    new ItemAccount(ItemCounts.dropped("odd", "one"), List.of()));
        } else {
            return add(sink, offset, item, lines.apply(item));
        }
        return true;
    }

    /** Adds an item to these files and the other sinks of its crawl. */
    boolean add(FileSink sink, long offset, Item item, List<FileLine> files) throws InterruptedException {
        ItemAccount nothing = new ItemAccount(ItemCounts.NONE, List.of());
        return sink.ready(PARTITION, offset, item, files) && sink.add(PARTITION, offset, item,
                new ItemOutputs(files, topics.apply(item),
                        others.apply(item).stream().map(other -> new SinkItems(other, List.of(item))).toList()),
                nothing);
    }

    private static Optional<Long> begin(FileSink sink) throws InterruptedException {
        try {
            return Optional.ofNullable(sink.takeOver(Set.of(PARTITION)).get(PARTITION));
        } catch (SinkOffsets.PartitionLost e) {
            return Optional.empty();
        }
    }

    List<String> expected() {
        return LongStream.range(0, end).filter(offset -> !marker(offset) && !dropped(offset))
                .mapToObj(offset -> "id" + offset).sorted().toList();
    }

    /** The ids in all finished files, sorted, with duplicates. */
    List<String> stored() throws IOException {
        List<String> ids = new ArrayList<>();
        for (Path file : files(".jsonl")) {
            Files.readAllLines(file).forEach(line -> ids.add(line.replaceAll("\\{\"id\":\"(id[0-9]+)\".*\\}", "$1")));
        }
        return ids.stream().sorted().toList();
    }

    static boolean even(Item item) {
        return (long) requireNonNull(item.fields().get("n")) % 2 == 0;
    }

    /** The ids in all finished files of one column with this ending, sorted, with duplicates. */
    List<String> compressed(String ending) throws IOException {
        List<String> ids = new ArrayList<>();
        for (Path file : files(ending)) {
            try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
                assertThat(lines.getFirst()).isEqualTo("id");
                ids.addAll(lines.subList(1, lines.size()));
            }
        }
        return ids.stream().sorted().toList();
    }

    List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    static CrawlerError error(String cause) {
        return CrawlerError.of(io.trawl.model.MID.parse("P1|127.0.0.1:80"), Optional.of(new CrawlId("docs")),
                Optional.empty(), "PROCESSOR", cause, 1, java.time.Instant.EPOCH);
    }
}
