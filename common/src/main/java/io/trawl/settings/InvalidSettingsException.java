package io.trawl.settings;

import java.util.List;

/** Invalid settings: all faults at once, each with the setting, its value and the rule. The message is shown to users as it is. */
public final class InvalidSettingsException extends RuntimeException {
    private final List<String> faults;

    /** @param faults one sentence each, at least one */
    public InvalidSettingsException(List<String> faults) {
        super(String.join("\n", faults));
        this.faults = List.copyOf(faults);
    }

    /** One sentence each. */
    public List<String> faults() {
        return faults;
    }
}
