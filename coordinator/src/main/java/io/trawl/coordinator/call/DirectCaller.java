package io.trawl.coordinator.call;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.call.ModuleReply.CallReply;
import io.trawl.http.CallSignature;
import io.trawl.http.HttpCaller;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.MID;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Calls one module at its address, signed by this process: the address comes from Redis, so no token is sent there.
 * Thread-safe; calls block.
 */
public final class DirectCaller implements AutoCloseable {
    private final HttpCaller caller;

    /**
     * @param signature signs calls, if the deployment has a key
     * @param clock of the machine
     * @param largestAnswer in bytes
     */
    public DirectCaller(Optional<CallSignature> signature, InstantSource clock, long largestAnswer) {
        this.caller = new HttpCaller(signature, clock, largestAnswer);
    }

    /** Asks a module. */
    public <A> CallReply<A> ask(MID module, ModuleQuestion<A> question) throws InterruptedException {
        Optional<byte[]> body = question.body().map(ModuleQuestion.CallBody::bytes);
        HttpRequest.Builder request;
        try {
            request = caller.request(body.isPresent() ? "POST" : "GET", module.address(), question.path(), body,
                    Optional.empty()).timeout(question.limit());
        } catch (IllegalArgumentException e) {
            return new ModuleReply.SilenceOf<>(module, "its address is none: " + e.getMessage());
        }
        question.body().ifPresent(sent -> request.header("Content-Type", sent.type()));
        try {
            HttpResponse<byte[]> response = caller.send(request.build());
            return response.statusCode() == 200
                    ? new ModuleReply.AnswerOf<>(module, question.reader().apply(response.body()))
                    : refusal(module, response);
        } catch (IOException e) {
            return new ModuleReply.SilenceOf<>(module, String.valueOf(e.getMessage()));
        } catch (MalformedRecordException e) {
            return new ModuleReply.SilenceOf<>(module, "its answer is not valid: " + e.getMessage());
        }
    }

    /** Of a problem document. */
    private record ProblemDetail(Optional<String> detail, Optional<List<Fault>> faults) {}

    private static <A> ModuleReply.RefusalOf<A> refusal(MID module, HttpResponse<byte[]> response) {
        ProblemDetail problem;
        try {
            problem = Json.read(response.body(), ProblemDetail.class);
        } catch (MalformedRecordException e) {
            String text = new String(response.body(), StandardCharsets.UTF_8).strip();
            problem = new ProblemDetail(Optional.of(text.length() > 200 ? text.substring(0, 200) : text),
                    Optional.empty());
        }
        return new ModuleReply.RefusalOf<>(module, response.statusCode(),
                problem.detail().orElse("status " + response.statusCode()), problem.faults().orElse(List.of()),
                pause(response));
    }

    private static Optional<Duration> pause(HttpResponse<byte[]> response) {
        return response.headers().firstValue("Retry-After").filter(value -> value.matches("[0-9]{1,9}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)));
    }

    @Override
    public void close() {
        caller.close();
    }
}
