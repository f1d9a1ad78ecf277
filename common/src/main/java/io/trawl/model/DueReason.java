package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;

/**
 * What makes a page due before its interval is over.
 *
 * @param at when a seed asked for it, or the date that a sitemap or feed gives it, in seconds since 1970
 * @param seed whether a seed asked for it, so that it is due whenever it was visited
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record DueReason(long at, boolean seed) {
    /** @throws InvalidValueException if the time is negative */
    public DueReason {
        FieldRules.count("visit.due.at", at);
    }

    /** That of a seed, else the later one. */
    public DueReason or(DueReason other) {
        return seed == other.seed ? at >= other.at ? this : other : seed ? this : other;
    }
}
