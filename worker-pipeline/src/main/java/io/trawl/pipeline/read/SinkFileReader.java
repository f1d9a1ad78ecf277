package io.trawl.pipeline.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.direct.ItemPage;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.pipeline.read.ItemReader.ItemQuery;
import io.trawl.pipeline.read.ItemReader.ReadPage;
import io.trawl.pipeline.spi.StoredFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads what one sink of a run has stored, from the beginning: its finished files or objects in the order of their
 * names, errors first. For files that are compressed or no JSON lines, in which {@link ItemReader} cannot look for a
 * place. One call reads for a bounded time, and answers a bounded number of bytes. Thread-safe; calls block.
 *
 * @param out the output folder
 * @param nanos a monotonic clock
 */
public record SinkFileReader(SinkFolder out, LongSupplier nanos) {
    private static final long MOST_NANOS = 2_000_000_000L;
    private static final int MOST_ANSWERED = 4 << 20;

    /** Whether files of this form can be read. */
    public static boolean reads(FileFormat format) {
        return FileItems.readable(format.ending());
    }

    /** Where to go on. @param file its path below the root @param at the items of it that were read */
    private record Cursor(String file, long at) {
        static Cursor parse(String text) {
            if (!text.matches("(?s).+:[0-9]{1,18}")) {
                throw new InvalidValueException("cursor", text, "a cursor of a list of items");
            }
            int colon = text.lastIndexOf(':');
            return new Cursor(text.substring(0, colon), Long.parseLong(text.substring(colon + 1)));
        }
    }

    /**
     * A page of items.
     *
     * @param query its order does not count
     * @throws InvalidValueException if the cursor is none
     * @throws IOException if a file cannot be read
     */
    public ReadPage page(ItemQuery query, FileFormat format) throws IOException, InterruptedException {
        return page(query, new FolderFiles(query, format));
    }

    /** The same of any files. */
    public ReadPage page(ItemQuery query, StoredFiles files) throws IOException, InterruptedException {
        Cursor from = query.cursor().map(Cursor::parse).orElse(new Cursor("", 0));
        SinkScan scan = new SinkScan(query, files, nanos.getAsLong() + MOST_NANOS);
        Optional<Cursor> next = from.file().isEmpty() ? Optional.empty() : scan.read(from.file(), from.at());
        String last = from.file();
        for (List<String> names = List.of(); next.isEmpty(); last = names.getLast()) {
            names = files.names(last);
            if (names.isEmpty()) {
                break;
            }
            for (int i = 0; i < names.size() && next.isEmpty(); i++) {
                next = scan.read(names.get(i), 0);
            }
        }
        return new ReadPage(new ItemPage(scan.lines.stream().map(_ -> "").toList(),
                next.map(cursor -> cursor.file() + ":" + cursor.at()), Optional.empty(), next.isEmpty(), scan.scanned),
                scan.lines);
    }

    /** Those in the folders of a run, by their paths below the root. */
    private final class FolderFiles implements StoredFiles {
        private final ItemQuery query;
        private final Pattern name;
        private final boolean chunks;

        FolderFiles(ItemQuery query, FileFormat format) {
            this.query = query;
            this.name = Pattern.compile("part-[0-9]+-[0-9]+\\." + Pattern.quote(format.ending()));
            this.chunks = format.chunks();
        }

        @Override
        public List<String> names(String after) throws IOException {
            List<String> names = new ArrayList<>();
            for (Path folder : folders()) {
                if (Files.exists(folder)) {
                    try (Stream<Path> all = Files.list(folder)) {
                        all.filter(file -> name.matcher(file.getFileName().toString()).matches())
                                .map(file -> out.root().relativize(file).toString()).forEach(names::add);
                    }
                }
            }
            return names.stream().filter(file -> file.compareTo(after) > 0).sorted().toList();
        }

        private List<Path> folders() {
            return chunks
                    ? List.of(out.chunks(query.run()))
                    : query.kinds().stream().map(kind -> out.of(kind, query.run())).toList();
        }

        @Override
        public Optional<InputStream> open(String file) throws IOException {
            Path path = folders().stream().map(folder -> folder.resolve(file.substring(file.lastIndexOf('/') + 1)))
                    .filter(known -> out.root().relativize(known).toString().equals(file)
                            && name.matcher(known.getFileName().toString()).matches())
                    .findFirst()
                    .orElseThrow(() -> new InvalidValueException("cursor", file, "a cursor of a list of items"));
            try {
                return Optional.of(Files.newInputStream(path));
            } catch (NoSuchFileException e) {
                return Optional.empty();
            }
        }

        @Override
        public boolean has(byte[] item, Iterable<ItemKind> kinds) {
            return true;
        }
    }

    /** One page. */
    private final class SinkScan {
        private final ItemQuery query;
        private final StoredFiles files;
        private final long deadline;
        private final List<byte[]> lines = new ArrayList<>();
        private long answered;
        private long scanned;

        SinkScan(ItemQuery query, StoredFiles files, long deadline) {
            this.query = query;
            this.files = files;
            this.deadline = deadline;
        }

        /** Reads a file to its end, if there is room. @return where to go on, if there is none */
        Optional<Cursor> read(String name, long from) throws IOException, InterruptedException {
            Optional<InputStream> bytes = files.open(name);
            if (bytes.isEmpty()) {
                return Optional.empty();
            }
            try (FileItems items = FileItems.of(name, bytes.get())) {
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
            if ((query.url().isEmpty() || url(item).contains(query.url())) && files.has(item, query.kinds())) {
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
