package io.trawl.pipeline.manifest;

import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.changes.ChangeCounts;
import io.trawl.pipeline.manifest.RunManifest.ManifestFile;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes {@code _manifest.json} and {@code _SUCCESS} beside the files of a finished run, and before them what differs
 * from the run before. All are functions of the end of the run and of the files of both, which do not change, so any
 * number of processes may write them at once, and one that is killed leaves the rest to another
 * (docs/adr/0082-manifests.md). Thread-safe.
 */
public final class ManifestWriter {
    /** Lists the files of a run. */
    public static final String MANIFEST = "_manifest.json";
    /** Says that a run is finished and its manifest is complete; holds the time of the end. */
    public static final String SUCCESS = "_SUCCESS";
    /** Is beside the files of a run that has visited the pages of another one: they are what is new or has changed. */
    public static final String REFRESH = "_refresh";
    private static final Pattern FILE = Pattern.compile("(lost-)?part-.*(?<!\\.part)");
    private final SinkFolder out;
    private final FaultPoint faults;
    private final ComparedRuns comparedRuns;

    /** @param faults called before each step */
    public ManifestWriter(SinkFolder out, FaultPoint faults) {
        this.out = out;
        this.faults = faults;
        this.comparedRuns = new ComparedRuns(out, faults);
    }

    /**
     * Writes both for a run that is finished, unless they are there for this end. A run that has no folder gets none:
     * it has no files, or a user has removed them. A refresh gets one, since the next one needs its keys also if
     * nothing has changed.
     *
     * @param compared those of its files by which it is compared with the run before; empty if it is not
     * @throws IOException if that fails now, for instance since a user removes files: the caller must retry
     */
    public void write(EndedRun ended, Optional<ComparedFiles> compared) throws IOException {
        CrawlRun run = ended.run();
        Instant end = ended.end();
        Optional<CrawlRun> refreshed = ended.refreshed();
        if (written(ended)) {
            return;
        }
        if (refreshed.isPresent()) {
            out.claimed(SinkFolder.kind(ItemKind.PAGE), run.toString());
        }
        Path items = out.of(ItemKind.PAGE, run);
        Files.createDirectories(items);
        remove(items);
        List<ManifestFile> files = new ArrayList<>();
        for (Path folder : folders(run)) {
            for (Path file : files(folder)) {
                files.add(MeasuredFile.of(out.root(), file, out.writers()));
            }
        }
        if (refreshed.isPresent()) {
            String of = refreshed.get().epoch() + "\n";
            WholeFile.replace(items.resolve(REFRESH), to -> to.write(of.getBytes(StandardCharsets.UTF_8)));
        }
        Optional<ChangeCounts> changes = comparedRuns.compare(run, compared, refreshed);
        if (written(ended)) {
            // Another process has done it, and may have deleted the run before.
            return;
        }
        if (changes.isEmpty()) {
            Files.deleteIfExists(items.resolve(ChangesFile.FILE));
        }
        complete(items, RunManifest.of(run, end, files, changes), faults);
    }

    /** Writes a manifest beside the files of which it tells, and the mark after it. */
    static void complete(Path folder, RunManifest manifest, FaultPoint faults) throws IOException {
        faults.before(FaultStep.MANIFEST);
        WholeFile.replace(folder.resolve(MANIFEST), to -> to.write(Json.bytes(manifest)));
        faults.before(FaultStep.MARK);
        String end = manifest.finishedAt() + "\n";
        WholeFile.replace(folder.resolve(SUCCESS), to -> to.write(end.getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether {@link #write} has nothing to do. */
    public boolean written(EndedRun ended) throws IOException {
        return ended.refreshed().isEmpty() && folders(ended.run()).stream().noneMatch(Files::exists)
                || end(out.of(ItemKind.PAGE, ended.run())).filter(ended.end()::equals).isPresent();
    }

    /** Removes the mark of a run that goes on, and what processes that died have left. */
    public void unmark(CrawlRun run) throws IOException {
        Path items = out.of(ItemKind.PAGE, run);
        if (Files.exists(items.resolve(SUCCESS))) {
            remove(items);
        }
    }

    /** Where its files are. */
    private List<Path> folders(CrawlRun run) {
        return List.of(out.archive(run), out.chunks(run), out.of(ItemKind.ERROR, run), out.of(ItemKind.PAGE, run));
    }

    /** When a run was finished, as the mark in the folder of its items says; empty if there is none. */
    public static Optional<Instant> end(Path items) throws IOException {
        try {
            return Optional.of(Instant.parse(Files.readString(items.resolve(SUCCESS)).strip()));
        } catch (NoSuchFileException | DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The epoch of the run whose pages a run has visited; empty if it has found its pages by itself. */
    public static OptionalInt refreshed(Path items) throws IOException {
        try {
            return OptionalInt.of(Integer.parseInt(Files.readString(items.resolve(REFRESH)).strip()));
        } catch (NoSuchFileException e) {
            return OptionalInt.empty();
        }
    }

    private static void remove(Path items) throws IOException {
        Files.deleteIfExists(items.resolve(SUCCESS));
        WholeFile.removeUnfinished(items);
        SinkFolder.sync(items);
    }

    /** The files of a run that have their final names. */
    private static List<Path> files(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> FILE.matcher(file.getFileName().toString()).matches())
                    .filter(Files::isRegularFile).sorted().toList();
        }
    }
}
