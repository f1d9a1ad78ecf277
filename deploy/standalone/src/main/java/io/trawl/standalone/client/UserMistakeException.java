package io.trawl.standalone.client;

/** Invalid input of the user. The message is one line, shown to the user. */
public class UserMistakeException extends RuntimeException {
    /** @param message names the fault and the remedy */
    public UserMistakeException(String message) {
        super(message);
    }

    /** The exit code of the command. */
    public int exitCode() {
        return ExitCode.MISTAKE;
    }
}
