package io.trawl.model;

import io.trawl.model.InvalidValueException.FieldRules;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The answer to one request. On the wire the body is the record's value, byte for byte after decompression; everything else is one JSON header.
 *
 * @param request the request, at the depth at which it was answered
 * @param outcome how it was answered
 * @param mid the downloader that answered the request
 * @param fetchedAt when the response was complete
 * @param took from the first byte sent to the last byte received; zero if nothing was fetched
 * @param attempts the number of fetches; 0 if nothing was fetched
 * @param headers the response headers, names in lower case, repeated values joined by {@code ", "}
 * @param body the decompressed body; empty except for pages (error bodies are dropped)
 */
public record Response(Request request, Outcome outcome, MID mid, Instant fetchedAt, Duration took, int attempts,
        Map<String, String> headers, Body body) {
    /**
     * Copies the headers.
     *
     * @throws InvalidValueException if a field is absent or out of its range
     */
    public Response {
        FieldRules.present("request", request);
        FieldRules.present("outcome", outcome);
        FieldRules.present("mid", mid);
        FieldRules.present("fetchedAt", fetchedAt);
        FieldRules.count("attempts", attempts);
        headers = Map.copyOf(headers);
    }

    /** A copy whose request has this trace. */
    public Response withTrace(TraceContext trace) {
        return new Response(request.withTrace(trace), outcome, mid, fetchedAt, took, attempts, headers, body);
    }

    /** The run of the crawl. */
    public CrawlRun run() {
        return request.run();
    }

    /** The normalised URL of the request. */
    public String url() {
        return request.url();
    }

    /** The identity of the request. */
    public String identity() {
        return request.identity();
    }

    /** The value of a header, or an empty text. */
    public String header(String lowerCaseName) {
        return headers.getOrDefault(lowerCaseName, "");
    }
}
