package io.trawl.coordinator.errors;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecord;
import io.trawl.coordinator.tail.Entry;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An error as people see it: what {@link CrawlerError} says and where it stands. URL and cause come from the web: they are text and nothing else.
 *
 * @param id names the place in the topic: {@code partition:offset}
 * @param at when it was met
 * @param partition of the topic
 * @param offset in the partition
 * @param module the kind of module that raised it
 * @param mid who met it
 * @param crawl the crawl, if it is known
 * @param url the URL, if it is about one; cut to {@value #LONGEST} characters
 * @param kind a fixed word
 * @param cause what happened; cut to {@value #LONGEST} characters
 * @param attempts how often it was tried
 * @param source where the record that caused it stands, if one did
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record SeenError(String id, Instant at, int partition, long offset, ModuleKind module, MID mid, Optional<CrawlId> crawl,
        Optional<String> url, String kind, String cause, int attempts, Map<String, String> source) {
    private static final int LONGEST = 2000;

    /** The error at a place. */
    public static SeenError of(Entry<CrawlerError> entry) {
        CrawlerError e = entry.value();
        return new SeenError(entry.id(), e.at(), entry.partition(), entry.offset(), e.module(), e.mid(), e.crawl(), e.url(),
                e.kind(), e.cause(), e.attempts(), e.source());
    }

    /** What a record of the topic says, cut to a bounded size; empty if it is none of ours. */
    public static Optional<CrawlerError> read(byte[] record) {
        try {
            CrawlerError e = Codec.error(record);
            if (e.module() == null || e.mid() == null || e.at() == null || e.kind() == null) {
                return Optional.empty();
            }
            return Optional.of(new CrawlerError(e.module(), e.mid(), e.crawl(), e.url().map(SeenError::cut), cut(e.kind()),
                    cut(String.valueOf(e.cause())), e.attempts(), e.at(), e.source()));
        } catch (MalformedRecord e) {
            return Optional.empty();
        }
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
