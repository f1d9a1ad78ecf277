package io.trawl.definition;

import io.trawl.model.Choice;

/**
 * The request headers of a fetch (S6). The style changes neither the crawler's name nor the robots.txt rules that
 * apply.
 */
public enum FetchStyle implements Choice {
    /** A crawler's headers: few, and the same for every URL. */
    PLAIN,
    /** A browser's headers for a page, in a browser's order. */
    BROWSER
}
