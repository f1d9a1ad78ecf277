package io.trawl.coordinator.summary;

import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The ids of emitted requests without an answer, each with its priority: a set of longs with open addressing, 11 to 16
 * bytes per id once it holds more than a few (9 bytes per slot, filled to between 57 and 80 %). An id is found by
 * linear probing from its home slot; a removal moves the ids behind it up, so that no tombstones are needed (Knuth, The
 * Art of Computer Programming, volume 3, 6.4, algorithm R). Not thread-safe.
 */
public final class Unanswered {
    private static final int SMALLEST = 8;
    private static final int LARGEST = Integer.MAX_VALUE - 8;
    private static final double FULL = 0.8;
    private static final double SPARSE = 0.2;
    private static final double GROWTH = 1.4;
    private static final int PRIORITIES = Request.MOST_LEVELS;
    private static final byte FREE = 0;
    private final long[] byPriority = new long[PRIORITIES];
    /** The number of ids that were ever added, or moved there, by priority. */
    private final long[] added = new long[PRIORITIES];
    private long[] ids = new long[SMALLEST];
    /** The priority plus one of the id in the same slot, or {@link #FREE}. */
    private byte[] marks = new byte[SMALLEST];
    private int size;

    /** The same set. */
    public Unanswered copy() {
        Unanswered copy = new Unanswered();
        System.arraycopy(byPriority, 0, copy.byPriority, 0, PRIORITIES);
        System.arraycopy(added, 0, copy.added, 0, PRIORITIES);
        copy.ids = ids.clone();
        copy.marks = marks.clone();
        copy.size = size;
        return copy;
    }

    /** Writes the set with the numbers of ids that were ever added: nine bytes per id, in no order. */
    void writeTo(DataOutput out) throws IOException {
        for (long count : added) {
            out.writeLong(count);
        }
        out.writeInt(size);
        for (int slot = 0; slot < ids.length; slot++) {
            if (marks[slot] != FREE) {
                out.writeLong(ids[slot]);
                out.writeByte(marks[slot]);
            }
        }
    }

    /** Reads what {@link #writeTo} wrote. */
    static Unanswered readFrom(DataInput in) throws IOException {
        Unanswered read = new Unanswered();
        long[] added = new long[PRIORITIES];
        for (int level = 0; level < PRIORITIES; level++) {
            added[level] = in.readLong();
        }
        int size = in.readInt();
        read.resize(Math.clamp((long) (size / FULL) + SMALLEST, SMALLEST, LARGEST));
        for (int i = 0; i < size; i++) {
            read.add(new RequestId(in.readLong()), in.readByte() - 1);
        }
        System.arraycopy(added, 0, read.added, 0, PRIORITIES);
        return read;
    }

    /** The ids, in no order. */
    public Stream<RequestId> ids() {
        return IntStream.range(0, ids.length).filter(slot -> marks[slot] != FREE)
                .mapToObj(slot -> new RequestId(ids[slot]));
    }

    /** @return whether the id was added; an id that is in the set keeps its priority */
    public boolean add(RequestId id, int priority) {
        int slot = find(id.value());
        if (marks[slot] != FREE) {
            return false;
        }
        int level = Math.clamp(priority, 0, PRIORITIES - 1);
        put(slot, id.value(), (byte) (level + 1));
        byPriority[level]++;
        added[level]++;
        size++;
        if (size > ids.length * FULL) {
            resize((int) Math.min(LARGEST, (long) (ids.length * GROWTH) + 1));
        }
        return true;
    }

    /** Gives an id in the set another priority, of which it then counts as added. @return whether it had another one */
    public boolean move(RequestId id, int priority) {
        int slot = find(id.value());
        int level = Math.clamp(priority, 0, PRIORITIES - 1);
        if (marks[slot] == FREE || marks[slot] == level + 1) {
            return false;
        }
        byPriority[marks[slot] - 1]--;
        marks[slot] = (byte) (level + 1);
        byPriority[level]++;
        added[level]++;
        return true;
    }

    /** @return whether the id was in the set */
    public boolean remove(RequestId id) {
        int slot = find(id.value());
        if (marks[slot] == FREE) {
            return false;
        }
        byPriority[marks[slot] - 1]--;
        size--;
        close(slot);
        if (ids.length > SMALLEST && size < ids.length * SPARSE) {
            resize(Math.max(SMALLEST, (int) (size / FULL * GROWTH)));
        }
        return true;
    }

    /** Whether the id is in the set. */
    public boolean contains(RequestId id) {
        return marks[find(id.value())] != FREE;
    }

    /** The number of ids. */
    public int size() {
        return size;
    }

    /** The number of ids of a priority. */
    public long size(int priority) {
        return byPriority[priority];
    }

    /** The number of ids that were ever added with a priority, or moved to it. */
    public long added(int priority) {
        return added[priority];
    }

    /** One more than the largest priority that any id ever had; 0 if there was none. */
    public int levelsEver() {
        int levels = PRIORITIES;
        while (levels > 0 && added[levels - 1] == 0) {
            levels--;
        }
        return levels;
    }

    /** One more than the largest priority of any id; 0 if there is none. */
    public int levels() {
        int levels = PRIORITIES;
        while (levels > 0 && byPriority[levels - 1] == 0) {
            levels--;
        }
        return levels;
    }

    /** The slot of the id, or the free one where it belongs. */
    private int find(long id) {
        int slot = home(id);
        while (marks[slot] != FREE && ids[slot] != id) {
            slot = after(slot);
        }
        return slot;
    }

    /** Moves up the ids behind the slot, and frees the last slot. */
    private void close(int slot) {
        int hole = slot;
        for (int next = after(hole); marks[next] != FREE; next = after(next)) {
            int home = home(ids[next]);
            boolean between = hole <= next ? hole < home && home <= next : hole < home || home <= next;
            if (!between) {
                put(hole, ids[next], marks[next]);
                hole = next;
            }
        }
        marks[hole] = FREE;
    }

    private void resize(int slots) {
        long[] oldIds = ids;
        byte[] oldMarks = marks;
        ids = new long[slots];
        marks = new byte[slots];
        for (int i = 0; i < oldIds.length; i++) {
            if (oldMarks[i] != FREE) {
                put(find(oldIds[i]), oldIds[i], oldMarks[i]);
            }
        }
    }

    private void put(int slot, long id, byte mark) {
        ids[slot] = id;
        marks[slot] = mark;
    }

    private int after(int slot) {
        return slot + 1 == ids.length ? 0 : slot + 1;
    }

    /** Mixed bits, scaled to the number of slots, which then need not be a power of two. */
    private int home(long id) {
        long mixed = (id ^ id >>> 32) * 0x9E3779B97F4A7C15L;
        return (int) Math.unsignedMultiplyHigh(mixed ^ mixed >>> 29, ids.length);
    }
}
