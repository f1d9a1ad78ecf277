package io.trawl.pipeline.sink;

import static java.util.Objects.requireNonNull;

import io.trawl.model.CrawlRun;
import io.trawl.channel.offset.StoredPosition;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.pipeline.sink.CommitNote.NotedFile;
import io.trawl.pipeline.sink.PartFileName.Unfinished;
import io.trawl.pipeline.sink.SinkOffsets.Committed;
import io.trawl.pipeline.sink.SinkOffsets.PartitionLost;
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
 * The first steps of a partition's new owner: it finishes the renames that the commit note lists, and deletes the
 * unfinished files of others.
 *
 * <p>
 * The new owner lists the unfinished files <em>before</em> it reads the committed offset. If the read succeeds, no
 * other member has owned the partition since the last poll ({@link SinkOffsets#committed}), and no file on the list can
 * belong to a later owner. (In the other order, a process paused between the two steps would delete files that its
 * successor is writing.)
 */
final class SinkTakeover {
    private static final Logger LOG = LoggerFactory.getLogger(SinkTakeover.class);
    private final SinkFolder out;
    private final SinkSteps steps;
    private final Predicate<CrawlRun> replaced;
    private final Set<CommitNote> logged = new HashSet<>();

    /** @param replaced whether a newer run has replaced a run, so that its folder may have been removed */
    SinkTakeover(SinkFolder out, SinkSteps steps, Predicate<CrawlRun> replaced) {
        this.out = out;
        this.steps = steps;
        this.replaced = replaced;
    }

    /**
     * Takes over all partitions that are ready.
     *
     * @return by partition what is stored. The caller must retry missing partitions: they were lost, or files that must
     * be renamed are not visible
     * @throws StorageException if the offsets and the folder contradict each other
     */
    Map<Integer, StoredPosition> run(Set<Integer> partitions) throws PartitionLost, InterruptedException {
        List<Path> unfinished = out.unfinished(partitions);
        Map<Integer, Committed> committed = steps.committed(partitions);
        Map<Integer, StoredPosition> begin = new HashMap<>();
        for (int partition : partitions) {
            List<Path> own = unfinished.stream().filter(file -> unfinished(file).name().partition() == partition)
                    .toList();
            try {
                Committed stored = checked(partition, requireNonNull(committed.get(partition)));
                if (finish(partition, stored, own)) {
                    StoredPosition position = stored.position().with(StoredPosition.NOTHING_PENDING);
                    begin.put(partition, position.front() < 0 ? StoredPosition.of(0) : position);
                }
            } catch (IOException e) {
                throw new StorageException("finish the files of partition " + partition + " in", out.root(), e);
            }
        }
        return begin;
    }

    private static Unfinished unfinished(Path file) {
        return Unfinished.parse(file.getFileName().toString()).orElseThrow();
    }

    private static Committed checked(int partition, Committed committed) {
        long offset = committed.position().lowest();
        if (offset < committed.logStart() && committed.logStart() > 0) {
            throw new StorageException("partition " + partition + " of the items begins at offset "
                    + committed.logStart() + ", but the pipeline's group has "
                    + (offset < 0 ? "no committed offset" : "stored only what is below " + offset)
                    + ": the items between are lost. If that is intended, set the group's offset to "
                    + committed.logStart() + " with kafka-consumer-groups.");
        }
        return committed;
    }

    /** @return false if files that the note lists are not visible */
    private boolean finish(int partition, Committed committed, List<Path> unfinished)
            throws IOException, PartitionLost, InterruptedException {
        List<Path> stale = new ArrayList<>(unfinished);
        if (!committed.position().note().isEmpty()) {
            CommitNote commitNote = CommitNote.parse(committed.position().note());
            if (!rename(commitNote)) {
                return false;
            }
            steps.clear(partition, committed.position(), List.of(), List.of());
            stale.removeIf(file -> commitNote.names(unfinished(file)));
        }
        for (Path file : stale) {
            LOG.info("deleting {}: its items were not committed and are read again", file);
            steps.throwAway(file);
        }
        PartFileName next = new PartFileName(partition, Math.max(0, committed.position().front()));
        if (committed.cut()) {
            setAsideLost(next);
        }
        mustBeNew(next);
        return true;
    }

    private boolean rename(CommitNote commitNote) throws IOException, PartitionLost {
        Set<Path> wanted = new LinkedHashSet<>();
        commitNote.places().forEach(file -> wanted.add(finished(commitNote, file)));
        for (Path file : out.files(commitNote.name())) {
            if (!PartFileName.unfinished(file)) {
                wanted.add(file);
            } else if (Unfinished.parse(file.getFileName().toString()).filter(commitNote::names).isPresent()) {
                wanted.add(file.resolveSibling(commitNote.name().finished(unfinished(file).ending())));
            }
        }
        List<Path> found = new ArrayList<>();
        for (Path finished : wanted) {
            Path unfinished = finished.resolveSibling(finished.getFileName() + commitNote.unfinishedSuffix());
            if (Files.exists(unfinished)) {
                steps.rename(unfinished, finished);
            }
            if (Files.exists(finished)) {
                found.add(finished);
            }
        }
        if (found.size() + removed(commitNote, found) < commitNote.files()) {
            logMissing(commitNote, found.size());
            return false;
        }
        steps.syncFolders(found);
        return true;
    }

    private Path finished(CommitNote commitNote, NotedFile file) {
        return out.root().resolve(file.folder()).resolve(commitNote.name().finished(file.ending()));
    }

    /** If this is not the folder in which the files were written, continuing would lose their items. */
    private void logMissing(CommitNote commitNote, int found) {
        if (logged.add(commitNote)) {
            LOG.error(
                    "partition {} waits: {} of {} files {} of its previous owner are not in {}. Do all pipelines share that folder? If the files were removed"
                            + " on purpose, create an empty file {} in as many folders",
                    commitNote.name().partition(), commitNote.files() - found, commitNote.files(), commitNote.text(),
                    out.root(), commitNote.name().finished(SinkDefinition.JSON_LINES));
        }
    }

    /** The number of missing files of replaced runs, whose folders may have been removed. */
    private long removed(CommitNote commitNote, List<Path> found) {
        return commitNote.places().stream().filter(file -> !found.contains(finished(commitNote, file)))
                .filter(file -> SinkFolder.run(file.folder()).filter(replaced).isPresent()).count();
    }

    /**
     * Kafka has lost records, so these offsets may have been stored before, with other items. Such files keep their
     * lines under a name that no offset has: {@code lost-part-…}.
     */
    private void setAsideLost(PartFileName next) throws IOException {
        for (Path file : out.finishedFrom(next)) {
            Path aside = SinkFolder.free(file.resolveSibling("lost-" + file.getFileName()));
            LOG.warn("{} becomes {}: Kafka has lost the offsets of its items, and pages of them may be stored again",
                    file, aside.getFileName());
            Files.move(file, aside);
        }
    }

    /** Offsets that were reset would store items twice. A finished file that starts at this offset reveals it. */
    private void mustBeNew(PartFileName name) {
        for (Path file : out.files(name)) {
            if (!PartFileName.unfinished(file)) {
                throw new StorageException(file
                        + " exists, but the pipeline's committed offset says that these items are not stored yet:"
                        + " does the folder hold files of another deployment (take another TRAWL_OUT), or were the pipeline's offsets reset?");
            }
        }
    }
}
