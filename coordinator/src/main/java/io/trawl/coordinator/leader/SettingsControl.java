package io.trawl.coordinator.leader;

import io.trawl.codec.NearestName;
import io.trawl.control.FleetSettings;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.SharedSetting;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists and changes the settings that are equal in the whole deployment. Thread-safe, but changes belong to the
 * leader's thread.
 */
public record SettingsControl(CoordinatorContext parts) {
    /** The values that hold now, by name. */
    public Map<String, Object> all() {
        return parts.inForce().all();
    }

    /**
     * Changes settings, all or none; writes nothing if they have these values.
     *
     * @param written values by name, as they came
     * @return all values after the call
     * @throws io.trawl.coordinator.definition.InvalidDefinitionException with every fault
     */
    public Map<String, Object> change(ControlWriter controlWriter, Map<?, ?> written) {
        FaultCollector faults = new FaultCollector();
        Map<SharedSetting, Long> wanted = new EnumMap<>(SharedSetting.class);
        written.forEach((name, value) -> faults.note(() -> setting(String.valueOf(name), String.valueOf(value)))
                .flatMap(setting -> faults.note(() -> number(setting, value))
                        .map(number -> wanted.put(setting, number))));
        faults.check();
        requireRange(wanted);
        write(controlWriter, wanted);
        return all();
    }

    /** Adds the values of this process for what {@code control} does not say: everything in a new deployment. */
    void complete(ControlWriter controlWriter) {
        write(controlWriter, Map.of());
    }

    private void write(ControlWriter controlWriter, Map<SharedSetting, Long> wanted) {
        Map<String, Long> next = new TreeMap<>();
        for (SharedSetting setting : SharedSetting.values()) {
            if (setting.changeable()) {
                next.put(setting.word(), wanted(wanted, setting));
            }
        }
        ControlState controlState = parts.controlState();
        if (controlState.fleetSettings().filter(known -> known.values().equals(next)).isEmpty()) {
            controlWriter.write(new FleetSettings(controlState.nextVersion(FleetSettings.KEY), next));
        }
    }

    private static SharedSetting setting(String name, String value) {
        SharedSetting found = Arrays.stream(SharedSetting.values()).filter(setting -> setting.word().equals(name))
                .findFirst().orElseThrow(() -> new InvalidValueException(name, value, "one of the settings "
                        + words().collect(Collectors.joining(", ")) + NearestName.hint(name, words())));
        if (!found.changeable()) {
            throw new InvalidValueException(name, value, found.resizeOption()
                    .map(option -> "what it is: 'trawl queue resize " + option + " " + value + "' changes it")
                    .orElse("what it was when the deployment was created: records are where it put them. "
                            + "For another value, create another deployment with another TRAWL_NAMESPACE (or another data folder)"));
        }
        return found;
    }

    private static Stream<String> words() {
        return Arrays.stream(SharedSetting.values()).filter(SharedSetting::changeable).map(SharedSetting::word);
    }

    private static long number(SharedSetting setting, Object value) {
        if (value instanceof Integer || value instanceof Long) {
            long number = ((Number) value).longValue();
            setting.check(setting.word(), number);
            return number;
        }
        throw new InvalidValueException(setting.word(), String.valueOf(value), "a whole number");
    }

    private void requireRange(Map<SharedSetting, Long> wanted) {
        long start = wanted(wanted, SharedSetting.SERIALS_START);
        long largest = wanted(wanted, SharedSetting.SERIALS_LARGEST);
        if (start > largest) {
            throw new InvalidValueException(SharedSetting.SERIALS_START.word(), Long.toString(start),
                    "at most " + SharedSetting.SERIALS_LARGEST.word() + ", which is " + largest);
        }
    }

    private long wanted(Map<SharedSetting, Long> wanted, SharedSetting setting) {
        return Optional.ofNullable(wanted.get(setting)).orElseGet(() -> parts.inForce().number(setting));
    }
}
