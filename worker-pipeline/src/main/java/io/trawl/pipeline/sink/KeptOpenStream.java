package io.trawl.pipeline.sink;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The end of what is written, of compressed data for example, is not that of the file: it is still to be forced to
 * disk.
 */
public final class KeptOpenStream extends FilterOutputStream {
    /** @param out what {@link #close()} only flushes */
    public KeptOpenStream(OutputStream out) {
        super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
        flush();
    }
}
