package io.trawl.coordinator.api;

import static java.util.stream.Collectors.toSet;

import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.coordinator.summary.FleetCrawls.CrawlQuery;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** How all routes read what a call says, and how they answer. */
final class RestCalls {
    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 1000;
    /** A summary is polled, and a crawl takes a kilobyte of it. */
    private static final int SHOWN_CRAWLS = 25;

    private RestCalls() {}

    /** The crawl that the path names. */
    static CrawlId id(Call call) {
        return new CrawlId(call.parameter("id"));
    }

    /** How many entries of a list are wanted, {@code ?limit=}. */
    static int limit(Call call) {
        return call.number("limit", USUAL_PAGE, 1, LARGEST_PAGE);
    }

    /** Answers with a summary, as text if that is wanted ({@code ?format=text}, or by {@code Accept}), else as JSON. */
    static <T extends Record> CallResponse summary(Call call, T summary, Function<T, List<String>> text) {
        CallResponse response = wantsText(call)
                ? CallResponse.of(200, "text/plain; charset=utf-8",
                        (String.join("\n", text.apply(summary)) + "\n").getBytes(StandardCharsets.UTF_8))
                : object(call, summary);
        return response.with("Vary", "Accept");
    }

    private static boolean wantsText(Call call) {
        Optional<String> format = call.text("format");
        if (format.isPresent()) {
            return format.get().equals("text");
        }
        String accept = call.header("Accept").orElse("");
        return accept.contains("text/plain") && !accept.contains("json") && !accept.contains("text/html");
    }

    /**
     * What a cursor of a list names.
     *
     * @param key of an entry
     * @param gone whether an entry with this key was in the list
     * @param rule a valid cursor, in words
     */
    record CursorRule<T>(Function<T, String> key, Predicate<String> gone, String rule) {
        /** @throws InvalidValueException if the cursor of a call names no entry that is, or was, in the list */
        Optional<String> cursor(Call call, List<T> all) {
            Optional<String> cursor = call.text("cursor");
            cursor.filter(name -> all.stream().map(key).noneMatch(name::equals) && !gone.test(name)).ifPresent(name -> {
                throw new InvalidValueException("cursor", name, rule);
            });
            return cursor;
        }
    }

    /**
     * Answers with the entries after the one that {@code ?cursor=} names, {@code ?limit=} at most, and a link to those
     * that follow (RFC 8288).
     *
     * @param type of an entry
     * @param sorted all entries, in the order of their keys
     */
    static <T> CallResponse page(Call call, List<T> sorted, Class<T> type, CursorRule<T> rule) {
        return page(call, sorted, rule, type, entry -> entry);
    }

    /** The same. @param type of what is shown @param shown what is answered for an entry */
    static <T, S> CallResponse page(Call call, List<T> sorted, CursorRule<T> rule, Class<S> type,
            Function<T, S> shown) {
        String cursor = rule.cursor(call, sorted).orElse("");
        return some(call, sorted.stream().filter(entry -> rule.key().apply(entry).compareTo(cursor) > 0), rule.key(),
                type, shown);
    }

    /** The crawls that a summary of the deployment shows. */
    static CrawlQuery crawls(Call call) {
        return new CrawlQuery(
                call.text("crawls").map(ids -> Arrays.stream(ids.split(",")).map(CrawlId::new).collect(toSet()))
                        .orElse(Set.of()),
                call.text("q").orElse(""), call.text("sort"), call.number("offset", 0, 0, Integer.MAX_VALUE),
                call.number("limit", SHOWN_CRAWLS, 0, LARGEST_PAGE));
    }

    /**
     * Answers with the entries behind the one that {@code ?cursor=} names, {@code ?limit=} at most, and a link to those
     * that follow. Nothing follows one that is gone.
     *
     * @param sorted all entries, in any order
     * @param wanted which of them are shown: not all need be, since the one that the cursor names may have changed
     * @param type of what is shown
     * @param shown what is answered for an entry
     */
    static <T, S> CallResponse newest(Call call, List<T> sorted, Predicate<T> wanted, CursorRule<T> rule, Class<S> type,
            Function<T, S> shown) {
        Optional<String> cursor = rule.cursor(call, sorted);
        Stream<T> rest = cursor.isEmpty()
                ? sorted.stream()
                : sorted.stream().dropWhile(entry -> !rule.key().apply(entry).equals(cursor.get())).skip(1);
        return some(call, rest.filter(wanted), rule.key(), type, shown);
    }

    private static <T, S> CallResponse some(Call call, Stream<T> behind, Function<T, String> key, Class<S> type,
            Function<T, S> shown) {
        int limit = limit(call);
        Set<String> fields = fields(call, type);
        List<T> rest = behind.limit(limit + 1L).toList();
        List<S> page = rest.stream().limit(limit).map(shown).toList();
        CallResponse response = CallResponse
                .json(fields.isEmpty() ? page : page.stream().map(entry -> only(entry, fields)).toList());
        return rest.size() > limit
                ? response.with("Link", next(call, limit, key.apply(rest.get(limit - 1))))
                : response;
    }

    /** Answers with one object, or those of its fields that {@code ?fields=} names. */
    static CallResponse object(Call call, Object value) {
        Set<String> fields = fields(call, value.getClass());
        return CallResponse.json(fields.isEmpty() ? value : only(value, fields));
    }

    private static JsonNode only(Object value, Set<String> fields) {
        return Json.mapper().<ObjectNode>valueToTree(value).retain(fields);
    }

    /** The fields of the answer that {@code ?fields=} names, separated by commas; none if all are wanted. */
    private static Set<String> fields(Call call, Class<?> type) {
        return call.words("fields", Json.fields(type).sorted().toList());
    }

    /** A link to what follows, with the same filters. */
    private static String next(Call call, int limit, String last) {
        StringBuilder query = new StringBuilder("?limit=" + limit + "&cursor=" + encode(last));
        call.query().forEach((name, values) -> {
            if (!name.equals("limit") && !name.equals("cursor")) {
                values.forEach(value -> query.append('&').append(encode(name)).append('=').append(encode(value)));
            }
        });
        return "<" + call.path() + query + ">; rel=\"next\"";
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
