package io.trawl.pipeline.sink;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * The folder cannot be written, or holds what must not be there. What is not committed is to be given up; nothing is lost. The message is meant for
 * people.
 */
public final class StorageFailure extends RuntimeException {
    private final boolean passes;

    /**
     * The folder and the offsets contradict each other: the process has to stop.
     *
     * @param message what is wrong and what helps
     */
    public StorageFailure(String message) {
        super(message);
        passes = false;
    }

    StorageFailure(String doing, Path path, IOException cause) {
        super("cannot " + doing + " " + path + ": " + reason(cause)
                + ". Nothing is lost: items that are not yet in finished files are read again.", cause);
        passes = true;
    }

    /** Whether it may work later: a disk is full, or refuses, or is away. */
    public boolean passes() {
        return passes;
    }

    /** Why, in words: the JDK's messages for these cases are nothing but the path. */
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
