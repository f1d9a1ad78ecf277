package io.trawl.standalone;

/** Something that the user can put right. The message is one line, shown as it is; the exit code is 2. */
public final class UserMistake extends RuntimeException {
    /** @param message what is wrong and what would be right */
    public UserMistake(String message) {
        super(message);
    }
}
