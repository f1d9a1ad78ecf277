package io.trawl.pipeline.sink;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** What the sink has done, for summaries. Written by one thread, read by any. */
public final class SinkFigures {
    private final LongAdder lines = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder finished = new LongAdder();
    private volatile int open;
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

    /** Lines that were written: items and errors. */
    public long lines() {
        return lines.sum();
    }

    /** Bytes that were written. */
    public long bytes() {
        return bytes.sum();
    }

    /** Files that were finished. */
    public long finished() {
        return finished.sum();
    }

    /** Files that are being written. */
    public int open() {
        return open;
    }

    /** Partitions of the items that are stored here. */
    public Set<Integer> partitions() {
        return partitions;
    }

    /** The figures by name. */
    public Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("partitions", partitions.stream().sorted().toList());
        all.put("filesOpen", open);
        all.put("filesFinished", finished.sum());
        all.put("linesWritten", lines.sum());
        all.put("bytesWritten", bytes.sum());
        return all;
    }
}
