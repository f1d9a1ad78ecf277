package io.trawl.process;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An element of {@code process.processors}: the name of an item processor of a plug-in, or one field that says what a
 * built-in one does. It is as the user wrote it: it is checked when it becomes a processor.
 *
 * @param name of a processor of a plug-in; a text is such a step
 * @param rename fields that get another name, by their name
 * @param drop fields that are left out
 * @param keep the only fields that are not left out
 * @param trim texts that lose the white space around them
 * @param replace a text that is edited by a regular expression
 * @param number a text that becomes a number
 * @param date a text that becomes a date or a time
 * @param set fields that get a constant value
 * @param require the condition that items meet, in CEL; others are dropped
 * @param unique fields: of the items of a run with the same values the first one stays
 * @param similar a text: an item whose text is nearly that of an earlier one of the run is marked
 */
public record ProcessorStep(@JsonProperty("name") Optional<String> name,
        @JsonProperty("rename") Optional<Map<String, String>> rename, @JsonProperty("drop") Optional<List<String>> drop,
        @JsonProperty("keep") Optional<List<String>> keep, @JsonProperty("trim") Optional<List<String>> trim,
        @JsonProperty("replace") Optional<Replacement> replace, @JsonProperty("number") Optional<NumberField> number,
        @JsonProperty("date") Optional<DateField> date, @JsonProperty("set") Optional<Map<String, Object>> set,
        @JsonProperty("require") Optional<String> require, @JsonProperty("unique") Optional<List<String>> unique,
        @JsonProperty("similar") Optional<String> similar) {
    /** Copies lists and maps, and keeps their order. */
    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    public ProcessorStep {
        rename = rename.map(ProcessorStep::copy);
        drop = drop.map(List::copyOf);
        keep = keep.map(List::copyOf);
        trim = trim.map(List::copyOf);
        set = set.map(ProcessorStep::copy);
        unique = unique.map(List::copyOf);
    }

    private static <V> Map<String, V> copy(Map<String, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    /** A text is the processor of a plug-in. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static ProcessorStep of(String name) {
        return new ProcessorStep(Optional.of(name), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** As it is written: a text, or an object with one field. */
    @JsonValue
    public Object written() {
        return name.isPresent() ? name.get() : parts();
    }

    /** The fields that it has, by their names: one, unless its author is mistaken. */
    public Map<String, Object> parts() {
        Map<String, Object> parts = new LinkedHashMap<>();
        name.ifPresent(value -> parts.put("name", value));
        rename.ifPresent(value -> parts.put("rename", value));
        drop.ifPresent(value -> parts.put("drop", value));
        keep.ifPresent(value -> parts.put("keep", value));
        trim.ifPresent(value -> parts.put("trim", value));
        replace.ifPresent(value -> parts.put("replace", value));
        number.ifPresent(value -> parts.put("number", value));
        date.ifPresent(value -> parts.put("date", value));
        set.ifPresent(value -> parts.put("set", value));
        require.ifPresent(value -> parts.put("require", value));
        unique.ifPresent(value -> parts.put("unique", value));
        similar.ifPresent(value -> parts.put("similar", value));
        return parts;
    }
}
