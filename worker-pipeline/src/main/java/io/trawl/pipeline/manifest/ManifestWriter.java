package io.trawl.pipeline.manifest;

import static java.util.Objects.requireNonNull;

import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.manifest.RunManifest.ManifestFile;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes {@code _manifest.json} and {@code _SUCCESS} beside the files of a finished run. Both are functions of the end
 * of the run and of its files, which do not change, so any number of processes may write them at once, and one that is
 * killed leaves the rest to another (docs/adr/0082-manifests.md). Thread-safe.
 */
public final class ManifestWriter {
    /** Lists the files of a run. */
    public static final String MANIFEST = "_manifest.json";
    /** Says that a run is finished and its manifest is complete; holds the time of the end. */
    public static final String SUCCESS = "_SUCCESS";
    private static final Pattern FILE = Pattern.compile("(lost-)?part-.*(?<!\\.part)");
    private static final int ATTEMPTS = 10;
    private static final String UNFINISHED = ".manifest-";
    private final SinkFolder out;
    private final FaultPoint faults;

    /** @param faults called before each step */
    public ManifestWriter(SinkFolder out, FaultPoint faults) {
        this.out = out;
        this.faults = faults;
    }

    /**
     * Writes both for a run that is finished, unless they are there for this end. A run that has no folder gets none:
     * it has no files, or a user has removed them.
     *
     * @throws IOException if that fails now, for instance since a user removes files: the caller must retry
     */
    public void write(CrawlRun run, Instant end) throws IOException {
        if (written(run, end)) {
            return;
        }
        Path items = out.of(ItemKind.PAGE, run);
        Files.createDirectories(items);
        remove(items);
        List<ManifestFile> files = new ArrayList<>();
        for (Path folder : folders(run)) {
            for (Path file : files(folder)) {
                files.add(MeasuredFile.of(out.root(), file));
            }
        }
        faults.before(FaultStep.MANIFEST);
        replace(items.resolve(MANIFEST),
                Json.bytes(new RunManifest(RunManifest.SCHEMA, run.crawl().value(), run.epoch(), end,
                        files.stream().mapToLong(ManifestFile::items).sum(),
                        files.stream().mapToLong(ManifestFile::chunks).sum(),
                        files.stream().mapToLong(ManifestFile::bytes).sum(), files)));
        faults.before(FaultStep.MARK);
        replace(items.resolve(SUCCESS), (end + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Whether {@link #write} has nothing to do. */
    public boolean written(CrawlRun run, Instant end) throws IOException {
        return folders(run).stream().noneMatch(Files::exists) || marked(out.of(ItemKind.PAGE, run), end);
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

    private static boolean marked(Path items, Instant end) throws IOException {
        try {
            return Files.readString(items.resolve(SUCCESS)).strip().equals(end.toString());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static void remove(Path items) throws IOException {
        Files.deleteIfExists(items.resolve(SUCCESS));
        try (DirectoryStream<Path> left = Files.newDirectoryStream(items, UNFINISHED + "*")) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
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

    /**
     * Replaces a file as a whole, on disk when it returns. A writer that begins meanwhile may take the unfinished file
     * for one that was left, hence the attempts.
     */
    private static void replace(Path file, byte[] bytes) throws IOException {
        for (int attempt = 1; !replaced(file, bytes); attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IOException("other writers remove it before it has its name");
            }
        }
        SinkFolder.sync(requireNonNull(file.getParent()));
    }

    /** @return false if another writer has removed the unfinished file */
    private static boolean replaced(Path file, byte[] bytes) throws IOException {
        Path unfinished = file.resolveSibling(UNFINISHED + UUID.randomUUID());
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE)) {
            ByteBuffer all = ByteBuffer.wrap(bytes);
            while (all.hasRemaining()) {
                channel.write(all);
            }
            channel.force(true);
        }
        try {
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
