package io.trawl.coordinator.summary;

import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * The ids of emitted requests without an answer, each with its priority: a compressed bitmap for each priority (Lemire
 * and others, Consistently faster and smaller compressed bitmaps with Roaring, 2016). Ids are given in ranges (see
 * {@link io.trawl.ledger.IdSequence}), so that an id takes a bit where most of its range waits, and two bytes where few
 * do, with a hundred bytes for each 65,536 ids of which any waits. Not thread-safe.
 */
public final class Unanswered {
    private static final int PRIORITIES = Request.MOST_LEVELS;
    /** Removals after which room that nothing uses is given back, if the set is not larger. */
    private static final int TRIMMED_EVERY = 1 << 16;
    /** By priority, up to the largest that any id had: many runs are small. */
    private final List<Roaring64Bitmap> ids = new ArrayList<>();
    /** A bitmap counts its ids anew each time that it is asked. */
    private final long[] sizes = new long[PRIORITIES];
    /** The number of ids that were ever added, or moved there, by priority. */
    private final long[] added = new long[PRIORITIES];
    private long size;
    private long removed;

    /** The same set. */
    public Unanswered copy() {
        Unanswered copy = new Unanswered();
        System.arraycopy(added, 0, copy.added, 0, PRIORITIES);
        ids.forEach(waiting -> copy.fill(waiting.clone()));
        return copy;
    }

    /** Takes the ids of the next priority. */
    private void fill(Roaring64Bitmap waiting) {
        sizes[ids.size()] = waiting.getLongCardinality();
        size += sizes[ids.size()];
        ids.add(waiting);
    }

    /** Writes the set with the numbers of ids that were ever added. */
    void writeTo(DataOutput out) throws IOException {
        for (long count : added) {
            out.writeLong(count);
        }
        out.writeByte(ids.size());
        for (Roaring64Bitmap waiting : ids) {
            waiting.serialize(out);
        }
    }

    /** Reads what {@link #writeTo} wrote. */
    static Unanswered readFrom(DataInput in) throws IOException {
        Unanswered read = new Unanswered();
        for (int level = 0; level < PRIORITIES; level++) {
            read.added[level] = in.readLong();
        }
        for (int levels = in.readByte(); levels > 0; levels--) {
            Roaring64Bitmap waiting = new Roaring64Bitmap();
            waiting.deserialize(in);
            read.fill(waiting);
        }
        return read;
    }

    /** The ids, in no order. */
    public Stream<RequestId> ids() {
        return ids.stream().flatMap(level -> level.stream().mapToObj(RequestId::new));
    }

    /** @return whether the id was added; an id that is in the set keeps its priority */
    public boolean add(RequestId id, int priority) {
        if (contains(id)) {
            return false;
        }
        put(id, Math.clamp(priority, 0, PRIORITIES - 1));
        return true;
    }

    /** Gives an id in the set another priority, of which it then counts as added. @return whether it had another one */
    public boolean move(RequestId id, int priority) {
        int level = Math.clamp(priority, 0, PRIORITIES - 1);
        int before = level(id);
        if (before < 0 || before == level) {
            return false;
        }
        take(id, before);
        put(id, level);
        return true;
    }

    /** @return whether the id was in the set */
    public boolean remove(RequestId id) {
        int level = level(id);
        if (level < 0) {
            return false;
        }
        take(id, level);
        if (++removed > Math.max(TRIMMED_EVERY, size)) {
            removed = 0;
            ids.forEach(Roaring64Bitmap::trim);
        }
        return true;
    }

    /** Whether the id is in the set. */
    public boolean contains(RequestId id) {
        return level(id) >= 0;
    }

    /** The number of ids. */
    public long size() {
        return size;
    }

    /** The number of ids of a priority. */
    public long size(int priority) {
        return sizes[priority];
    }

    /** The number of ids that were ever added with a priority, or moved to it. */
    public long added(int priority) {
        return added[priority];
    }

    /** One more than the largest priority that any id ever had; 0 if there was none. */
    public int levelsEver() {
        return IntStream.range(0, PRIORITIES).filter(level -> added[level] > 0).map(level -> level + 1).max().orElse(0);
    }

    /** The priority of an id; -1 if it is not in the set. */
    private int level(RequestId id) {
        for (int level = 0; level < ids.size(); level++) {
            if (sizes[level] > 0 && ids.get(level).contains(id.value())) {
                return level;
            }
        }
        return -1;
    }

    private void put(RequestId id, int level) {
        while (ids.size() <= level) {
            ids.add(new Roaring64Bitmap());
        }
        ids.get(level).addLong(id.value());
        sizes[level]++;
        added[level]++;
        size++;
    }

    private void take(RequestId id, int level) {
        ids.get(level).removeLong(id.value());
        sizes[level]--;
        size--;
    }
}
