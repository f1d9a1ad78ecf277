package io.trawl.scope;

import io.trawl.model.Visit.DueReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Request;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a link when its request gets a level.
 *
 * @param url in normal form
 * @param metadata of its request: there is what a sitemap said about it
 * @param start when the crawl was started last; empty: it was not
 */
public record LinkFacts(String url, int depth, Map<String, String> metadata, Optional<Instant> start) {
    /** The metadata with the time of the last change that a sitemap or feed gave. */
    public static final String LASTMOD = FetchOptions.SITEMAP + ".lastmod";
    /** The metadata with the priority that a sitemap gave. */
    public static final String PRIORITY = FetchOptions.SITEMAP + ".priority";

    /** Metadata are texts that a seed may have, too: what is no number is none. */
    Optional<Double> priority() {
        try {
            return Optional.ofNullable(metadata.get(PRIORITY)).map(Double::valueOf);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** A record of {@code visits} that says that a seed asks for a known page. @param seed its request */
    public static Request dueMark(Request seed, Instant now) {
        return seed.withoutOptions()
                .with(mark -> mark.options(mark.options().withMetadata(Map.of(LASTMOD, now.toString()))));
    }

    /**
     * What a record of {@code visits} says that is no visit; empty if it says nothing of a change.
     *
     * @param mark of a seed with the time at which it came, or of a source with the date that it gives
     */
    public static Optional<DueReason> dueReason(Request mark) {
        return lastmod(mark.options().metadata()).filter(date -> date.getEpochSecond() >= 0)
                .map(date -> new DueReason(date.getEpochSecond(), mark.parent().isEmpty()));
    }

    Optional<Instant> lastmod() {
        return lastmod(metadata);
    }

    /** The time of the last change that a sitemap or feed gave; empty if it gave none. */
    public static Optional<Instant> lastmod(Map<String, String> metadata) {
        try {
            return Optional.ofNullable(metadata.get(LASTMOD)).map(Instant::parse);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
