package io.trawl.settings;

import io.trawl.model.InvalidValueException;

/**
 * The prefix of the names of all topics, groups and Redis keys of a deployment, usually {@code trawl.}: 1 to 64
 * characters of {@code a-z A-Z 0-9 . _ -}.
 */
public record Namespace(String value) {
    static final String FORM = "[a-zA-Z0-9._-]{1,64}";
    static final String RULE = "1 to 64 characters of a-z A-Z 0-9 . _ -";

    /** @throws InvalidValueException if the value is not of that form */
    public Namespace {
        if (!value.matches(FORM)) {
            throw new InvalidValueException("TRAWL_NAMESPACE", value, RULE);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
