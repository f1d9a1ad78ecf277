package io.trawl.redis;

import io.trawl.ledger.UrlFacts;
import java.nio.ByteBuffer;

/**
 * Facts in {@value #LENGTH} bytes, the format of the scripts: known (1), done depth (1), done offset (5), first (5),
 * big-endian.
 */
final class PackedFacts {
    static final int LENGTH = 12;

    private PackedFacts() {}

    /** @throws IllegalArgumentException if a depth or an offset does not fit: it would be read as another one */
    static void write(UrlFacts facts, ByteBuffer to) {
        to.put(depth(facts.known())).put(depth(facts.doneDepth()));
        writeOffset(facts.doneOffset(), to);
        writeOffset(facts.first(), to);
    }

    static UrlFacts read(ByteBuffer from) {
        int known = Byte.toUnsignedInt(from.get());
        int doneDepth = Byte.toUnsignedInt(from.get());
        long doneOffset = readOffset(from);
        return new UrlFacts(known, readOffset(from), doneDepth, doneOffset);
    }

    /** Five bytes. */
    static void writeOffset(long offset, ByteBuffer to) {
        if (offset < 0 || offset > UrlFacts.NO_OFFSET) {
            throw new IllegalArgumentException("an offset has 40 bits in Redis: " + offset);
        }
        to.put((byte) (offset >>> 32)).putInt((int) offset);
    }

    private static long readOffset(ByteBuffer from) {
        return (long) Byte.toUnsignedInt(from.get()) << 32 | Integer.toUnsignedLong(from.getInt());
    }

    private static byte depth(int depth) {
        if (depth < 0 || depth > UrlFacts.NO_DEPTH) {
            throw new IllegalArgumentException("a depth has 8 bits in the ledger: " + depth);
        }
        return (byte) depth;
    }
}
