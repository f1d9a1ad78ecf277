package io.trawl.coordinator.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;
import io.trawl.codec.Json;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.codec.NearestName;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** How all routes read what a call says, and how they answer. */
final class RestCalls {
    private static final int USUAL_PAGE = 100;
    private static final int LARGEST_PAGE = 1000;

    private RestCalls() {}

    /** The crawl that the path names. */
    static CrawlId id(Context ctx) {
        return new CrawlId(ctx.pathParam("id"));
    }

    /** A query parameter that is not empty. */
    static Optional<String> text(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name)).filter(value -> !value.isEmpty());
    }

    /** A query parameter that is true or false; false if it is not there. */
    static boolean flag(Context ctx, String name) {
        String value = text(ctx, name).orElse("false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new InvalidValueException(name, value, "true or false");
        }
        return value.equals("true");
    }

    /** How many entries of a list are wanted, {@code ?limit=}. */
    static int limit(Context ctx) {
        String value = text(ctx, "limit").orElse(Integer.toString(USUAL_PAGE));
        try {
            int limit = Integer.parseInt(value);
            if (limit >= 1 && limit <= LARGEST_PAGE) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new InvalidValueException("limit", value, "1 to " + LARGEST_PAGE);
    }

    /** Answers with a summary, as text if that is wanted ({@code ?format=text}, or by {@code Accept}), else as JSON. */
    static <T extends Record> void summary(Context ctx, T summary, Function<T, List<String>> text) {
        ctx.header("Vary", "Accept");
        if (wantsText(ctx)) {
            ctx.status(200).contentType("text/plain; charset=utf-8")
                    .result(String.join("\n", text.apply(summary)) + "\n");
        } else {
            object(ctx, summary);
        }
    }

    private static boolean wantsText(Context ctx) {
        Optional<String> format = text(ctx, "format");
        if (format.isPresent()) {
            if (!format.get().equals("text") && !format.get().equals("json")) {
                throw new InvalidValueException("format", format.get(), "text or json");
            }
            return format.get().equals("text");
        }
        String accept = Optional.ofNullable(ctx.header("Accept")).orElse("");
        return accept.contains("text/plain") && !accept.contains("json") && !accept.contains("text/html");
    }

    /** Answers with a value. */
    static void json(Context ctx, int status, Object value) {
        ctx.status(status).contentType("application/json").result(Json.bytes(value));
    }

    /**
     * Answers with the entries after the one that {@code ?cursor=} names, {@code ?limit=} at most, and a link to those
     * that follow (RFC 8288).
     *
     * @param type of an entry
     * @param sorted all entries, in the order of their keys
     */
    static <T> void page(Context ctx, List<T> sorted, Class<T> type, Function<T, String> key) {
        String cursor = text(ctx, "cursor").orElse("");
        some(ctx, sorted.stream().filter(entry -> key.apply(entry).compareTo(cursor) > 0).toList(), key, type,
                entry -> entry);
    }

    /**
     * Answers with the entries behind the one that {@code ?cursor=} names, {@code ?limit=} at most, and a link to those
     * that follow. Nothing follows one that is gone.
     *
     * @param sorted all entries, in any order
     * @param type of what is shown
     * @param shown what is answered for an entry
     */
    static <T, S> void newest(Context ctx, List<T> sorted, Function<T, String> key, Class<S> type,
            Function<T, S> shown) {
        Optional<String> cursor = text(ctx, "cursor");
        some(ctx,
                cursor.isEmpty()
                        ? sorted
                        : sorted.stream().dropWhile(entry -> !key.apply(entry).equals(cursor.get())).skip(1).toList(),
                key, type, shown);
    }

    private static <T, S> void some(Context ctx, List<T> rest, Function<T, String> key, Class<S> type,
            Function<T, S> shown) {
        int limit = limit(ctx);
        if (rest.size() > limit) {
            next(ctx, limit, key.apply(rest.get(limit - 1)));
        }
        Set<String> fields = fields(ctx, type);
        List<S> page = rest.stream().limit(limit).map(shown).toList();
        json(ctx, 200, fields.isEmpty() ? page : page.stream().map(entry -> only(entry, fields)).toList());
    }

    /** Answers with one object, or those of its fields that {@code ?fields=} names. */
    static void object(Context ctx, Object value) {
        Set<String> fields = fields(ctx, value.getClass());
        json(ctx, 200, fields.isEmpty() ? value : only(value, fields));
    }

    private static JsonNode only(Object value, Set<String> fields) {
        return Json.mapper().<ObjectNode>valueToTree(value).retain(fields);
    }

    /** The fields of the answer that {@code ?fields=} names, separated by commas; none if all are wanted. */
    private static Set<String> fields(Context ctx, Class<?> type) {
        return words(ctx, "fields", Json.fields(type).sorted().toList());
    }

    /**
     * The values of a parameter, separated by commas. @throws InvalidValueException if one is none of the valid ones
     */
    static Set<String> words(Context ctx, String name, List<String> valid) {
        Set<String> words = text(ctx, name).<Set<String>>map(value -> new TreeSet<>(List.of(value.split(","))))
                .orElse(Set.of());
        words.stream().filter(word -> !valid.contains(word)).findFirst().ifPresent(word -> {
            throw new InvalidValueException(name, word,
                    "some of " + String.join(", ", valid) + NearestName.hint(word, valid.stream()));
        });
        return words;
    }

    /** Links to what follows, with the same filters. */
    private static void next(Context ctx, int limit, String last) {
        StringBuilder query = new StringBuilder("?limit=" + limit + "&cursor=" + encode(last));
        ctx.queryParamMap().forEach((name, values) -> {
            if (!name.equals("limit") && !name.equals("cursor")) {
                values.forEach(value -> query.append('&').append(encode(name)).append('=').append(encode(value)));
            }
        });
        ctx.header("Link", "<" + ctx.path() + query + ">; rel=\"next\"");
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** A query parameter that is a whole number. @param usual if it is not there */
    static int number(Context ctx, String name, int usual, int least, int most) {
        Optional<String> given = text(ctx, name);
        if (given.isEmpty()) {
            return usual;
        }
        if (given.get().matches("[0-9]{1,9}") && Integer.parseInt(given.get()) >= least
                && Integer.parseInt(given.get()) <= most) {
            return Integer.parseInt(given.get());
        }
        throw new InvalidValueException(name, given.get(), least + " to " + most);
    }
}
