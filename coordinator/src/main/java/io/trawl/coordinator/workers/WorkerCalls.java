package io.trawl.coordinator.workers;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.model.MID;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Asks one worker at its address, with the token of this process. Thread-safe; calls block. */
public final class WorkerCalls implements AutoCloseable {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT_LIMIT)
            .build();
    private final Optional<String> credentials;
    private final long largestAnswer;

    /** What came of a call. */
    public sealed interface Reply {
        /** It did what was asked. */
        record Done(byte[] body) implements Reply {}

        /**
         * It would not, or could not.
         *
         * @param detail in words for people
         * @param pause after how long to ask again, if it says so
         */
        record Turned(int status, String detail, Optional<Duration> pause) implements Reply {}

        /** Nobody answers there, or not in time. @param why in words for people */
        record Silent(String why) implements Reply {}
    }

    /**
     * @param credentials the {@code Authorization} header, if workers want one
     * @param largestAnswer in bytes
     */
    public WorkerCalls(Optional<String> credentials, long largestAnswer) {
        this.credentials = credentials;
        this.largestAnswer = largestAnswer;
    }

    /** Has something done. */
    public Reply post(MID worker, String path, String contentType, byte[] body, Duration limit) throws InterruptedException {
        return send(worker, path, "POST", BodyPublishers.ofByteArray(body), Map.of("Content-Type", contentType), limit);
    }

    /** Asks something. @param pathAndQuery encoded */
    public Reply get(MID worker, String pathAndQuery, Duration limit) throws InterruptedException {
        return send(worker, pathAndQuery, "GET", BodyPublishers.noBody(), Map.of(), limit);
    }

    private Reply send(MID worker, String path, String method, BodyPublisher body, Map<String, String> headers, Duration limit)
            throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + worker.address() + path)).timeout(limit)
                .method(method, body);
        headers.forEach(request::header);
        credentials.ifPresent(value -> request.header("Authorization", value));
        try {
            HttpResponse<byte[]> response = client.send(request.build(),
                    BodyHandlers.limiting(BodyHandlers.ofByteArray(), largestAnswer));
            return response.statusCode() == 200
                    ? new Reply.Done(response.body())
                    : new Reply.Turned(response.statusCode(), detail(response), pause(response));
        } catch (IOException e) {
            return new Reply.Silent(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }

    /** The part of a problem document that says what this case is. */
    private record ProblemDetail(String detail) {}

    private static String detail(HttpResponse<byte[]> response) {
        try {
            return String.valueOf(Json.read(response.body(), ProblemDetail.class).detail());
        } catch (MalformedRecord e) {
            String text = new String(response.body(), StandardCharsets.UTF_8).strip();
            return text.length() > 200 ? text.substring(0, 200) : text;
        }
    }

    private static Optional<Duration> pause(HttpResponse<byte[]> response) {
        return response.headers().firstValue("Retry-After").filter(value -> value.matches("[0-9]{1,9}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)));
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
