package io.trawl.pipeline.sink;

import static java.util.Objects.requireNonNull;

import io.trawl.api.Item;
import io.trawl.channel.offset.StoredPosition;
import io.trawl.ledger.LedgerRecord;
import io.trawl.pipeline.format.FileLine;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.pipeline.sink.SinkOffsets.Committed;
import io.trawl.pipeline.sink.SinkOffsets.PartitionLost;
import io.trawl.pipeline.sink.SinkOffsets.TopicRecord;
import io.trawl.pipeline.spi.Capture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The steps that turn a segment into finished files, in the required order:
 * <ol>
 * <li>{@link #write}: lines go to {@code .part} files whose name is unique to this attempt;</li>
 * <li>{@link #sync}: the files and their names are forced to disk;</li>
 * <li>{@link #name}: the offset is committed with the files' name, and the ledger says what became of the items. This
 * step decides: after a crash before it, the next owner deletes the files and reads the span again; after it, the files
 * hold the span for good;</li>
 * <li>{@link #rename}: the files get their final names. A rename cannot be fenced, but it is idempotent, so several
 * owners may do it;</li>
 * <li>{@link #clear}: the offset is committed without a name, after the new names are on disk.</li>
 * </ol>
 */
final class SinkSteps {
    private final SinkOffsets sinkOffsets;
    private final FaultPoint faults;

    SinkSteps(SinkOffsets sinkOffsets, FaultPoint faults) {
        this.sinkOffsets = sinkOffsets;
        this.faults = faults;
    }

    Map<Integer, Committed> committed(Set<Integer> partitions) throws PartitionLost, InterruptedException {
        faults.before(FaultStep.TAKE_OVER);
        return sinkOffsets.committed(partitions);
    }

    void throwAway(Path unfinished) throws IOException {
        faults.before(FaultStep.THROW_AWAY);
        Files.deleteIfExists(unfinished);
    }

    void write(Segment segment, Item item, FileLine line) throws IOException {
        faults.before(FaultStep.WRITE);
        segment.add(item, line);
    }

    void write(Segment segment, String run, Capture capture, Instant now) throws IOException {
        faults.before(FaultStep.WRITE);
        segment.add(run, capture, now);
    }

    void sync(Segment segment) throws IOException {
        segment.index();
        for (OpenFile file : segment.files()) {
            faults.before(FaultStep.SYNC);
            file.sync();
        }
        syncFolders(segment.files().stream().map(OpenFile::unfinished).toList());
    }

    /** Checks before the commit that the files exist: if another owner has deleted them, this process is a zombie. */
    void name(int partition, StoredPosition position, Segment segment, List<TopicRecord> topics)
            throws PartitionLost, InterruptedException {
        for (OpenFile file : segment.files()) {
            if (!Files.exists(file.unfinished())) {
                throw new PartitionLost(new NoSuchFileException(file.unfinished().toString()));
            }
        }
        faults.before(FaultStep.NAME);
        segment.nameOffered();
        sinkOffsets.commit(partition, position.with(segment.note().text()), segment.ledger(), topics);
    }

    void rename(Segment segment) throws IOException {
        for (OpenFile file : segment.files()) {
            rename(file.unfinished(), file.finished());
        }
        syncFolders(segment.files().stream().map(OpenFile::finished).toList());
    }

    /** Gives a file its final name, unless another owner has done so. Never replaces another file. */
    void rename(Path unfinished, Path finished) throws IOException {
        faults.before(FaultStep.RENAME);
        // In this order, because another owner may finish the rename between the two checks, which is not a collision.
        boolean taken = Files.exists(finished);
        if (taken && Files.exists(unfinished)) {
            throw new StorageException("will not replace " + finished + " by " + unfinished.getFileName()
                    + ": does the folder hold files of another deployment, or were the pipeline's offsets reset?");
        }
        if (!taken) {
            try {
                Files.move(unfinished, finished, StandardCopyOption.ATOMIC_MOVE);
            } catch (NoSuchFileException e) {
                if (!Files.exists(finished)) {
                    throw new StorageException(
                            "cannot rename " + unfinished + ": the file no longer exists. Was it removed by hand?");
                }
            }
        }
    }

    /** @param ledger what became of the items of a segment without files; empty after {@link #name} */
    void clear(int partition, StoredPosition position, List<LedgerRecord> ledger, List<TopicRecord> topics)
            throws PartitionLost, InterruptedException {
        faults.before(FaultStep.CLEAR);
        sinkOffsets.commit(partition, position.with(StoredPosition.NOTHING_PENDING), ledger, topics);
        faults.before(FaultStep.DONE);
    }

    /** Writes items to topics before the segment is finished: only the position of the sinks there moves. */
    void publish(int partition, StoredPosition position, List<TopicRecord> topics)
            throws PartitionLost, InterruptedException {
        faults.before(FaultStep.PUBLISH);
        sinkOffsets.commit(partition, position, List.of(), topics);
    }

    /** Forces the directory entries of these files and of their folders to disk. */
    void syncFolders(Collection<Path> files) throws IOException {
        Set<Path> folders = new LinkedHashSet<>();
        files.forEach(file -> folders.add(file.getParent()));
        files.forEach(file -> folders.add(requireNonNull(file.getParent()).getParent()));
        for (Path folder : folders) {
            SinkFolder.sync(folder);
        }
    }
}
