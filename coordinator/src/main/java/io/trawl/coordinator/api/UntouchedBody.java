package io.trawl.coordinator.api;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that can be read once, and knows whether somebody has begun. */
final class UntouchedBody extends FilterInputStream {
    private volatile boolean touched;

    UntouchedBody(InputStream in) {
        super(in);
    }

    boolean touched() {
        return touched;
    }

    @Override
    public int read() throws IOException {
        touched = true;
        return super.read();
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        touched = true;
        return super.read(into, from, length);
    }

    /** It belongs to the server, which closes it. */
    @Override
    public void close() {}
}
