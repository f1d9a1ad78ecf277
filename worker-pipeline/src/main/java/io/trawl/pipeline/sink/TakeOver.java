package io.trawl.pipeline.sink;

import io.trawl.model.CrawlRun;
import io.trawl.pipeline.sink.Offsets.Committed;
import io.trawl.pipeline.sink.Offsets.PartitionLost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the new owner of a partition does first: it finishes the rename that the committed offset names, and throws away the unfinished files of others.
 *
 * <p>The unfinished files are listed <em>before</em> the committed offset is read. The read is refused to a process that was expelled meanwhile; so
 * if it is answered, nobody else has owned the partition until then, and no file on the list can belong to a later owner. (The other way round, a
 * process paused between the two would throw away files that its successor is writing.)
 */
final class TakeOver {
    private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);
    private final OutFolder out;
    private final SinkSteps steps;
    private final Predicate<CrawlRun> replaced;
    private final Set<Note> missed = new HashSet<>();

    /** @param replaced whether a newer run has taken a run's place, so that its folder may have been removed */
    TakeOver(OutFolder out, SinkSteps steps, Predicate<CrawlRun> replaced) {
        this.out = out;
        this.steps = steps;
        this.replaced = replaced;
    }

    /**
     * Takes over what can be taken over now.
     *
     * @return by partition where to begin to read; what is missing must be tried again: it was lost, or files that must be renamed are not to be seen
     * @throws StorageFailure if the offsets and the folder contradict each other
     */
    Map<Integer, Long> run(Set<Integer> partitions) throws PartitionLost, InterruptedException {
        List<Path> unfinished = out.unfinished(partitions);
        Map<Integer, Committed> committed = steps.committed(partitions);
        Map<Integer, Long> begin = new HashMap<>();
        for (int partition : partitions) {
            List<Path> own = unfinished.stream().filter(file -> partitionOf(file) == partition).toList();
            try {
                if (finish(partition, checked(partition, committed.get(partition)), own)) {
                    begin.put(partition, Math.max(0, committed.get(partition).offset()));
                }
            } catch (IOException e) {
                throw new StorageFailure("finish the files of partition " + partition + " in", out.root(), e);
            }
        }
        return begin;
    }

    private static int partitionOf(Path file) {
        return PartName.Unfinished.parse(file.getFileName().toString()).orElseThrow().name().partition();
    }

    private static Committed checked(int partition, Committed committed) {
        if (committed.offset() < committed.logStart() && committed.logStart() > 0) {
            throw new StorageFailure("partition " + partition + " of the items begins at offset " + committed.logStart()
                    + ", but the pipeline's group has "
                    + (committed.offset() < 0 ? "no committed offset" : "stored only what is below " + committed.offset())
                    + ": items between are lost. If that is meant, set the group's offset to " + committed.logStart()
                    + " with kafka-consumer-groups.");
        }
        return committed;
    }

    /** @return false if files that the note names are not to be seen */
    private boolean finish(int partition, Committed committed, List<Path> unfinished)
            throws IOException, PartitionLost, InterruptedException {
        List<Path> stale = new ArrayList<>(unfinished);
        if (!committed.note().isEmpty()) {
            Note note = Note.parse(committed.note());
            if (!rename(note)) {
                return false;
            }
            steps.clear(partition, committed.offset());
            stale.removeIf(file -> file.getFileName().toString().equals(note.unfinished()));
        }
        for (Path file : stale) {
            LOG.info("throwing away {}: its items were not committed and are read again", file);
            steps.throwAway(file);
        }
        mustBeNew(new PartName(partition, Math.max(0, committed.offset())));
        return true;
    }

    private boolean rename(Note note) throws IOException, PartitionLost {
        Set<Path> folders = new LinkedHashSet<>();
        note.folders().forEach(folder -> folders.add(out.root().resolve(folder)));
        folders.addAll(out.runFolders());
        List<Path> found = new ArrayList<>();
        for (Path folder : folders) {
            Path unfinished = folder.resolve(note.unfinished());
            Path finished = folder.resolve(note.name().finished());
            if (Files.exists(unfinished)) {
                steps.rename(unfinished, finished);
            }
            if (Files.exists(finished)) {
                found.add(finished);
            }
        }
        if (found.size() + removed(note, found) < note.files()) {
            complain(note, found.size());
            return false;
        }
        steps.syncFolders(found);
        return true;
    }

    /** Going on would lose what those files hold, if the folder is not the one in which they were written. */
    private void complain(Note note, int found) {
        if (missed.add(note)) {
            LOG.error(
                    "partition {} waits: {} of {} files {} of its former owner are not in {}. Do all pipelines share that folder? If they were taken away"
                            + " on purpose, put an empty file {} into as many folders",
                    note.name().partition(), note.files() - found, note.files(), note.unfinished(),
                    out.root(), note.name().finished());
        }
    }

    /** How many of the missing files belong to runs that were begun anew: their folders may have been removed. */
    private long removed(Note note, List<Path> found) {
        return note.folders().stream()
                .filter(folder -> !found.contains(out.root().resolve(folder).resolve(note.name().finished())))
                .filter(folder -> OutFolder.run(folder).filter(replaced).isPresent()).count();
    }

    /** Offsets that went back would store items twice; a file that begins where we begin shows it. */
    private void mustBeNew(PartName name) {
        for (Path folder : out.runFolders()) {
            Path finished = folder.resolve(name.finished());
            if (Files.exists(finished)) {
                throw new StorageFailure(finished
                        + " exists, but the pipeline's committed offset says that these items are not stored yet:"
                        + " does the folder hold files of another deployment (take another TRAWL_OUT), or were the pipeline's offsets set back?");
            }
        }
    }
}
