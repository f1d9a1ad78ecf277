package io.trawl.settings;

import io.trawl.model.InvalidValueException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The permissions of a caller; each role includes those before it. */
public enum Role {
    /** Only health checks. */
    NONE,
    /** Read. */
    READ,
    /** Change state, or start a fetch. */
    WRITE;

    /** The form in settings: {@code none}, {@code read}, {@code write}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether this role includes {@code needed}. */
    public boolean allows(Role needed) {
        return compareTo(needed) >= 0;
    }

    /** @throws InvalidValueException if the role is unknown */
    public static Role of(String word) {
        Optional<Role> role = Arrays.stream(values()).filter(r -> r.word().equals(word)).findFirst();
        return role.orElseThrow(() -> new InvalidValueException("role", word, "none, read or write"));
    }
}
