package io.trawl.coordinator.feed;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.definition.WebhookEvent;
import io.trawl.definition.EventType;
import io.trawl.coordinator.summary.Totals;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.FieldRules;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A change of a crawl's state. It is written in one transaction with the change itself, so it exists exactly once if
 * the change is committed, and not otherwise.
 *
 * @param id unique among all events
 * @param at the time of the change
 * @param type see {@link EventType#word}
 * @param crawl the crawl that changed
 * @param epoch of the run
 * @param state the new state of the crawl
 * @param reason why it was stopped, if it is stopped
 * @param failed whether it has ended and replaces no other run: it has no page, or has lost most of them
 * @param startedAt the last start of the run, if it was started
 * @param totals of the run; final when it is finished
 * @param refreshes the epoch of the run whose pages the run visits again; empty if it visits none
 * @param by the name of the token whose call caused it; empty if no call did
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CrawlEvent(String id, Instant at, String type, CrawlId crawl, int epoch, CrawlState state,
        Optional<EndReason> reason, @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean failed,
        Optional<Instant> startedAt, Optional<Totals> totals, Optional<Integer> refreshes,
        Optional<String> by) implements WebhookEvent {
    /** @throws io.trawl.model.InvalidValueException if a required field is absent */
    public CrawlEvent {
        FieldRules.present("id", id);
        FieldRules.present("at", at);
        FieldRules.present("type", type);
        FieldRules.present("crawl", crawl);
        FieldRules.count("epoch", epoch);
        FieldRules.present("state", state);
    }

    /** The word for the new state, see {@link CrawlState#condition}. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public String condition() {
        return state.condition(reason);
    }

    /**
     * Decodes a record of the topic.
     *
     * @throws io.trawl.codec.MalformedRecordException if it is not an event
     */
    public static CrawlEvent read(byte @Nullable [] record) {
        return Json.read(record, CrawlEvent.class);
    }
}
