package io.trawl.control;

import io.trawl.control.ControlRecord.EndReason;
import java.util.Locale;
import java.util.Optional;

/**
 * The seven states of a crawl (S7). The rules:
 * <ol>
 * <li>The three "-ing" states cannot be interrupted: they end by themselves, in the next state or, on failure, in the
 * previous one.</li>
 * <li>Only initializing, starting and stopping can be requested.</li>
 * <li>No start and no stop before the crawl is initialised.</li>
 * <li>No initialisation and no start while it is started.</li>
 * <li>It can be stopped only while it is started.</li>
 * <li>It can be initialised again whenever it is not started.</li>
 * </ol>
 */
public enum CrawlState {
    /** The crawl is not known. */
    UNINITIALIZED,
    /** Its definition is written; its seeds are being written. */
    INITIALIZING,
    /** Definition and seeds are acknowledged. */
    INITIALIZED,
    /** About to be started. */
    STARTING,
    /** Its requests are fetched. */
    STARTED,
    /** No new downloads; downloaded pages are being analysed and stored. */
    STOPPING,
    /** No work in progress. A finished crawl is stopped, with an end reason. */
    STOPPED;

    /** Whether this is one of the three states that cannot be interrupted. */
    public boolean passing() {
        return this == INITIALIZING || this == STARTING || this == STOPPING;
    }

    /** Whether a user may request {@code wanted} for a crawl in this state. */
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

    /**
     * The one word for people: the name of the state, and of a stopped crawl what has ended it.
     *
     * @param reason why it is stopped, if it is
     */
    public String condition(Optional<EndReason> reason) {
        if (this != STOPPED) {
            return name().toLowerCase(Locale.ROOT);
        }
        return switch (reason.orElse(EndReason.ASKED)) {
            case FINISHED -> "finished";
            case PAGE_LIMIT, BYTE_LIMIT, TIME_LIMIT, QUOTA -> "at its limit";
            case ASKED -> "stopped";
        };
    }

    /** Whether requests of a crawl in this state may be fetched. */
    public boolean fetches() {
        return this == STARTED;
    }
}
