package io.trawl.analyzer.metadata;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a page says about itself, in the order in which its sources are trusted. Of one source what stands first counts.
 * Not thread-safe.
 */
final class PageFacts {
    private final Map<Fact, Said> said = new EnumMap<>(Fact.class);

    /** What is said. */
    enum Fact {
        AUTHOR, PUBLISHED, MODIFIED, SITE_NAME, TYPE, IMAGE
    }

    /** Who says it, the most trusted first: what is written for machines is seldom about something else on the page. */
    enum Trust {
        LINKED_DATA, OPEN_GRAPH, MICRODATA, META, VISIBLE
    }

    private record Said(Trust trust, String value) {}

    /** Whether this source would be heard. */
    boolean wants(Fact fact, Trust trust) {
        Said known = said.get(fact);
        return known == null || trust.compareTo(known.trust()) < 0;
    }

    /** A source says so. @param value empty for what it says, but nobody can read */
    void offer(Fact fact, Trust trust, Optional<String> value) {
        if (value.isPresent() && wants(fact, trust)) {
            said.put(fact, new Said(trust, value.get()));
        }
    }

    /** What the most trusted source says. */
    Optional<String> value(Fact fact) {
        return Optional.ofNullable(said.get(fact)).map(Said::value);
    }
}
