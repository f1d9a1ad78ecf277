package io.trawl.worker;

import com.sun.net.httpserver.HttpExchange;
import io.trawl.access.Access;
import io.trawl.codec.MalformedRecord;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.InvalidValue;
import io.trawl.worker.DirectCall.Answer;
import io.trawl.worker.DirectCall.Question;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets direct calls in: judges who is asking, how much is sent and how many are asking at a time, and tells what is wrong as problem documents (RFC 9457).
 * Thread-safe.
 */
final class DirectDoor {
    private static final Logger LOG = LoggerFactory.getLogger(DirectDoor.class);
    /** Bodies of this size are read from whoever has the token: so many at a time. */
    private static final int MOST_AT_A_TIME = 16;
    private final Access access;
    private final Semaphore room = new Semaphore(MOST_AT_A_TIME);

    DirectDoor(Access access) {
        this.access = access;
    }

    /** A question that gets no answer but this. */
    private static final class Turned extends Exception {
        private final int status;
        private final Map<String, String> headers;

        Turned(int status, String detail, Map<String, String> headers) {
            super(detail);
            this.status = status;
            this.headers = headers;
        }

        Turned(int status, String detail) {
            this(status, detail, Map.of());
        }
    }

    /** Answers, whatever is asked. @param now empty while the module starts */
    void serve(HttpExchange exchange, @Nullable ModulePages now) throws IOException {
        try {
            send(exchange, answer(exchange, now));
        } catch (Turned e) {
            send(exchange, Answer.problem(e.status, e.getMessage(), e.headers));
        }
    }

    private Answer answer(HttpExchange exchange, @Nullable ModulePages now) throws IOException, Turned {
        if (now == null) {
            throw new Turned(503, "starting", Map.of("Retry-After", "1"));
        }
        DirectCall call = find(exchange, now);
        judge(exchange, call);
        if (!room.tryAcquire()) {
            throw new Turned(503, "too many calls at a time", Map.of("Retry-After", "1"));
        }
        try {
            return answer(call, new Question(query(exchange), body(exchange, call)));
        } finally {
            room.release();
        }
    }

    private static DirectCall find(HttpExchange exchange, ModulePages now) throws Turned {
        String path = exchange.getRequestURI().getPath();
        DirectCall call = now.calls().stream().filter(c -> c.path().equals(path)).findFirst()
                .orElseThrow(() -> new Turned(404, "no such page"));
        if (!call.method().equals(exchange.getRequestMethod())) {
            throw new Turned(405, "only " + call.method(), Map.of("Allow", call.method()));
        }
        return call;
    }

    private void judge(HttpExchange exchange, DirectCall call) throws Turned {
        Optional<String> authorization = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"));
        switch (access.judge(authorization, call.needed())) {
            case GRANTED -> {
            }
            case UNKNOWN ->
                throw new Turned(401, "a token is needed: Authorization: Bearer TOKEN",
                        Map.of("WWW-Authenticate", "Bearer realm=\"trawl\""));
            case FORBIDDEN -> throw new Turned(403, "this token may not do that");
        }
        String type = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type")).orElse("");
        if (!call.accepts().isEmpty() && !type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(call.accepts())) {
            throw new Turned(415, "the body is " + call.accepts());
        }
    }

    private static byte[] body(HttpExchange exchange, DirectCall call) throws IOException, Turned {
        byte[] body = exchange.getRequestBody().readNBytes(call.largestBody() + 1);
        if (body.length > call.largestBody()) {
            throw new Turned(413, "a body has at most " + call.largestBody() + " bytes here");
        }
        return body;
    }

    private static Map<String, String> query(HttpExchange exchange) throws Turned {
        Map<String, String> query = new HashMap<>();
        String raw = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
        try {
            for (String part : raw.split("&")) {
                String[] pair = part.split("=", 2);
                query.put(decoded(pair[0]), pair.length == 2 ? decoded(pair[1]) : "");
            }
        } catch (IllegalArgumentException e) {
            throw new Turned(400, "the query cannot be read: " + e.getMessage());
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static Answer answer(DirectCall call, Question question) throws Turned {
        try {
            return call.handler().answer(question);
        } catch (InvalidValue | MalformedRecord e) {
            throw new Turned(400, String.valueOf(e.getMessage()));
        } catch (LedgerUnavailable e) {
            throw new Turned(503, String.valueOf(e.getMessage()), Map.of("Retry-After", "1"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Turned(503, "stopping");
        } catch (RuntimeException e) {
            LOG.error("error while answering {}", call.path(), e);
            throw new Turned(500, "an error of the module: see its log");
        }
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.getResponseHeaders().set("Content-Type", answer.contentType());
        exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
        exchange.getResponseBody().write(answer.body());
    }
}
