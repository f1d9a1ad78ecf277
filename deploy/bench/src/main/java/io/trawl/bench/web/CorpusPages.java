package io.trawl.bench.web;

import io.trawl.testkit.web.Loopback;
import io.trawl.testkit.web.WebPages;
import io.trawl.testkit.web.WebResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The files of a folder as pages: page {@code n} of a crawl is file {@code n} of them, beginning anew behind the last,
 * so that a page has several URLs. They are in memory, in wire format.
 */
public final class CorpusPages implements WebPages {
    private static final String SUFFIX = ".html";
    private final List<WebResponse> files;

    /** How the server sends bodies. */
    public enum Coding {
        NONE, GZIP;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        private byte[] encode(byte[] body) throws IOException {
            if (this == NONE) {
                return body;
            }
            ByteArrayOutputStream encoded = new ByteArrayOutputStream(body.length / 4);
            try (GZIPOutputStream out = new GZIPOutputStream(encoded)) {
                out.write(body);
            }
            return encoded.toByteArray();
        }
    }

    /**
     * Reads the files of a folder in the order of their names; those whose names end in {@code .gz} are decoded first.
     *
     * @throws UncheckedIOException if one cannot be read, or there is none
     */
    public CorpusPages(Path folder, Coding coding) {
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(Files::isRegularFile).sorted().map(file -> response(file, coding)).toList();
            if (files.isEmpty()) {
                throw new IOException("the folder " + folder + " has no file");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The URLs of pages 0 to {@code pages}, of the hosts in turn.
     *
     * @param port of the web server
     */
    public static List<String> urls(int pages, int hosts, int port) {
        return IntStream.range(0, pages)
                .mapToObj(page -> "http://" + Loopback.address(page % hosts) + ":" + port + "/" + page + SUFFIX)
                .toList();
    }

    private static WebResponse response(Path file, Coding coding) {
        try (InputStream in = Files.newInputStream(file);
                InputStream decoded = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
            return WebResponse.page(coding.encode(decoded.readAllBytes()),
                    coding == Coding.NONE ? Optional.empty() : Optional.of(coding.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public WebResponse answer(int host, String path) {
        return path.endsWith(SUFFIX)
                ? files.get(Integer.parseInt(path, 1, path.length() - SUFFIX.length(), 10) % files.size())
                : WebResponse.notFound();
    }
}
