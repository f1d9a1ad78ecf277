package io.trawl.downloader.fetch;

import com.github.luben.zstd.ZstdInputStream;
import io.trawl.model.Body;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.brotli.dec.BrotliInputStream;

/**
 * Undoes {@code Content-Encoding} (RFC 9110 section 8.4): gzip, deflate (with and without the zlib wrapper, as servers disagree), br and zstd, also
 * several in a row. Never yields more than the limit, whatever the body claims, and lets no layer in between grow past it. Codings that do not exist
 * ({@code none}, {@code utf-8}) are ignored, as browsers do. Stateless.
 */
final class ContentCodings {
    /** RFC 9659: what a sender may ask a receiver to keep in memory for zstd, as a power of two. */
    private static final int ZSTD_WINDOW = 23;
    private static final int CHUNK = 16 * 1024;
    /** More layers than anyone has an honest use for. */
    private static final int LAYERS = 3;

    private ContentCodings() {}

    /** @param truncated whether there would have been more */
    record Inflated(Body body, boolean truncated) {}

    /** The bytes are not what the coding says; the message is for people. */
    static final class Broken extends Exception {
        Broken(String message) {
            super(message);
        }
    }

    /** Whether there is anything to undo. */
    static boolean isCoded(String contentEncoding) {
        return !codings(contentEncoding).isEmpty();
    }

    /**
     * Inflates a body.
     *
     * @param contentEncoding the header's value
     * @param cut whether the body was cut at the limit already: what is there is inflated as far as it goes
     * @param limit the largest result, in bytes
     * @throws Broken if the body was not cut and does not follow its coding to its end
     */
    static Inflated inflate(String contentEncoding, byte[] raw, boolean cut, int limit) throws Broken {
        List<String> codings = codings(contentEncoding);
        if (raw.length == 0) {
            return new Inflated(Body.EMPTY, cut);
        }
        if (codings.size() > LAYERS) {
            throw new Broken("the body is encoded " + codings.size() + " times over: " + contentEncoding);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(Math.min(limit, Math.max(raw.length * 4, 1024)));
        Limited last = new Limited(new ByteArrayInputStream(raw), raw.length);
        boolean inner = false;
        try {
            for (String coding : codings.reversed()) {
                Limited layer = new Limited(decoder(coding, last), limit);
                layer.below = last;
                last = layer;
            }
            copy(last, out);
            inner = last.anyCut();
        } catch (IOException | RuntimeException e) {
            if (!cut && !last.anyCut()) {
                throw new Broken("the body is not valid " + String.join(", ", codings));
            }
            inner = true;
        } finally {
            closeQuietly(last);
        }
        return new Inflated(new Body(out.toByteArray()), cut || inner);
    }

    private static List<String> codings(String contentEncoding) {
        return Arrays.stream(contentEncoding.toLowerCase(Locale.ROOT).split(",")).map(String::strip)
                .map(c -> c.startsWith("x-") ? c.substring(2) : c)
                .filter(List.of("gzip", "deflate", "br", "zstd")::contains).toList();
    }

    private static InputStream decoder(String coding, InputStream in) throws IOException {
        return switch (coding) {
            case "gzip" -> new GZIPInputStream(in, CHUNK);
            case "br" -> new BrotliInputStream(in, CHUNK);
            case "zstd" -> new ZstdInputStream(in).setLongMax(ZSTD_WINDOW);
            default -> deflate(in);
        };
    }

    /** With the zlib wrapper (RFC 1950) if the first two bytes say so, else without. */
    private static InputStream deflate(InputStream in) throws IOException {
        PushbackInputStream start = new PushbackInputStream(in, 2);
        byte[] head = start.readNBytes(2);
        start.unread(head);
        boolean wrapped = head.length == 2 && (head[0] & 0x0f) == 8 && ((head[0] & 0xff) << 8 | head[1] & 0xff) % 31 == 0;
        Inflater inflater = new Inflater(!wrapped);
        return new InflaterInputStream(start, inflater, CHUNK) {
            @Override
            public void close() throws IOException {
                inflater.end();
                super.close();
            }
        };
    }

    private static void copy(InputStream in, ByteArrayOutputStream out) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
            out.write(chunk, 0, n);
        }
    }

    private static void closeQuietly(InputStream in) {
        try {
            in.close();
        } catch (IOException e) {
            // only memory is closed here, and what was read is already judged
        }
    }

    /** A layer that ends at the limit, and remembers whether there was more. */
    private static final class Limited extends FilterInputStream {
        private long left;
        private boolean more;
        private Limited below;

        Limited(InputStream in, long limit) {
            super(in);
            left = limit;
            below = this;
        }

        boolean anyCut() {
            return more || below != this && below.anyCut();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (left == 0) {
                more = more || in.read() >= 0;
                return -1;
            }
            int n = in.read(target, offset, (int) Math.min(length, left));
            left -= Math.max(n, 0);
            return n;
        }

        @Override
        public long skip(long n) {
            return 0;
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
