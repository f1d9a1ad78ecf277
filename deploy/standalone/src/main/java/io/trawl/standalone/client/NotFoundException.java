package io.trawl.standalone.client;

/** What the user names is not there. The message is one line, shown to the user. */
public final class NotFoundException extends UserMistakeException {
    /** @param message names it, and where it was looked for */
    public NotFoundException(String message) {
        super(message);
    }

    @Override
    public int exitCode() {
        return ExitCode.NOT_FOUND;
    }
}
