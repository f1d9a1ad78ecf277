package io.trawl.pipeline.sink;

import io.trawl.model.Item;
import io.trawl.pipeline.sink.FaultPoint.Step;
import io.trawl.pipeline.sink.Offsets.Committed;
import io.trawl.pipeline.sink.Offsets.PartitionLost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The steps by which a segment becomes finished files, in the order in which they must happen:
 * <ol>
 * <li>{@link #write}: lines go to {@code .part} files that only this attempt has the name of;</li>
 * <li>{@link #sync}: the files and their names are forced to disk;</li>
 * <li>{@link #name}: the offset is committed with the files' name. This decides: before it the span is read again and the files are thrown away, after
 * it the files hold the span for good;</li>
 * <li>{@link #rename}: the files get their final names. A rename cannot be fenced, but any number may do it, any number of times;</li>
 * <li>{@link #clear}: the offset is committed without a name, when the new names are on disk.</li>
 * </ol>
 */
final class SinkSteps {
    private final Offsets offsets;
    private final FaultPoint faults;

    SinkSteps(Offsets offsets, FaultPoint faults) {
        this.offsets = offsets;
        this.faults = faults;
    }

    Map<Integer, Committed> committed(Set<Integer> partitions) throws PartitionLost, InterruptedException {
        faults.before(Step.TAKE_OVER);
        return offsets.committed(partitions);
    }

    void throwAway(Path unfinished) throws IOException {
        faults.before(Step.THROW_AWAY);
        Files.deleteIfExists(unfinished);
    }

    void write(Segment segment, Item item, byte[] line, long now) throws IOException {
        faults.before(Step.WRITE);
        segment.add(item, line, now);
    }

    void sync(Segment segment) throws IOException {
        for (OpenFile file : segment.files()) {
            faults.before(Step.SYNC);
            file.sync();
        }
        syncFolders(segment.files().stream().map(OpenFile::unfinished).toList());
    }

    /** Before the commit the files are looked for: they are gone if another owner has thrown them away, and then this process is a zombie. */
    void name(int partition, long position, Segment segment) throws PartitionLost, InterruptedException {
        for (OpenFile file : segment.files()) {
            if (!Files.exists(file.unfinished())) {
                throw new PartitionLost(new NoSuchFileException(file.unfinished().toString()));
            }
        }
        faults.before(Step.NAME);
        segment.offer();
        offsets.commit(partition, position, segment.note().text());
    }

    void rename(Segment segment) throws IOException {
        for (OpenFile file : segment.files()) {
            rename(file.unfinished(), file.finished());
        }
        syncFolders(segment.files().stream().map(OpenFile::finished).toList());
    }

    /** Gives a file its final name, unless somebody has done so. Never replaces another file. */
    void rename(Path unfinished, Path finished) throws IOException {
        faults.before(Step.RENAME);
        // In this order: between the two looks another owner may finish the rename, and that is no collision.
        boolean taken = Files.exists(finished);
        if (taken && Files.exists(unfinished)) {
            throw new StorageFailure("will not replace " + finished + " by " + unfinished.getFileName()
                    + ": does the folder hold files of another deployment, or were the pipeline's offsets set back?");
        }
        if (!taken) {
            try {
                Files.move(unfinished, finished, StandardCopyOption.ATOMIC_MOVE);
            } catch (NoSuchFileException e) {
                if (!Files.exists(finished)) {
                    throw new StorageFailure("cannot rename " + unfinished + ": it has vanished, was it removed by hand?");
                }
            }
        }
    }

    void clear(int partition, long position) throws PartitionLost, InterruptedException {
        faults.before(Step.CLEAR);
        offsets.commit(partition, position, Offsets.NOTHING_PENDING);
        faults.before(Step.DONE);
    }

    /** Forces the names of these files to disk, and those of their folders. */
    void syncFolders(Collection<Path> files) throws IOException {
        Set<Path> folders = new LinkedHashSet<>();
        files.forEach(file -> folders.add(file.getParent()));
        files.forEach(file -> folders.add(file.getParent().getParent()));
        for (Path folder : folders) {
            OutFolder.sync(folder);
        }
    }
}
