package io.trawl.coordinator.probe;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.http.CallSignature;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Calls one worker at its address, signed by this process: the address comes from Redis, so no token is sent there.
 * Thread-safe; calls block.
 */
public final class WorkerCalls implements AutoCloseable {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_LIMIT).build();
    private final Optional<CallSignature> signature;
    private final InstantSource clock;
    private final long largestAnswer;

    /** The result of a call. */
    public sealed interface WorkerReply {
        /** The worker has answered with success. */
        record SuccessfulReply(byte[] body) implements WorkerReply {}

        /**
         * The worker has answered with an error.
         *
         * @param detail as text
         * @param pause the time after which to retry, if given
         */
        record RefusedReply(int status, String detail, Optional<Duration> pause) implements WorkerReply {}

        /** The worker does not answer, or not in time. @param why as text */
        record NoReply(String why) implements WorkerReply {}
    }

    /**
     * @param signature signs calls, if the deployment has a key
     * @param clock of the machine
     * @param largestAnswer in bytes
     */
    public WorkerCalls(Optional<CallSignature> signature, InstantSource clock, long largestAnswer) {
        this.signature = signature;
        this.clock = clock;
        this.largestAnswer = largestAnswer;
    }

    /** Sends a POST request. */
    public WorkerReply post(MID worker, String path, String contentType, byte[] body, Duration limit)
            throws InterruptedException {
        return send(worker, path, "POST", Optional.of(body), Map.of("Content-Type", contentType), limit);
    }

    /** The first success. @param by who answered */
    record Answered(MID by, byte[] body) {}

    /**
     * Sends a POST request to the least loaded module of a kind that answers.
     *
     * @throws NoWorkerException if none answers with success
     */
    Answered postToAny(ModuleKind kind, Registrar registrar, String path, String contentType, byte[] body,
            Duration limit) throws InterruptedException {
        List<String> tried = new ArrayList<>();
        for (Registration module : registrar.byLoad(kind)) {
            switch (post(module.mid(), path, contentType, body, limit)) {
                case WorkerReply.SuccessfulReply(byte[] answer) -> {
                    return new Answered(module.mid(), answer);
                }
                case WorkerReply.RefusedReply(_, String detail, _) -> tried.add(module.mid() + ": " + detail);
                case WorkerReply.NoReply(String why) -> tried.add(module.mid() + ": " + why);
            }
        }
        throw new NoWorkerException(kind, tried);
    }

    /** Sends a GET request. @param pathAndQuery encoded */
    public WorkerReply get(MID worker, String pathAndQuery, Duration limit) throws InterruptedException {
        return send(worker, pathAndQuery, "GET", Optional.empty(), Map.of(), limit);
    }

    private WorkerReply send(MID worker, String path, String method, Optional<byte[]> body, Map<String, String> headers,
            Duration limit) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + worker.address() + path))
                .timeout(limit).method(method, body.map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody));
        headers.forEach(request::header);
        signature.ifPresent(
                s -> s.headers(method, worker.address(), path, body, clock.instant()).forEach(request::header));
        try {
            HttpResponse<byte[]> response = client.send(request.build(),
                    BodyHandlers.limiting(BodyHandlers.ofByteArray(), largestAnswer));
            return response.statusCode() == 200
                    ? new WorkerReply.SuccessfulReply(response.body())
                    : new WorkerReply.RefusedReply(response.statusCode(), detail(response), pause(response));
        } catch (IOException e) {
            return new WorkerReply.NoReply(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }

    /** The {@code detail} of a problem document. */
    private record ProblemDetail(String detail) {}

    private static String detail(HttpResponse<byte[]> response) {
        try {
            return String.valueOf(Json.read(response.body(), ProblemDetail.class).detail());
        } catch (MalformedRecordException e) {
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

    /** No worker of a kind answers. The message may be shown to users. */
    public static final class NoWorkerException extends RuntimeException {
        /** @param tried the result of each call, as text */
        public NoWorkerException(ModuleKind kind, List<String> tried) {
            super(tried.isEmpty()
                    ? "no " + kind.word() + " is registered"
                    : "no " + kind.word() + " answers: " + String.join("; ", tried));
        }
    }
}
