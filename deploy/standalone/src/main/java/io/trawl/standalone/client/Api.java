package io.trawl.standalone.client;

import io.trawl.codec.Json;
import io.trawl.standalone.CoordinatorClient.Unavailable;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the REST interface, at the first coordinator that can be reached. Calls block, for a minute at most, a body that is streamed for an hour.
 * Each throws {@link Refused} if the coordinator refuses, and {@link Unavailable} if nobody can answer now. Thread-safe.
 */
public final class Api implements AutoCloseable {
    private static final Duration TO_CONNECT = Duration.ofSeconds(5);
    private static final Duration TO_ANSWER = Duration.ofSeconds(60);
    private static final Duration TO_STREAM = Duration.ofHours(1);
    private static final int LARGEST_PROBLEM = 1 << 20;
    private static final Pattern NEXT = Pattern.compile("<([^<>]+)>[^,]*;\\s*rel=\"?next\"?");
    private final Iterator<URI> others;
    private final Optional<String> token;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TO_CONNECT)
            .build();
    private final ReentrantLock choosing = new ReentrantLock();
    private @Nullable URI chosen;

    /**
     * Makes no call yet.
     *
     * @param candidates where coordinators may be, at least one, the best first; the next is asked for only when the one before cannot be reached
     * @param token the bearer token (RFC 6750), if one is to be sent
     */
    public Api(Iterator<URI> candidates, Optional<String> token) {
        this.others = candidates;
        this.token = token;
    }

    /** Of one coordinator, without a token. */
    public Api(URI base) {
        this(List.of(base).iterator(), Optional.empty());
    }

    /** Looks at something. */
    public Answer get(String path) throws InterruptedException {
        return call("GET", path, BodyPublishers.noBody());
    }

    /** Asks for something to be done. */
    public Answer post(String path) throws InterruptedException {
        return call("POST", path, BodyPublishers.noBody());
    }

    /** Asks for something to be done, with a JSON body. */
    public Answer post(String path, Object body) throws InterruptedException {
        return call("POST", path, BodyPublishers.ofByteArray(Json.bytes(body)));
    }

    /** Says what something is to be, as JSON. */
    public Answer put(String path, Object body) throws InterruptedException {
        return call("PUT", path, BodyPublishers.ofByteArray(Json.bytes(body)));
    }

    /** Says that something is to be. */
    public Answer put(String path) throws InterruptedException {
        return call("PUT", path, BodyPublishers.noBody());
    }

    /** Takes something away. */
    public Answer delete(String path) throws InterruptedException {
        return call("DELETE", path, BodyPublishers.noBody());
    }

    /** Sends lines as they come; they are read once, and closed. */
    public Answer stream(String path, String type, InputStream lines) throws InterruptedException {
        get("/api/queue"); // Chooses a coordinator that can be reached: a stream cannot be sent twice.
        BodyPublisher body = BodyPublishers.ofInputStream(() -> lines);
        return answer("POST " + path, send(base -> request(base, path).timeout(TO_STREAM).header("Content-Type", type).POST(body),
                BodyHandlers.ofByteArray()));
    }

    /**
     * Opens an answer that has no end, such as server-sent events.
     *
     * @param lastEvent the id of the last event seen, if one was
     * @return the lines, to be closed
     */
    public InputStream follow(String path, Optional<String> lastEvent) throws InterruptedException {
        HttpResponse<InputStream> response = send(base -> {
            HttpRequest.Builder request = request(base, path).header("Accept", "text/event-stream");
            lastEvent.ifPresent(id -> request.header("Last-Event-ID", id));
            return request.GET();
        }, BodyHandlers.ofInputStream());
        if (response.statusCode() / 100 == 2) {
            return response.body();
        }
        throw Problems.of("GET " + path.replaceFirst("\\?.*", ""), base(), response.statusCode(), response.headers(),
                read(response.body()));
    }

    private static byte[] read(InputStream body) {
        try (body) {
            return body.readNBytes(LARGEST_PROBLEM);
        } catch (IOException e) {
            // The status says enough.
            return new byte[0];
        }
    }

    private Answer call(String method, String path, BodyPublisher body) throws InterruptedException {
        return answer(method + " " + path.replaceFirst("\\?.*", ""),
                send(base -> request(base, path).timeout(TO_ANSWER).header("Content-Type", "application/json").method(method,
                        body),
                        BodyHandlers.ofByteArray()));
    }

    private HttpRequest.Builder request(URI base, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path));
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    private interface Call {
        HttpRequest.Builder at(URI base);
    }

    private <T> HttpResponse<T> send(Call call, BodyHandler<T> handler) throws InterruptedException {
        while (true) {
            URI base = base();
            try {
                return http.send(call.at(base).build(), handler);
            } catch (ConnectException | HttpConnectTimeoutException e) {
                // Nothing was sent: another coordinator may be asked, whatever it was.
                if (!another(base)) {
                    throw new Unavailable("no coordinator answers at " + base);
                }
            } catch (IOException e) {
                throw new Unavailable("the coordinator at " + base + " broke off: " + e.getMessage());
            }
        }
    }

    private URI base() {
        choosing.lock();
        try {
            if (chosen == null) {
                chosen = others.next();
            }
            return chosen;
        } finally {
            choosing.unlock();
        }
    }

    private boolean another(URI unreachable) {
        choosing.lock();
        try {
            if (unreachable.equals(chosen) && others.hasNext()) {
                chosen = others.next();
            }
            return !unreachable.equals(chosen);
        } finally {
            choosing.unlock();
        }
    }

    private Answer answer(String call, HttpResponse<byte[]> response) {
        URI base = base();
        if (response.statusCode() / 100 != 2) {
            throw Problems.of(call, base, response.statusCode(), response.headers(), response.body());
        }
        Optional<URI> next = response.headers().allValues("Link").stream().map(NEXT::matcher).filter(Matcher::find)
                .map(link -> response.uri().resolve(link.group(1))).filter(target -> same(target, base)).findFirst();
        return new Answer(base, response.body(), next);
    }

    /** Whether a link leads back to the same server: the token is for nobody else. */
    private static boolean same(URI target, URI base) {
        return base.getScheme().equals(target.getScheme()) && base.getAuthority().equals(target.getAuthority());
    }

    /** A word as a part of a path or of a query. */
    public static String encoded(String word) {
        return URLEncoder.encode(word, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
