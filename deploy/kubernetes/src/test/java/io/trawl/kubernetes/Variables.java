package io.trawl.kubernetes;

import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The environment variables of the processes, according to {@link SettingsReader}. */
final class Variables {
    private Variables() {}

    private static Map<String, String> properties() {
        Map<String, String> properties = new HashMap<>();
        SettingsReader.properties().keySet()
                .forEach(property -> properties.put(SettingsReader.variable(property), property));
        return properties;
    }

    /** The variables that no process reads. */
    static List<String> unknown(Collection<String> variables) {
        Set<String> known = properties().keySet();
        return variables.stream().filter(name -> !known.contains(name)).sorted().toList();
    }

    /** Reads the values like a process; fails on an invalid value. */
    static Settings read(Map<String, String> values) {
        Map<String, String> properties = properties();
        Map<String, String> given = new TreeMap<>();
        values.forEach((name, value) -> {
            String property = properties.get(name);
            if (property != null) {
                given.put(property, value);
            }
        });
        return SettingsReader.from(given);
    }
}
