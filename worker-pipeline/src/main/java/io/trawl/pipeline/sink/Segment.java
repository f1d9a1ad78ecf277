package io.trawl.pipeline.sink;

import io.trawl.api.Item;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.format.FileLine;
import io.trawl.pipeline.sink.CommitNote.NotedFile;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.pipeline.spi.Capture;
import io.trawl.pipeline.spi.FileWriters.ArchiveFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The uncommitted output of a span of offsets of one partition: a file per run, kind and format, what became of the
 * items, and the errors. Not thread-safe.
 */
final class Segment {
    /** A Parquet file keeps a row group in memory. */
    private static final int PARQUET_AS_COMPRESSED = 4;
    private final PartFileName name;
    private final String nonce;
    private final SinkFolder out;
    private final FileOpener fileOpener;
    private final Map<String, OpenFile> files = new LinkedHashMap<>();
    private final Map<String, ArchiveFile> archives = new LinkedHashMap<>();
    private final List<NotedFile> places = new ArrayList<>();
    private final List<CrawlerError> errors = new ArrayList<>();
    private final Map<String, ItemCounts> counts = new LinkedHashMap<>();
    private long largest;
    private long items;
    private long bytes;
    private int compressed;
    private boolean empty = true;
    private long firstAdded;
    private long lastAdded;
    private boolean nameMayBeCommitted;
    private boolean stored;

    Segment(PartFileName name, String nonce, SinkFolder out, FileOpener fileOpener) {
        this.name = name;
        this.nonce = nonce;
        this.out = out;
        this.fileOpener = fileOpener;
    }

    /** Whether one of the lines belongs to a file that holds lines of another format under the same name. */
    boolean hasOtherFormat(Item item, List<FileLine> formatted) {
        return formatted.stream().map(FileLine::format)
                .anyMatch(format -> Optional.ofNullable(files.get(key(kind(item, format), item.run(), format)))
                        .filter(file -> !file.format().equals(format)).isPresent());
    }

    private static String kind(Item item, FileFormat format) {
        return format.chunks() ? SinkFolder.CHUNKS : SinkFolder.kind(item.kind());
    }

    private static String key(String kind, String run, FileFormat format) {
        return kind + " " + run + " " + format.ending();
    }

    /** Adds a line of an item. */
    void add(Item item, FileLine line) throws IOException {
        write(file(kind(item, line.format()), item.run(), line.format()), line);
    }

    /** Adds a response of a run to its archive. */
    void add(String run, Capture capture, Instant now) throws IOException {
        OpenFile file = file(SinkFolder.ARCHIVE, run, FileFormat.ARCHIVE);
        ArchiveFile archive = archives.get(run);
        if (archive == null) {
            archive = out.writers().ofArchives().open(file.finished().getFileName().toString());
            archives.put(run, archive);
            write(file, new FileLine(FileFormat.ARCHIVE, archive.header(CrawlRun.parse(run), now)));
        }
        write(file, new FileLine(FileFormat.ARCHIVE, archive.add(capture)));
    }

    /** Writes the indexes of archives. Nothing may be added after it. */
    void index() throws IOException {
        for (Map.Entry<String, ArchiveFile> archive : archives.entrySet()) {
            write(file(SinkFolder.ARCHIVE, archive.getKey(), FileFormat.ARCHIVE_INDEX),
                    new FileLine(FileFormat.ARCHIVE_INDEX, archive.getValue().index()));
        }
    }

    private OpenFile file(String kind, String run, FileFormat format) throws IOException {
        OpenFile file = files.get(key(kind, run, format));
        if (file == null) {
            String folder = out.claimed(kind, run);
            Path path = out.root().resolve(folder);
            file = new OpenFile(path.resolve(name.unfinished(format.ending(), nonce)),
                    path.resolve(name.finished(format.ending())), format, fileOpener, out.writers());
            files.put(key(kind, run, format), file);
            places.add(new NotedFile(folder, format.ending()));
            compressed += format.parquet()
                    ? PARQUET_AS_COMPRESSED
                    : format.compression() == FileCompression.NONE ? 0 : 1;
        }
        return file;
    }

    private void write(OpenFile file, FileLine line) throws IOException {
        file.write(line);
        largest = Math.max(largest, file.bytes());
        bytes += line.size();
    }

    /** Notes that an item is in its files, or in sinks that have no files. */
    void itemAdded() {
        items++;
    }

    /** Notes when an item was handled. */
    void touch(long now) {
        firstAdded = empty ? now : firstAdded;
        lastAdded = now;
        empty = false;
    }

    /** Adds what is told about an item of a run when its offsets are committed. */
    void tell(String run, ItemAccount account) {
        counts.merge(run, account.counts(), ItemCounts::plus);
        errors.addAll(account.errors());
    }

    /** Whether no item was handled, so that its offsets may be committed at any time. */
    boolean isEmpty() {
        return empty;
    }

    /** What became of its items, a record per run: belongs in the transaction that commits its offsets. */
    List<LedgerRecord> ledger() {
        return counts.entrySet().stream().map(e -> LedgerRecord.of(CrawlRun.parse(e.getKey()), e.getValue())).toList();
    }

    void error(CrawlerError error) {
        errors.add(error);
    }

    Collection<OpenFile> files() {
        return files.values();
    }

    /** Returns the errors and removes them. */
    List<CrawlerError> takeErrors() {
        List<CrawlerError> taken = List.copyOf(errors);
        errors.clear();
        return taken;
    }

    int errors() {
        return errors.size();
    }

    /** Lets readers see all lines. */
    void flush() throws IOException {
        for (OpenFile file : files.values()) {
            file.flush();
        }
    }

    CommitNote note() {
        return CommitNote.of(name, nonce, places);
    }

    /** The size of its largest file in bytes. */
    long largest() {
        return largest;
    }

    /** The size of all its files in bytes. */
    long bytes() {
        return bytes;
    }

    /**
     * The number of its compressed files, each of which takes some MiB of memory while it is open; Parquet files count
     * as several.
     */
    int compressed() {
        return compressed;
    }

    /** The number of items that are in its files, or in sinks that have no files. */
    long items() {
        return items;
    }

    /** When the first item was handled, by the monotonic clock; meaningless without items. */
    long firstAdded() {
        return firstAdded;
    }

    /** When the last item was handled, by the monotonic clock. */
    long lastAdded() {
        return lastAdded;
    }

    /**
     * From now on a commit may hold the segment's name, even if the client reports a failure: this process must not
     * delete the files.
     */
    void nameOffered() {
        nameMayBeCommitted = true;
    }

    /**
     * The commit with the segment's name is confirmed: its items are stored, even if another owner renames the files.
     */
    void stored() {
        stored = true;
    }

    /** The number of items that another owner must store if this segment is discarded. */
    long unstored() {
        return stored ? 0 : items;
    }

    /** Deletes the files, or leaves them to the partition's next owner if the name may have been committed. */
    void discard() throws IOException {
        for (OpenFile file : files.values()) {
            if (nameMayBeCommitted) {
                file.abandon();
            } else {
                file.delete();
            }
        }
    }
}
