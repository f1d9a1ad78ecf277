package io.trawl.coordinator.lifecycle;

import java.util.List;
import java.util.stream.Collectors;

/** What a user sent breaks rules: all of them at once. */
public final class InvalidDefinition extends RuntimeException {
    private final List<Fault> faults;

    /** @param faults at least one */
    public InvalidDefinition(List<Fault> faults) {
        super(faults.stream().map(f -> f.field() + ": " + f.rule()).collect(Collectors.joining("; ")));
        this.faults = List.copyOf(faults);
    }

    /** Each naming field, value and rule. */
    public List<Fault> faults() {
        return faults;
    }
}
