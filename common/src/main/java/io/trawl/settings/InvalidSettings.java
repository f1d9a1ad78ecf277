package io.trawl.settings;

import java.util.List;

/** Settings that break rules: all faults at once, each naming the setting, its value and the rule. Fit to be shown to a user as it is. */
public final class InvalidSettings extends RuntimeException {
    private final List<String> faults;

    /** @param faults one sentence each, at least one */
    public InvalidSettings(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    /** One sentence each. */
    public List<String> faults() {
        return faults;
    }
}
