package io.trawl.pipeline.manifest;

import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.changes.ChangeCounts;
import io.trawl.pipeline.changes.LineSorter;
import io.trawl.pipeline.changes.RunComparison;
import io.trawl.pipeline.changes.RunKeys;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.zip.ZipException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the keys of a finished run, and what differs from the newest finished run before it, of the same deployment.
 * Takes a bounded amount of memory, however large both are. Thread-safe.
 */
record ComparedRuns(SinkFolder out, FaultPoint faults) {
    private static final Logger LOG = LoggerFactory.getLogger(ComparedRuns.class);
    private static final int MEMORY = 8 << 20;

    /**
     * @param refreshed the run whose pages it has visited
     * @return what differs; empty if there is nothing to compare with
     */
    Optional<ChangeCounts> compare(CrawlRun run, Optional<ComparedFiles> files, Optional<CrawlRun> refreshed)
            throws IOException {
        Path items = out.of(ItemKind.PAGE, run);
        if (files.isPresent()) {
            try (LineSorter keys = new LineSorter(WholeFile.unfinished(items), MEMORY)) {
                RunKeys.collect(out, run, files.get(), refreshed.isPresent(), keys);
                faults.before(FaultStep.KEYS);
                if (refreshed.isPresent()) {
                    replace(run, files.get(), refreshed.get(), keys);
                } else {
                    WholeFile.replace(items.resolve(RunKeys.FILE),
                            to -> RunKeys.write(run, files.get(), keys.sorted(), to));
                }
            }
        } else {
            Files.deleteIfExists(items.resolve(RunKeys.FILE));
        }
        return files.isPresent() ? changes(run, items) : Optional.empty();
    }

    /** A run without a page has no keys: it has errors, perhaps. Of keys that cannot be read none can be made. */
    private void replace(CrawlRun run, ComparedFiles files, CrawlRun refreshed, LineSorter keys) throws IOException {
        Path items = out.of(ItemKind.PAGE, run);
        Path file = items.resolve(RunKeys.FILE);
        if (!Files.exists(out.of(ItemKind.PAGE, refreshed).resolve(RunKeys.FILE))) {
            try (LineSorter before = new LineSorter(WholeFile.unfinished(items), MEMORY)) {
                RunKeys.collect(out, refreshed, files, false, before);
                WholeFile.replace(file,
                        to -> RunKeys.write(run, files, RunKeys.refreshed(before.sorted(), keys.sorted()), to));
            }
            return;
        }
        try (RunKeys before = RunKeys.open(out.of(ItemKind.PAGE, refreshed))) {
            WholeFile.replace(file,
                    to -> RunKeys.write(run, files, RunKeys.refreshed(before.lines(), keys.sorted()), to));
        } catch (NoSuchFileException | ZipException | EOFException | MalformedRecordException e) {
            LOG.warn("the keys of {} are not written, since those of {} cannot be read: {}", run, refreshed,
                    e.toString());
            Files.deleteIfExists(file);
        }
    }

    private Optional<ChangeCounts> changes(CrawlRun run, Path items) throws IOException {
        Optional<Path> older = before(run);
        if (older.isEmpty()) {
            return Optional.empty();
        }
        try (RunKeys before = RunKeys.open(older.get());
                RunKeys now = RunKeys.open(items);
                LineSorter changes = new LineSorter(WholeFile.unfinished(items), MEMORY)) {
            if (!before.comparable(now)) {
                return Optional.empty();
            }
            // The lines begin with the change and the URL, and are sorted by them.
            ChangeCounts counts = RunComparison.of(before.head().run().epoch(), before.lines(), now.lines(),
                    change -> changes.add(new String(Json.bytes(change), StandardCharsets.UTF_8)));
            faults.before(FaultStep.CHANGES);
            WholeFile.replace(items.resolve(ChangesFile.FILE), to -> RunKeys.copy(changes.sorted(), to));
            return Optional.of(counts);
        } catch (NoSuchFileException | ZipException | EOFException | IllegalArgumentException
                | MalformedRecordException e) {
            LOG.info("{} is not compared with {}: {}", run, older.get().getFileName(), e.toString());
            return Optional.empty();
        }
    }

    /** The folder of the newest older run with its mark, of this deployment. */
    private Optional<Path> before(CrawlRun run) {
        return out.runFolders().stream()
                .filter(folder -> folder
                        .equals(out.root().resolve(SinkFolder.kind(ItemKind.PAGE)).resolve(folder.getFileName())))
                .filter(folder -> epoch(folder, run) > 0 && Files.exists(folder.resolve(ManifestWriter.SUCCESS)))
                .max(Comparator.comparingInt(folder -> epoch(folder, run)));
    }

    /** That of an older run of the crawl; 0 for others. */
    private static int epoch(Path folder, CrawlRun run) {
        return SinkFolder.run(folder.getFileName().toString())
                .filter(other -> other.crawl().equals(run.crawl()) && other.epoch() < run.epoch()).map(CrawlRun::epoch)
                .orElse(0);
    }
}
