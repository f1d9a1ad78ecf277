package io.trawl.analyzer.sitemap;

import io.trawl.model.FetchOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * The decompressed body of a sitemap, at most {@link FetchOptions#LARGEST_SITEMAP} bytes. A sitemap is compressed by
 * its author, by its server or the downloader, or by both.
 *
 * @param cut whether there was more, or the compressed form has no end
 */
record SitemapBody(byte[] bytes, boolean cut) {
    private static final int LARGEST = FetchOptions.LARGEST_SITEMAP;
    private static final int LAYERS = 2;
    private static final int MAGIC = 0x1f8b;

    /** Reads a body. @param cut whether the downloader has cut it */
    static SitemapBody of(InputStream body, boolean cut) throws IOException {
        SitemapBody read = new SitemapBody(body.readNBytes(LARGEST), cut || body.read() >= 0);
        for (int layer = 0; layer < LAYERS && read.gzipped(); layer++) {
            read = read.inflated();
        }
        return read.cut || read.markup() ? read.whole() : read;
    }

    private boolean gzipped() {
        return bytes.length > 2 && ((bytes[0] & 0xff) << 8 | bytes[1] & 0xff) == MAGIC;
    }

    /** As far as the compressed form is complete. */
    private SitemapBody inflated() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(Math.min(LARGEST, 8 * bytes.length));
        boolean incomplete = cut;
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] chunk = new byte[1 << 16];
            int room = LARGEST;
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                out.write(chunk, 0, Math.min(n, room));
                room -= n;
                if (room < 0) {
                    incomplete = true;
                    break;
                }
            }
        } catch (IOException e) {
            incomplete = true;
        }
        return new SitemapBody(out.toByteArray(), incomplete);
    }

    /** Whether it begins like XML or HTML; else it is a list of URLs. */
    boolean markup() {
        int at = 0;
        while (at < bytes.length && (bytes[at] <= ' ')) {
            // White space, and the bytes of a byte order mark, which are negative.
            at++;
        }
        return at < bytes.length && bytes[at] == '<';
    }

    /**
     * Up to the last tag or line that is complete: of what follows a part may be missing, and that would be another
     * URL.
     */
    private SitemapBody whole() {
        byte last = (byte) (markup() ? '>' : '\n');
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != last) {
            end--;
        }
        return new SitemapBody(Arrays.copyOf(bytes, end), cut);
    }
}
