package io.trawl.scope;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.model.Durations;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.Request;
import io.trawl.pattern.UrlParts;
import io.trawl.pattern.UrlPattern;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The level of requests, by what is known when they are found. Every condition that is given must hold.
 *
 * @param match the URLs; by default all
 * @param depth the smallest depth; by default any
 * @param sitemapPriority the smallest priority in a sitemap, 0 to 1; by default any, and none
 * @param lastmod how long before the start of the crawl a page has changed at most, as a sitemap or feed says; by
 * default any time, and none
 * @param priority the level
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record PriorityRule(@JsonProperty("match") Optional<UrlPattern> match,
        @JsonProperty("depth") Optional<Integer> depth,
        @JsonProperty("sitemapPriority") Optional<Double> sitemapPriority,
        @JsonProperty("lastmod") Optional<Duration> lastmod, @JsonProperty("priority") Integer priority) {
    /**
     * @throws io.trawl.model.InvalidValueException if there is no level, no condition, or a number is out of its range
     */
    public PriorityRule {
        FieldRules.present("priority", priority);
        FieldRules.range("priority", priority, 0, Request.MOST_LEVELS - 1);
        depth.ifPresent(d -> FieldRules.range("depth", d, 0, Request.LARGEST_DEPTH));
        sitemapPriority.filter(least -> !(least >= 0 && least <= 1)).ifPresent(least -> {
            throw new InvalidValueException("sitemapPriority", least.toString(), "0 to 1");
        });
        lastmod.filter(Duration::isZero).ifPresent(none -> {
            throw new InvalidValueException("lastmod", Durations.format(none), "longer than 0");
        });
        if (match.isEmpty() && depth.isEmpty() && sitemapPriority.isEmpty() && lastmod.isEmpty()) {
            throw new InvalidValueException("match", "",
                    "match, depth, sitemapPriority, lastmod or several; the priority of all others is that of the crawl");
        }
    }

    /** The first of the rules whose conditions hold. */
    public static Optional<PriorityRule> first(List<PriorityRule> rules, LinkFacts link) {
        if (rules.isEmpty()) {
            return Optional.empty();
        }
        UrlParts parts = UrlParts.of(link.url());
        return rules.stream().filter(rule -> rule.holds(parts, link)).findFirst();
    }

    /** Whether it asks what a sitemap says. */
    public boolean asksSitemap() {
        return sitemapPriority.isPresent() || lastmod.isPresent();
    }

    private boolean holds(UrlParts url, LinkFacts link) {
        return depth.filter(least -> link.depth() < least).isEmpty()
                && sitemapPriority.filter(least -> link.priority().filter(given -> given >= least).isEmpty()).isEmpty()
                && lastmod.filter(before -> !changed(link, before)).isEmpty()
                && match.filter(pattern -> !pattern.matches(url)).isEmpty();
    }

    private static boolean changed(LinkFacts link, Duration before) {
        return link.start().flatMap(start -> link.lastmod().filter(at -> !at.isBefore(start.minus(before))))
                .isPresent();
    }

    @Override
    public String toString() {
        return Stream
                .of(match.map(UrlPattern::toString), depth.map(least -> "from depth " + least),
                        sitemapPriority.map(least -> "from sitemapPriority " + least),
                        lastmod.map(before -> "lastmod within " + Durations.format(before)))
                .flatMap(Optional::stream).collect(Collectors.joining(" ")) + " (" + priority + ")";
    }
}
