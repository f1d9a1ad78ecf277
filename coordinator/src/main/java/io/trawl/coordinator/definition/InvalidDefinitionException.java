package io.trawl.coordinator.definition;

import io.trawl.model.InvalidValueException.Fault;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A user's input is not valid. Has the first faults, and says how many more there are. */
public final class InvalidDefinitionException extends RuntimeException {
    private final List<Fault> faults;
    private final long more;

    /**
     * @param faults at least one
     * @param more the number of further faults
     */
    public InvalidDefinitionException(List<Fault> faults, long more) {
        super(faults.stream().map(f -> f.field() + ": " + f.rule()).collect(Collectors.joining("; "))
                + (more == 0 ? "" : "; ... and " + more + " more"));
        this.faults = List.copyOf(faults);
        this.more = more;
    }

    /** The first faults, each with field, value and rule. */
    public List<Fault> faults() {
        return faults;
    }

    /** The number of further faults. */
    public long more() {
        return more;
    }

    /** The same faults in the words of another interface. */
    public InvalidDefinitionException named(UnaryOperator<Fault> name) {
        return new InvalidDefinitionException(faults.stream().map(name).toList(), more);
    }
}
