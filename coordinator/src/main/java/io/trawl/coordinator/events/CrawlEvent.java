package io.trawl.coordinator.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.Totals;
import io.trawl.model.CrawlId;
import java.time.Instant;
import java.util.Optional;

/**
 * Something that has happened in the life of a crawl. It is written in one transaction with the change itself, so it is there exactly once if the change
 * is, and not otherwise.
 *
 * @param id unique among all events
 * @param at when
 * @param type a fixed word, see {@link Type}
 * @param crawl whose
 * @param epoch of the run
 * @param state of the crawl from then on
 * @param reason why it was stopped, if it was
 * @param startedAt when the run was started last, if it was
 * @param totals where the run stood; when it is finished, these are final
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CrawlEvent(String id, Instant at, String type, CrawlId crawl, int epoch, CrawlState state,
        Optional<EndReason> reason, Optional<Instant> startedAt, Optional<Totals> totals) {
    /** The types of events. */
    public enum Type {
        /** A new run is defined, and its seeds are written. */
        INITIALIZED,
        /** It runs, for the first time or again. */
        STARTED,
        /** It was told to stop: what is downloaded is still analysed and stored. */
        STOPPING,
        /** It has come to rest without being finished. */
        STOPPED,
        /** Every reachable page is stored: once for each start that comes to this end. */
        FINISHED,
        /** It is gone. */
        DELETED;

        /** As it stands in an event: {@code crawl.finished}. */
        public String word() {
            return "crawl." + name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** What a record of the topic says; empty if it is none of ours. */
    public static Optional<CrawlEvent> read(byte[] record) {
        try {
            CrawlEvent event = Json.read(record, CrawlEvent.class);
            return event.id() == null || event.type() == null || event.crawl() == null || event.at() == null
                    ? Optional.empty()
                    : Optional.of(event);
        } catch (MalformedRecord e) {
            return Optional.empty();
        }
    }
}
