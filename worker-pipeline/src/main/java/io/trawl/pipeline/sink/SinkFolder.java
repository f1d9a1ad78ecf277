package io.trawl.pipeline.sink;

import static java.util.Objects.requireNonNull;

import io.trawl.api.ItemKind;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The output folder: {@code items/<crawl>-<epoch>/} and {@code errors/<crawl>-<epoch>/}. All pipelines share it; users
 * may remove finished files at any time. Stateless.
 *
 * @param root {@code TRAWL_OUT}
 */
public record SinkFolder(Path root) {
    /** In bytes: several times the buffer of a file. */
    private static final int PROBE = 64 * 1024;

    /**
     * Creates the folders and a test file in each. Does not detect a full disk: {@link #probe} does.
     *
     * @throws InvalidValueException if that fails
     */
    public void check() {
        try {
            for (ItemKind kind : ItemKind.values()) {
                Files.createDirectories(kindFolder(kind));
                write(kind, UUID.randomUUID().toString(), FileOpener.REAL, 0);
            }
            sync(root);
        } catch (IOException e) {
            throw new InvalidValueException("TRAWL_OUT", root.toString(),
                    "a folder that can be written (" + StorageException.reason(e) + ": " + e.getMessage() + ")");
        }
    }

    /**
     * Writes a test file and deletes it.
     *
     * @param nonce of this process
     * @throws StorageException if that fails, for example because the disk is full
     */
    void probe(String nonce, FileOpener fileOpener) {
        try {
            write(ItemKind.PAGE, nonce, fileOpener, PROBE);
        } catch (IOException e) {
            throw new StorageException("write to", root, e);
        }
    }

    /** Writes a file with a unique name and deletes it. */
    private void write(ItemKind kind, String nonce, FileOpener fileOpener, int bytes) throws IOException {
        Path file = kindFolder(kind).resolve(".writable-" + nonce + ".probe");
        Files.deleteIfExists(file);
        try (FileChannel channel = fileOpener.create(file)) {
            Channels.newOutputStream(channel).write(new byte[bytes]);
            channel.force(true);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** The folder for items of a kind. */
    private Path kindFolder(ItemKind kind) {
        return root.resolve(switch (kind) {
            case PAGE -> "items";
            case ERROR -> "errors";
        });
    }

    /** The folder of a run such as {@code docs/1}, relative to the root: {@code items/docs-1}. */
    static String runFolder(ItemKind kind, String run) {
        return (kind == ItemKind.PAGE ? "items/" : "errors/") + run.replace('/', '-');
    }

    /** The run of a folder; empty if the name does not have the form of a run's folder. */
    static Optional<CrawlRun> run(String runFolder) {
        String name = runFolder.substring(runFolder.indexOf('/') + 1);
        int dash = name.lastIndexOf('-');
        try {
            return dash < 1
                    ? Optional.empty()
                    : Optional.of(new CrawlRun(new CrawlId(name.substring(0, dash)), Integer.parseInt(name.substring(dash + 1))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The existing folders of all runs. */
    List<Path> runFolders() {
        List<Path> folders = new ArrayList<>();
        for (ItemKind kind : ItemKind.values()) {
            list(kindFolder(kind), "*", folders);
        }
        return folders;
    }

    /** All unfinished files of these partitions. */
    List<Path> unfinished(Set<Integer> partitions) {
        List<Path> files = new ArrayList<>();
        runFolders().forEach(folder -> list(folder, "part-*.part", files));
        files.removeIf(
                file -> PartFileName.Unfinished.parse(file.getFileName().toString())
                        .filter(f -> partitions.contains(f.name().partition())).isEmpty());
        return files;
    }

    private static void list(Path folder, String glob, List<Path> into) {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            stream.forEach(into::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            // removed by a user, or not a run's folder
        } catch (DirectoryIteratorException e) {
            throw new StorageException("read", folder, requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw new StorageException("read", folder, e);
        }
    }

    /** Forces a folder's entries to disk, so that creations and renames survive a power failure. */
    static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Creates new files. A test can supply an implementation that behaves like a full disk. */
    @FunctionalInterface
    public interface FileOpener {
        /** The file system. */
        FileOpener REAL = path -> {
            Files.createDirectories(path.getParent());
            return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        };

        /** Creates a file for writing, and its folder if it is missing. */
        FileChannel create(Path path) throws IOException;
    }
}
