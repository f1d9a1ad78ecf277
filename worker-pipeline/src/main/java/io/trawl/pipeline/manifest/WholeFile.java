package io.trawl.pipeline.manifest;

import static java.util.Objects.requireNonNull;

import io.trawl.pipeline.sink.KeptOpenStream;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Files that are replaced as a whole, by a rename. Several processes may replace one at once. Stateless.
 */
final class WholeFile {
    private static final int ATTEMPTS = 10;
    private static final int BUFFER = 64 * 1024;
    private static final String UNFINISHED = ".manifest-";

    private WholeFile() {}

    /** What a file holds: the same each time. */
    @FunctionalInterface
    interface FileContent {
        void writeTo(OutputStream out) throws IOException;
    }

    /** The path for a file in a folder that is not finished, with a name of its own. */
    static Path unfinished(Path folder) {
        return folder.resolve(UNFINISHED + UUID.randomUUID());
    }

    /** Removes the unfinished files of a folder, which processes that died have left. */
    static void removeUnfinished(Path folder) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, UNFINISHED + "*")) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
    }

    /**
     * Replaces a file; it is on disk when this returns. A writer that begins meanwhile may take the unfinished file for
     * one that was left, hence the attempts.
     */
    static void replace(Path file, FileContent content) throws IOException {
        for (int attempt = 1; !replaced(file, content); attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IOException("other writers remove it before it has its name");
            }
        }
        SinkFolder.sync(requireNonNull(file.getParent()));
    }

    /** @return false if another writer has removed the unfinished file */
    private static boolean replaced(Path file, FileContent content) throws IOException {
        Path unfinished = unfinished(requireNonNull(file.getParent()));
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW,
                StandardOpenOption.WRITE)) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
            content.writeTo(new KeptOpenStream(out));
            out.flush();
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
