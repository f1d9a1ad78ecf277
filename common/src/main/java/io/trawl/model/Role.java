package io.trawl.model;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a caller may do; each role may do what those before it may. */
public enum Role {
    /** Nothing but ask whether a process is alive. */
    NONE,
    /** Look. */
    READ,
    /** Change something, or have something fetched. */
    WRITE;

    /** As users write it: {@code none}, {@code read}, {@code write}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether this role is enough where {@code needed} is needed. */
    public boolean allows(Role needed) {
        return compareTo(needed) >= 0;
    }

    /** @throws InvalidValue if there is no such role */
    public static Role of(String word) {
        Optional<Role> role = Arrays.stream(values()).filter(r -> r.word().equals(word)).findFirst();
        return role.orElseThrow(() -> new InvalidValue("role", word, "none, read or write"));
    }
}
