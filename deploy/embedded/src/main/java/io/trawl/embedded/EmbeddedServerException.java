package io.trawl.embedded;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The embedded servers could not start. The message is one line for the user, without class names; the cause is for the
 * log.
 */
public sealed class EmbeddedServerException extends RuntimeException {
    EmbeddedServerException(String message) {
        super(message);
    }

    EmbeddedServerException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The first line of an exception's message, or its class name. */
    static String reason(Throwable e) {
        String message = e.getMessage();
        return message == null || message.isBlank()
                ? e.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }

    /** Another run uses the same data folder. */
    public static final class DataFolderInUseException extends EmbeddedServerException {
        DataFolderInUseException(Path folder) {
            super("the data folder " + folder + " is in use by another run: wait for its end or choose another folder");
        }
    }

    /** The data folder cannot be created or written to. */
    public static final class DataFolderNotWritableException extends EmbeddedServerException {
        DataFolderNotWritableException(Path folder, IOException cause) {
            super("the data folder " + folder + " cannot be written to (" + explain(cause) + ")", cause);
        }

        /** Whether the folder is right and its disk is full: the same command succeeds when there is room. */
        public boolean full() {
            return String.valueOf(getMessage()).matches("(?s).*\\((No space left|Disk quota).*");
        }

        /** What a failure to write means, in a few words. */
        static String explain(IOException e) {
            return switch (e) {
                case AccessDeniedException denied -> "permission denied";
                case FileAlreadyExistsException file -> file.getFile() + " is not a folder";
                case NoSuchFileException missing -> "it cannot be created there";
                case FileSystemException system when system.getReason() != null -> system.getReason();
                default -> reason(e);
            };
        }
    }

    /** Another program uses the requested port. */
    public static final class PortTakenException extends EmbeddedServerException {
        private final int port;

        PortTakenException(String server, int port) {
            super("port " + port + " for " + server + " is in use by another program: choose another port");
            this.port = port;
        }

        /** The requested port. */
        public int port() {
            return port;
        }
    }

    /** The broker or the redis-server did not start in time. */
    public static final class ServerStartException extends EmbeddedServerException {
        ServerStartException(String message) {
            super(message);
        }

        ServerStartException(String message, Throwable cause) {
            super(message, cause);
        }

        /** Names the disk if that is the reason. */
        static ServerStartException of(String server, Path folder, Exception cause) {
            return new ServerStartException(
                    server + " did not start: " + new DataDisk(folder).trouble().orElseGet(() -> reason(cause)), cause);
        }
    }
}
