package io.trawl.downloader.fetch.coding;

import com.github.luben.zstd.ZstdInputStream;
import io.trawl.model.Body;
import io.trawl.model.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.brotli.dec.BrotliInputStream;

/**
 * Decodes {@code Content-Encoding} (RFC 9110 section 8.4): gzip, deflate (with and without the zlib wrapper, as servers
 * disagree), br and zstd, also several in a row. Never yields more than the limit, independent of the body's headers,
 * and limits every layer in between, too. Unknown codings ({@code none}, {@code utf-8}) are ignored, as in browsers.
 * Stateless.
 */
public final class ContentDecoder {
    /** The window size that RFC 9659 allows for zstd, as a power of two. */
    private static final int ZSTD_WINDOW = 23;
    /** The name of the coding that a request asks for alone. */
    public static final String GZIP = "gzip";
    private static final int CHUNK = 16 * 1024;
    private static final int TRAILER = 4;
    private static final long LIKELY_RATIO = 20;
    /** No legitimate body has more layers. */
    private static final int LAYERS = 3;
    /** Empty gzip members in a row; a usual body ends with at most one. */
    static final int EMPTY_MEMBERS = 100;

    private ContentDecoder() {}

    /**
     * An inflated body.
     *
     * @param truncated whether the body was longer than the limit, or is damaged
     * @param damage of its coding
     */
    public record Inflated(Body body, boolean truncated, Optional<Outcome.Damage> damage) {
        Inflated(Body body, boolean truncated) {
            this(body, truncated, Optional.empty());
        }
    }

    /** The bytes do not match the coding; the message is for people. */
    public static final class BrokenCodingException extends Exception {
        BrokenCodingException(String message) {
            super(message);
        }
    }

    /** Whether the body is encoded. */
    public static boolean isCoded(String contentEncoding) {
        return !codings(contentEncoding).isEmpty();
    }

    /**
     * Inflates a body. Of one that is damaged it keeps what comes before ({@link DamagedBody}).
     *
     * @param contentEncoding the header's value
     * @param cut whether the body was already cut at the limit: it is then inflated as far as possible
     * @param limit the largest result, in bytes
     * @throws BrokenCodingException if the body was not cut and does not match its coding far enough to be a part of a
     * page
     */
    public static Inflated inflate(String contentEncoding, byte[] raw, boolean cut, int limit)
            throws BrokenCodingException {
        List<String> codings = codings(contentEncoding);
        if (raw.length == 0) {
            return new Inflated(Body.EMPTY, cut);
        }
        if (codings.size() > LAYERS) {
            throw new BrokenCodingException("the body is encoded " + codings.size() + " times over");
        }
        Output out = new Output(expected(codings, raw, limit), limit);
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
                return DamagedBody.of(codings, raw, limit)
                        .map(kept -> new Inflated(new Body(kept.bytes()), true, Optional.of(kept.damage())))
                        .orElseThrow(
                                () -> new BrokenCodingException("the body is not valid " + String.join(", ", codings)));
            }
            inner = true;
        } finally {
            closeQuietly(last);
        }
        return new Inflated(out.body(), cut || inner);
    }

    /**
     * The likely length of the decoded form: a gzip file ends with it (RFC 1952 section 2.3.1), but the end may be
     * missing, or that of another file.
     */
    private static int expected(List<String> codings, byte[] raw, int limit) {
        long guess = Math.max(raw.length * 4L, 1024);
        if (codings.equals(List.of(GZIP)) && raw.length > TRAILER) {
            long said = Integer.toUnsignedLong(
                    ByteBuffer.wrap(raw, raw.length - TRAILER, TRAILER).order(ByteOrder.LITTLE_ENDIAN).getInt());
            guess = said >= raw.length / 2 && said <= raw.length * LIKELY_RATIO ? said : guess;
        }
        return (int) Math.min(limit, guess);
    }

    private static List<String> codings(String contentEncoding) {
        return Arrays.stream(contentEncoding.toLowerCase(Locale.ROOT).split(",")).map(String::strip)
                .map(c -> c.startsWith("x-") ? c.substring(2) : c)
                .filter(List.of("gzip", "deflate", "br", "zstd")::contains).toList();
    }

    static InputStream decoder(String coding, InputStream in) throws IOException {
        return switch (coding) {
            case "gzip" -> new GzipMembers(in);
            case "br" -> new BrotliInputStream(in, CHUNK);
            case "zstd" -> new ZstdInputStream(in).setLongMax(ZSTD_WINDOW);
            default -> deflate(in);
        };
    }

    /**
     * Gzip members in a row (RFC 1952 section 2.2). The library calls itself for each empty one, so a few megabytes of
     * them would exceed the stack of the thread.
     */
    private static final class GzipMembers extends GZIPInputStream {
        private int empty;

        GzipMembers(InputStream in) throws IOException {
            super(in, CHUNK);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (empty == EMPTY_MEMBERS) {
                throw new ZipException("too many empty members");
            }
            empty++;
            try {
                return super.read(target, offset, length);
            } finally {
                empty--;
            }
        }
    }

    /** With the zlib wrapper (RFC 1950) if the first two bytes say so, else without. */
    private static InputStream deflate(InputStream in) throws IOException {
        PushbackInputStream start = new PushbackInputStream(in, 2);
        byte[] head = start.readNBytes(2);
        start.unread(head);
        Inflater inflater = new Inflater(!wrapped(head));
        return new InflaterInputStream(start, inflater, CHUNK) {
            @Override
            public void close() throws IOException {
                inflater.end();
                super.close();
            }
        };
    }

    static boolean wrapped(byte[] body) {
        return body.length >= 2 && (body[0] & 0x0f) == 8 && ((body[0] & 0xff) << 8 | body[1] & 0xff) % 31 == 0;
    }

    private static void copy(InputStream in, Output out) throws IOException {
        byte[] chunk = new byte[CHUNK];
        for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
            out.write(chunk, 0, n);
        }
    }

    private static void closeQuietly(InputStream in) {
        try {
            in.close();
        } catch (IOException e) {
            // only closes memory; everything that was read has been checked
        }
    }

    /** Grows to the limit and no further. */
    private static final class Output extends ByteArrayOutputStream {
        private final int limit;

        Output(long size, int limit) {
            super((int) size);
            this.limit = limit;
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            if (count + length > buf.length) {
                buf = Arrays.copyOf(buf, Math.clamp(buf.length * 2L, count + length, Math.max(limit, count + length)));
            }
            super.write(bytes, offset, length);
        }

        synchronized Body body() {
            return new Body(count == buf.length ? buf : Arrays.copyOf(buf, count));
        }
    }

    /** A layer that ends at the limit and records whether there was more. */
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
