package io.trawl.downloader.politeness;

import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;

/** What a robots.txt says about one URL. */
public enum RobotsVerdict {
    /** The URL may be fetched. */
    ALLOWED,
    /** A rule forbids it. */
    FORBIDDEN,
    /**
     * The rules could not be matched within the permitted number of steps. If no more steps are permitted, this forbids
     * the URL.
     */
    TOO_COSTLY;

    /** The outcome of a request to which this verdict is not {@link #ALLOWED}. */
    public Outcome forbidden() {
        return new Outcome.Refused(RefusalReason.ROBOTS,
                this == TOO_COSTLY
                        ? "robots.txt forbids it: its rules could not be matched with this URL within "
                                + RobotsRules.MOST_STEPS + " steps"
                        : "robots.txt forbids it");
    }
}
