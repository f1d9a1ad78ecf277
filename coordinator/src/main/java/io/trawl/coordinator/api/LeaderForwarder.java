package io.trawl.coordinator.api;

import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.http.CallSignature;
import io.trawl.http.HttpCaller;
import io.trawl.model.InvalidValueException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes a request on to the coordinator that leads. Who leads is known only by asking: the registrar may be a second
 * late, so one that says it does not lead (421) is no answer, and the next is tried. A request that was passed on once
 * is not passed on again. The caller's token is not passed on, since the addresses come from Redis: this coordinator
 * has judged the call, and signs what it passes on. Thread-safe.
 */
final class LeaderForwarder implements AutoCloseable {
    /** Marks a request that was passed on. */
    static final String MARK = "Trawl-Forwarded";
    /** What a coordinator that does not lead answers to a request that was passed on. */
    static final int NOT_THE_LEADER = 421;
    private static final Logger LOG = LoggerFactory.getLogger(LeaderForwarder.class);
    private static final List<String> PASSED_ON = List.of("Accept", "Content-Type", "If-Match", "If-None-Match");
    private static final List<String> PASSED_BACK = List.of("ETag", "Link", "Location", "Retry-After",
            "WWW-Authenticate", "Vary");
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Duration LONGEST_STREAM = Duration.ofMinutes(30);
    private static final long LARGEST_ANSWER = 64 << 20;
    private final HttpCaller caller;

    /**
     * @param signature signs calls, if the deployment has a key
     * @param clock of the machine
     */
    LeaderForwarder(Optional<CallSignature> signature, InstantSource clock) {
        this.caller = new HttpCaller(signature, clock, LARGEST_ANSWER);
    }

    /** What came back, with the headers that mean something to the caller. */
    private static CallResponse answer(HttpResponse<byte[]> response) {
        Map<String, String> headers = new HashMap<>();
        PASSED_BACK.forEach(name -> response.headers().firstValue(name).ifPresent(value -> headers.put(name, value)));
        return new CallResponse(response.statusCode(), response.headers().firstValue("Content-Type").orElse(""),
                response.body(), headers);
    }

    /** The connection to the leader broke while a body was passed on. The leader may have taken a part of it. */
    static final class LeaderLostException extends RuntimeException {
        LeaderLostException(String address, IOException cause) {
            super("the connection to the coordinator at " + address
                    + " broke, and some seeds may be taken; sending them again does no harm", cause);
        }
    }

    /** The leader's answer to a call; empty if none of them leads. */
    Optional<CallResponse> ask(List<String> addresses, Call call) throws InterruptedException {
        byte[] body = call.body();
        return first(addresses, address -> request(address, call, Optional.of(body)).timeout(LONGEST), (_, _) -> {});
    }

    /**
     * The leader's answer to a call whose body is passed on as it comes; empty if none of them leads, and then nothing
     * of the body is read: it is sent only to a coordinator that wants it (RFC 9110, section 10.1.1).
     *
     * @throws LeaderLostException if the connection to the leader broke after some of the body was sent
     */
    Optional<CallResponse> pass(List<String> addresses, Call call) throws InterruptedException {
        AtomicBoolean touched = new AtomicBoolean();
        BodyPublisher body = BodyPublishers.ofInputStream(() -> {
            touched.set(true);
            return new FilterInputStream(call.stream()) {
                /** It belongs to the server: closed too early, it fails the call. */
                @Override
                public void close() {}
            };
        });
        return first(addresses, address -> request(address, call, Optional.empty()).timeout(LONGEST_STREAM)
                .expectContinue(true).method(call.route().method(), body), (address, e) -> {
                    if (touched.get()) {
                        throw new LeaderLostException(address, e);
                    }
                });
    }

    private Optional<CallResponse> first(List<String> addresses, Function<String, HttpRequest.Builder> request,
            BiConsumer<String, IOException> silent) throws InterruptedException {
        for (String address : addresses) {
            try {
                HttpResponse<byte[]> response = caller.send(request.apply(address).build());
                if (response.statusCode() != NOT_THE_LEADER) {
                    return Optional.of(answer(response));
                }
            } catch (IOException e) {
                LOG.debug("the coordinator at {} does not answer: {}", address, e.getMessage());
                silent.accept(address, e);
            }
        }
        return Optional.empty();
    }

    private HttpRequest.Builder request(String address, Call call, Optional<byte[]> body) {
        try {
            HttpRequest.Builder request = caller.request(call.route().method(), address, call.head().target(), body,
                    Optional.of(call.caller().name())).header(MARK, "1");
            PASSED_ON.forEach(name -> call.header(name).ifPresent(value -> request.header(name, value)));
            return request;
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("query", call.head().target(),
                    "a path and query in which special characters are percent-encoded");
        }
    }

    @Override
    public void close() {
        caller.close();
    }
}
