package io.trawl.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The answer to one request. On the wire the body is the record's value, byte for byte as it was inflated, and everything else is one JSON header.
 *
 * @param request the request, at the depth at which it was answered
 * @param outcome how it was answered
 * @param mid the downloader that answered
 * @param fetchedAt when the answer was complete
 * @param took from the first byte sent to the last byte received; zero if nothing was fetched
 * @param attempts how many fetches it took; 0 if nothing was fetched
 * @param headers the response headers, names in lower case, repeated values joined by {@code ", "}
 * @param body the body, inflated; empty but for pages (and error bodies are dropped)
 */
public record Response(Request request, Outcome outcome, MID mid, Instant fetchedAt, Duration took, int attempts,
        Map<String, String> headers, Body body)
        implements
            Data {
    /** Copies the headers. */
    public Response {
        headers = Map.copyOf(headers);
    }

    /** The same response to the same request in this trace. */
    public Response withTrace(TraceContext trace) {
        return new Response(request.withTrace(trace), outcome, mid, fetchedAt, took, attempts, headers, body);
    }

    @Override
    public CrawlRun run() {
        return request.run();
    }

    @Override
    public String url() {
        return request.url();
    }

    /** The value of a header, or an empty text. */
    public String header(String lowerCaseName) {
        return headers.getOrDefault(lowerCaseName, "");
    }
}
