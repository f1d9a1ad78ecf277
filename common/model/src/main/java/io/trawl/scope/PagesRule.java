package io.trawl.scope;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.pattern.UrlParts;
import io.trawl.pattern.UrlPattern;
import java.util.List;
import java.util.Optional;

/**
 * The budget of the URLs that a pattern matches, in one run, on all hosts together.
 *
 * @param match the URLs
 * @param pages how many of them are fetched
 */
public record PagesRule(@JsonProperty("match") UrlPattern match, @JsonProperty("pages") Long pages) {
    /** Large enough for every run, and exact as a number of Redis. */
    private static final long MOST = 1_000_000_000_000L;

    /** @throws io.trawl.model.InvalidValueException if a field is absent or out of its range */
    public PagesRule {
        FieldRules.present("match", match);
        FieldRules.present("pages", pages);
        FieldRules.range("pages", pages, 1, MOST);
    }

    /** The first of the rules that matches a URL: it alone counts it. */
    public static Optional<PagesRule> first(List<PagesRule> rules, String url) {
        if (rules.isEmpty()) {
            return Optional.empty();
        }
        UrlParts parts = UrlParts.of(url);
        return rules.stream().filter(rule -> rule.match.matches(parts)).findFirst();
    }

    @Override
    public String toString() {
        return match + " (" + pages + ")";
    }
}
