package io.trawl.codec;

import io.trawl.model.InvalidValueException.Fault;
import java.util.Optional;

/** A record that cannot be decoded. Its message explains the defect to the user who wrote the record; it affects only that record. */
public final class MalformedRecordException extends RuntimeException {
    private static final int LONGEST = 500;
    private final transient Optional<Fault> fault;

    /** @param message the defect */
    public MalformedRecordException(String message) {
        super(line(message));
        this.fault = Optional.empty();
    }

    /** @param fault the defect; its field is empty if the whole record is defective */
    public MalformedRecordException(Fault fault) {
        super(line(
                (fault.field().isEmpty() ? "" : fault.field() + ": ") + "'" + fault.value() + "' is not valid: " + fault.rule()));
        this.fault = Optional.of(fault);
    }

    /** On one line, and cut: a message quotes what strangers wrote. */
    private static String line(String message) {
        String cut = message.length() > LONGEST ? message.substring(0, LONGEST) + "…" : message;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }

    /** The defect as data, if it is that of a field or of the whole. */
    public Optional<Fault> fault() {
        return fault;
    }
}
