package io.trawl.standalone;

import io.trawl.standalone.client.ExitCode;

/** Something that the user can put right. The message is one line, shown as it is. */
public class UserMistake extends RuntimeException {
    /** @param message what is wrong and what would be right */
    public UserMistake(String message) {
        super(message);
    }

    /** What the command ends with. */
    public int exitCode() {
        return ExitCode.MISTAKE;
    }
}
