package io.trawl.charset;

import java.nio.ByteBuffer;

/**
 * An encoding without state, as the Encoding standard describes it: bytes below 0x80 are ASCII, others begin the
 * sequence of a character. Thread-safe.
 */
interface ByteSequences {
    /** What {@link #read} returns if the sequence goes on behind the bytes that are there. */
    long MORE = 0;
    /** Besides code points: two characters in one sequence. */
    int PAIRS = Character.MAX_CODE_POINT + 1;

    /** The length of a sequence and its code point, as {@link #read} returns it. */
    static long sequence(int length, int codePoint) {
        return (long) length << Integer.SIZE | codePoint;
    }

    /** A sequence of no character. */
    static long malformed(int length) {
        return sequence(length, -1) & 0xFFFF_FFFFL | (long) length << Integer.SIZE;
    }

    /** The standard takes back a byte of ASCII behind one that it does not belong to. */
    static long malformed(int before, int last) {
        return malformed(last < 0x80 ? before : before + 1);
    }

    /** A code point of an index, where 0 is none. */
    static long found(int length, int codePoint, int last) {
        return codePoint == 0 ? malformed(length - 1, last) : sequence(length, codePoint);
    }

    /** The byte at an index, or -1 behind the end. */
    static int at(ByteBuffer in, int index) {
        return index < in.limit() ? in.get(index) & 0xFF : -1;
    }

    /** Reads the sequence at an index, whose first byte is beyond ASCII. */
    long read(ByteBuffer in, int index);

    /** The bytes of a code point beyond ASCII, the last one lowest; -1 if it has none. */
    long write(int codePoint);
}
