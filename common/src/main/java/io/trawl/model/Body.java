package io.trawl.model;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/**
 * The bytes of a response, read by any number of readers: each gets its own stream from the first byte (the multiple reader of S12). The array given
 * is not copied; nobody may change it afterwards.
 */
public final class Body {
    /** No bytes. */
    public static final Body EMPTY = new Body(new byte[0]);
    private final byte[] bytes;

    /** @param bytes handed over, not copied */
    public Body(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A fresh reader over the whole body; needs no closing. */
    public InputStream reader() {
        return new ByteArrayInputStream(bytes);
    }

    /** The bytes themselves: read only. */
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
