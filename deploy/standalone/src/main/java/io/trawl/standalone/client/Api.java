package io.trawl.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.trawl.codec.Json;
import io.trawl.http.CallSignature;
import io.trawl.standalone.client.FailoverCaller.BrokenOffException;
import io.trawl.standalone.client.FailoverCaller.Call;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls of the REST interface, at the first coordinator that can be reached. Calls block, for a minute at most, a body
 * that is streamed for an hour. A call that was not carried out, since the coordinator is starting or none leads, is
 * repeated for half a minute before that, unless its body or its answer is a stream. Each throws {@link ApiRefusal} if
 * the coordinator refuses, and {@link CoordinatorUnavailableException} if no coordinator can answer now. Thread-safe.
 */
public final class Api implements AutoCloseable {
    private static final Duration TO_ANSWER = Duration.ofSeconds(60);
    private static final Duration TO_STREAM = Duration.ofHours(1);
    /** A term begins within seconds after the coordinator that led has died. */
    private static final Duration WITHOUT_LEADER = Duration.ofSeconds(30);
    private static final Duration BETWEEN_CALLS = Duration.ofMillis(500);
    private static final int LARGEST_PROBLEM = 1 << 20;
    private static final String ANSWERS_ALWAYS = "/health/live";
    private static final Pattern NEXT = Pattern.compile("<([^<>]+)>[^,<]*;\\s*rel=\"?next\"?");
    private final FailoverCaller caller;
    private final Duration patience;
    private final Time time = Time.system();
    private volatile boolean answered;

    /**
     * Where a coordinator may be.
     *
     * @param token the token of the deployment, if there is one
     * @param named whether the user or a default says where it is, so that it is sent the token (RFC 6750); else calls
     * are signed with it, since another program may answer there
     */
    public record Server(URI base, Optional<String> token, boolean named) {
        /** Where the user says. */
        public static Server named(URI base, Optional<String> token) {
            return new Server(base, token, true);
        }

        /** Where a file or Redis says. */
        public static Server found(URI base, Optional<String> token) {
            return new Server(base, token, false);
        }
    }

    /**
     * Makes no call yet.
     *
     * @param candidates where coordinators may be, at least one, the best first; the next is asked for only when the
     * one before cannot be reached
     */
    public Api(Iterator<Server> candidates) {
        this(candidates, WITHOUT_LEADER);
    }

    /**
     * Makes no call yet.
     *
     * @param candidates as above
     * @param patience how long a call is repeated while coordinators answer that none of them leads
     */
    public Api(Iterator<Server> candidates, Duration patience) {
        this.caller = new FailoverCaller(candidates);
        this.patience = patience;
    }

    /** Of one coordinator, without a token. */
    public Api(URI base) {
        this(List.of(Server.named(base, Optional.empty())).iterator());
    }

    /** Looks at something. */
    public ApiResponse get(String path) throws InterruptedException {
        return call("GET", path, Optional.empty());
    }

    /**
     * Looks at a list that may come in parts (RFC 8288): all of them as one array. A list in one part is the answer as
     * it came.
     */
    public ApiResponse getAll(String path) throws InterruptedException {
        ApiResponse first = get(path);
        if (first.next().isEmpty()) {
            return first;
        }
        ArrayNode all = Json.mapper().createArrayNode();
        first.tree().forEach(all::add);
        Optional<URI> next = first.next();
        while (next.isPresent()) {
            URI target = next.get();
            ApiResponse part = get(
                    target.getRawPath() + Optional.ofNullable(target.getRawQuery()).map(q -> "?" + q).orElse(""));
            JsonNode entries = part.tree();
            entries.forEach(all::add);
            // A part without entries whose link points back would never end.
            next = part.next().filter(following -> !entries.isEmpty());
        }
        return new ApiResponse(first.from(), Json.bytes(all), Optional.empty(), Optional.empty());
    }

    /** Asks for something to be done. */
    public ApiResponse post(String path) throws InterruptedException {
        return call("POST", path, Optional.empty());
    }

    /** Asks for something to be done, with a JSON body. */
    public ApiResponse post(String path, Object body) throws InterruptedException {
        return call("POST", path, Optional.of(Json.bytes(body)));
    }

    /** Says what something is to be, as JSON. */
    public ApiResponse put(String path, Object body) throws InterruptedException {
        return call("PUT", path, Optional.of(Json.bytes(body)));
    }

    /** Changes a part of something, by a merge patch (RFC 7396). */
    public ApiResponse patch(String path, Object body) throws InterruptedException {
        return call("PATCH", path, Optional.of(Json.bytes(body)));
    }

    /** The same, if what is changed is still as it was read; else it is refused. @param read the answer that had it */
    public ApiResponse patch(String path, Object body, ApiResponse read) throws InterruptedException {
        return call("PATCH", path, Optional.of(Json.bytes(body)), read.tag());
    }

    /** Says that something is to be. */
    public ApiResponse put(String path) throws InterruptedException {
        return call("PUT", path, Optional.empty());
    }

    /** Takes something away. */
    public ApiResponse delete(String path) throws InterruptedException {
        return call("DELETE", path, Optional.empty());
    }

