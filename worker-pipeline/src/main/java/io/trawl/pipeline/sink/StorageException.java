package io.trawl.pipeline.sink;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The folder cannot be written, or has unexpected contents. The caller must discard uncommitted items; nothing is lost.
 * The message is for people.
 */
public final class StorageException extends RuntimeException {
    private final boolean retriable;

    /**
     * The folder and the offsets contradict each other: the process has to stop.
     *
     * @param message the problem and its remedy
     */
    public StorageException(String message) {
        super(message);
        retriable = false;
    }

    /** More sinks fail than a commit can name: their items have to wait. */
    StorageException(Map<String, String> failing) {
        super("too many sinks fail, so no items are stored until there are fewer: " + failing);
        retriable = true;
    }

    StorageException(String doing, Path path, IOException cause) {
        super("cannot " + doing + " " + path + ": " + reason(cause)
                + ". Nothing is lost: items that are not yet in finished files are read again.", cause);
        retriable = true;
    }

    /** Whether a retry may succeed: the disk is full, unavailable or not writable at the moment. */
    public boolean retriable() {
        return retriable;
    }

    /** The reason in words: the JDK's messages for these cases contain only the path. */
    static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied";
            case java.nio.file.NoSuchFileException missing -> "it does not exist";
            case java.nio.file.FileAlreadyExistsException exists -> "it exists already";
            case FileSystemException system when system.getReason() != null -> system.getReason();
            default -> String.valueOf(e.getMessage());
        };
    }
}
