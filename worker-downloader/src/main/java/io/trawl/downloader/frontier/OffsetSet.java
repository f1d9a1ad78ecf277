package io.trawl.downloader.frontier;

import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A set of offsets of one partition: a bit each where they are dense. Not thread-safe. */
final class OffsetSet {
    private static final int BLOCK = 1 << 16;
    private final TreeMap<Long, BitSet> blocks = new TreeMap<>();

    void add(long offset) {
        blocks.computeIfAbsent(offset / BLOCK, block -> new BitSet()).set((int) (offset % BLOCK));
    }

    void addAll(OffsetSet others) {
        others.blocks.forEach((block, bits) -> blocks.computeIfAbsent(block, b -> new BitSet()).or(bits));
    }

    /** True if it was in the set. */
    boolean remove(long offset) {
        BitSet bits = blocks.get(offset / BLOCK);
        int bit = (int) (offset % BLOCK);
        if (bits == null || !bits.get(bit)) {
            return false;
        }
        bits.clear(bit);
        if (bits.isEmpty()) {
            blocks.remove(offset / BLOCK);
        }
        return true;
    }

    Optional<Long> lowest() {
        Map.Entry<Long, BitSet> first = blocks.firstEntry();
        return first == null ? Optional.empty() : Optional.of(first.getKey() * BLOCK + first.getValue().nextSetBit(0));
    }

    int size() {
        return blocks.values().stream().mapToInt(BitSet::cardinality).sum();
    }
}
