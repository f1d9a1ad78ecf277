package io.trawl.codec;

import io.trawl.model.InvalidValueException.Fault;
import java.util.Optional;

/** A record that cannot be decoded. Its message explains the defect to the user who wrote the record; it affects only that record. */
public final class MalformedRecordException extends RuntimeException {
    private final transient Optional<Fault> fault;

    /** @param message the defect */
    public MalformedRecordException(String message) {
        super(message);
        this.fault = Optional.empty();
    }

    /** @param fault the defect; its field is empty if the whole record is defective */
    public MalformedRecordException(Fault fault) {
        super((fault.field().isEmpty() ? "" : fault.field() + ": ") + "'" + fault.value() + "' is not valid: " + fault.rule());
        this.fault = Optional.of(fault);
    }

    /** The defect as data, if it is that of a field or of the whole. */
    public Optional<Fault> fault() {
        return fault;
    }
}