    /** Sends lines as they come; they are read once, and closed. */
    public ApiResponse stream(String path, String type, InputStream lines) throws InterruptedException {
        get("/api/v1/queue"); // Chooses a coordinator that can be reached: a stream cannot be sent twice.
        BodyPublisher body = BodyPublishers.ofInputStream(() -> lines);
        return answer("POST " + path, caller.send(server -> request(server, "POST", path, Optional.empty())
                .timeout(TO_STREAM).header("Content-Type", type).POST(body), BodyHandlers.ofByteArray()));
    }

    /**
     * Opens an answer that has no end, such as server-sent events.
     *
     * @param lastEvent the id of the last event seen, if one was
     * @return the lines, to be closed
     */
    public InputStream follow(String path, Optional<String> lastEvent) throws InterruptedException {
        return open(path, "text/event-stream", lastEvent);
    }

    /** Opens an answer of any length. @return the lines, to be closed */
    public InputStream lines(String path) throws InterruptedException {
        return open(path, "application/x-ndjson", Optional.empty());
    }

    private InputStream open(String path, String type, Optional<String> lastEvent) throws InterruptedException {
        HttpResponse<InputStream> response = caller.send(server -> {
            HttpRequest.Builder request = request(server, "GET", path, Optional.empty()).header("Accept", type);
            lastEvent.ifPresent(id -> request.header("Last-Event-ID", id));
            return request.GET();
        }, BodyHandlers.ofInputStream());
        if (response.statusCode() / 100 == 2) {
            return response.body();
        }
        throw ApiProblems.of("GET " + path.replaceFirst("\\?.*", ""), caller.server().base(), response.statusCode(),
                response.headers(), read(response.body()));
    }

    private static byte[] read(InputStream body) {
        try (body) {
            return body.readNBytes(LARGEST_PROBLEM);
        } catch (IOException e) {
            // The status says enough.
            return new byte[0];
        }
    }

    private ApiResponse call(String method, String path, Optional<byte[]> body) throws InterruptedException {
        return call(method, path, body, Optional.empty());
    }

    private ApiResponse call(String method, String path, Optional<byte[]> body, Optional<String> tag)
            throws InterruptedException {
        if (!method.equals("GET")) {
            awaitAnswer();
        }
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
        return answer(method + " " + path.replaceFirst("\\?.*", ""), sendToLeader(method.equals("GET"), server -> {
            HttpRequest.Builder request = request(server, method, path, body).timeout(TO_ANSWER).header("Content-Type",
                    type);
            tag.ifPresent(match -> request.header("If-Match", match));
            return request.method(method, body.map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody));
        }));
    }

    /**
     * Chooses a coordinator, and waits for it while it starts: the port of a container takes calls before, and closes
     * them. What changes something, or is a stream, is not sent twice, since it may have been carried out.
     */
    private void awaitAnswer() throws InterruptedException {
        if (!answered) {
            sendToLeader(true,
                    server -> request(server, "GET", ANSWERS_ALWAYS, Optional.empty()).timeout(TO_ANSWER).GET());
        }
    }

    /**
     * Repeats the call for some time while it is not carried out.
     *
     * @param safe whether it changes nothing, so that one without an answer is repeated, too
     */
    private HttpResponse<byte[]> sendToLeader(boolean safe, Call call) throws InterruptedException {
        long begun = time.nanos();
        while (true) {
            boolean again = time.nanos() - begun < patience.toNanos();
            try {
                HttpResponse<byte[]> response = caller.send(call, BodyHandlers.ofByteArray());
                answered = true;
                if (!again || !ApiProblems.notCarriedOut(response)) {
                    return response;
                }
            } catch (BrokenOffException e) {
                if (!again || !safe) {
                    throw e;
                }
            }
            time.pause(BETWEEN_CALLS);
        }
    }

    /** @param body empty for none, and for one that is sent as it comes */
    private HttpRequest.Builder request(Server server, String method, String path, Optional<byte[]> body) {
        URI target = server.base().resolve(path);
        HttpRequest.Builder request = HttpRequest.newBuilder(target);
        server.token().ifPresent(token -> {
            if (server.named()) {
                request.header("Authorization", "Bearer " + token);
            } else {
                CallSignature.by(token)
                        .headers(method, target.getRawAuthority(), path, body, time.now(), Optional.empty())
                        .forEach(request::header);
            }
        });
        return request;
    }

    private ApiResponse answer(String call, HttpResponse<byte[]> response) {
        URI base = caller.server().base();
        if (response.statusCode() / 100 != 2) {
            throw ApiProblems.of(call, base, response.statusCode(), response.headers(), response.body());
        }
        Optional<URI> next = response.headers().allValues("Link").stream().map(NEXT::matcher).filter(Matcher::find)
                .map(link -> response.uri().resolve(link.group(1))).filter(target -> same(target, base)).findFirst();
        return new ApiResponse(base, response.body(), next, response.headers().firstValue("ETag"));
    }

    /** Whether a link leads to the same server: no other server may get the token. */
    private static boolean same(URI target, URI base) {
        return base.getScheme().equals(target.getScheme()) && base.getAuthority().equals(target.getAuthority());
    }

    /** A word as a part of a path or of a query. */
    public static String encoded(String word) {
        return URLEncoder.encode(word, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        caller.close();
    }
}
