package io.trawl.standalone.crawl;

import io.trawl.pipeline.manifest.EndedRun;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.manifest.KeptRuns;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.pipeline.changes.ChangeCounts;
import io.trawl.pipeline.manifest.ChangesFile;
import io.trawl.api.ItemKind;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.pipeline.spi.FileWriters;
import io.trawl.plugin.Plugins;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The output folder of a crawl, which may hold any number of crawls of any deployments: a folder per run has its own
 * deployment, see {@link SinkFolder}. A marker file for each crawl names the deployment that crawls it, so that a crawl
 * never resumes without its earlier output. The marker is written before the first page, and replaced atomically.
 */
public final class OutputFolder {
    private static final Duration POLL = Duration.ofMillis(20);
    /** Whose folders without a mark are, from a fresh crawl on. */
    private static final String UNKNOWN = "unknown";
    private final Path folder;
    private final CrawlId crawl;

    private OutputFolder(Path folder, CrawlId crawl) {
        this.folder = folder;
        this.crawl = crawl;
    }

    /**
     * Checks the folder, and creates it if it is missing.
     *
     * @throws UserMistakeException if it cannot be written to
     */
    public static OutputFolder open(Path folder, CrawlId crawl) {
        writable(folder);
        OutputFolder output = new OutputFolder(folder, crawl);
        output.marker();
        return output;
    }

    /** The marker of the crawl. */
    private Path markerFile() {
        return folder.resolve(".trawl-" + crawl + ".json");
    }

