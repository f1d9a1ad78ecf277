package io.trawl.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A folder that belongs to one run at a time: a lock on a file in it, held until it is closed or the process ends, however it ends. Two servers that
 * write to the same log would destroy it.
 */
final class DataFolder implements AutoCloseable {
    private final Path path;
    private final FileChannel lock;

    private DataFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Makes the folder if need be, and locks it.
     *
     * @throws DataFolderInUse if another run holds it, in this JVM or another
     * @throws DataFolderNotWritable if it cannot be made or written to
     */
    static DataFolder open(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        try {
            Files.createDirectories(path);
            return new DataFolder(path.toRealPath(), locked(path));
        } catch (IOException e) {
            throw new DataFolderNotWritable(path, e);
        }
    }

    private static FileChannel locked(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            channel.close();
            throw new DataFolderInUse(path);
        }
        channel.close();
        throw new DataFolderInUse(path);
    }

    /** The folder without links, so that it can be compared with what a server reports. */
    Path path() {
        return path;
    }

    /** A folder in it, made if need be. */
    Path folder(String name) {
        try {
            return Files.createDirectories(path.resolve(name));
        } catch (IOException e) {
            throw new DataFolderNotWritable(path, e);
        }
    }

    /** Lets others use it. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new DataFolderNotWritable(path, e);
        }
    }
}
