package io.trawl.pipeline.sink;

import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the group's offsets are for the sink, in memory: one owner at a time, whose successor fences it. */
final class OffsetLog {
    private final Map<Integer, Offsets.Committed> committed = new TreeMap<>();
    private long logStart;
    private int owner;

    void startsAt(long offset) {
        logStart = offset;
    }

    void set(int partition, long offset, String note) {
        committed.put(partition, new Offsets.Committed(offset, note, logStart));
    }

    Offsets.Committed get(int partition) {
        return committed.getOrDefault(partition, new Offsets.Committed(-1, "", logStart));
    }

    /** A new owner of all partitions; whoever had them before is fenced. */
    Offsets own() {
        int me = ++owner;
        return new Offsets() {
            @Override
            public Map<Integer, Committed> committed(Set<Integer> partitions) throws PartitionLost {
                fence();
                Map<Integer, Committed> result = new HashMap<>();
                partitions.forEach(partition -> result.put(partition, get(partition)));
                return result;
            }

            @Override
            public void commit(int partition, long offset, String note) throws PartitionLost {
                fence();
                set(partition, offset, note);
            }

            private void fence() throws PartitionLost {
                if (me != owner) {
                    throw new PartitionLost(new NoSuchFileException("owner " + me + " is fenced by " + owner));
                }
            }
        };
    }
}
