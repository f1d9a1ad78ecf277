package io.trawl.pipeline.read;

import io.trawl.api.ItemKind;
import io.trawl.direct.ItemPage;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.read.LineFile.Line;
import io.trawl.pipeline.read.PartitionItems.StoredItem;
import io.trawl.pipeline.read.RunFiles.RunFile;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Reads the stored items of a run in the order of their times: within a partition and kind in the order of the files,
 * among those by {@code fetchedAt}. Finished and unfinished files count; of the latter only complete lines. One call
 * reads a bounded number of bytes for a bounded time. Thread-safe; calls block.
 *
 * @param out the output folder
 * @param nanos a monotonic clock
 */
public record ItemReader(SinkFolder out, LongSupplier nanos) {
    private static final long MOST_SCANNED = 128L << 20;
    private static final int MOST_ANSWERED = 4 << 20;
    private static final long MOST_NANOS = Duration.ofSeconds(2).toNanos();

    /**
     * What is looked for.
     *
     * @param kinds items of these
     * @param url a part of the URL; empty for all items
     * @param newestFirst the order
     * @param cursor where to go on; empty to begin
     * @param limit of items
     */
    public record ItemQuery(CrawlRun run, Set<ItemKind> kinds, String url, boolean newestFirst, Optional<String> cursor,
            int limit) {}

    /** A page, with its lines without line feeds. */
    public record ReadPage(ItemPage head, List<byte[]> lines) {}

    /**
     * One item.
     *
     * @param place from a list of items
     * @return its line; empty if its file was removed
     * @throws io.trawl.model.InvalidValueException if the text is no place
     * @throws IOException if a file cannot be read
     */
    public Optional<byte[]> item(CrawlRun run, String place) throws IOException {
        ItemPlace wanted = ItemPlace.parse(place);
        RunFile file = RunFiles.list(out, run, wanted.kind())
                .getOrDefault(wanted.partition(), new java.util.TreeMap<>()).get(wanted.first());
        if (file == null) {
            return Optional.empty();
        }
        try (LineFile lines = new LineFile(file.path())) {
            return lines.from(wanted.at()).filter(line -> line.start() == wanted.at()).map(Line::bytes);
        }
    }

    /**
     * A page of items.
     *
     * @throws io.trawl.model.InvalidValueException if the cursor is none
     * @throws IOException if a file cannot be read
     */
    public ReadPage page(ItemQuery query) throws IOException {
        List<PartitionItems> partitions = open(query);
        try {
            Optional<String> newest = query.newestFirst() ? Optional.of(cursor(partitions)) : Optional.empty();
            Scan scan = new Scan(query, nanos.getAsLong() + MOST_NANOS);
            boolean complete = scan.run(partitions);
            Optional<String> next = Optional.of(cursor(partitions)).filter(_ -> !query.newestFirst() || !complete)
                    .filter(text -> !text.isEmpty());
            return new ReadPage(
                    new ItemPage(scan.places, next, newest.filter(text -> !text.isEmpty()), complete, scan.scanned),
                    scan.lines);
        } finally {
            for (PartitionItems partition : partitions) {
                partition.close();
            }
        }
    }

    private List<PartitionItems> open(ItemQuery query) throws IOException {
        Map<String, ItemPlace> places = new HashMap<>();
        query.cursor().ifPresent(text -> ItemPlace.cursor(text)
                .forEach(place -> places.put(key(place.kind(), place.partition()), place)));
        List<PartitionItems> partitions = new ArrayList<>();
        for (ItemKind kind : query.kinds()) {
            for (Map.Entry<Integer, NavigableMap<Long, RunFile>> files : RunFiles.list(out, query.run(), kind)
                    .entrySet()) {
                Optional<ItemPlace> place = Optional.ofNullable(places.get(key(kind, files.getKey())));
                // Newest first, a partition that is not in the cursor got its first item after the beginning.
                if (place.isPresent() || query.cursor().isEmpty() || !query.newestFirst()) {
                    partitions.add(
                            new PartitionItems(kind, files.getKey(), files.getValue(), query.newestFirst(), place));
                }
            }
        }
        if (partitions.isEmpty() && query.newestFirst()) {
            query.cursor().ifPresent(text -> {
                throw new InvalidValueException("cursor", text, "a cursor of the list of these items");
            });
        }
        return partitions;
    }

    private static String key(ItemKind kind, int partition) {
        return kind + "/" + partition;
    }

    private static String cursor(List<PartitionItems> partitions) {
        return partitions.stream().map(partition -> partition.place().toString()).collect(Collectors.joining("-"));
    }

    /** One pass over the heads of all partitions. */
    private final class Scan {
        private final ItemQuery query;
        private final long deadline;
        private final List<String> places = new ArrayList<>();
        private final List<byte[]> lines = new ArrayList<>();
        private long answered;
        private long read;
        private long scanned;

        Scan(ItemQuery query, long deadline) {
            this.query = query;
            this.deadline = deadline;
        }

        /** Whether no item follows. */
        boolean run(List<PartitionItems> partitions) throws IOException {
            for (Optional<PartitionItems> next = next(partitions); next.isPresent(); next = next(partitions)) {
                StoredItem item = next.get().head().orElseThrow();
                if (!room(item)) {
                    return false;
                }
                next.get().take();
                read += item.line().bytes().length;
                scanned++;
                if (item.url().contains(query.url())) {
                    places.add(item.place().toString());
                    lines.add(item.line().bytes());
                    answered += item.line().bytes().length;
                }
            }
            return true;
        }

        private boolean room(StoredItem item) {
            return lines.size() < query.limit() && read < MOST_SCANNED
                    && (scanned == 0 || nanos.getAsLong() - deadline < 0)
                    && (lines.isEmpty() || answered + item.line().bytes().length <= MOST_ANSWERED);
        }

        private Optional<PartitionItems> next(List<PartitionItems> partitions) throws IOException {
            Comparator<String> order = query.newestFirst() ? Comparator.reverseOrder() : Comparator.naturalOrder();
            PartitionItems best = null;
            String time = "";
            for (PartitionItems partition : partitions) {
                Optional<StoredItem> head = partition.head();
                if (head.isPresent() && (best == null || order.compare(head.get().fetchedAt(), time) < 0)) {
                    best = partition;
                    time = head.get().fetchedAt();
                }
            }
            return Optional.ofNullable(best);
        }
    }
}
