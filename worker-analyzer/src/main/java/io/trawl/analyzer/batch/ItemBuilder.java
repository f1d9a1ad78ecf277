package io.trawl.analyzer.batch;

import io.trawl.codec.MalformedRecordException;
import io.trawl.model.Sha256;
import io.trawl.analyzer.batch.PagePlaces.ItemPlace;
import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.definition.CrawlDefinition.ExtractRules;
import io.trawl.ledger.ItemId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.value.TimestampFormat;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Builds items: their ids, their fields and the order of the fields. Pure functions. */
final class ItemBuilder {
    /** The fields that come first, in this order. */
    private static final List<String> PAGE_FIELDS = List.of("title", "description", "lang", "canonical", "author",
            "published", "modified", "siteName", "pageType", "image", ParsedPage.DETECTED_LANGUAGE,
            ParsedPage.LANGUAGE_CONFIDENCE, "text", "markdown", "headingIds");
    private static final Set<String> SAFE_IN_AN_INDEX = Set.of("lang", "canonical");

    private static final Set<PageBudget> TRUNCATING = EnumSet.of(PageBudget.BYTES, PageBudget.CHECKSUM,
            PageBudget.CODING, PageBudget.NODES);
    private static final int LONGEST_VALIDATOR = 500;

    private ItemBuilder() {}

    /** The items of a page: its own, if it has one, then those that parsers and rules made of its parts. */
    static List<Item> page(Response response, Outcome.Success success, ParsedPage parsedPage, ExtractRules rules) {
        Map<String, Object> head = new LinkedHashMap<>();
        head.put("status", success.status());
        origin(head, response);
        head.put("contentType", parsedPage.contentType());
        parsedPage.encoding().ifPresent(charset -> head.put("encoding", charset.name()));
        body(head, response);
        validators(head, response);
        List<Item> items = new ArrayList<>();
        if (rules.pageItem()) {
            items.add(whole(head, response, parsedPage, rules));
        }
        if (!parsedPage.robots().noindex()) {
            parsedPage.items().forEach(part -> items.add(part(head, response, part, parsedPage.cuts())));
        }
        return items;
    }

    private static Item part(Map<String, Object> head, Response response, ParsedPage.FurtherItem part,
            Set<PageBudget> cuts) {
        Map<String, Object> fields = new LinkedHashMap<>(head);
        fields.put(part.typed() ? "type" : "parser", part.maker());
        fields.put("ordinal", part.ordinal());
        if (part.typed()) {
            cut(fields, cuts);
        }
        render(fields, response, false);
        metadata(fields, response.request());
        part.fields().forEach(fields::putIfAbsent);
        String maker = part.typed() ? ItemId.TYPE + part.maker() : part.maker();
        ItemPlace place = part.key().map(key -> ItemPlace.ofKey(maker, key))
                .orElseGet(() -> ItemPlace.of(maker, part.ordinal()));
        return item(place.part(), response, ItemKind.PAGE, fields);
    }

    private static Item whole(Map<String, Object> head, Response response, ParsedPage parsedPage, ExtractRules rules) {
        Map<String, Object> fields = new LinkedHashMap<>(head);
        boolean noindex = parsedPage.robots().noindex();
        for (String name : PAGE_FIELDS) {
            Object value = parsedPage.fields().get(name);
            if (value != null && (!noindex || SAFE_IN_AN_INDEX.contains(name))) {
                fields.put(name, value);
            }
        }
        parsedPage.links().ifPresent(
                links -> fields.put("links", links.stream().map(ParsedPage.LinkTarget::shown).distinct().toList()));
        if (rules.anchors() && !noindex) {
            parsedPage.links()
                    .ifPresent(links -> fields.put("anchors", links.stream().map(ItemBuilder::anchor).toList()));
        }
        if (!noindex) {
            parsedPage.fields().forEach(fields::putIfAbsent);
        }
        cut(fields, parsedPage.cuts());
        render(fields, response, true);
        if (noindex) {
            fields.put("noindex", true);
        }
        if (!(fields.get("text") instanceof String text) || text.isBlank()) {
            fields.put("noText", noText(parsedPage, rules));
        }
        metadata(fields, response.request());
        return item(ItemPlace.OWN.part(), response, ItemKind.PAGE, fields);
    }

    /** Why there is no text. */
    private static String noText(ParsedPage parsedPage, ExtractRules rules) {
        if (parsedPage.robots().noindex()) {
            return "noindex";
        }
        if (parsedPage.encoding().isEmpty()) {
            return "type";
        }
        return rules.text() && parsedPage.fields().containsKey("text") ? "empty" : "off";
    }

    private static void cut(Map<String, Object> fields, Set<PageBudget> cuts) {
        if (!Collections.disjoint(cuts, TRUNCATING)) {
            fields.put("truncated", true);
        }
        cuts(fields, cuts);
    }

    /** Adds which budgets the page exceeded, if any. */
    static void cuts(Map<String, Object> fields, Set<PageBudget> cuts) {
        if (!cuts.isEmpty()) {
            fields.put("cuts", cuts.stream().map(PageBudget::word).toList());
        }
    }

