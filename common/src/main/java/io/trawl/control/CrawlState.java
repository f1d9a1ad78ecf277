package io.trawl.control;

/**
 * The seven states of a crawl (S7). The rules:
 * <ol>
 * <li>Nothing may interrupt the three "-ing" states: they end by themselves, in the next state or, if they fail, back in the one before.</li>
 * <li>Only initializing, starting and stopping may be asked for.</li>
 * <li>No start and no stop before the crawl is initialised.</li>
 * <li>No initialisation and no start while it is started.</li>
 * <li>It can be stopped only while it is started.</li>
 * <li>It can be initialised anew whenever it is not started.</li>
 * </ol>
 */
public enum CrawlState {
    /** Nothing is known of it. */
    UNINITIALIZED,
    /** Its definition stands; its seeds are being written. */
    INITIALIZING,
    /** Definition and seeds are acknowledged. */
    INITIALIZED,
    /** About to be started. */
    STARTING,
    /** Its requests are fetched. */
    STARTED,
    /** No new downloads; what is downloaded is being analysed and stored. */
    STOPPING,
    /** Nothing moves. A crawl that is finished is stopped, with a mark that says so. */
    STOPPED;

    /** Whether this is one of the three states that nothing may interrupt. */
    public boolean passing() {
        return this == INITIALIZING || this == STARTING || this == STOPPING;
    }

    /** Whether a crawl in this state may be asked to go to {@code wanted}. */
    public boolean mayBeAsked(CrawlState wanted) {
        if (passing()) {
            return false;
        }
        return switch (wanted) {
            case INITIALIZING -> this != STARTED;
            case STARTING -> this == INITIALIZED || this == STOPPED;
            case STOPPING -> this == STARTED;
            default -> false;
        };
    }

    /** Whether requests of a crawl in this state may be fetched. */
    public boolean fetches() {
        return this == STARTED;
    }
}
