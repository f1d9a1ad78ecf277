package io.trawl.model;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/**
 * The bytes of a response, read by any number of readers: each gets its own stream from the first byte (the multiple
 * reader of S12). It may hold them in a packed form. The array given is not copied; callers must not change it
 * afterwards.
 */
public final class Body {
    /** No bytes. */
    public static final Body EMPTY = new Body(new byte[0]);
    private final byte[] held;
    private final int length;
    private final boolean packed;
    private final Unpacking unpacking;

    /** Makes bytes of their packed form. */
    @FunctionalInterface
    public interface Unpacking {
        /** Returns {@code length} bytes. */
        byte[] unpack(byte[] packed, int length);
    }

    /** @param bytes not copied; the caller must not change them afterwards */
    public Body(byte[] bytes) {
        this(bytes, bytes.length, false, (all, _) -> all);
    }

    private Body(byte[] held, int length, boolean packed, Unpacking unpacking) {
        this.held = held;
        this.length = length;
        this.packed = packed;
        this.unpacking = unpacking;
    }

    /**
     * A body that holds its packed form.
     *
     * @param packed not copied
     * @param length of the body in bytes
     */
    public static Body packed(byte[] packed, int length, Unpacking unpacking) {
        return new Body(packed, length, true, unpacking);
    }

    /** Whether it holds a packed form. */
    public boolean isPacked() { return packed; }

    /** What it holds, not a copy: the bytes or their packed form. */
    public byte[] held() {
        return held;
    }

    /** The same, which holds its bytes, for a reader that needs them several times. */
    public Body unpacked() {
        return packed ? new Body(bytes()) : this;
    }

    /** A new stream over the whole body; need not be closed. */
    public InputStream reader() {
        return new ByteArrayInputStream(bytes());
    }

    /** The bytes, not a copy; callers must not change them. Those of a packed form are made at each call. */
    public byte[] bytes() {
        return unpacking.unpack(held, length);
    }

    /** The number of bytes. */
    public int length() {
        return length;
    }

    @Override
    public String toString() {
        return length + " bytes";
    }
}
