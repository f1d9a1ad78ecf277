package io.trawl.pipeline.sink;

import static java.util.Objects.requireNonNull;

import io.trawl.api.Item;
import io.trawl.channel.offset.StoredPosition;
import io.trawl.model.CrawlerError;
import io.trawl.module.Counters;
import io.trawl.pipeline.format.FileLine;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.pipeline.sink.SinkOffsets.PartitionLost;
import io.trawl.pipeline.spi.Capture;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores items exactly once in files, of one or several formats. Each partition of {@code items} has at most one open
 * segment: the files for the offsets from the committed offset to the position. The sink closes a segment when a file
 * is full or old, when no item has arrived for a while, at the noted end of a run, and before the partition is revoked;
 * {@link SinkSteps} describes the steps. Confined to one thread.
 *
 * <p>
 * After a {@link StorageException} only {@link #discardAll} may be called: the next owner reads the uncommitted items
 * again, which may be this process once {@link #probe} succeeds.
 */
public final class FileSink {
    private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);
    private static final int MOST_FILES = 200;
    private static final int MOST_COMPRESSED = 16;
    private static final int MOST_ERRORS = 1000;
    private static final long FLUSH_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LARGE_NANOS = Duration.ofMinutes(1).toNanos();
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

    /** The services that the sink uses. */
    public record SinkPorts(SinkOffsets offsets, Consumer<CrawlerError> errors, Counters counters, LongSupplier nanos,
            FileOpener disk, FaultPoint faults, RetriedSinks sinks) {}

    /**
     * An owned partition: its committed offset, its position, and what is between them in files and for other sinks.
     */
    private static final class Span {
        private final int partition;
        private final SinkDeliveries deliveries;
        private long committed;
        private long position;
        private long deliveredAt;
        private Segment segment;
        private Optional<Long> closedAt = Optional.empty();

        Span(int partition, long committed, SinkDeliveries deliveries, Segment segment) {
            this.partition = partition;
            this.deliveries = deliveries;
            this.committed = committed;
            this.position = committed;
            this.segment = segment;
        }

        void give() throws InterruptedException {
            deliveries.flush(segment::tell);
        }
    }

    /** Does not access the folder. */
    public FileSink(SinkFolder out, FileRules fileRules, NotedEnds ends, SinkPorts sinkPorts) {
        this.out = out;
        this.fileRules = fileRules;
        this.ends = ends;
        this.sinkPorts = sinkPorts;
        this.steps = new SinkSteps(sinkPorts.offsets(), sinkPorts.faults());
        this.sinkTakeover = new SinkTakeover(out, steps, fileRules.replaced());
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
        Map<Integer, Long> begin = new HashMap<>();
        sinkTakeover.run(partitions).forEach((partition, position) -> {
            spans.put(partition, new Span(partition, position.lowest(),
                    new SinkDeliveries(partition, position, sinkPorts.sinks(), sinkPorts.offsets(), sinkPorts.faults()),
                    segment(partition, position.front())));
            begin.put(partition, position.lowest());
        });
        updateCounts();
        return begin;
    }

    private void limit() {
        mostRecords = FileRules.share(fileRules.backlog().getAsLong(), all);
        mostBytes = FileRules.share(fileRules.backlogBytes().getAsLong(), all);
    }

    private Segment segment(int partition, long first) {
        return new Segment(new PartFileName(partition, first), fileRules.nonce() + "-" + attempts++, out,
                sinkPorts.disk());
    }

    /**
     * Whether the item at an offset is to be added or left out; else it is to be skipped, since every sink has it that
     * can have it now.
     */
    public boolean wants(int partition, long offset, String crawl) {
        Span span = spans.get(partition);
        return span == null || span.deliveries.wants(crawl, offset);
    }

    /** Where to go on reading, if nothing is wanted up to there. */
    public OptionalLong wantedFrom(int partition) {
        Span span = spans.get(partition);
        return span == null || span.position >= span.deliveries.front() || !span.deliveries.idle()
                ? OptionalLong.empty()
                : OptionalLong.of(span.deliveries.front());
    }

    /**
     * Adds the item at an offset.
     *
     * @param outputs at least one
     * @param account what is told about it, besides that it is stored
     * @return false if the partition was lost
     */
    public boolean add(int partition, long offset, Item item, ItemOutputs outputs, ItemAccount account)
            throws InterruptedException {
        Span span = at(partition, offset);
        span.segment.itemAdded();
        if (offset >= span.deliveries.front()) {
            write(span, item, outputs.lines());
        }
        return account(span, offset, item, outputs, account.plus(outputs.stored()))
                && (!full(span) || close(partition));
    }

    private void write(Span span, Item item, List<FileLine> lines) {
        try {
            for (FileLine line : lines) {
                steps.write(span.segment, item, line);
                figures.written(line.size());
            }
        } catch (IOException e) {
            throw new StorageException("write to", out.root(), e);
        }
    }

    private boolean account(Span span, long offset, Item item, ItemOutputs outputs, ItemAccount account)
            throws InterruptedException {
        if (!span.deliveries.wants(item.crawl(), offset)) {
            return true;
        }
        span.segment.touch(sinkPorts.nanos().getAsLong());
        if (!outputs.elsewhere() && !span.deliveries.accountsFor(item.crawl())) {
            span.segment.tell(item.run(), account);
            return true;
        }
        span.deliveries.add(item, offset, outputs, account);
        return !span.deliveries.full() || deliver(span);
    }

    /**
     * Gives what waits to sinks that are not files. What is for topics is committed: alone while files go on, and with
     * the accounts of its items while a sink catches up.
     *
     * @return false if the partition was lost
     */
    private boolean deliver(Span span) throws InterruptedException {
        span.give();
        if (span.deliveries.unwritten().isEmpty()) {
            return true;
        }
        if (!span.deliveries.idle()) {
            return close(span.partition);
        }
        try {
            StoredPosition position = span.deliveries.ahead(span.position);
            steps.publish(span.partition, position, span.deliveries.unwritten());
            span.deliveries.committed(position);
            return true;
        } catch (PartitionLost e) {
            return lost(span, e);
        }
    }

    private boolean lost(Span span, PartitionLost why) throws InterruptedException {
        LOG.info("partition {} belongs to another member, or a topic refuses items: {}", span.partition,
                why.getMessage());
        span.deliveries.refused();
        discard(span.partition);
        return false;
    }

    /**
     * Must precede all calls for an item that is to be added: a sink may have another format than in the open files,
     * since the definition of the crawl was changed. What waits for other sinks ends at their positions.
     *
     * @return false if the partition was lost
     */
    public boolean ready(int partition, long offset, Item item, List<FileLine> lines) throws InterruptedException {
        Span span = requireNonNull(spans.get(partition));
        return (!span.deliveries.ends(offset) || deliver(span))
                && (!span.segment.hasOtherFormat(item, lines) || close(partition));
    }

    /**
     * Adds the response at an offset to the archive of its run.
     *
     * @param now when its file begins, if it is the first
     * @return false if the partition was lost
     */
    public boolean archive(int partition, long offset, Capture capture, Instant now) throws InterruptedException {
        Span span = at(partition, offset);
        long before = span.segment.bytes();
        span.segment.itemAdded();
        span.segment.touch(sinkPorts.nanos().getAsLong());
        try {
            steps.write(span.segment, capture.response().run().toString(), capture, now);
        } catch (IOException e) {
            throw new StorageException("write to", out.root(), e);
        }
        figures.written((int) (span.segment.bytes() - before));
        return !full(span) || close(partition);
    }

    /** Records that the record at an offset is no item to account for. */
    public void skip(int partition, long offset) {
        at(partition, offset);
    }

    /**
     * Records that the record at an offset is no item. @param error is reported right before the offset is committed,
     * so that it is reported once
     */
    public void unreadable(int partition, long offset, CrawlerError error) {
        Span span = at(partition, offset);
        if (offset >= span.deliveries.front()) {
            span.segment.error(error);
        }
    }

    /**
     * Records that the item at an offset is not stored. @param account why, and what else is told about it @return
     * false if the partition was lost
     */
    public boolean leaveOut(int partition, long offset, Item item, ItemAccount account) throws InterruptedException {
        return account(at(partition, offset), offset, item, ItemOutputs.NONE, account);
    }

    private Span at(int partition, long offset) {
        Span span = requireNonNull(spans.get(partition));
        if (offset < span.position) {
            throw new StorageException("partition " + partition + " of the items went back from offset " + span.position
                    + " to " + offset + ": was the topic truncated or recreated?");
        }
        span.position = offset + 1;
        return span;
    }

    /** Analyzers hold by the committed offsets, so what is in open files must stay far below their limits. */
    private boolean full(Span span) {
        Segment segment = span.segment;
        return segment.largest() >= fileRules.fileSize() || segment.files().size() >= MOST_FILES
                || segment.compressed() >= MOST_COMPRESSED || segment.errors() >= MOST_ERRORS
                || span.position - span.committed >= mostRecords || segment.bytes() >= mostBytes;
    }

    /**
     * Advances the position over records that the consumer does not deliver: transaction markers and aborted records.
     */
    public void moved(int partition, long position) {
        Span span = requireNonNull(spans.get(partition));
        span.position = Math.max(span.position, position);
    }

    /**
     * Closes the segments that are due.
     *
     * @return the partitions that must be taken over again: they were lost, or a sink that is behind is to be asked
     * again
     */
    public Set<Integer> settle() throws InterruptedException {
        limit();
        Set<Integer> lost = new HashSet<>();
        for (Span span : Set.copyOf(spans.values())) {
            boolean retry = span.deliveries.retry();
            if ((due(span) || retry) && (!close(span.partition) || retry)) {
                discard(span.partition);
                lost.add(span.partition);
            }
        }
        lost.addAll(flush());
        updateCounts();
        return lost;
    }

    /**
     * Lets readers see the lines of open files, and gives waiting items to other sinks, once a second. @return
     * partitions that were lost
     */
    private Set<Integer> flush() throws InterruptedException {
        Set<Integer> lost = new HashSet<>();
        long now = sinkPorts.nanos().getAsLong();
        if (now - flushedAt < FLUSH_NANOS) {
            return lost;
        }
        flushedAt = now;
        try {
            for (Span span : Set.copyOf(spans.values())) {
                span.segment.flush();
                if (!span.deliveries.mayWait() || now - span.deliveredAt >= LARGE_NANOS) {
                    span.deliveredAt = now;
                    if (!deliver(span)) {
                        lost.add(span.partition);
                    }
                }
            }
            return lost;
        } catch (IOException e) {
            throw new StorageException("write to", out.root(), e);
        }
    }

    private boolean due(Span span) {
        Segment segment = span.segment;
        return span.position > span.committed && (segment.isEmpty() || full(span) || old(span)
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
     * Finishes the files of a partition and commits its position. The partition stays owned, and more items may be
     * added.
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
            return lost(span, e);
        } catch (IOException e) {
            throw new StorageException("finish the files of partition " + partition + " in", out.root(), e);
        }
    }

    private void finish(Span span) throws IOException, PartitionLost, InterruptedException {
        Segment segment = span.segment;
        span.give();
        boolean files = !segment.files().isEmpty();
        if (files) {
            steps.sync(segment);
        }
        segment.takeErrors().forEach(sinkPorts.errors());
        StoredPosition position = span.deliveries.position(span.position);
        if (files) {
            steps.name(span.partition, position, segment, span.deliveries.unwritten());
        } else {
            steps.clear(span.partition, position, segment.ledger(), span.deliveries.unwritten());
        }
        segment.stored();
        sinkPorts.counters().completed(segment.items());
        if (files) {
            steps.rename(segment);
            figures.finished(segment.files().size());
            steps.clear(span.partition, position, List.of(), List.of());
        }
        span.deliveries.committed(position);
        span.committed = span.position;
        if (!segment.isEmpty()) {
            span.closedAt = Optional.of(sinkPorts.nanos().getAsLong());
        }
        span.segment = segment(span.partition, position.front());
    }

    /** Releases a partition and discards its uncommitted items. */
    public void discard(int partition) {
        Span span = spans.remove(partition);
        if (span != null) {
            sinkPorts.counters().returned(span.segment.unstored());
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
