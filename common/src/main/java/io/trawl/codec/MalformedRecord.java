package io.trawl.codec;

/** A record that cannot be decoded. Its message says what is wrong with it, for the user who wrote it; it never ends more than that record. */
public final class MalformedRecord extends RuntimeException {
    /** @param message what is wrong */
    public MalformedRecord(String message) {
        super(message);
    }
}
