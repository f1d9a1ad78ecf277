package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An error as data (S9): who met it, about what, and whether it ends anything. It stands in the {@code errors} topic, where a full or unread topic
 * never slows a worker.
 *
 * @param module the kind of module that raised it, taken from the MID
 * @param mid who met it
 * @param crawl the crawl, if it is known
 * @param url the URL, if it is about one
 * @param kind a fixed word: an {@link OutcomeKind}, {@link FailureReason} or {@link RefusalReason} name
 * @param cause what happened, in words for people
 * @param attempts how often it was tried
 * @param at when
 * @param source where the record that caused it stands: topic, partition, offset; empty if no record did
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CrawlerError(ModuleKind module, MID mid, Optional<CrawlId> crawl, Optional<String> url, String kind, String cause,
        int attempts, Instant at,
        Map<String, String> source) {
    /** Copies the source. */
    public CrawlerError {
        source = source == null ? Map.of() : Map.copyOf(source);
    }

    /** An error of the given module; the module kind is that of the MID. */
    public static CrawlerError of(MID mid, Optional<CrawlId> crawl, Optional<String> url, String kind, String cause, int attempts,
            Instant at) {
        return new CrawlerError(mid.kind(), mid, crawl, url, kind, cause, attempts, at, Map.of());
    }

    /** The same error with the coordinates of the record that caused it. */
    public CrawlerError from(String topic, int partition, long offset) {
        return new CrawlerError(module, mid, crawl, url, kind, cause, attempts, at,
                Map.of("topic", topic, "partition", Integer.toString(partition), "offset", Long.toString(offset)));
    }
}
