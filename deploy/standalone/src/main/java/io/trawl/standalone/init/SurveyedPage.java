package io.trawl.standalone.init;

import io.trawl.api.Item;
import io.trawl.coordinator.probe.Preview;
import io.trawl.model.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * A page of a site that is surveyed.
 *
 * @param response as it was fetched
 * @param preview what the rules of the survey make of it
 * @param document as the parser of HTML reads it; empty for anything else
 */
record SurveyedPage(Response response, Preview preview, Optional<Document> document) {
    String url() {
        return preview.url();
    }

    /** What a rule of the survey has found; empty if nothing. */
    Map<String, Object> facts(String type) {
        return preview.items().stream().map(Item::fields).filter(fields -> type.equals(fields.get("type"))).findFirst()
                .orElse(Map.of());
    }

    /** The elements of a selector. */
    List<Element> select(String selector) {
        return document.<List<Element>>map(page -> page.select(selector)).orElse(List.of());
    }
}
