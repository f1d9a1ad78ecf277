package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.api.render.Rendering;
import io.trawl.model.InvalidValueException.FieldRules;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to one request. On the wire the body is the record's value, byte for byte after decompression, packed if
 * it is large; everything else is one JSON header.
 *
 * @param request the request, at the depth at which it was answered
 * @param outcome how it was answered
 * @param mid the downloader that answered the request
 * @param fetchedAt when the response was complete
 * @param took from the first byte sent to the last byte received; zero if nothing was fetched
 * @param attempts the number of fetches; 0 if nothing was fetched
 * @param headers the response headers, names in lower case, repeated values joined by {@code ", "}, those of
 * {@code X-Robots-Tag} by line ends
 * @param body the decompressed body; empty except for pages. For an archive that of every answer: then those of other
 * answers are as received
 * @param exchange what an archive holds besides; empty if the crawl has none, or nothing was received
 * @param render how the page was rendered; empty if it was not
 * @param robots the digest of the robots.txt that permitted the fetch; empty if the host has none, its file is not
 * obeyed, or the crawl has no archive
 */
@RecordBuilder
public record Response(Request request, Outcome outcome, MID mid, Instant fetchedAt, Duration took, int attempts,
        Map<String, String> headers, Body body, Optional<ArchivedExchange> exchange, Optional<Rendering> render,
        Optional<String> robots) implements ResponseBuilder.With {
    /** A response for no archive, of a page that was not rendered. */
    public Response(Request request, Outcome outcome, MID mid, Instant fetchedAt, Duration took, int attempts,
            Map<String, String> headers, Body body) {
        this(request, outcome, mid, fetchedAt, took, attempts, headers, body, Optional.empty(), Optional.empty(),
                Optional.empty());
    }

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
        return withRequest(request.withTrace(trace));
    }

    /** The same without a body. */
    public Response withoutBody() {
        return withBody(Body.EMPTY);
    }

    /** The same with a body that is not packed. */
    public Response unpacked() {
        return withBody(body.unpacked());
    }

    /** The same as in a crawl without an archive: without bodies of answers that are no pages. */
    public Response withoutArchived() {
        return exchange.isEmpty()
                ? this
                : with(copy -> copy.body(outcome instanceof Outcome.Success ? body : Body.EMPTY)
                        .exchange(Optional.empty()));
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

    /** What its items and errors are known by. */
    public String pageIdentity() {
        return request.pageIdentity();
    }

    /** The value of a header, or an empty text. */
    public String header(String lowerCaseName) {
        return headers.getOrDefault(lowerCaseName, "");
    }

    /**
     * What an archive holds of an exchange besides the response: a downloader adds it while a crawl has a sink for
     * archives. The heads are the bytes of the connection, one per character (ISO 8859-1).
     *
     * @param request the request line and the headers as sent, up to the empty line, without credentials and cookies
     * @param response the status line and the headers as received, up to the empty line, without cookies that the crawl
     * keeps for itself
     * @param address the IP address of the server; empty behind a proxy
     * @param protocol such as {@code http/1.1}, in the words of the registry of ALPN
     * @param truncated whether the body is cut
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ArchivedExchange(String request, String response, Optional<String> address, String protocol,
            boolean truncated) {
        /** @throws InvalidValueException if a head or the protocol is absent */
        public ArchivedExchange {
            FieldRules.present("request", request);
            FieldRules.present("response", response);
            FieldRules.present("protocol", protocol);
        }
    }
}
