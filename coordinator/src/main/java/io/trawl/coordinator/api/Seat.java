package io.trawl.coordinator.api;

import java.util.List;

/** Which coordinator leads. Thread-safe. */
public interface Seat {
    /** Whether this coordinator leads. */
    boolean leading();

    /** The addresses of the other coordinators, the one that says that it leads first. */
    List<String> others();
}
