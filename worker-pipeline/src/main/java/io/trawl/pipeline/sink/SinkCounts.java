package io.trawl.pipeline.sink;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;

/** Counters of the sink, for summaries. One thread writes, any thread may read. */
public final class SinkCounts {
    private final LongAdder lines = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private volatile int open;
    private volatile long waiting;
    private volatile Set<Integer> partitions = Set.of();

    void written(int lineBytes) {
        lines.increment();
        bytes.add(lineBytes);
    }

    void finished(int files) {
        finished.add(files);
    }

    void now(Set<Integer> owned, int openFiles) {
        partitions = Set.copyOf(owned);
        open = openFiles;
    }

    /** Sets what is not read yet, by partition: below zero where the known end is older than the position. */
    public void waiting(LongStream lags) {
        waiting = lags.map(lag -> Math.max(0, lag)).sum();
    }

    /** Items of the partitions that are not read yet; items in open files are read. */
    public long waiting() {
        return waiting;
    }

    /** Lines written: items and errors. */
    public long lines() {
        return lines.sum();
    }

    /** Bytes written. */
    public long bytes() {
        return bytes.sum();
    }

    /** Files finished. */
    public long finished() {
        return finished.sum();
    }

    /** Files open for writing. */
    public int open() {
        return open;
    }

    /** Partitions of the items topic that this sink stores. */
    public Set<Integer> partitions() {
        return partitions;
    }

    /** All counters by name. */
    public Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("partitions", partitions.stream().sorted().toList());
        all.put("itemsWaiting", waiting);
        all.put("filesOpen", open);
        all.put("filesFinished", finished.sum());
        all.put("linesWritten", lines.sum());
        all.put("bytesWritten", bytes.sum());
        return all;
    }
}
