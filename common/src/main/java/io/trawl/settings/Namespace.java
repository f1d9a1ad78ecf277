package io.trawl.settings;

import io.trawl.model.InvalidValueException;
import java.util.regex.Pattern;

/**
 * The prefix of the names of all topics, groups and Redis keys of a deployment, usually {@code trawl.}: 1 to 64
 * characters of {@code a-z A-Z 0-9 . _ -}.
 */
public record Namespace(String value) {
    private static final Pattern FORM = Pattern.compile("[a-zA-Z0-9._-]{1,64}");

    /** @throws InvalidValueException if the value is not of that form */
    public Namespace {
        if (!FORM.matcher(value).matches()) {
            throw new InvalidValueException("TRAWL_NAMESPACE", value, "1 to 64 characters of a-z A-Z 0-9 . _ -");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