    /**
     * The item that reports why there is no page.
     *
     * @param kind HTTP_ERROR or FAILURE
     * @param reason the HTTP status, or the kind of failure
     * @param cause in words for people
     */
    static Item error(Response response, String kind, String reason, String cause) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("kind", kind);
        switch (response.outcome()) {
            case Outcome.HttpError e -> fields.put("status", e.status());
            case Outcome.Success p -> fields.put("status", p.status());
            case Outcome.Redirect r -> fields.put("status", r.status());
            case Outcome.Unchanged _,Outcome.Failure _,Outcome.Refused _,Outcome.Duplicate _ -> {
                // These outcomes have no HTTP status.
            }
        }
        if (!(response.outcome() instanceof Outcome.HttpError)) {
            fields.put("reason", reason);
        }
        fields.put("cause", cause);
        fields.put("mid", response.mid().toString());
        origin(fields, response);
        if (response.outcome() instanceof Outcome.Success) {
            try {
                body(fields, response);
            } catch (MalformedRecordException e) {
                // The error may be just that.
            }
        }
        render(fields, response, true);
        metadata(fields, response.request());
        return new Item(ItemId.of(response.run(), response.pageIdentity(), ItemId.ERROR, 0),
                ItemId.key(response.run().crawl(), response.pageIdentity()), response.run().toString(), ItemKind.ERROR,
                response.url(), fields);
    }

    /** The error of an item that a page has no longer. @param error of the page: that of its own item */
    static Item gone(Item error, Response response, ItemPlace place) {
        if (place.equals(ItemPlace.OWN)) {
            return error;
        }
        Map<String, Object> fields = new LinkedHashMap<>(error.fields());
        boolean typed = place.maker().startsWith(ItemId.TYPE);
        fields.put(typed ? "type" : "parser", typed ? place.maker().substring(ItemId.TYPE.length()) : place.maker());
        place.ordinal().ifPresent(ordinal -> fields.put("ordinal", ordinal));
        return item(place.part(), response, ItemKind.ERROR, fields);
    }

    private static void origin(Map<String, Object> fields, Response response) {
        FetchOptions sent = response.request().options();
        sent.method().ifPresent(method -> fields.put("method", method));
        sent.body().ifPresent(body -> fields.put("requestBody", body));
        fields.put("depth", response.request().depth());
        response.request().parent().ifPresent(parent -> fields.put("parent", parent));
        fields.put("fetchedAt", TimestampFormat.format(response.fetchedAt()));
        fields.put("responseTime", response.took().toMillis());
        fields.put("attempts", response.attempts());
        if (!response.request().chain().isEmpty()) {
            fields.put("redirects", response.request().chain().stream()
                    .map(hop -> Map.of("url", hop.url(), "status", hop.status())).toList());
        }
    }

    private static void body(Map<String, Object> fields, Response response) {
        byte[] bytes = response.body().bytes();
        fields.put("bytes", bytes.length);
        fields.put("sha256", Sha256.hex(bytes));
    }

    /**
     * What a later request can send to learn whether the page has changed; a value that HTTP does not permit is left
     * out.
     */
    private static void validators(Map<String, Object> fields, Response response) {
        String etag = response.header("etag");
        if (!etag.isEmpty() && etag.length() <= LONGEST_VALIDATOR) {
            fields.put("etag", etag);
        }
        lastModified(response).ifPresent(date -> fields.put("lastModified", TimestampFormat.format(date)));
    }

    /** What the server says of the last change of a page; empty if it says nothing that is a date. */
    static Optional<Instant> lastModified(Response response) {
        String date = response.header("last-modified");
        try {
            return date.isEmpty() || date.length() > LONGEST_VALIDATOR
                    ? Optional.empty()
                    : Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** How the page was rendered. @param named whether the refused requests are named: a page may have many items */
    private static void render(Map<String, Object> fields, Response response, boolean named) {
        response.render().ifPresent(page -> {
            Map<String, Object> render = new LinkedHashMap<>();
            render.put("ms", page.ms());
            render.put("requests", page.requests());
            if (named && !page.refused().isEmpty()) {
                render.put("refused", page.refused().stream()
                        .map(request -> Map.of("url", request.url(), "reason", request.reason().name())).toList());
            }
            if (!page.refusedByReason().isEmpty()) {
                Map<String, Integer> counts = new TreeMap<>();
                page.refusedByReason().forEach((reason, count) -> counts.put(reason.name(), count));
                render.put("refusedByReason", counts);
            }
            render.put("partial", page.partial());
            fields.put("render", render);
        });
    }

    private static Map<String, Object> anchor(ParsedPage.LinkTarget link) {
        Map<String, Object> anchor = new LinkedHashMap<>();
        anchor.put("url", link.shown());
        anchor.put("text", link.text());
        anchor.put("rel", link.rel());
        return anchor;
    }

    private static void metadata(Map<String, Object> fields, Request request) {
        if (!request.options().metadata().isEmpty()) {
            fields.put("metadata", request.options().metadata());
        }
    }

    private static Item item(String part, Response response, ItemKind kind, Map<String, Object> fields) {
        CrawlRun run = response.run();
        String identity = response.pageIdentity();
        return new Item(ItemId.of(run, identity, part), ItemId.key(run.crawl(), identity, part), run.toString(), kind,
                response.url(), fields);
    }
}
