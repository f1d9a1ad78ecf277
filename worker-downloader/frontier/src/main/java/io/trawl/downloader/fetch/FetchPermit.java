package io.trawl.downloader.fetch;

/**
 * The permission to begin exchanges while it holds. It is checked when a turn is assigned and again just before the
 * bytes are sent, since a process may be paused in between. Thread-safe; never blocks.
 */
@FunctionalInterface
public interface FetchPermit {
    /** Whether an exchange may begin now. */
    boolean holds();
}
