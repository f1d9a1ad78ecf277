package io.trawl.settings;

import io.trawl.model.InvalidValueException.Fault;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Invalid settings: all faults at once, each with the variable, its value and the rule. The message is shown to users
 * as it is.
 */
public final class InvalidSettingsException extends RuntimeException {
    private final List<Fault> faults;

    /** @param faults at least one */
    public InvalidSettingsException(List<Fault> faults) {
        super(faults.stream().map(Fault::text).collect(Collectors.joining("\n")));
        this.faults = List.copyOf(faults);
    }

    /** One line each. */
    public List<String> lines() {
        return faults.stream().map(Fault::text).toList();
    }

    /** As data. */
    public List<Fault> faults() {
        return faults;
    }
}
