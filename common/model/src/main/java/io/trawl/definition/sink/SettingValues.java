package io.trawl.definition.sink;

import java.util.Map;
import java.util.Optional;

/**
 * The settings of a sink, with their usual values where the crawl names none. Values of secrets are references.
 *
 * @param given by the crawl; its definition is valid
 */
public record SettingValues(BuiltInSink sink, Map<String, Object> given) {
    /** The value of a setting, if it has one. */
    public Optional<String> find(String name) {
        return Optional.ofNullable(given.get(name)).map(String::valueOf).or(() -> sink.setting(name).usual());
    }

    /** The value of a setting that is required, or has a usual value. */
    public String text(String name) {
        return find(name).orElseThrow(() -> new IllegalArgumentException("the setting " + name + " is required"));
    }

    /** How items are written, of a sink that has the settings for it. */
    public WriteMode writes() {
        return WriteMode.of(this);
    }
}
