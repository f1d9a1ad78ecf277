package io.trawl.downloader.fetch.budget;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * A body that is compressed with gzip while it is received, so that a large text takes no more memory, and no larger
 * record, than the limit of a body. Used by one thread at a time.
 */
public final class CompressedBody {
    /** What the compressor may still hold. */
    private static final int HELD_BACK = 128 << 10;
    private final int limit;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream(8 << 10);
    private final GZIPOutputStream gzip;

    /** @param limit of the compressed form, in bytes */
    public CompressedBody(int limit) {
        this.limit = limit;
        try {
            gzip = new Fast(out);
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written", e);
        }
    }

    /** At the lowest level: the threads that receive compress, and sitemaps repeat themselves. */
    private static final class Fast extends GZIPOutputStream {
        Fast(ByteArrayOutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    /** Takes all remaining bytes. */
    public void write(ByteBuffer bytes) {
        byte[] chunk = new byte[bytes.remaining()];
        bytes.get(chunk);
        try {
            gzip.write(chunk);
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written", e);
        }
    }

    /** The length so far. */
    public int length() {
        return out.size();
    }

    /** Whether there may be no room for more. */
    public boolean full() {
        return out.size() > Math.max(limit / 2, limit - HELD_BACK);
    }

    /** The compressed form, at most the limit; nothing may be written any more. */
    public byte[] finish() {
        close();
        return out.size() > limit ? Arrays.copyOf(out.toByteArray(), limit) : out.toByteArray();
    }

    /** Gives back the memory of the compressor. Repeated calls have no effect. */
    public void close() {
        try {
            gzip.close();
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written", e);
        }
    }
}
