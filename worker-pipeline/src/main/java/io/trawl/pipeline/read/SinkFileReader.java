package io.trawl.pipeline.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.direct.ItemPage;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.read.ItemReader.ItemQuery;
import io.trawl.pipeline.read.ItemReader.ReadPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Reads what one sink of a run has stored, from the beginning: its finished files in the order of their names, errors first. For files that are compressed or
 * no JSON lines, in which {@link ItemReader} cannot look for a place. One call reads for a bounded time, and answers a bounded number of bytes. Thread-safe;
 * calls block.
 */
public final class SinkFileReader {
    private static final long MOST_NANOS = 2_000_000_000L;
    private static final int MOST_ANSWERED = 4 << 20;
    private final Path root;
    private final LongSupplier nanos;

    /**
     * @param root {@code TRAWL_OUT}
     * @param nanos a monotonic clock
     */
    public SinkFileReader(Path root, LongSupplier nanos) {
        this.root = root;
        this.nanos = nanos;
    }

    /** Whether files of this form can be read. */
    public static boolean reads(FileFormat format) {
        return FileItems.readable(format.ending());
    }

    /** Where to go on. @param file its path below the root @param at the items of it that were read */
    private record Cursor(String file, long at) {
        static Cursor parse(String text) {
            int colon = text.lastIndexOf(':');
            try {
                return new Cursor(text.substring(0, Math.max(0, colon)), Long.parseLong(text.substring(colon + 1)));
            } catch (NumberFormatException e) {
                throw new InvalidValueException("cursor", text, "a cursor of a list of items");
            }
        }
    }

    /**
     * A page of items.
     *
     * @param query its order does not count
     * @throws InvalidValueException if the cursor is none
     * @throws IOException if a file cannot be read
     */
    public ReadPage page(ItemQuery query, FileFormat format) throws IOException {
        Cursor from = query.cursor().map(Cursor::parse).orElse(new Cursor("", 0));
        SinkScan scan = new SinkScan(query, nanos.getAsLong() + MOST_NANOS);
        Optional<Cursor> next = Optional.empty();
        for (Path file : files(query, format.ending())) {
            String name = root.relativize(file).toString();
            if (next.isEmpty() && name.compareTo(from.file()) >= 0) {
                next = scan.read(file, name, name.equals(from.file()) ? from.at() : 0);
            }
        }
        return new ReadPage(new ItemPage(scan.lines.stream().map(_ -> "").toList(),
                next.map(cursor -> cursor.file() + ":" + cursor.at()), Optional.empty(), next.isEmpty(), scan.scanned),
                scan.lines);
    }

    private List<Path> files(ItemQuery query, String ending) throws IOException {
        List<Path> files = new ArrayList<>();
        for (ItemKind kind : query.kinds()) {
            Path folder = RunFiles.folder(root, query.run(), kind);
            if (Files.exists(folder)) {
                try (Stream<Path> all = Files.walk(folder)) {
                    all.filter(file -> file.getFileName().toString().matches("part-[0-9]+-[0-9]+\\.\\Q" + ending + "\\E"))
                            .forEach(files::add);
                }
            }
        }
        return files.stream().sorted((a, b) -> root.relativize(a).toString().compareTo(root.relativize(b).toString())).toList();
    }

    /** One page. */
    private final class SinkScan {
        private final ItemQuery query;
        private final long deadline;
        private final List<byte[]> lines = new ArrayList<>();
        private long answered;
        private long scanned;

        SinkScan(ItemQuery query, long deadline) {
            this.query = query;
            this.deadline = deadline;
        }

        /** Reads a file to its end, if there is room. @return where to go on, if there is none */
        Optional<Cursor> read(Path file, String name, long from) throws IOException {
            try (FileItems items = FileItems.of(name, Files.newInputStream(file))) {
                long at = 0;
                for (Optional<byte[]> item = items.next(); item.isPresent(); item = items.next()) {
                    if (at >= from && !take(item.get())) {
                        return Optional.of(new Cursor(name, at));
                    }
                    at++;
                }
                return Optional.empty();
            }
        }

        private boolean take(byte[] item) {
            if (lines.size() >= query.limit() || scanned > 0 && nanos.getAsLong() - deadline > 0
                    || !lines.isEmpty() && answered + item.length > MOST_ANSWERED) {
                return false;
            }
            scanned++;
            if (query.url().isEmpty() || url(item).contains(query.url())) {
                lines.add(item);
                answered += item.length;
            }
            return true;
        }

        private static String url(byte[] item) {
            return Json.read(item, JsonNode.class).path("url").asText();
        }
    }
}
