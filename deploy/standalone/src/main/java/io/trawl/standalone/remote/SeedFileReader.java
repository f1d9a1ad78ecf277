package io.trawl.standalone.remote;

import io.trawl.codec.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Converts lines of URLs and seeds to JSON lines: a URL becomes a seed, a JSON object is kept, empty lines and comments
 * become empty lines, so that each line keeps its number. UTF-8, with or without a byte order mark. Buffers one line.
 * Read by one thread; other threads may read the count.
 */
final class SeedFileReader extends InputStream {
    /** The content type of the lines. */
    static final String CONTENT_TYPE = "application/jsonl";
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private final BufferedReader lines;
    private final AtomicLong count = new AtomicLong();
    private byte[] current = new byte[0];
    private int position;
    private boolean first = true;

    /** @param source closed with this stream */
    SeedFileReader(InputStream source) {
        lines = new BufferedReader(new InputStreamReader(source, StandardCharsets.UTF_8));
    }

    /** The number of seeds that have been read. */
    long count() {
        return count.get();
    }

    @Override
    public int read() throws IOException {
        return filled() ? current[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int read = 0;
        // Fills the buffer, but blocks only for the first line: a pipe may be slow.
        while (read < length && (read == 0 || position < current.length || lines.ready()) && filled()) {
            int part = Math.min(length - read, current.length - position);
            System.arraycopy(current, position, into, offset + read, part);
            position += part;
            read += part;
        }
        return read == 0 ? -1 : read;
    }

    private boolean filled() throws IOException {
        while (position == current.length) {
            String line = lines.readLine();
            if (line == null) {
                return false;
            }
            String seed = seed(line);
            if (!seed.isEmpty()) {
                count.incrementAndGet();
            }
            current = (seed + "\n").getBytes(StandardCharsets.UTF_8);
            position = 0;
        }
        return true;
    }

    private String seed(String line) {
        String text = (first && line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line).strip();
        first = false;
        if (text.isEmpty() || text.startsWith("#")) {
            return "";
        }
        return text.startsWith("{") ? text : Json.text(Map.of("url", text));
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
