package io.trawl.downloader.fetch.budget;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A body while it is received, up to a limit. One of a known length grows to it, to at most eight times what has
 * arrived, so that a page is copied once on its way; one without is kept in pieces, which are joined at its end, and
 * takes at most twice the memory of what has arrived. Used by one thread at a time.
 */
public final class BodyBuffer {
    /** What it has at first, whatever the server promises. */
    private static final int TRUSTED = BodyMemory.LEAST_SHARE;
    private static final int LEAST = 1024;
    private static final long GROWTH = 8;
    private final int limit;
    /** The length that the server promises, at most the limit; negative if it promises none. */
    private final int promised;
    private final List<byte[]> full = new ArrayList<>();
    private byte[] last;
    private int used;
    private int length;

    /**
     * @param limit of the body, in bytes
     * @param promised what the server says; negative if it says nothing
     */
    public BodyBuffer(int limit, long promised) {
        this.limit = limit;
        this.promised = promised < 0 ? -1 : (int) Math.min(promised, limit);
        this.last = new byte[promised < 0
                ? Math.min(limit, LEAST << 3)
                : Math.clamp(promised, Math.min(limit, LEAST), Math.min(limit, TRUSTED))];
    }

    /** Takes all remaining bytes; what is beyond the limit is dropped. */
    public void write(ByteBuffer bytes) {
        int left = Math.min(bytes.remaining(), limit - length);
        while (left > 0) {
            if (used == last.length) {
                grow(left);
            }
            int n = Math.min(left, last.length - used);
            bytes.get(last, used, n);
            used += n;
            length += n;
            left -= n;
        }
    }

    private void grow(int wanted) {
        if (length < promised) {
            last = Arrays.copyOf(last, (int) Math.min(promised, Math.max(length + (long) wanted, length * GROWTH)));
        } else {
            full.add(last);
            last = new byte[Math.min(limit - length, Math.max(wanted, length))];
            used = 0;
        }
    }

    /** The length so far. */
    public int length() {
        return length;
    }

    /** The bytes; not a copy if it is avoidable. */
    public byte[] finish() {
        if (full.isEmpty()) {
            return used == last.length ? last : Arrays.copyOf(last, used);
        }
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] piece : full) {
            System.arraycopy(piece, 0, all, at, piece.length);
            at += piece.length;
        }
        System.arraycopy(last, 0, all, at, used);
        return all;
    }
}
