package io.trawl.downloader.frontier.queue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * A queue of offsets of one partition, in the order of insertion, at one to three bytes each. All but the first are
 * stored as the difference to the previous one, in as many bytes as needed (zig-zag and base 128, as in Protocol
 * Buffers), since a partition that is read again delivers smaller offsets after larger ones. Operations on both ends
 * take a few nanoseconds. Not thread-safe.
 */
public final class OffsetQueue {
    private static final byte[] NOTHING = {};
    /** A 64-bit number in groups of seven bits. */
    private static final int LONGEST = 10;
    private static final int FIRST_CAPACITY = 16;
    private byte[] bytes = NOTHING;
    private int from;
    private int to;
    private int size;
    private long first;
    private long last;

    void addLast(long offset) {
        if (size == 0) {
            first = offset;
        } else {
            if (bytes.length - to < LONGEST) {
                grow(0);
            }
            to = write(to, offset - last);
        }
        last = offset;
        size++;
    }

    /** Inserts an offset before all others. */
    void addFirst(long offset) {
        if (size == 0) {
            addLast(offset);
            return;
        }
        long difference = first - offset;
        int length = length(difference);
        if (from < length) {
            grow(LONGEST);
        }
        from -= length;
        write(from, difference);
        first = offset;
        size++;
    }

    /** The first offset; only if there is one. */
    long first() {
        if (size == 0) {
            throw new IllegalStateException("no offset is left");
        }
        return first;
    }

    /** Removes the first offset. */
    void removeFirst() {
        first();
        size--;
        if (size == 0) {
            bytes = NOTHING;
            from = 0;
            to = 0;
        } else {
            first += number(from);
            from += length(from);
        }
    }

    /**
     * The next offsets in their order, as long as they ascend and are near enough to the first for one sequential read.
     *
     * @param most the maximum number, at least 1
     * @param span the maximum distance from the first
     */
    public long[] next(int most, long span) {
        long[] next = new long[Math.min(most, size)];
        int count = 0;
        long offset = first();
        for (int at = from; count < next.length; at += length(at)) {
            next[count++] = offset;
            if (count == next.length) {
                break;
            }
            long difference = number(at);
            offset += difference;
            if (difference <= 0 || offset - first > span) {
                break;
            }
        }
        return Arrays.copyOf(next, count);
    }

    /** Removes these offsets, cheaply if they are the first ones; returns those that were there. */
    Set<Long> removeAll(Set<Long> gone) {
        Set<Long> removed = new HashSet<>();
        while (size > 0 && gone.contains(first)) {
            removed.add(first);
            removeFirst();
        }
        if (size > 0 && removed.size() < gone.size()) {
            OffsetQueue rest = new OffsetQueue();
            long offset = first;
            int at = from;
            for (int i = 0; i < size; i++) {
                if (gone.contains(offset)) {
                    removed.add(offset);
                } else {
                    rest.addLast(offset);
                }
                if (i + 1 < size) {
                    offset += number(at);
                    at += length(at);
                }
            }
            become(rest);
        }
        return removed;
    }

    private void become(OffsetQueue other) {
        bytes = other.bytes;
        from = other.from;
        to = other.to;
        size = other.size;
        first = other.first;
        last = other.last;
    }

    boolean isEmpty() { return size == 0; }

    int size() {
        return size;
    }

    /** The memory used beyond a fixed amount, in bytes. */
    int memory() {
        return bytes.length;
    }

    /** Grows by a quarter, since doubling would waste memory in the largest queues. First reclaims removed entries. */
    private void grow(int before) {
        int length = to - from;
        int needed = before + length + LONGEST;
        byte[] next = new byte[Math.max(FIRST_CAPACITY, needed + needed / 4)];
        System.arraycopy(bytes, from, next, before, length);
        bytes = next;
        from = before;
        to = before + length;
    }

    private int write(int at, long difference) {
        long rest = difference << 1 ^ difference >> 63;
        int next = at;
        while ((rest & ~0x7FL) != 0) {
            bytes[next++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[next++] = (byte) rest;
        return next;
    }

    private long number(int at) {
        long zigzag = 0;
        int shift = 0;
        int next = at;
        while (bytes[next] < 0) {
            zigzag |= (bytes[next++] & 0x7FL) << shift;
            shift += 7;
        }
        zigzag |= (long) bytes[next] << shift;
        return zigzag >>> 1 ^ -(zigzag & 1);
    }

    private int length(int at) {
        int next = at;
        while (bytes[next] < 0) {
            next++;
        }
        return next - at + 1;
    }

    private static int length(long difference) {
        long zigzag = difference << 1 ^ difference >> 63;
        return Math.max(1, (70 - Long.numberOfLeadingZeros(zigzag)) / 7);
    }
}
