package io.trawl.coordinator.leader;

import io.trawl.codec.NearestName;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.SharedSetting;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lists and changes the settings that are equal in the whole deployment. Thread-safe; calls block. */
public final class SettingsControl {
    private final CoordinatorContext parts;
    private final LeaderElection leaderElection;

    /** Each change is run by the current term of {@code leaderElection}. */
    public SettingsControl(CoordinatorContext parts, LeaderElection leaderElection) {
        this.parts = parts;
        this.leaderElection = leaderElection;
    }

    /** The values that hold now, by name. */
    public Map<String, Object> all() {
        return parts.inForce().all();
    }

    /**
     * Changes settings, all or none. Leader only.
     *
     * @param written values by name, as they came
     * @return all values after the call
     * @throws io.trawl.coordinator.definition.InvalidDefinitionException with every fault
     */
    public Map<String, Object> change(Map<?, ?> written) throws InterruptedException {
        FaultCollector faults = new FaultCollector();
        Map<SharedSetting, Long> wanted = new EnumMap<>(SharedSetting.class);
        written.forEach((name, value) -> faults.note(() -> setting(String.valueOf(name), String.valueOf(value)))
                .flatMap(setting -> faults.note(() -> number(setting, value))
                        .map(number -> wanted.put(setting, number))));
        faults.check();
        LeaderTerm leaderTerm = leaderElection.term();
        leaderTerm.call(() -> {
            requireRange(wanted);
            leaderTerm.settingsChanges().change(wanted);
            return true;
        });
        return all();
    }

    private static SharedSetting setting(String name, String value) {
        SharedSetting found = Arrays.stream(SharedSetting.values()).filter(setting -> setting.word().equals(name))
                .findFirst().orElseThrow(() -> new InvalidValueException(name, value, "one of the settings "
                        + words().collect(Collectors.joining(", ")) + NearestName.hint(name, words())));
        if (!found.changeable()) {
            throw new InvalidValueException(name, value,
                    "what it was when the deployment was created: records are where it put them. "
                            + "For another value, create another deployment with another TRAWL_NAMESPACE (or another data folder)");
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
