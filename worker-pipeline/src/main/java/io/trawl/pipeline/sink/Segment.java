package io.trawl.pipeline.sink;

import io.trawl.api.Item;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The uncommitted output of a span of offsets of one partition: a file per run and kind, what became of the items, and the errors. Not thread-safe. */
final class Segment {
    private final PartFileName name;
    private final String nonce;
    private final SinkFolder out;
    private final FileOpener fileOpener;
    private final Map<String, OpenFile> files = new LinkedHashMap<>();
    private final List<String> folders = new ArrayList<>();
    private final List<CrawlerError> errors = new ArrayList<>();
    private final Map<String, ItemCounts> counts = new LinkedHashMap<>();
    private long largest;
    private long lines;
    private long bytes;
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

    void add(Item item, byte[] line, long now) throws IOException {
        String key = item.kind() + " " + item.run();
        OpenFile file = files.get(key);
        if (file == null) {
            String folder = out.claimed(item.kind(), item.run());
            Path path = out.root().resolve(folder);
            file = new OpenFile(path.resolve(name.unfinished(nonce)), path.resolve(name.finished()), fileOpener);
            files.put(key, file);
            folders.add(folder);
        }
        file.write(line);
        largest = Math.max(largest, file.bytes());
        lines++;
        bytes += line.length;
        count(item.run(), ItemCounts.STORED, now);
    }

    /** Adds what became of an item of a run. */
    void count(String run, ItemCounts more, long now) {
        firstAdded = counts.isEmpty() ? now : firstAdded;
        lastAdded = now;
        counts.merge(run, more, ItemCounts::plus);
    }

    /** Whether it holds no item, so that its offsets may be committed at any time. */
    boolean isEmpty() {
        return counts.isEmpty();
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
        return CommitNote.of(name, nonce, folders);
    }

    /** The size of its largest file in bytes. */
    long largest() {
        return largest;
    }

    /** The size of all its files in bytes. */
    long bytes() {
        return bytes;
    }

    long lines() {
        return lines;
    }

    /** When the first item was counted, by the monotonic clock; meaningless without items. */
    long firstAdded() {
        return firstAdded;
    }

    /** When the last item was counted, by the monotonic clock. */
    long lastAdded() {
        return lastAdded;
    }

    /** From now on a commit may hold the segment's name, even if the client reports a failure: this process must not delete the files. */
    void nameOffered() {
        nameMayBeCommitted = true;
    }

    /** The commit with the segment's name is confirmed: its lines are stored, even if another owner renames the files. */
    void stored() {
        stored = true;
    }

    /** The number of lines that another owner must store if this segment is discarded. */
    long unstored() {
        return stored ? 0 : lines;
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
