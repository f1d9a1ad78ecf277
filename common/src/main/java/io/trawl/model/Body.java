package io.trawl.model;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/**
 * The bytes of a response, read by any number of readers: each gets its own stream from the first byte (the multiple
 * reader of S12). The array given is not copied; callers must not change it afterwards.
 */
public final class Body {
    /** No bytes. */
    public static final Body EMPTY = new Body(new byte[0]);
    private final byte[] bytes;

    /** @param bytes not copied; the caller must not change them afterwards */
    public Body(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A new stream over the whole body; need not be closed. */
    public InputStream reader() {
        return new ByteArrayInputStream(bytes);
    }

    /** The bytes, not a copy; callers must not change them. */
    public byte[] bytes() {
        return bytes;
    }

    /** The number of bytes. */
    public int length() {
        return bytes.length;
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
