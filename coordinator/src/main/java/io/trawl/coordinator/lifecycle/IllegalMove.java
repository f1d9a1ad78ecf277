package io.trawl.coordinator.lifecycle;

import io.trawl.control.CrawlState;
import io.trawl.model.CrawlId;
import java.util.Locale;

/** A move that the rules of {@link CrawlState} forbid. Its message names the crawl, its state and the rule; it is meant to be shown as it is. */
public final class IllegalMove extends RuntimeException {
    private final CrawlState state;

    IllegalMove(CrawlId crawl, CrawlState state, String rule) {
        super("crawl " + crawl + " is " + state.name().toLowerCase(Locale.ROOT) + ": " + rule);
        this.state = state;
    }

    /** @throws IllegalMove if a crawl in this state may not be asked to go there */
    static void check(CrawlId crawl, CrawlState state, CrawlState wanted) {
        if (!state.mayBeAsked(wanted)) {
            throw new IllegalMove(crawl, state, rule(state, wanted));
        }
    }

    /** The state that forbids it. */
    public CrawlState state() {
        return state;
    }

    private static String rule(CrawlState state, CrawlState wanted) {
        if (state.passing()) {
            return "nothing may interrupt it, it ends by itself";
        }
        return switch (wanted) {
            case INITIALIZING -> "it can be initialised anew only while it is not started";
            case STARTING -> state == CrawlState.UNINITIALIZED
                    ? "it can be started only when it is initialised"
                    : "it can be started only while it is not started";
            case STOPPING -> "it can be stopped only while it is started";
            default -> "only initialising, starting and stopping may be asked for";
        };
    }
}
