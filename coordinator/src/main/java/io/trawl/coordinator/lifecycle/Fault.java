package io.trawl.coordinator.lifecycle;

import io.trawl.model.InvalidValue;

/**
 * One thing that is wrong with what a user sent.
 *
 * @param field as the user knows it: {@code seeds[3].priority}
 * @param value as it was given, cut to 200 characters
 * @param rule what would have been right
 */
public record Fault(String field, String value, String rule) {
    private static final int LONGEST = 200;

    /** Cuts the value. */
    public Fault {
        value = value.length() > LONGEST ? value.substring(0, LONGEST) + "…" : value;
    }

    /** The fault that an exception tells of. */
    public static Fault of(InvalidValue invalid) {
        return new Fault(invalid.field(), invalid.value(), invalid.rule());
    }
}
