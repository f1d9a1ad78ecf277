package io.trawl.pipeline.spi;

import io.trawl.http.HttpCaller;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Calls of servers that may ask to wait, by 429 or 503. Such a call is repeated for a few seconds; then it fails, and
 * no other call is made to that server until the time that it has named is over. Confined to one thread.
 */
public final class RemoteCalls implements AutoCloseable {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration MOST_WAITED = Duration.ofSeconds(3);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    /** Ten documents of the largest size. */
    private static final int MOST_ANSWERED = 128 << 20;
    private static final int MOST_SHOWN = 500;
    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;
    private final Time time;
    private final Map<String, Long> notBefore = new HashMap<>();
    private final HttpCaller caller = new HttpCaller(MOST_ANSWERED);

    /** Opens connections when they are needed. */
    public RemoteCalls(Time time) {
        this.time = time;
    }

    /** What a server has answered. */
    public record RemoteAnswer(int status, HttpHeaders headers, byte[] body) {
        /** The failure that it is, with the beginning of what the server says. */
        public IOException failure(String doing) {
            String said = new String(body, StandardCharsets.UTF_8).strip();
            return new IOException(doing + " answers " + status
                    + (said.isEmpty() ? "" : ": " + said.substring(0, Math.min(said.length(), MOST_SHOWN))));
        }

        private boolean asksToWait() {
            return status == TOO_MANY || status == UNAVAILABLE;
        }

        /** The first value of a header. */
        public Optional<String> header(String name) {
            return headers.firstValue(name);
        }
    }

    /**
     * Makes a call.
     *
     * @param request makes the request, anew for each attempt
     * @return any answer but that the server asks to wait
     * @throws IOException if the server does not answer, or asks to wait for longer than a call may take; the message
     * is for people
     */
    public RemoteAnswer send(Supplier<HttpRequest> request) throws IOException, InterruptedException {
        Duration waited = Duration.ZERO;
        Duration pause = FIRST;
        while (true) {
            RemoteAnswer answer = once(request.get());
            if (!answer.asksToWait()) {
                return answer;
            }
            pause = longer(pause, answer.header("Retry-After"));
            waited = waited.plus(pause);
            if (waited.compareTo(MOST_WAITED) > 0) {
                URI server = request.get().uri();
                answer.header("Retry-After").ifPresent(text -> hold(server, longer(Duration.ZERO, Optional.of(text))));
                throw answer.failure(server.getAuthority());
            }
            time.pause(pause);
            pause = pause.multipliedBy(2);
        }
    }

    /** No call is made to a server for so long. */
    private void hold(URI server, Duration pause) {
        notBefore.put(server.getAuthority(), time.nanos() + pause.toNanos());
    }

    private static Duration longer(Duration pause, Optional<String> retryAfter) {
        return retryAfter.filter(text -> text.matches("[0-9]{1,9}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)))
                .map(asked -> asked.compareTo(LONGEST) > 0 ? LONGEST : asked)
                .filter(asked -> asked.compareTo(pause) > 0).orElse(pause);
    }

    private RemoteAnswer once(HttpRequest request) throws IOException, InterruptedException {
        String server = request.uri().getAuthority();
        long left = notBefore.getOrDefault(server, time.nanos()) - time.nanos();
        if (left > 0) {
            throw new IOException(server + " has asked to wait, for another "
                    + Math.ceilDiv(left, Duration.ofSeconds(1).toNanos()) + " s");
        }
        notBefore.remove(server);
        try {
            HttpResponse<byte[]> response = caller.send(request);
            return new RemoteAnswer(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new IOException(server + " does not answer: " + e.getMessage(), e);
        }
    }

    /**
     * A pause before what a server was too busy for is asked again, in a call that has paused so often. @throws
     * IOException after too many
     */
    public void pause(String server, int pauses, String cause) throws IOException, InterruptedException {
        Duration pause = FIRST.multipliedBy(1L << Math.min(pauses, 10));
        if (pause.compareTo(MOST_WAITED) > 0) {
            throw new IOException(server + " is too busy: " + cause);
        }
        time.pause(pause);
    }

    @Override
    public void close() {
        caller.close();
    }
}
