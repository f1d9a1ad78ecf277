package io.trawl.pipeline.sink;

import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValue;
import io.trawl.model.ItemKind;
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

/**
 * The output folder: {@code items/<crawl>-<epoch>/} and {@code errors/<crawl>-<epoch>/}. Shared by all pipelines; its finished files may be taken away
 * at any time. Holds no state.
 *
 * @param root {@code TRAWL_OUT}
 */
public record OutFolder(Path root) {
    /** Bytes: as much as one file's buffer several times. */
    private static final int PROBE = 64 * 1024;

    /**
     * Makes the folders and tries to write into them.
     *
     * @throws InvalidValue if that does not work
     */
    public void check() {
        try {
            for (ItemKind kind : ItemKind.values()) {
                Files.createDirectories(kindFolder(kind));
                Files.delete(Files.createTempFile(kindFolder(kind), ".writable-", ".probe"));
            }
            sync(root);
        } catch (IOException e) {
            throw new InvalidValue("TRAWL_OUT", root.toString(),
                    "a folder that can be written (" + StorageFailure.reason(e) + ": " + e.getMessage() + ")");
        }
    }

    /**
     * Writes a little, and removes it.
     *
     * @param nonce of this process
     * @throws StorageFailure if that does not work now, as on a full disk
     */
    void probe(String nonce, Disk disk) {
        Path file = kindFolder(ItemKind.PAGE).resolve(".writable-" + nonce + ".probe");
        try {
            Files.deleteIfExists(file);
            try (FileChannel channel = disk.create(file)) {
                Channels.newOutputStream(channel).write(new byte[PROBE]);
                channel.force(true);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new StorageFailure("write to", root, e);
        }
    }

    /** Where items of a kind go. */
    private Path kindFolder(ItemKind kind) {
        return root.resolve(switch (kind) {
            case PAGE -> "items";
            case ERROR -> "errors";
        });
    }

    /** The folder of a run, relative to the root: {@code items/docs-1}. */
    static String runFolder(ItemKind kind, CrawlRun run) {
        return (kind == ItemKind.PAGE ? "items/" : "errors/") + run.crawl() + "-" + run.epoch();
    }

    /** The run whose folder this is. */
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

    /** The folders of all runs that lie on the disk now. */
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
                file -> PartName.Unfinished.parse(file.getFileName().toString())
                        .filter(f -> partitions.contains(f.name().partition())).isEmpty());
        return files;
    }

    private static void list(Path folder, String glob, List<Path> into) {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            stream.forEach(into::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            // taken away by its user, or not a folder of ours
        } catch (DirectoryIteratorException e) {
            throw new StorageFailure("read", folder, e.getCause());
        } catch (IOException e) {
            throw new StorageFailure("read", folder, e);
        }
    }

    /** Makes what happened to the names in a folder survive a loss of power. */
    static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
