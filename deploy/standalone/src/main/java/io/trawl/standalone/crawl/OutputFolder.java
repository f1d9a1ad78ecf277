package io.trawl.standalone.crawl;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.SinkFolder;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * The output folder of a crawl, which may hold any number of crawls of any deployments: a folder per run has its own
 * deployment, see {@link SinkFolder}. A marker file for each crawl names the deployment that crawls it, so that a crawl
 * never resumes without its earlier output. The marker is written before the first page, and replaced atomically.
 */
public final class OutputFolder {
    private static final Duration POLL = Duration.ofMillis(20);
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
    static void writable(Path folder) {
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
     * Claims the crawl's place in the folder before it is defined. A fresh crawl first deletes the output of the same
     * crawl of another data folder.
     *
     * @param owner the deployment of the data folder, see {@link SinkFolder#owner}
     * @param begun whether the crawl exists there already
     * @throws UserMistakeException if the crawl's earlier output is not in the folder, or is that of another data
     * folder
     */
    public void take(String owner, boolean begun, boolean fresh) {
        Optional<CrawlMarker> marker = marker();
        boolean known = marker.filter(m -> m.owner().equals(owner)).isPresent();
        if (!known && fresh) {
            marker.ifPresent(other -> delete(other.owner(), epoch -> true));
            delete(owner, epoch -> true);
        } else if (!known && (marker.isPresent() || !runs(owner).isEmpty())) {
            throw new UserMistakeException(folder + " holds pages of " + crawl
                    + " of another data folder: use that one with --data, use another --out,"
                    + " or delete them with --fresh");
        } else if (!known && begun) {
            throw new UserMistakeException("the output of crawl " + crawl + " is not in " + folder
                    + ": it is in another folder, or was deleted. Name that folder with --out, or start over with --fresh");
        }
        if (!known) {
            write(new CrawlMarker(owner, OptionalInt.empty()));
        }
    }

    /** Records the run that writes to the folder, and deletes the output of older runs. Idempotent. */
    public void belongsTo(String owner, CrawlRun run) {
        delete(owner, epoch -> epoch != run.epoch());
        write(new CrawlMarker(owner, OptionalInt.of(run.epoch())));
    }

    /** The folder of the items of this kind of a run. */
    public Path of(String owner, ItemKind kind, CrawlRun run) {
        return folder.resolve(new SinkFolder(folder, owner).runFolder(kind, run.toString()));
    }

    /** The folder of the archive of a run; archives of older runs stay. */
    public Path archive(String owner, CrawlRun run) {
        return folder.resolve(new SinkFolder(folder, owner).archiveFolder(run.toString()));
    }

    /**
     * Waits until the pipeline has written the manifest of a finished run, and writes it if the pipeline does not.
     *
     * @param patience how long it waits
     */
    public void finished(String owner, CrawlRun run, Instant end, Duration patience, Time time)
            throws InterruptedException {
        ManifestWriter manifests = new ManifestWriter(new SinkFolder(folder, owner), FaultPoint.NONE);
        try {
            long begun = time.nanos();
            while (!manifests.written(run, end) && time.nanos() - begun < patience.toNanos()) {
                time.pause(POLL);
            }
            manifests.write(run, end);
        } catch (IOException | UncheckedIOException e) {
            throw new UserMistakeException("the manifest of " + run + " cannot be written (" + reason(e) + ")");
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
        return new SinkFolder(folder, owner).runFolders().stream().filter(path -> epoch(path) > 0).toList();
    }

    private int epoch(Path path) {
        return SinkFolder.run(path.getFileName().toString()).filter(run -> run.crawl().equals(crawl))
                .map(CrawlRun::epoch).orElse(0);
    }

    private void delete(String owner, IntPredicate epochs) {
        runs(owner).stream().filter(path -> epochs.test(epoch(path))).forEach(OutputFolder::deleteTree);
    }

    private static void deleteTree(Path tree) {
        try (Stream<Path> files = Files.walk(tree)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UserMistakeException("cannot delete the earlier output of the crawl (" + reason(e) + ")");
        }
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
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record CrawlMarker(@JsonProperty("owner") String owner, @JsonProperty("epoch") OptionalInt epoch) {}
}
