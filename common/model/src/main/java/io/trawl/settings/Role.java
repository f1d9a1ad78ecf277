package io.trawl.settings;

import io.trawl.model.Choice;

/** The permissions of a caller; each role includes those before it. */
public enum Role implements Choice {
    /** Only health checks. */
    NONE,
    /** Read. */
    READ,
    /** Change state, or start a fetch. */
    WRITE;

    /** Whether this role includes {@code needed}. */
    public boolean allows(Role needed) {
        return compareTo(needed) >= 0;
    }
}
