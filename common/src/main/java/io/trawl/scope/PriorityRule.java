package io.trawl.scope;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.Request;
import io.trawl.pattern.UrlParts;
import io.trawl.pattern.UrlPattern;
import java.util.List;
import java.util.Optional;

/**
 * The level of requests, by what is known when they are found. Every condition that is given must hold.
 *
 * @param match the URLs; empty: all
 * @param depth the smallest depth; empty: any
 * @param priority the level
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PriorityRule(@JsonProperty("match") Optional<UrlPattern> match, @JsonProperty("depth") Optional<Integer> depth,
        @JsonProperty("priority") Integer priority) {
    /** @throws io.trawl.model.InvalidValueException if there is no level, no condition, or a number is out of its range */
    @SuppressWarnings("ConstantValue")
    public PriorityRule {
        match = match == null ? Optional.empty() : match;
        depth = depth == null ? Optional.empty() : depth;
        FieldRules.present("priority", priority);
        FieldRules.range("priority", priority, 0, Request.MOST_LEVELS - 1);
        depth.ifPresent(d -> FieldRules.range("depth", d, 0, Request.LARGEST_DEPTH));
        if (match.isEmpty() && depth.isEmpty()) {
            throw new InvalidValueException("match", "", "match, depth or both; the priority of all others is that of the crawl");
        }
    }

    /** The first of the rules whose conditions hold. */
    public static Optional<PriorityRule> first(List<PriorityRule> rules, String url, int depth) {
        if (rules.isEmpty()) {
            return Optional.empty();
        }
        UrlParts parts = UrlParts.of(url);
        return rules.stream().filter(rule -> rule.holds(parts, depth)).findFirst();
    }

    private boolean holds(UrlParts url, int at) {
        return depth.filter(least -> at < least).isEmpty() && match.filter(pattern -> !pattern.matches(url)).isEmpty();
    }

    @Override
    public String toString() {
        return match.map(UrlPattern::toString).orElse("")
                + depth.map(least -> (match.isEmpty() ? "" : " ") + "from depth " + least)
                        .orElse("")
                + " (" + priority + ")";
    }
}
