package io.trawl.coordinator.lifecycle;

import java.util.Locale;

/** Which run of a crawl that exists is wanted. */
public enum NewRun {
    /** The present one. */
    NONE,
    /** A new one with an empty ledger. */
    FRESH,
    /** A new one that visits the pages of the present one, if that has ended. */
    REFRESH;

    /** The parameter of a call that asks for it; empty for the present one. */
    public String query() {
        return this == NONE ? "" : "&" + name().toLowerCase(Locale.ROOT) + "=true";
    }
}
