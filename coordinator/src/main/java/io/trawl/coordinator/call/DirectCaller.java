package io.trawl.coordinator.call;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.call.ModuleReply.CallReply;
import io.trawl.http.CallSignature;
import io.trawl.model.MID;
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
import java.util.Optional;

/**
 * Calls one module at its address, signed by this process: the address comes from Redis, so no token is sent there.
 * Thread-safe; calls block.
 */
public final class DirectCaller implements AutoCloseable {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_LIMIT).build();
    private final Optional<CallSignature> signature;
    private final InstantSource clock;
    private final long largestAnswer;

    /**
     * @param signature signs calls, if the deployment has a key
     * @param clock of the machine
     * @param largestAnswer in bytes
     */
    public DirectCaller(Optional<CallSignature> signature, InstantSource clock, long largestAnswer) {
        this.signature = signature;
        this.clock = clock;
        this.largestAnswer = largestAnswer;
    }

    /** Asks a module. */
    public <A> CallReply<A> ask(MID module, ModuleQuestion<A> question) throws InterruptedException {
        Optional<byte[]> body = question.body().map(ModuleQuestion.CallBody::bytes);
        String method = body.isPresent() ? "POST" : "GET";
        HttpRequest.Builder request;
        try {
            request = HttpRequest.newBuilder(URI.create("http://" + module.address() + question.path()));
        } catch (IllegalArgumentException e) {
            return new ModuleReply.SilenceOf<>(module, "its address is none: " + e.getMessage());
        }
        request.timeout(question.limit()).method(method,
                body.map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody));
        question.body().ifPresent(sent -> request.header("Content-Type", sent.type()));
        signature.ifPresent(s -> s.headers(method, module.address(), question.path(), body, clock.instant())
                .forEach(request::header));
        try {
            HttpResponse<byte[]> response = client.send(request.build(),
                    BodyHandlers.limiting(BodyHandlers.ofByteArray(), largestAnswer));
            return response.statusCode() == 200
                    ? new ModuleReply.AnswerOf<>(module, question.reader().apply(response.body()))
                    : new ModuleReply.RefusalOf<>(module, response.statusCode(), detail(response), pause(response));
        } catch (IOException e) {
            return new ModuleReply.SilenceOf<>(module,
                    e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        } catch (MalformedRecordException e) {
            return new ModuleReply.SilenceOf<>(module, "its answer is not valid: " + e.getMessage());
        }
    }

    /** The {@code detail} of a problem document. */
    private record ProblemDetail(Optional<String> detail) {}

    private static String detail(HttpResponse<byte[]> response) {
        try {
            return Json.read(response.body(), ProblemDetail.class).detail().orElse("status " + response.statusCode());
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
}
