package io.trawl.scope;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.pattern.UrlPattern;

/**
 * A depth limit of the URLs that a pattern matches.
 *
 * @param match the URLs
 * @param depth links away from a seed at which they are still fetched
 */
public record DepthRule(@JsonProperty("match") UrlPattern match, @JsonProperty("depth") Integer depth) {
    private static final int DEEPEST = 65_535;

    /** @throws io.trawl.model.InvalidValueException if a field is absent or out of its range */
    public DepthRule {
        FieldRules.present("match", match);
        FieldRules.present("depth", depth);
        FieldRules.range("depth", depth, 0, DEEPEST);
    }

    @Override
    public String toString() {
        return match + " (" + depth + ")";
    }
}
