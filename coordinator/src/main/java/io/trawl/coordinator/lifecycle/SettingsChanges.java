package io.trawl.coordinator.lifecycle;

import io.trawl.control.FleetSettings;
import io.trawl.settings.SettingsInForce;
import io.trawl.settings.SharedSetting;
import java.util.Map;
import java.util.TreeMap;

/** Writes the settings that are equal in the whole deployment. Belongs to the leader's thread. */
public final class SettingsChanges {
    private final ControlWriter controlWriter;
    private final ControlState controlState;
    private final SettingsInForce inForce;

    /** Records are written during one term. */
    public SettingsChanges(ControlWriter controlWriter, ControlState controlState, SettingsInForce inForce) {
        this.controlWriter = controlWriter;
        this.controlState = controlState;
        this.inForce = inForce;
    }

    /** Adds the values of this process for what {@code control} does not say: everything in a new deployment. */
    public void complete() {
        change(Map.of());
    }

    /** Changes settings; writes nothing if they have these values. */
    public void change(Map<SharedSetting, Long> wanted) {
        Map<String, Long> known = controlState.fleetSettings().map(FleetSettings::values).orElse(Map.of());
        Map<String, Long> next = new TreeMap<>();
        for (SharedSetting setting : SharedSetting.values()) {
            if (setting.changeable()) {
                next.put(setting.word(), wanted.getOrDefault(setting, inForce.number(setting)));
            }
        }
        if (!next.equals(known)) {
            controlWriter.write(new FleetSettings(controlState.nextVersion(FleetSettings.KEY), next));
        }
    }
}
