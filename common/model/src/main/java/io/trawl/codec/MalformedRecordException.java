package io.trawl.codec;

import io.trawl.model.InvalidValueException.Fault;
import java.util.Optional;

/**
 * A record that cannot be decoded. Its message explains the defect to the user who wrote the record; it affects only
 * that record.
 */
public final class MalformedRecordException extends RuntimeException {
    private static final int LONGEST = 500;
    private final transient Optional<Fault> fault;

    /** @param message the defect */
    public MalformedRecordException(String message) {
        super(line(message, LONGEST));
        this.fault = Optional.empty();
    }

    /** @param fault the defect; its field is empty if the whole record is defective */
    public MalformedRecordException(Fault fault) {
        super(line((fault.field().isEmpty() ? "" : fault.field() + ": ") + "'" + fault.value() + "' is not valid: "
                + fault.rule(), LONGEST));
        this.fault = Optional.of(fault);
    }

    /** On one line of at most so many characters, since it quotes what strangers wrote. */
    static String line(String text, int longest) {
        String cut = text.length() > longest ? text.substring(0, longest) + "…" : text;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }

    /** The defect as data, if it is that of a field or of the whole. */
    public Optional<Fault> fault() {
        return fault;
    }
}
