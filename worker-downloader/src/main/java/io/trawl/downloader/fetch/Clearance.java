package io.trawl.downloader.fetch;

/**
 * The right to begin exchanges, as long as it lasts. It is asked for when a turn is given and again just before the bytes leave, since a process may be
 * paused in between. Thread-safe; answers at once.
 */
@FunctionalInterface
public interface Clearance {
    /** Whether an exchange may begin now. */
    boolean holds();
}
