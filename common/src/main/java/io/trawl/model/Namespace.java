package io.trawl.model;

import java.util.regex.Pattern;

/**
 * What the names of all topics, groups and Redis keys of a deployment begin with, usually {@code trawl.}: 1 to 64 characters of
 * {@code a-z A-Z 0-9 . _ -}.
 */
public record Namespace(String value) {
    private static final Pattern FORM = Pattern.compile("[a-zA-Z0-9._-]{1,64}");

    /** @throws InvalidValue if the value is not of that form */
    public Namespace {
        if (!FORM.matcher(value).matches()) {
            throw new InvalidValue("TRAWL_NAMESPACE", value, "1 to 64 characters of a-z A-Z 0-9 . _ -");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