    /**
     * Creates the folder if it is missing.
     *
     * @throws UserMistakeException if it cannot be created or written to
     */
    public static void writable(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UserMistakeException("the output folder " + folder + " cannot be created (" + reason(e) + ")");
        }
        if (!Files.isWritable(folder)) {
            throw new UserMistakeException("the output folder " + folder + " cannot be written to");
        }
    }

    /**
     * Claims the crawl's place in the folder before it is defined. The output of the same crawl of another data folder
     * stays until a fresh crawl has finished, and then counts among its runs.
     *
     * @param owner the deployment of the data folder, see {@link SinkFolder#owner}
     * @param begun whether the crawl exists there already
     * @throws UserMistakeException if the crawl's earlier output is not in the folder, or is that of another data
     * folder
     */
    public void take(String owner, boolean begun, boolean fresh) {
        Optional<CrawlMarker> marker = marker();
        if (marker.filter(m -> m.owner().equals(owner)).isPresent()) {
            return;
        }
        if (!fresh && (marker.isPresent() || !runs(owner).isEmpty())) {
            throw new UserMistakeException(folder + " holds pages of " + crawl
                    + " of another data folder: use that one with --data, use another --out,"
                    + " or begin a new run beside them with --fresh");
        } else if (!fresh && begun) {
            throw new UserMistakeException("the output of crawl " + crawl + " is not in " + folder
                    + ": it is in another folder, or was deleted. Name that folder with --out, or start over with --fresh");
        }
        Set<String> earlier = new LinkedHashSet<>(marker.map(CrawlMarker::earlier).orElse(List.of()));
        marker.map(CrawlMarker::owner).ifPresent(earlier::add);
        if (runs(owner).stream().filter(run -> SinkFolder.marks(run).isEmpty()).map(OutputFolder::marked).count() > 0) {
            earlier.add(UNKNOWN);
        }
        earlier.remove(owner);
        write(new CrawlMarker(owner, OptionalInt.empty(), List.copyOf(earlier)));
    }

    /** The run of a deployment is written beside it. */
    private static Path marked(Path run) {
        try {
            return Files.createFile(run.resolve(SinkFolder.mark(UNKNOWN)));
        } catch (IOException e) {
            throw new UserMistakeException(run + " cannot be written to (" + reason(e) + ")");
        }
    }

    /** Records the run that writes to the folder. Idempotent. */
    public void belongsTo(String owner, CrawlRun run) {
        write(new CrawlMarker(owner, OptionalInt.of(run.epoch()),
                marker().map(CrawlMarker::earlier).orElse(List.of())));
    }

    /** Where a deployment writes. */
    public SinkFolder of(String owner) {
        return new SinkFolder(folder, owner);
    }

    /** The items of the newest finished run, of whatever deployment. */
    public Optional<Path> latest() {
        return KeptRuns.latest(folder, crawl);
    }

    /**
     * Waits until the pipeline has written the manifest of a finished run, and writes it if the pipeline does not. Then
     * the runs that it replaces are deleted.
     *
     * @param definition that of the crawl: how many finished runs stay, and which files it has
     * @param patience how long it waits
     */
    public void finished(String owner, EndedRun ended, CrawlDefinition definition, Duration patience, Time time)
            throws InterruptedException {
        CrawlRun run = ended.run();
        try (Plugins parts = Plugins.in(Optional.empty())) {
            ManifestWriter manifests = new ManifestWriter(new SinkFolder(folder, owner, FileWriters.among(parts)),
                    FaultPoint.NONE);
            long begun = time.nanos();
            while (!manifests.written(ended) && time.nanos() - begun < patience.toNanos()) {
                time.pause(POLL);
            }
            manifests.write(ended, ComparedFiles.of(definition));
            List<String> owners = Stream.concat(marker().stream().flatMap(m -> m.earlier().stream()), Stream.of(owner))
                    .toList();
            new KeptRuns(folder, owners).settle(crawl, definition.keep());
        } catch (IOException | UncheckedIOException e) {
            throw new UserMistakeException(
                    run + " is stored, but its manifest cannot be written, or an older run not deleted (" + reason(e)
                            + ")");
        }
    }

    /** How a finished run differs from the one before, as its manifest says; empty if they were not compared. */
    public Optional<ChangeCounts> changes(String owner, CrawlRun run) {
        try {
            return ChangesFile.counts(of(owner).of(ItemKind.PAGE, run));
        } catch (IOException e) {
            throw new UserMistakeException("the manifest of " + run + " cannot be read (" + reason(e) + ")");
        }
    }

    private Optional<CrawlMarker> marker() {
        Path file = markerFile();
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.read(Files.readAllBytes(file), CrawlMarker.class));
        } catch (IOException | MalformedRecordException e) {
            throw new UserMistakeException(file + " cannot be read (" + reason(e) + "): use another --out");
        }
    }

    private void write(CrawlMarker marker) {
        Path file = markerFile();
        Path part = folder.resolve(file.getFileName() + ".part");
        try {
            Files.write(part, Json.bytes(marker));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UserMistakeException("the output folder " + folder + " cannot be written to (" + reason(e) + ")");
        }
    }

    /**
     * The folders of this crawl's runs that are not those of other deployments: the names of other crawls may begin
     * with this one's.
     */
    private List<Path> runs(String owner) {
        return of(owner).runFolders().stream().filter(path -> SinkFolder.run(path.getFileName().toString())
                .filter(run -> run.crawl().equals(crawl)).isPresent()).toList();
    }

    private static String reason(Exception e) {
        return switch (e) {
            case AccessDeniedException denied -> "no permission";
            case FileAlreadyExistsException file -> file.getFile() + " is not a folder";
            case NoSuchFileException missing -> missing.getFile() + " does not exist";
            default -> String.valueOf(e.getMessage());
        };
    }

    /**
     * The deployment that crawls.
     *
     * @param owner its short name
     * @param epoch of the run that writes to the folder; absent before the start
     * @param earlier the deployments that have crawled it before, the last one last
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record CrawlMarker(@JsonProperty("owner") String owner, @JsonProperty("epoch") OptionalInt epoch,
            @JsonProperty("earlier") List<String> earlier) {
        CrawlMarker {
            earlier = earlier == null ? List.of() : List.copyOf(earlier);
        }
    }
}
