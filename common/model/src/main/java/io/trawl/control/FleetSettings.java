package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings that are equal in the whole deployment and may change while it runs. The first leader writes its own;
 * only an operator changes them. Every process heeds them instead of its own.
 *
 * @param values by name, see {@code io.trawl.settings.SharedSetting}; a process uses its own value for a name that is
 * missing
 */
public record FleetSettings(long version, Map<String, Long> values) implements ControlRecord {
    /** The only key. */
    public static final String KEY = "settings";

    /**
     * Copies the values.
     *
     * @throws io.trawl.model.InvalidValueException if the version or a value is negative
     */
    public FleetSettings {
        FieldRules.count("version", version);
        values = values == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(values));
        FieldRules.counts("values", values.values());
    }

    @Override
    @JsonIgnore
    public String key() {
        return KEY;
    }
}
