package io.trawl.coordinator.definition;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.model.CrawlId;
import java.util.Arrays;
import java.util.Optional;

/**
 * The entity tag of a definition (RFC 9110, section 8.8.3), by which a caller changes it only if it is the one that the
 * caller has seen. It is made of what is shown: a change of nothing but a hidden value does not change it, since a tag
 * must not help to guess one. Pure.
 */
public final class DefinitionTag {
    private static final int DIGITS = 24;
    private static final String ANY = "*";

    private DefinitionTag() {}

    /** The tag of a crawl's definition, with its quotes. */
    public static String of(CrawlStatus status) {
        return "\"" + status.run().epoch() + "-" + Json.digest(status.definition().hidden()).substring(0, DIGITS)
                + "\"";
    }

    /** Whether a header field {@code If-Match} or {@code If-None-Match} names a tag. */
    public static boolean names(String header, String tag) {
        return header.strip().equals(ANY) || Arrays.stream(header.split(",")).map(String::strip)
                .map(named -> named.startsWith("W/") ? named.substring(2) : named).anyMatch(tag::equals);
    }

    /**
     * What a caller expects of a definition before changing it.
     *
     * @param match the header field {@code If-Match}
     * @param noneMatch the header field {@code If-None-Match}
     */
    public record Expectation(Optional<String> match, Optional<String> noneMatch) {
        /** Nothing is expected. */
        public static final Expectation NONE = new Expectation(Optional.empty(), Optional.empty());

        /** @throws ChangedMeanwhileException if the crawl is not as expected */
        public void check(CrawlId crawl, Optional<CrawlStatus> now) {
            Optional<String> tag = now.map(DefinitionTag::of);
            boolean met = match.filter(header -> tag.filter(t -> names(header, t)).isEmpty()).isEmpty()
                    && noneMatch.filter(header -> tag.filter(t -> names(header, t)).isPresent()).isEmpty();
            if (!met) {
                throw new ChangedMeanwhileException(crawl, now);
            }
        }
    }

    /** A crawl is not as its caller expects: nothing is changed. */
    public static final class ChangedMeanwhileException extends RuntimeException {
        ChangedMeanwhileException(CrawlId crawl, Optional<CrawlStatus> now) {
            super(now.map(
                    status -> "the definition of crawl " + crawl + " has the tag " + of(status) + " now: read it again")
                    .orElse("there is no crawl " + crawl));
        }
    }
}
