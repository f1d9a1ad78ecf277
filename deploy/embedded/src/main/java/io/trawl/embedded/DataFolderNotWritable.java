package io.trawl.embedded;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The data folder cannot be made or written to. */
public final class DataFolderNotWritable extends EmbeddedFailure {
    DataFolderNotWritable(Path folder, IOException cause) {
        super("the data folder " + folder + " cannot be written to (" + explain(cause) + ")", cause);
    }

    private static String explain(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "no permission";
            case FileAlreadyExistsException file -> file.getFile() + " is not a folder";
            case NoSuchFileException missing -> "it cannot be made there";
            case FileSystemException system when system.getReason() != null -> system.getReason();
            default -> reason(e);
        };
    }
}
