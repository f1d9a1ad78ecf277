package io.trawl.definition;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.api.Item;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.FieldRules;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The event of an item whose change a refresh tells. It is written in the transaction that answers the page, so it
 * exists exactly once if the page is answered, and not otherwise. Immutable.
 *
 * @param id that of the item
 * @param at when the response of the page was complete
 * @param crawl of the page
 * @param epoch of the run
 * @param key of the item: the same in all runs
 * @param url of the page
 * @param told what the item says of the change, by the names of its fields: those of {@link #TOLD} that it has
 */
public record PageChange(String id, Instant at, CrawlId crawl, int epoch, String key, String url,
        @JsonAnyGetter @JsonAnySetter Map<String, Object> told) implements WebhookEvent {
    /** What an item says of a page that has not changed. */
    public static final String UNCHANGED = "unchanged";
    /** The fields of an item that tell how it has changed; an item with a change has an event. */
    public static final List<String> TOLD = List.of("change", "visit", "changedFields", "previous", "movedTo");

    /** @throws io.trawl.model.InvalidValueException if a required field is absent */
    public PageChange {
        FieldRules.present("id", id);
        FieldRules.present("at", at);
        FieldRules.present("crawl", crawl);
        FieldRules.count("epoch", epoch);
        FieldRules.present("key", key);
        FieldRules.present("url", url);
        told = known(told == null ? Map.of() : told);
        FieldRules.present("change", told.get(TOLD.getFirst()));
    }

    /** Whether an item tells a change. */
    public static boolean of(Item item) {
        return item.fields().containsKey(TOLD.getFirst()) && !UNCHANGED.equals(item.fields().get(TOLD.getFirst()));
    }

    /** The event of an item that tells a change. */
    public static PageChange of(Item item, Instant at) {
        return new PageChange(item.id(), at, new CrawlId(item.crawl()), (int) item.epoch(), item.key(), item.url(),
                item.fields());
    }

    private static Map<String, Object> known(Map<String, Object> fields) {
        Map<String, Object> known = new LinkedHashMap<>();
        TOLD.stream().filter(fields::containsKey).forEach(name -> known.put(name, fields.get(name)));
        return Collections.unmodifiableMap(known);
    }

    @Override
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public String type() {
        return EventType.PAGE_CHANGED.word();
    }
}
