package io.trawl.pipeline.sink;

import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.Item;
import io.trawl.module.Counters;
import io.trawl.pipeline.sink.Offsets.PartitionLost;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores items exactly once in files of JSON lines. Each partition of {@code items} has at most one open segment: the files of the span of offsets from
 * what is committed to the position. A segment is closed when a file is full, when nothing came for a while, when the noted end of a run is reached,
 * and before the partition is given away; see {@link SinkSteps} for how. One thread.
 *
 * <p>After a {@link StorageFailure} nothing may be done but {@link #discardAll}: what is not committed is read again by the next owner, which may be this
 * process once {@link #probe} succeeds.
 */
public final class FileSink {
    private static final Logger LOG = LoggerFactory.getLogger(FileSink.class);
    private static final int MOST_FILES = 200;
    private static final int MOST_ERRORS = 1000;
    private final OutFolder out;
    private final Rules rules;
    private final Ports ports;
    private final NotedEnds ends;
    private final SinkSteps steps;
    private final TakeOver takeOver;
    private final SinkFigures figures = new SinkFigures();
    private final Map<Integer, Span> spans = new HashMap<>();
    private long attempts;

    /**
     * When a segment is closed.
     *
     * @param fileSize in bytes
     * @param fileIdle without a new line
     * @param nonce of this process: {@code a-z 0-9}, unlike that of any other
     * @param replaced whether a newer run has taken a run's place
     */
    public record Rules(long fileSize, Duration fileIdle, String nonce, Predicate<CrawlRun> replaced) {}

    /** What the sink needs of the world. */
    public record Ports(Offsets offsets, Consumer<CrawlerError> errors, Counters counters, LongSupplier nanos, Disk disk,
            FaultPoint faults) {}

    /** A partition that is owned: what is committed, how far it was read, and what lies between. */
    private static final class Span {
        private final int partition;
        private long committed;
        private long position;
        private Segment segment;

        Span(int partition, long committed, Segment segment) {
            this.partition = partition;
            this.committed = committed;
            this.position = committed;
            this.segment = segment;
        }
    }

    /** Does nothing yet. */
    public FileSink(OutFolder out, Rules rules, NotedEnds ends, Ports ports) {
        this.out = out;
        this.rules = rules;
        this.ends = ends;
        this.ports = ports;
        this.steps = new SinkSteps(ports.offsets(), ports.faults());
        this.takeOver = new TakeOver(out, steps, rules.replaced());
    }

    /** What it has done. */
    public SinkFigures figures() {
        return figures;
    }

    /** Tries to write. @throws StorageFailure if the folder does not take anything now */
    public void probe() {
        out.probe(rules.nonce(), ports.disk());
    }

    /**
     * Takes partitions over that were just assigned; nothing may be added for them before.
     *
     * @return by partition the offset to begin to read at; a partition that is missing must be tried again
     */
    public Map<Integer, Long> takeOver(Set<Integer> partitions) throws PartitionLost, InterruptedException {
        Map<Integer, Long> begin = takeOver.run(partitions);
        begin.forEach((partition, offset) -> spans.put(partition, new Span(partition, offset, segment(partition, offset))));
        show();
        return begin;
    }

    private Segment segment(int partition, long first) {
        return new Segment(new PartName(partition, first), rules.nonce() + "-" + attempts++, out, ports.disk());
    }

    /**
     * Adds an item as it stands at an offset.
     *
     * @return false if the partition was lost
     */
    public boolean add(int partition, long offset, Item item, byte[] line) throws InterruptedException {
        Span span = at(partition, offset);
        try {
            steps.write(span.segment, item, line, ports.nanos().getAsLong());
        } catch (IOException e) {
            throw new StorageFailure("write to", out.root(), e);
        }
        figures.written(line.length);
        return !full(span.segment) || close(partition);
    }

    /** The record at an offset leads to no line. */
    public void skip(int partition, long offset) {
        at(partition, offset);
    }

    /** An error met with the record at the offset that was added or skipped last; reported when the offset is about to be committed, so that it is reported once. */
    public void error(int partition, CrawlerError error) {
        spans.get(partition).segment.error(error);
    }

    private Span at(int partition, long offset) {
        Span span = spans.get(partition);
        if (offset < span.position) {
            throw new StorageFailure(
                    "partition " + partition + " of the items went back from offset " + span.position + " to " + offset
                            + ": was the topic cut or made anew?");
        }
        span.position = offset + 1;
        return span;
    }

    private boolean full(Segment segment) {
        return segment.largest() >= rules.fileSize() || segment.files().size() >= MOST_FILES || segment.errors() >= MOST_ERRORS;
    }

    /** The position moved over records that are not delivered: markers of transactions, records of aborted ones. */
    public void moved(int partition, long position) {
        Span span = spans.get(partition);
        span.position = Math.max(span.position, position);
    }

    /**
     * Closes what is due.
     *
     * @return the partitions that turned out to be lost
     */
    public Set<Integer> settle() throws InterruptedException {
        Set<Integer> lost = new HashSet<>();
        for (Span span : Set.copyOf(spans.values())) {
            if (due(span) && !close(span.partition)) {
                lost.add(span.partition);
            }
        }
        show();
        return lost;
    }

    private boolean due(Span span) {
        Segment segment = span.segment;
        return span.position > span.committed && (segment.files().isEmpty() || full(segment)
                || ports.nanos().getAsLong() - segment.lastAdded() >= rules.fileIdle().toNanos()
                || ends.reached(span.partition, span.committed, span.position));
    }

    /**
     * Finishes the files of a partition and commits its position; it is kept, and more may be added.
     *
     * @return false if it turned out to be lost; it is no longer kept then
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
            LOG.info("partition {} belongs to somebody else: {}", partition, e.getMessage());
            discard(partition);
            return false;
        } catch (IOException e) {
            throw new StorageFailure("finish the files of partition " + partition + " in", out.root(), e);
        }
    }

    private void finish(Span span) throws IOException, PartitionLost, InterruptedException {
        Segment segment = span.segment;
        if (!segment.files().isEmpty()) {
            steps.sync(segment);
        }
        segment.takeErrors().forEach(ports.errors());
        if (!segment.files().isEmpty()) {
            steps.name(span.partition, span.position, segment);
            segment.stored();
            ports.counters().completed(segment.lines());
            steps.rename(segment);
            figures.finished(segment.files().size());
        }
        steps.clear(span.partition, span.position);
        span.committed = span.position;
        span.segment = segment(span.partition, span.position);
    }

    /** Gives a partition up without storing what was not committed. */
    public void discard(int partition) {
        Span span = spans.remove(partition);
        if (span != null) {
            ports.counters().failed(span.segment.unstored());
            try {
                span.segment.discard();
            } catch (IOException e) {
                LOG.warn("unfinished files of partition {} are left: {}", partition, e.getMessage());
            }
        }
        show();
    }

    /** Gives all partitions up without storing what was not committed. */
    public void discardAll() {
        Set.copyOf(spans.keySet()).forEach(this::discard);
    }

    /** Everything below this offset is stored, by partition. */
    public Map<Integer, Long> stored() {
        Map<Integer, Long> stored = new HashMap<>();
        spans.values().forEach(span -> stored.put(span.partition, span.committed));
        return stored;
    }

    /** The partitions that are owned and taken over. */
    public Set<Integer> partitions() {
        return Set.copyOf(spans.keySet());
    }

    private void show() {
        figures.now(spans.keySet(), spans.values().stream().mapToInt(span -> span.segment.files().size()).sum());
    }
}
