package io.trawl.analyzer.batch;

import io.trawl.analyzer.parse.Analyzed;
import io.trawl.model.Item;
import io.trawl.model.ItemId;
import io.trawl.model.ItemKind;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.Response;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Makes the items: the order of their fields, and their ids. Pure. */
final class Items {
    private static final Set<String> NOT_IN_AN_INDEX = Set.of("title", "description", "text");
    private static final Set<String> SAFE_IN_AN_INDEX = Set.of("lang", "canonical");

    private Items() {}

    /** What a page held. */
    static Item page(Response response, Outcome.Page page, Analyzed analyzed) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("status", page.status());
        origin(fields, response);
        fields.put("contentType", analyzed.contentType());
        boolean noindex = analyzed.robots().noindex();
        for (String name : new String[]{"title", "description", "lang", "canonical", "text"}) {
            Object value = analyzed.fields().get(name);
            if (value != null && !(noindex && NOT_IN_AN_INDEX.contains(name))) {
                fields.put(name, value);
            }
        }
        analyzed.links().ifPresent(links -> fields.put("links", links.stream().map(link -> link.url().text()).toList()));
        if (!noindex) {
            analyzed.fields().forEach(fields::putIfAbsent);
        }
        if (page.truncated()) {
            fields.put("truncated", true);
        }
        if (noindex) {
            fields.put("noindex", true);
        }
        metadata(fields, response.request());
        return item(ItemId.PAGE, response, ItemKind.PAGE, fields);
    }

    /**
     * Why there is no page.
     *
     * @param kind HTTP_ERROR or FAILURE
     * @param reason the status, or the kind of failure
     * @param cause in words for people
     */
    static Item error(Response response, String kind, String reason, String cause) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind);
        switch (response.outcome()) {
            case Outcome.HttpError e -> fields.put("status", e.status());
            case Outcome.Page p -> fields.put("status", p.status());
            case Outcome.Redirect r -> fields.put("status", r.status());
            case Outcome.Failure _,Outcome.Refused _,Outcome.Duplicate _ -> {
                // There was no answer that could have had one.
            }
        }
        if (!(response.outcome() instanceof Outcome.HttpError)) {
            fields.put("reason", reason);
        }
        fields.put("cause", cause);
        fields.put("mid", response.mid().toString());
        fields.put("attempts", response.attempts());
        origin(fields, response);
        metadata(fields, response.request());
        return item(ItemId.ERROR, response, ItemKind.ERROR, fields);
    }

    private static void origin(Map<String, Object> fields, Response response) {
        fields.put("depth", response.request().depth());
        response.request().parent().ifPresent(parent -> fields.put("parent", parent));
        fields.put("fetchedAt", response.fetchedAt().truncatedTo(ChronoUnit.MILLIS).toString());
    }

    private static void metadata(Map<String, Object> fields, Request request) {
        if (!request.options().metadata().isEmpty()) {
            fields.put("metadata", request.options().metadata());
        }
    }

    private static Item item(String parser, Response response, ItemKind kind, Map<String, Object> fields) {
        return new Item(ItemId.of(response.run(), response.url(), parser, 0), response.run(), kind, response.url(), fields);
    }
}
