package io.trawl.downloader.frontier;

import java.util.Arrays;

/**
 * A queue of offsets of one partition, in the order in which they were added, at one to three bytes each: all but the first are kept as the difference
 * to the one before, in as many bytes as that needs (zig-zag and base 128, as in Protocol Buffers), since a lane that is read again delivers smaller
 * offsets after larger ones. Both ends cost a few nanoseconds. Not thread-safe.
 */
final class OffsetQueue {
    private static final byte[] NOTHING = {};
    /** A 64-bit number in groups of seven bits. */
    private static final int LONGEST = 10;
    private static final int FIRST_ROOM = 16;
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
                makeRoom(0);
            }
            to = write(to, offset - last);
        }
        last = offset;
        size++;
    }

    /** Puts an offset before all others. */
    void addFirst(long offset) {
        if (size == 0) {
            addLast(offset);
            return;
        }
        long difference = first - offset;
        int length = length(difference);
        if (from < length) {
            makeRoom(LONGEST);
        }
        from -= length;
        write(from, difference);
        first = offset;
        size++;
    }

    /** The offset whose turn is next; only if there is one. */
    long first() {
        if (size == 0) {
            throw new IllegalStateException("no offset is left");
        }
        return first;
    }

    /** Takes the first one out. */
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
     * The next ones in their order: those that grow, and lie so near to the first that one sequential read finds them all.
     *
     * @param most how many at most, at least 1
     * @param span how far from the first
     */
    long[] next(int most, long span) {
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

    boolean isEmpty() { return size == 0; }

    int size() {
        return size;
    }

    /** What it takes of memory beyond a fixed amount, in bytes. */
    int room() {
        return bytes.length;
    }

    /** Grows by a quarter: doubling would waste most where most is. What was taken out makes room first. */
    private void makeRoom(int before) {
        int length = to - from;
        int needed = before + length + LONGEST;
        byte[] next = new byte[Math.max(FIRST_ROOM, needed + needed / 4)];
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
