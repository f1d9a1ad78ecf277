package io.trawl.downloader;

import io.trawl.downloader.frontier.Action;
import io.trawl.downloader.frontier.Delivered;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The records that are wanted of one partition, and the way through the log to them: upwards like a lift, reading through what lies near and jumping
 * to what lies far; then again from below. Belongs to the reading thread.
 */
final class WantedBodies {
    /** What takes no longer to read through than to jump over: a few batches. */
    private static final long NEAR = 1000;
    private static final long NOWHERE = -1;
    /** Offset to those who want it. */
    private final TreeMap<Long, List<Wish>> wanted = new TreeMap<>();
    private long position = NOWHERE;
    private long tenure;

    /** Whose offsets are to be found, and what has been found of them. */
    private static final class Wish {
        private final long ask;
        private final List<Delivered> found = new ArrayList<>();
        private int left;

        Wish(Action.Read read) {
            this.ask = read.ask();
            this.left = read.offsets().size();
        }
    }

    /** What a read has come to; offsets that are missing are not in the log. */
    record Found(long ask, List<Delivered> records) {}

    void add(Action.Read read) {
        tenure = Math.max(tenure, read.tenure());
        Wish wish = new Wish(read);
        read.offsets().forEach(offset -> wanted.computeIfAbsent(offset, o -> new ArrayList<>(1)).add(wish));
    }

    /** Where to seek before the next poll; empty if reading on leads to the next wanted record soon. */
    OptionalLong jump() {
        Long above = wanted.ceilingKey(Math.max(0, position));
        long next = above == null ? wanted.firstKey() : above;
        if (position != NOWHERE && next >= position && next - position <= NEAR) {
            return OptionalLong.empty();
        }
        position = next;
        return OptionalLong.of(next);
    }

    /**
     * The log has been read from the position to another one; returns the reads that this has completed.
     *
     * @param records all that stand there
     */
    List<Found> passed(List<Delivered> records, long to) {
        Map<Long, Delivered> byOffset = new HashMap<>();
        records.forEach(record -> byOffset.put(record.offset(), record));
        List<Found> done = new ArrayList<>();
        Map<Long, List<Wish>> passed = wanted.subMap(position, to);
        passed.forEach((offset, wishes) -> {
            for (Wish wish : wishes) {
                Delivered record = byOffset.get(offset);
                if (record != null) {
                    wish.found.add(record);
                }
                wish.left--;
                if (wish.left == 0) {
                    done.add(new Found(wish.ask, List.copyOf(wish.found)));
                }
            }
        });
        passed.clear();
        position = to;
        return done;
    }

    /** Up to where has been read. */
    long position() {
        return position;
    }

    /** The latest tenure of which anything was wanted. */
    long tenure() {
        return tenure;
    }

    boolean isEmpty() { return wanted.isEmpty(); }
}
