package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.Outcome.OutcomeKind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An error as data (S9): the module, the subject and the kind. Modules write errors to the {@code errors} topic; a full
 * or unread topic never slows a worker down.
 *
 * @param module the kind of module that raised it, taken from the MID
 * @param mid the module that raised it
 * @param crawl the crawl, if it is known
 * @param url the URL, if the error is about one
 * @param kind a fixed word: an {@link OutcomeKind}, {@link FailureReason} or {@link RefusalReason} name
 * @param cause an explanation for people
 * @param attempts the number of attempts
 * @param at the time
 * @param source the record that caused it: topic, partition, offset; empty if no record did
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CrawlerError(ModuleKind module, MID mid, Optional<CrawlId> crawl, Optional<String> url, String kind,
        String cause, int attempts, Instant at, Map<String, String> source) {
    /**
     * Copies the source; an absent cause is empty.
     *
     * @throws InvalidValueException if another field is absent or out of its range
     */
    public CrawlerError {
        FieldRules.present("module", module);
        FieldRules.present("mid", mid);
        FieldRules.present("kind", kind);
        FieldRules.present("at", at);
        FieldRules.count("attempts", attempts);
        cause = cause == null ? "" : cause;
        source = source == null ? Map.of() : Map.copyOf(source);
    }

    /** An error of the given module; the module kind is that of the MID. */
    public static CrawlerError of(MID mid, Optional<CrawlId> crawl, Optional<String> url, String kind, String cause,
            int attempts, Instant at) {
        return new CrawlerError(mid.kind(), mid, crawl, url, kind, cause, attempts, at, Map.of());
    }

    /** The same error with the coordinates of the record that caused it. */
    public CrawlerError from(String topic, int partition, long offset) {
        return new CrawlerError(module, mid, crawl, url, kind, cause, attempts, at,
                Map.of("topic", topic, "partition", Integer.toString(partition), "offset", Long.toString(offset)));
    }
}
