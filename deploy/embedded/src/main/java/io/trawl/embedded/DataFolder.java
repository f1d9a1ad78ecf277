package io.trawl.embedded;

import io.trawl.embedded.EmbeddedServerException.DataFolderInUseException;
import io.trawl.embedded.EmbeddedServerException.DataFolderNotWritableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A folder that belongs to one run at a time, and that no other user can read. The run holds a file lock until it
 * closes the folder or its process ends or is killed. Two servers that write to the same log would destroy it.
 */
final class DataFolder implements AutoCloseable {
    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Creates the folder if it is missing, and locks it.
     *
     * @throws DataFolderInUseException if another run holds it, in this JVM or another
     * @throws DataFolderNotWritableException if it cannot be created or written to
     */
    static DataFolder open(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            OwnerOnly.folder(path);
            return new DataFolder(path.toRealPath(), locked(path));
        } catch (IOException e) {
            throw new DataFolderNotWritableException(path, e);
        }
    }

    private static FileChannel locked(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw new DataFolderInUseException(path);
        }
        channel.close();
        throw new DataFolderInUseException(path);
    }

    /** The folder with symbolic links resolved, so that it can be compared with the path that a server reports. */
    Path path() {
        return path;
    }

    /** A subfolder, created if it is missing. */
    Path folder(String name) {
        try {
            return Files.createDirectories(path.resolve(name));
        } catch (IOException e) {
            throw new DataFolderNotWritableException(path, e);
        }
    }

    /** Releases the lock. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new DataFolderNotWritableException(path, e);
        }
    }
}
