package io.trawl.pipeline.sink;

import io.trawl.model.CrawlerError;
import io.trawl.model.Item;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was made of a span of offsets of one partition and is not yet committed: a file per run and kind, and the errors met. Not thread-safe. */
final class Segment {
    private final PartName name;
    private final String nonce;
    private final OutFolder out;
    private final Disk disk;
    private final Map<String, OpenFile> files = new LinkedHashMap<>();
    private final List<CrawlerError> errors = new ArrayList<>();
    private long largest;
    private long lines;
    private long lastAdded;
    private boolean offered;
    private boolean stored;

    Segment(PartName name, String nonce, OutFolder out, Disk disk) {
        this.name = name;
        this.nonce = nonce;
        this.out = out;
        this.disk = disk;
    }

    void add(Item item, byte[] line, long now) throws IOException {
        String folder = OutFolder.runFolder(item.kind(), item.run());
        OpenFile file = files.get(folder);
        if (file == null) {
            Path path = out.root().resolve(folder);
            file = new OpenFile(path.resolve(name.unfinished(nonce)), path.resolve(name.finished()), disk);
            files.put(folder, file);
        }
        file.write(line);
        largest = Math.max(largest, file.bytes());
        lines++;
        lastAdded = now;
    }

    void error(CrawlerError error) {
        errors.add(error);
    }

    Collection<OpenFile> files() {
        return files.values();
    }

    /** The errors met, once: they are forgotten. */
    List<CrawlerError> takeErrors() {
        List<CrawlerError> taken = List.copyOf(errors);
        errors.clear();
        return taken;
    }

    int errors() {
        return errors.size();
    }

    Note note() {
        return Note.of(name, nonce, List.copyOf(files.keySet()));
    }

    /** The size of its largest file in bytes. */
    long largest() {
        return largest;
    }

    long lines() {
        return lines;
    }

    /** When the last line was added, by the monotonic clock. */
    long lastAdded() {
        return lastAdded;
    }

    /** From now on its name may stand in a committed offset, even if the commit is refused: its files are no longer ours to delete. */
    void offer() {
        offered = true;
    }

    /** The commit with its name is confirmed: its lines are stored, whoever renames the files. */
    void stored() {
        stored = true;
    }

    /** The lines that somebody else has to store if this segment is discarded. */
    long unstored() {
        return stored ? 0 : lines;
    }

    /** Throws its files away, or leaves them to the partition's next owner if its name may have been committed. */
    void discard() throws IOException {
        for (OpenFile file : files.values()) {
            if (offered) {
                file.abandon();
            } else {
                file.delete();
            }
        }
    }
}
