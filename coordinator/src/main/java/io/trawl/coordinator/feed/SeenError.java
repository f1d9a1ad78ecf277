package io.trawl.coordinator.feed;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.codec.Codec;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An error for users: a {@link CrawlerError} and its position. URL and cause come from the web and must be treated as
 * untrusted text.
 *
 * @param id the position in the topic: {@code partition:offset}
 * @param at the time of the error
 * @param partition of the topic
 * @param offset in the partition
 * @param module the kind of module that raised it
 * @param mid the module that raised it
 * @param crawl the crawl, if it is known
 * @param url the URL, if it is about one; cut to {@value #LONGEST} characters
 * @param kind a constant
 * @param cause what happened; cut to {@value #LONGEST} characters
 * @param attempts the number of attempts
 * @param source the position of the record that caused it, if there is one
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record SeenError(String id, Instant at, int partition, long offset, ModuleKind module, MID mid,
        Optional<CrawlId> crawl, Optional<String> url, String kind, String cause, int attempts,
        Map<String, String> source) {
    private static final int LONGEST = 2000;

    /** The error of an entry. */
    public static SeenError of(FeedEntry<CrawlerError> feedEntry) {
        CrawlerError e = feedEntry.value();
        return new SeenError(feedEntry.id(), e.at(), feedEntry.partition(), feedEntry.offset(), e.module(), e.mid(),
                e.crawl(), e.url(), e.kind(), e.cause(), e.attempts(), e.source());
    }

    /**
     * Decodes a record of the topic and cuts it to a bounded size.
     *
     * @throws io.trawl.codec.MalformedRecordException if it is not an error
     */
    public static CrawlerError read(byte @Nullable [] record) {
        CrawlerError e = Codec.error(record);
        return new CrawlerError(e.module(), e.mid(), e.crawl(), e.url().map(SeenError::cut), cut(e.kind()),
                cut(e.cause()), e.attempts(), e.at(), e.source());
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
