package io.trawl.pipeline.sink;

import static java.util.Objects.requireNonNull;

import io.trawl.api.Item;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.module.Counters;
import io.trawl.pipeline.format.FileLine;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.pipeline.sink.SinkOffsets.PartitionLost;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores items exactly once in files, of one or several formats. Each partition of {@code items} has at most one open segment: the
 * files for the offsets from the committed offset to the position. The sink closes a segment when a file is full or old,
 * when no item has arrived for a while, at the noted end of a run, and before the partition is revoked; {@link SinkSteps}
 * describes the steps. Confined to one thread.
 *
 * <p>After a {@link StorageException} only {@link #discardAll} may be called: the next owner reads the uncommitted
 * items again, which may be this process once {@link #probe} succeeds.
 */
public final class FileSink {
    private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);
    /** The part of the limits of the backlog that open segments may take. */
    private static final int OPEN_PART = 4;
    private static final int MOST_FILES = 200;
    private static final int MOST_COMPRESSED = 16;
    private static final int MOST_ERRORS = 1000;
    private static final long FLUSH_NANOS = Duration.ofSeconds(1).toNanos();
    private final SinkFolder out;
    private final FileRules fileRules;
    private final SinkPorts sinkPorts;
    private final NotedEnds ends;
    private final SinkSteps steps;
    private final SinkTakeover sinkTakeover;
    private final SinkCounts figures = new SinkCounts();
    private final Map<Integer, Span> spans = new HashMap<>();
    private int all = 1;
    private long mostRecords = Long.MAX_VALUE;
    private long mostBytes = Long.MAX_VALUE;
    private long attempts;
    private long flushedAt;

    /**
     * The rules for closing segments.
     *
     * @param fileSize in bytes
     * @param fileIdle the time without a new line after which a file is closed, unless the partition's last one was
     *     closed less than {@code fileAge} ago: a slow crawl would have a file per item
     * @param fileAge the longest time from the first line to the closing
     * @param backlog the items that may wait before analyzers hold, which may change: the open segments of all partitions take a quarter of it at most
     * @param backlogBytes the same in bytes; 0, as above: no limit
     * @param nonce of this process: {@code a-z 0-9}, unique among processes
     * @param replaced whether a newer run has taken a run's place
     * @param kafkaLoss when Kafka was found to have lost records, if it ever was
     */
    public record FileRules(long fileSize, Duration fileIdle, Duration fileAge, LongSupplier backlog, LongSupplier backlogBytes,
            String nonce,
            Predicate<CrawlRun> replaced, Supplier<Optional<Instant>> kafkaLoss) {
        /** The part of a limit that one of all partitions may have in an open segment. */
        private static long share(long limit, int partitions) {
            return limit == 0 ? Long.MAX_VALUE : Math.max(1, limit / (OPEN_PART * partitions));
        }
    }

    /** The services that the sink uses. */
    public record SinkPorts(SinkOffsets offsets, Consumer<CrawlerError> errors, Counters counters, LongSupplier nanos,
            FileOpener disk,
            FaultPoint faults) {}

    /** An owned partition: its committed offset, its position, and the segment between them. */
    private static final class Span {
        private final int partition;
        private long committed;
        private long position;
        private Segment segment;
        private Optional<Long> closedAt = Optional.empty();

        Span(int partition, long committed, Segment segment) {
            this.partition = partition;
            this.committed = committed;
            this.position = committed;
            this.segment = segment;
        }
    }

    /** Does not access the folder. */
    public FileSink(SinkFolder out, FileRules fileRules, NotedEnds ends, SinkPorts sinkPorts) {
        this.out = out;
        this.fileRules = fileRules;
        this.ends = ends;
        this.sinkPorts = sinkPorts;
        this.steps = new SinkSteps(sinkPorts.offsets(), sinkPorts.faults());
        this.sinkTakeover = new SinkTakeover(out, steps, fileRules.replaced(), fileRules.kafkaLoss());
    }

    /** The sink's counters. */
    public SinkCounts figures() {
        return figures;
    }

    /** Tests whether the folder is writable. @throws StorageException if it is not */
    public void probe() {
        out.probe(fileRules.nonce(), sinkPorts.disk());
    }

    /**
     * Takes over newly assigned partitions; must precede the first {@link #add} for them.
     *
     * @return by partition the offset to start from; the caller must retry missing partitions
     */
    public Map<Integer, Long> takeOver(Set<Integer> partitions) throws PartitionLost, InterruptedException {
        all = sinkPorts.offsets().partitions();
        limit();
        Map<Integer, Long> begin = sinkTakeover.run(partitions);
        begin.forEach((partition, offset) -> spans.put(partition, new Span(partition, offset, segment(partition, offset))));
        updateCounts();
        return begin;
    }

    private void limit() {
        mostRecords = FileRules.share(fileRules.backlog().getAsLong(), all);
        mostBytes = FileRules.share(fileRules.backlogBytes().getAsLong(), all);
    }

    private Segment segment(int partition, long first) {
        return new Segment(new PartFileName(partition, first), fileRules.nonce() + "-" + attempts++, out, sinkPorts.disk());
    }

    /**
     * Adds the item at an offset.
     *
     * @param lines of the files that it is in, at least one
     * @return false if the partition was lost
     */
    public boolean add(int partition, long offset, Item item, List<FileLine> lines) throws InterruptedException {
        Span span = at(partition, offset);
        try {
            for (FileLine line : lines) {
                steps.write(span.segment, item, line);
                figures.written(line.bytes().length);
            }
        } catch (IOException e) {
            throw new StorageException("write to", out.root(), e);
        }
        span.segment.store(item, lines.stream().flatMap(line -> line.format().sink().stream()).toList(),
                sinkPorts.nanos().getAsLong());
        return !full(span) || close(partition);
    }

    /**
     * Must precede all calls for an item that is to be added: a sink may have another format than in the open files, since the definition of the crawl was
     * changed.
     *
     * @return false if the partition was lost
     */
    public boolean ready(int partition, Item item, List<FileLine> lines) throws InterruptedException {
        return !requireNonNull(spans.get(partition)).segment.hasOtherFormat(item, lines) || close(partition);
    }

    /** Records that the record at an offset is no item to account for. */
    public void skip(int partition, long offset) {
        at(partition, offset);
    }

    /**
     * Adds an error of the record that is added or skipped next. The sink reports it right before it commits the
     * offset, so that it is reported once.
     */
    public void error(int partition, CrawlerError error) {
        requireNonNull(spans.get(partition)).segment.error(error);
    }

    /** Records that the item at an offset is not stored, and why. */
    public void leaveOut(int partition, long offset, Item item, ItemCounts why) {
        count(at(partition, offset), item, why);
    }

    /** Adds errors of processors on an item that is added or left out next; they do not decide about it. */
    public void count(int partition, Item item, ItemCounts errors) {
        count(requireNonNull(spans.get(partition)), item, errors);
    }

    private void count(Span span, Item item, ItemCounts more) {
        span.segment.count(item.run(), more, sinkPorts.nanos().getAsLong());
    }

    private Span at(int partition, long offset) {
        Span span = requireNonNull(spans.get(partition));
        if (offset < span.position) {
            throw new StorageException(
                    "partition " + partition + " of the items went back from offset " + span.position + " to " + offset
                            + ": was the topic truncated or recreated?");
        }
        span.position = offset + 1;
        return span;
    }

    /** Analyzers hold by the committed offsets, so what is in open files must stay far below their limits. */
    private boolean full(Span span) {
        Segment segment = span.segment;
        return segment.largest() >= fileRules.fileSize() || segment.files().size() >= MOST_FILES
                || segment.compressed() >= MOST_COMPRESSED
                || segment.errors() >= MOST_ERRORS || span.position - span.committed >= mostRecords
                || segment.bytes() >= mostBytes;
    }

    /** Advances the position over records that the consumer does not deliver: transaction markers and aborted records. */
    public void moved(int partition, long position) {
        Span span = requireNonNull(spans.get(partition));
        span.position = Math.max(span.position, position);
    }

    /**
     * Closes the segments that are due.
     *
     * @return the partitions that were lost
     */
    public Set<Integer> settle() throws InterruptedException {
        limit();
        Set<Integer> lost = new HashSet<>();
        for (Span span : Set.copyOf(spans.values())) {
            if (due(span) && !close(span.partition)) {
                lost.add(span.partition);
            }
        }
        flush();
        updateCounts();
        return lost;
    }

    /** Lets readers see the lines of open files, once a second. */
    private void flush() {
        long now = sinkPorts.nanos().getAsLong();
        if (now - flushedAt < FLUSH_NANOS) {
            return;
        }
        flushedAt = now;
        try {
            for (Span span : spans.values()) {
                span.segment.flush();
            }
        } catch (IOException e) {
            throw new StorageException("write to", out.root(), e);
        }
    }

    private boolean due(Span span) {
        Segment segment = span.segment;
        return span.position > span.committed && (segment.isEmpty() || full(span)
                || old(span)
                || ends.reached(span.partition, span.committed, span.position));
    }

    private boolean old(Span span) {
        long now = sinkPorts.nanos().getAsLong();
        long age = fileRules.fileAge().toNanos();
        boolean idle = now - span.segment.lastAdded() >= fileRules.fileIdle().toNanos();
        return now - span.segment.firstAdded() >= age
                || idle && span.closedAt.filter(closed -> now - closed < age).isEmpty();
    }

    /**
     * Finishes the files of a partition and commits its position. The partition stays owned, and more items may be added.
     *
     * @return false if the partition was lost; the sink has then discarded it
     */
    public boolean close(int partition) throws InterruptedException {
        Span span = spans.get(partition);
        if (span == null || span.position == span.committed) {
            return true;
        }
        try {
            finish(span);
            return true;
        } catch (PartitionLost e) {
            LOG.info("partition {} belongs to another member: {}", partition, e.getMessage());
            discard(partition);
            return false;
        } catch (IOException e) {
            throw new StorageException("finish the files of partition " + partition + " in", out.root(), e);
        }
    }

    private void finish(Span span) throws IOException, PartitionLost, InterruptedException {
        Segment segment = span.segment;
        if (!segment.files().isEmpty()) {
            steps.sync(segment);
        }
        segment.takeErrors().forEach(sinkPorts.errors());
        if (segment.files().isEmpty()) {
            steps.clear(span.partition, span.position, segment.ledger());
        } else {
            steps.name(span.partition, span.position, segment);
            segment.stored();
            sinkPorts.counters().completed(segment.items());
            steps.rename(segment);
            figures.finished(segment.files().size());
            steps.clear(span.partition, span.position, List.of());
        }
        span.committed = span.position;
        if (!segment.isEmpty()) {
            span.closedAt = Optional.of(sinkPorts.nanos().getAsLong());
        }
        span.segment = segment(span.partition, span.position);
    }

    /** Releases a partition and discards its uncommitted items. */
    public void discard(int partition) {
        Span span = spans.remove(partition);
        if (span != null) {
            sinkPorts.counters().failed(span.segment.unstored());
            try {
                span.segment.discard();
            } catch (IOException e) {
                LOG.warn("cannot delete unfinished files of partition {}: {}", partition, e.getMessage());
            }
        }
        updateCounts();
    }

    /** Releases all partitions and discards their uncommitted items. */
    public void discardAll() {
        Set.copyOf(spans.keySet()).forEach(this::discard);
    }

    /** By partition, the offset below which everything is stored. */
    public Map<Integer, Long> stored() {
        Map<Integer, Long> stored = new HashMap<>();
        spans.values().forEach(span -> stored.put(span.partition, span.committed));
        return stored;
    }

    /** The partitions that this sink has taken over. */
    public Set<Integer> partitions() {
        return Set.copyOf(spans.keySet());
    }

    private void updateCounts() {
        figures.now(spans.keySet(), spans.values().stream().mapToInt(span -> span.segment.files().size()).sum());
    }
}
