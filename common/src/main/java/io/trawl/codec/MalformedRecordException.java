package io.trawl.codec;

/** A record that cannot be decoded. Its message explains the defect to the user who wrote the record; it affects only that record. */
public final class MalformedRecordException extends RuntimeException {
    /** @param message the defect */
    public MalformedRecordException(String message) {
        super(message);
    }
}
