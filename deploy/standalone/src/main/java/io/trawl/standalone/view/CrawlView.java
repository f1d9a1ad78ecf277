package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Style;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * A crawl as a coordinator describes it.
 *
 * @param json the answer to {@code GET /api/crawls/ID}
 */
public record CrawlView(JsonNode json) {
    /** Its name and epoch, as {@code docs/1}. */
    public String run() {
        return json.path("run").asText();
    }

    /** Its name. */
    public String id() {
        return run().replaceFirst("/[0-9]+$", "");
    }

    /** Its state in a word or two: that of its life, or why it has ended. */
    public String state() {
        String state = word(json.path("state").asText());
        Optional<String> reason = Fields.text(json.path("end"), "reason").filter(r -> state.equals("stopped"));
        return reason.filter(r -> !r.equals("ASKED")).map(CrawlView::word).orElse(state);
    }

    /** Whether its requests are fetched. */
    public boolean started() {
        return state().equals("started");
    }

    /** Whether it is in no state that nothing may interrupt. */
    public boolean settled() {
        return !state().endsWith("ing");
    }

    /** The state with its colour. */
    public Cell stateCell() {
        String state = state();
        Style style = switch (state) {
            case "started" -> Style.GOOD;
            case "finished", "initialized" -> Style.PLAIN;
            case "stopped" -> Style.DIM;
            default -> Style.WARNING;
        };
        return Cell.of(state, style);
    }

    /** How its requests were answered. */
    public JsonNode totals() {
        return json.path("totals");
    }

    /** One of the totals; 0 if it is not there. */
    public long total(String name) {
        return totals().path(name).asLong();
    }

    /** Requests that are answered. */
    public long done() {
        return total("emitted") - total("waiting");
    }

    /** Errors of both kinds. */
    public long errors() {
        return total("httpErrors") + total("failures");
    }

    /** Its speeds; empty with a coordinator that does not tell. */
    public JsonNode rates() {
        return json.path("rates");
    }

    /** How long it may still take, if that can be known. */
    public Optional<Duration> remaining() {
        return Fields.duration(json, "remaining");
    }

    /** A fixed word of the interface as people write it: {@code PAGE_LIMIT} is {@code page limit}. */
    static String word(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
