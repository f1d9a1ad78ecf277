package io.trawl.pipeline.manifest;

import io.trawl.definition.sink.SinkDefinition;
import io.trawl.pipeline.changes.PresentItems;
import io.trawl.pipeline.changes.RunKeys;
import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.spi.FileWriters;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Writes the items that there were after a finished run to a folder of their own: {@value #FILE}, then a manifest, and
 * the mark of success last. Takes a bounded amount of memory. Stateless.
 *
 * @param folder exists, and is empty
 * @param faults called before each step
 */
public record RunExport(Path folder, FileCompression compression, FaultPoint faults) {
    private static final String FILE = "items." + SinkDefinition.JSON_LINES;

    /**
     * What was found.
     *
     * @param items that were written
     * @param missing items that are in none of the files: if there are any, nothing is written
     */
    public record ExportCounts(long items, long missing) {}

    /**
     * Writes the items of a run.
     *
     * @param keys of the run
     * @param end when it was finished
     * @param files of the runs that hold its items, the oldest first
     * @throws IllegalArgumentException if a line is no line of keys
     */
    public ExportCounts write(RunKeys keys, Instant end, List<Path> files) throws IOException {
        try (PresentItems items = new PresentItems(files, WholeFile.unfinished(folder))) {
            items.find(keys.lines(), WholeFile.unfinished(folder));
            if (items.missing() == 0) {
                Path file = folder.resolve(FILE + compression.ending());
                WholeFile.replace(file, to -> copy(items, to));
                ManifestWriter.complete(folder, RunManifest.of(keys.head().run(), end,
                        List.of(MeasuredFile.of(folder, file, FileWriters.NONE)), Optional.empty()), faults);
            }
            return new ExportCounts(items.items(), items.missing());
        } finally {
            WholeFile.removeUnfinished(folder);
        }
    }

    private void copy(PresentItems items, OutputStream to) throws IOException {
        try (OutputStream packed = compression.over(to)) {
            items.copy(line -> {
                packed.write(line);
                packed.write('\n');
            });
        }
    }
}
