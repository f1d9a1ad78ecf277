package io.trawl.coordinator.api;

import io.javalin.http.Context;
import io.trawl.codec.Json;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
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
    static <T> void summary(Context ctx, T summary, Function<T, List<String>> text) {
        ctx.header("Vary", "Accept");
        if (wantsText(ctx)) {
            ctx.status(200).contentType("text/plain; charset=utf-8").result(String.join("\n", text.apply(summary)) + "\n");
        } else {
            json(ctx, 200, summary);
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
     * Answers with the entries after the one that {@code ?after=} names, {@code ?limit=} at most, and a link to those that follow (RFC 8288).
     *
     * @param sorted all entries, in the order of their keys
     */
    static <T> void page(Context ctx, List<T> sorted, Function<T, String> key) {
        int limit = limit(ctx);
        String after = text(ctx, "after").orElse("");
        List<T> rest = sorted.stream().filter(entry -> key.apply(entry).compareTo(after) > 0).limit(limit + 1L).toList();
        if (rest.size() > limit) {
            next(ctx, limit, key.apply(rest.get(limit - 1)));
        }
        json(ctx, 200, rest.subList(0, Math.min(limit, rest.size())));
    }

    /**
     * Answers with the entries that are older than the one that {@code ?after=} names, {@code ?limit=} at most, and a link to those that follow. Nothing
     * follows one that is forgotten.
     *
     * @param newestFirst all entries
     * @param shown what is answered for an entry
     */
    static <T> void newest(Context ctx, List<T> newestFirst, Function<T, String> key, Function<T, ?> shown) {
        int limit = limit(ctx);
        Optional<String> after = text(ctx, "after");
        List<T> rest = after.isEmpty()
                ? newestFirst
                : newestFirst.stream().dropWhile(entry -> !key.apply(entry).equals(after.get())).skip(1).toList();
        if (rest.size() > limit) {
            next(ctx, limit, key.apply(rest.get(limit - 1)));
        }
        json(ctx, 200, rest.stream().limit(limit).map(shown).toList());
    }

    /** Links to what follows, with the same filters. */
    private static void next(Context ctx, int limit, String last) {
        StringBuilder query = new StringBuilder("?limit=" + limit + "&after=" + encode(last));
        ctx.queryParamMap().forEach((name, values) -> {
            if (!name.equals("limit") && !name.equals("after")) {
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
