package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;

/**
 * A transition that {@link CrawlState} does not allow. The message names the crawl, its state and the rule, and may be
 * shown to users.
 */
public final class IllegalMoveException extends RuntimeException {
    IllegalMoveException(CrawlStatus now, String rule) {
        super("crawl " + now.run().crawl() + " is " + now.condition() + ": " + rule);
    }

    /** @throws IllegalMoveException if a user may not request this transition */
    static void check(CrawlStatus now, CrawlState wanted) {
        if (!now.state().mayBeAsked(wanted)) {
            throw new IllegalMoveException(now, rule(now.state(), wanted));
        }
        if (wanted == CrawlState.STARTING) {
            checkRemembered(now);
        }
    }

    /** @throws IllegalMoveException if the facts of its run are gone */
    public static void checkRemembered(CrawlStatus now) {
        now.forgotten().ifPresent(why -> {
            throw new IllegalMoveException(now, why);
        });
    }

    /** @throws IllegalMoveException if a seed would come before the visits of the pages that it names */
    public static void checkPromoted(CrawlStatus now) {
        if (now.unpromoted().isPresent()) {
            throw new IllegalMoveException(now,
                    "the visits of the run before become its requests; submit seeds when it has begun");
        }
    }

    private static String rule(CrawlState state, CrawlState wanted) {
        if (state.passing()) {
            return "this transition cannot be interrupted; try again when it is complete";
        }
        return switch (wanted) {
            case INITIALIZING -> "it can be initialised again only while it is not started";
            case STARTING -> state == CrawlState.UNINITIALIZED
                    ? "it can be started only when it is initialised"
                    : "it can be started only while it is not started";
            case STOPPING -> "it can be stopped only while it is started";
            default -> "only initialising, starting and stopping can be requested";
        };
    }
}
