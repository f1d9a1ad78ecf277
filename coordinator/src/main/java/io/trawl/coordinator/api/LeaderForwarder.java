package io.trawl.coordinator.api;

import io.javalin.http.Context;
import io.trawl.http.CallSignature;
import io.trawl.model.InvalidValueException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private static final Duration LONGEST_STREAM = Duration.ofMinutes(30);
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2)).build();
    private final Optional<CallSignature> signature;
    private final InstantSource clock;

    /**
     * @param signature signs calls, if the deployment has a key
     * @param clock of the machine
     */
    LeaderForwarder(Optional<CallSignature> signature, InstantSource clock) {
        this.signature = signature;
        this.clock = clock;
    }

    /** What is passed on, with the headers that mean something to the leader. */
    record Question(String method, String pathAndQuery, Map<String, String> headers, byte[] body, String caller) {
        private static final List<String> PASSED_ON = List.of("Accept", "Content-Type", "If-Match", "If-None-Match");

        /** The question that a call asks. */
        static Question of(Context ctx) {
            return of(ctx, CallBodies.bytes(ctx));
        }

        /** The same without its body. */
        static Question head(Context ctx) {
            return of(ctx, new byte[0]);
        }

        private static Question of(Context ctx, byte[] body) {
            Map<String, String> headers = new HashMap<>(ctx.headerMap());
            headers.keySet().removeIf(name -> PASSED_ON.stream().noneMatch(name::equalsIgnoreCase));
            return new Question(ctx.method().name(), CallBodies.head(ctx).target(), headers, body,
                    CallBodies.caller(ctx).name());
        }
    }

    /** What came back, with the headers that mean something to the caller. */
    record Answer(int status, Map<String, String> headers, byte[] body) {
        private static final List<String> PASSED_BACK = List.of("Content-Type", "ETag", "Link", "Location",
                "Retry-After", "WWW-Authenticate", "Vary");

        private static Answer of(HttpResponse<byte[]> response) {
            Map<String, String> headers = new HashMap<>();
            PASSED_BACK
                    .forEach(name -> response.headers().firstValue(name).ifPresent(value -> headers.put(name, value)));
            return new Answer(response.statusCode(), headers, response.body());
        }
    }

    /** The connection to the leader broke while a body was passed on. The leader may have taken a part of it. */
    static final class LeaderLostException extends RuntimeException {
        LeaderLostException(String address, IOException cause) {
            super("the connection to the coordinator at " + address
                    + " broke, and some seeds may be taken; sending them again does no harm", cause);
        }
    }

    /** The leader's answer; empty if none of them leads. */
    Optional<Answer> ask(List<String> addresses, Question question) throws InterruptedException {
        for (String address : addresses) {
            Optional<Answer> answer = askOne(address, question);
            if (answer.isPresent()) {
                return answer;
            }
        }
        return Optional.empty();
    }

    /**
     * The leader's answer to a question with a body that is passed on as it comes; empty if none of them leads, and
     * then nothing of the body is read: it is sent only to a coordinator that wants it (RFC 9110, section 10.1.1).
     *
     * @throws LeaderLostException if the connection to the leader broke after some of the body was sent
     */
    Optional<Answer> pass(List<String> addresses, Question head, InputStream body) throws InterruptedException {
        UntouchedBody once = new UntouchedBody(body);
        for (String address : addresses) {
            HttpRequest.Builder request = HttpRequest.newBuilder(target(address, head)).timeout(LONGEST_STREAM)
                    .expectContinue(true).header(MARK, "1")
                    .method(head.method(), HttpRequest.BodyPublishers.ofInputStream(() -> once));
            head.headers().forEach(request::header);
            sign(request, address, head, Optional.empty());
            try {
                HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
                if (response.statusCode() != NOT_THE_LEADER) {
                    return Optional.of(Answer.of(response));
                }
            } catch (IOException e) {
                LOG.debug("the coordinator at {} does not answer: {}", address, e.getMessage());
                if (once.touched()) {
                    throw new LeaderLostException(address, e);
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Answer> askOne(String address, Question question) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(target(address, question)).timeout(Duration.ofSeconds(60))
                .header(MARK, "1").method(question.method(), HttpRequest.BodyPublishers.ofByteArray(question.body()));
        question.headers().forEach(request::header);
        sign(request, address, question, Optional.of(question.body()));
        try {
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return response.statusCode() == NOT_THE_LEADER ? Optional.empty() : Optional.of(Answer.of(response));
        } catch (IOException e) {
            LOG.debug("the coordinator at {} does not answer: {}", address, e.getMessage());
            return Optional.empty();
        }
    }

    private void sign(HttpRequest.Builder request, String address, Question question, Optional<byte[]> body) {
        signature.ifPresent(s -> s.headers(question.method(), address, question.pathAndQuery(), body, clock.instant(),
                Optional.of(question.caller())).forEach(request::header));
    }

    private static URI target(String address, Question question) {
        try {
            return URI.create("http://" + address + question.pathAndQuery());
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException("query", question.pathAndQuery(),
                    "a path and query in which special characters are percent-encoded");
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    /** A body that can be read once, and says whether reading has begun. */
    private static final class UntouchedBody extends FilterInputStream {
        private volatile boolean touched;

        UntouchedBody(InputStream in) {
            super(in);
        }

        boolean touched() {
            return touched;
        }

        @Override
        public int read() throws IOException {
            touched = true;
            return super.read();
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            touched = true;
            return super.read(into, from, length);
        }

        /** It belongs to the server, which closes it. */
        @Override
        public void close() {}
    }
}
