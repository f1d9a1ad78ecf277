package io.trawl.downloader.frontier.queue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The delivered and unanswered offsets of one partition, and its low-water mark. Offsets are delivered in ascending
 * order and answered in any order. An offset between the low-water mark and the position costs about a bit. Not
 * thread-safe.
 */
public final class OpenOffsets {
    private final OffsetSet unanswered = new OffsetSet();
    private int open;
    private long position;

    /** @param position the offset from which records will be delivered */
    OpenOffsets(long position) {
        this.position = position;
    }

    /** An unanswered record; its offset is larger than all before. */
    public void delivered(long offset) {
        if (offset < position) {
            throw new IllegalArgumentException("offset " + offset + " was delivered after " + position);
        }
        unanswered.add(offset);
        open++;
        position = offset + 1;
    }

    /**
     * Everything below this offset has been delivered or needs no delivery: markers, aborted records, answered records.
     */
    void reached(long next) {
        position = Math.max(position, next);
    }

    /** The answer of a delivered record is acknowledged and marked. Idempotent. */
    void answered(long offset) {
        if (unanswered.remove(offset)) {
            open--;
        }
    }

    /** The lowest delivered offset without an answer, or the position if there is none: what may be committed. */
    public long lowWater() {
        return unanswered.lowest().orElse(position);
    }

    /** Whether it is delivered and not answered. */
    public boolean contains(long offset) {
        return unanswered.contains(offset);
    }

    /** The first unanswered offsets from one on, in ascending order. */
    public List<Long> from(long offset, int most) {
        return unanswered.from(offset, most);
    }

    /** The low-water mark if these offsets were answered. */
    long lowWaterWithout(Collection<OffsetSet> others) {
        return unanswered.lowestNotIn(others).orElse(position);
    }

    /** The offset after everything that was delivered. */
    public long position() {
        return position;
    }

    /** The number of delivered offsets without an answer. */
    int open() {
        return open;
    }

    /** A set of offsets of one partition: a bit each where they are dense. Not thread-safe. */
    static final class OffsetSet {
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

        boolean contains(long offset) {
            BitSet bits = blocks.get(offset / BLOCK);
            return bits != null && bits.get((int) (offset % BLOCK));
        }

        List<Long> from(long offset, int most) {
            List<Long> found = new ArrayList<>();
            for (Map.Entry<Long, BitSet> block : blocks.tailMap(offset / BLOCK, true).entrySet()) {
                int bit = block.getKey() == offset / BLOCK ? (int) (offset % BLOCK) : 0;
                for (bit = block.getValue().nextSetBit(bit); bit >= 0; bit = block.getValue().nextSetBit(bit + 1)) {
                    if (found.size() == most) {
                        return found;
                    }
                    found.add(block.getKey() * BLOCK + bit);
                }
            }
            return found;
        }

        Optional<Long> lowest() {
            Map.Entry<Long, BitSet> first = blocks.firstEntry();
            return first == null
                    ? Optional.empty()
                    : Optional.of(first.getKey() * BLOCK + first.getValue().nextSetBit(0));
        }

        /** The lowest that is in none of the others. */
        Optional<Long> lowestNotIn(Collection<OffsetSet> others) {
            for (Map.Entry<Long, BitSet> block : blocks.entrySet()) {
                BitSet rest = (BitSet) block.getValue().clone();
                others.stream().map(other -> other.blocks.get(block.getKey())).filter(Objects::nonNull)
                        .forEach(rest::andNot);
                if (!rest.isEmpty()) {
                    return Optional.of(block.getKey() * BLOCK + rest.nextSetBit(0));
                }
            }
            return Optional.empty();
        }

        /** Removes the lowest below an offset, and returns them in ascending order. */
        List<Long> removeBelow(long offset, int most) {
            List<Long> removed = new ArrayList<>();
            Optional<Long> low = lowest();
            while (removed.size() < most && low.isPresent() && low.get() < offset) {
                remove(low.get());
                removed.add(low.get());
                low = lowest();
            }
            return removed;
        }

        /** How many are below an offset. */
        int sizeBelow(long offset) {
            return blocks.headMap(offset / BLOCK, true).entrySet().stream()
                    .mapToInt(block -> block.getKey() < offset / BLOCK
                            ? block.getValue().cardinality()
                            : block.getValue().get(0, (int) (offset % BLOCK)).cardinality())
                    .sum();
        }

        int size() {
            return blocks.values().stream().mapToInt(BitSet::cardinality).sum();
        }
    }
}
