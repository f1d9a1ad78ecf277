package io.trawl.standalone.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;

/** The summary at the end of a run as JSON on one line: that of the REST interface, and what only this machine knows. Pure. */
public final class SummaryJson {
    private SummaryJson() {}

    /** The text. */
    public static String of(Outcome outcome) {
        ObjectNode json = Json.mapper().valueToTree(outcome.summary());
        json.put("pagesPerSecond", Math.round(outcome.pagesPerSecond() * 10) / 10.0);
        json.put("seconds", outcome.duration().toMillis() / 1000.0);
        json.put("items", outcome.items().toString());
        json.put("errors", outcome.errors().toString());
        return Json.text(json);
    }
}
