package io.trawl.coordinator.call;

import io.trawl.codec.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What is asked of another process.
 *
 * @param path with the query, encoded
 * @param body of a POST, with its media type; empty: a GET
 * @param limit the time for the answer
 * @param reader of the body of an answer with status 200; a {@link io.trawl.codec.MalformedRecordException} makes the
 * module silent
 */
public record ModuleQuestion<A>(String path, Optional<CallBody> body, Duration limit, Function<byte[], A> reader) {
    /** The body of a POST. */
    record CallBody(String type, byte[] bytes) {}

    /** A GET whose answer is JSON. */
    public static <A> ModuleQuestion<A> get(String path, Map<String, String> query, Duration limit, Class<A> answer) {
        return get(path, query, limit, json -> Json.read(json, answer));
    }

    /** A GET. */
    public static <A> ModuleQuestion<A> get(String path, Map<String, String> query, Duration limit,
            Function<byte[], A> reader) {
        String pairs = query.entrySet().stream().map(e -> encoded(e.getKey()) + "=" + encoded(e.getValue()))
                .collect(Collectors.joining("&"));
        return new ModuleQuestion<>(pairs.isEmpty() ? path : path + "?" + pairs, Optional.empty(), limit, reader);
    }

    /** A POST with JSON. */
    public static <A> ModuleQuestion<A> post(String path, Object body, Duration limit, Function<byte[], A> reader) {
        return post(path, "application/json", Json.bytes(body), limit, reader);
    }

    /** A POST. */
    public static <A> ModuleQuestion<A> post(String path, String type, byte[] body, Duration limit,
            Function<byte[], A> reader) {
        return new ModuleQuestion<>(path, Optional.of(new CallBody(type, body)), limit, reader);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
