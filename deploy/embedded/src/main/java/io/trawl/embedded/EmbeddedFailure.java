package io.trawl.embedded;

/** Why the embedded servers could not start. The message is one line for the user, without class names; the cause is for the log. */
public sealed class EmbeddedFailure extends RuntimeException
        permits DataFolderInUse, DataFolderNotWritable, PortTaken, ServerFailed {
    EmbeddedFailure(String message) {
        super(message);
    }

    EmbeddedFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** The first line of what went wrong, for a message. */
    static String reason(Throwable e) {
        String message = e.getMessage();
        return message == null || message.isBlank() ? e.getClass().getSimpleName() : message.lines().findFirst().orElse("");
    }
}
