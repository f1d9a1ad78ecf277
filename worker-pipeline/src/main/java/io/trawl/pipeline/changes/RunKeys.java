package io.trawl.pipeline.changes;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.ledger.ItemId;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.changes.KeyLine.KeyState;
import io.trawl.pipeline.changes.LineSorter.SortedLines;
import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.read.StoredContent;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.model.Outcome.HttpError;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The file {@value #FILE} of a run: a head, then a {@link KeyLine} per item, per error and per redirect that led to an
 * item, sorted. A function of the files of the run. Not thread-safe.
 */
public final class RunKeys implements AutoCloseable {
    /** Its name. */
    public static final String FILE = "_keys.gz";
    private static final int SCHEMA = 1;
    private static final Set<String> TOLD = Set.of(KeyLine.MOVED, KeyLine.TOUCHED);
    private final BufferedReader lines;
    private final KeysHead head;

    /**
     * The first line.
     *
     * @param schema of the file
     * @param run whose keys they are
     * @param files the ending of the files that were read
     */
    public record KeysHead(@JsonProperty("schema") int schema, @JsonProperty("run") CrawlRun run,
            @JsonProperty("files") String files) {
        /** Whether digests and states mean the same in both. */
        boolean comparable(KeysHead other) {
            return schema == other.schema && files.equals(other.files);
        }
    }

    private RunKeys(BufferedReader lines) throws IOException {
        this.lines = lines;
        String first = lines.readLine();
        this.head = Json.read((first == null ? "" : first).getBytes(StandardCharsets.UTF_8), KeysHead.class);
    }

    /** Opens the keys of a run in the folder of its items. @throws java.nio.file.NoSuchFileException if it has none */
    public static RunKeys open(Path items) throws IOException {
        InputStream file = Files.newInputStream(items.resolve(FILE));
        try {
            return new RunKeys(new BufferedReader(
                    new InputStreamReader(FileCompression.GZIP.reading(file), StandardCharsets.UTF_8)));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** The first line. */
    public KeysHead head() {
        return head;
    }

    /** The lines; can be read once. */
    public SortedLines lines() {
        return () -> Optional.ofNullable(lines.readLine());
    }

    /** Whether both can be compared. */
    public boolean comparable(RunKeys other) {
        return head.comparable(other.head);
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /** Reads the files of a run, and adds their keys. @param refresh whether it has visited the pages of another one */
    public static void collect(SinkFolder out, CrawlRun run, ComparedFiles files, boolean refresh, LineSorter keys)
            throws IOException {
        for (ItemKind kind : ItemKind.values()) {
            for (Path file : files.list(out.of(kind, run))) {
                ComparedFiles.read(file, line -> {
                    Optional<StoredContent> stored = StoredContent.of(line).filter(item -> KeyLine.valid(item.key()));
                    if (stored.isPresent()) {
                        add(run.crawl(), kind, stored.get(), refresh, keys);
                    }
                });
            }
        }
    }

    private static void add(CrawlId crawl, ItemKind kind, StoredContent stored, boolean refresh, LineSorter keys)
            throws IOException {
        // A visit says itself that a page is gone or has moved: after the second answer.
        boolean gone = refresh ? stored.change().equals("gone") : HttpError.GONE.contains(stored.status());
        String told = refresh && TOLD.contains(stored.change()) ? stored.change() : KeyLine.NONE;
        KeyState error = gone ? KeyState.GONE : told.equals(KeyLine.MOVED) ? KeyState.MOVED : KeyState.FAILED;
        boolean item = kind == ItemKind.PAGE;
        String id = stored.id().isEmpty() ? KeyLine.NONE : stored.id();
        keys.add(new KeyLine(stored.key(), item ? KeyState.STORED : error, item ? stored.digest() : KeyLine.NONE, id,
                told, stored.name().isEmpty() ? KeyLine.NONE : stored.name(), stored.url()).toString());
        for (String url : stored.redirects()) {
            // A redirect to an error is an error.
            keys.add(new KeyLine(ItemId.key(crawl, url), item ? KeyState.MOVED : error, KeyLine.NONE, id, KeyLine.NONE,
                    KeyLine.NONE, url).toString());
        }
    }

    /** Writes sorted keys, and closes the stream. */
    public static void write(CrawlRun run, ComparedFiles files, SortedLines keys, OutputStream out) throws IOException {
        try (OutputStream packed = FileCompression.GZIP.over(out)) {
            packed.write(Json.bytes(new KeysHead(SCHEMA, run, files.ending())));
            packed.write('\n');
            copy(keys, packed);
        }
    }

    /** The keys of all pages after a refresh. @param before those before it @param visited what it has stored */
    public static SortedLines refreshed(SortedLines before, SortedLines visited) throws IOException {
        return new PresentKeys(before, visited);
    }

    /** Writes lines. */
    public static void copy(SortedLines lines, OutputStream out) throws IOException {
        for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
            out.write((line.get() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
