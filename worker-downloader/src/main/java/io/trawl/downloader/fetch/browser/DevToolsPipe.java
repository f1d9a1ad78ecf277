package io.trawl.downloader.fetch.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.trawl.codec.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The DevTools protocol over a pair of pipes: JSON, each message followed by a zero byte. Unlike a port, pipes are open
 * to no other process, and the browser ends when they do. Thread-safe; no caller waits for a browser that does not
 * read.
 */
final class DevToolsPipe implements AutoCloseable {
    private static final Pattern ID = Pattern.compile("^\\{\"id\":([0-9]{1,18})[,}]");
    private static final int HEAD = 64;
    private final InputStream in;
    private final OutputStream out;
    private final int largest;
    private final AtomicLong ids = new AtomicLong();
    private final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();
    private final Map<Long, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
    private final Map<String, Consumer<JsonNode>> sessions = new ConcurrentHashMap<>();
    private final Thread writer;
    private volatile boolean ended;

    /** @param largest the size of the largest message, in bytes; what is longer is dropped, and its call fails */
    DevToolsPipe(InputStream in, OutputStream out, int largest) {
        this.in = new BufferedInputStream(in, 1 << 16);
        this.out = out;
        this.largest = largest;
        this.writer = Thread.ofPlatform().daemon().name("browser-out").start(this::write);
        Thread.ofPlatform().daemon().name("browser-in").start(this::read);
    }

    /** Receives the events of a session, on a thread that must not block. */
    void listen(String session, Consumer<JsonNode> events) {
        sessions.put(session, events);
    }

    /** Ends {@link #listen}. */
    void forget(String session) {
        sessions.remove(session);
    }

    /**
     * Calls a method and waits for its result.
     *
     * @param session empty for the browser itself
     * @throws BrowserGoneException if the browser has ended
     * @throws TimeoutException if it does not answer in time
     * @throws IOException if the method fails
     */
    JsonNode call(String session, String method, Map<String, ?> parameters, Duration limit)
            throws BrowserGoneException, IOException, TimeoutException, InterruptedException {
        long id = ids.incrementAndGet();
        CompletableFuture<JsonNode> reply = new CompletableFuture<>();
        calls.put(id, reply);
        send(id, session, method, parameters);
        if (ended) {
            reply.completeExceptionally(new BrowserGoneException("the browser has ended"));
        }
        try {
            JsonNode answer = reply.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.has("error")) {
                throw new IOException(method + ": " + answer.path("error").path("message").asText("failed"));
            }
            return answer.path("result");
        } catch (ExecutionException e) {
            throw new BrowserGoneException("the browser has ended");
        } catch (TimeoutException e) {
            throw new TimeoutException("the page did not answer " + method + " in time");
        } finally {
            calls.remove(id);
        }
    }

    /** Calls a method whose result is not needed. */
    void tell(String session, String method, Map<String, ?> parameters) {
        send(ids.incrementAndGet(), session, method, parameters);
    }

    private void send(long id, String session, String method, Map<String, ?> parameters) {
        Map<String, Object> message = new LinkedHashMap<>(Map.of("id", id, "method", method, "params", parameters));
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        outgoing.add(Json.bytes(message));
    }

    private void write() {
        try (out) {
            while (!ended) {
                out.write(outgoing.take());
                out.write(0);
                out.flush();
            }
        } catch (IOException | InterruptedException e) {
            // the reader notices the end, too
        }
    }

    private void read() {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        long length = 0;
        try (in) {
            for (int b = in.read(); b >= 0; b = in.read()) {
                if (b != 0) {
                    if (length++ < largest) {
                        message.write(b);
                    }
                } else {
                    received(message, length);
                    message = new ByteArrayOutputStream();
                    length = 0;
                }
            }
        } catch (IOException e) {
            // ended, as below
        } finally {
            end();
        }
    }

    private void received(ByteArrayOutputStream message, long length) {
        if (length > largest) {
            Matcher id = ID.matcher(message.toString(StandardCharsets.UTF_8).substring(0, HEAD));
            if (id.find()) {
                Optional.ofNullable(calls.get(Long.valueOf(id.group(1))))
                        .ifPresent(call -> call.complete(tooLarge(length)));
            }
            return;
        }
        JsonNode json = Json.read(message.toByteArray(), JsonNode.class);
        if (json.has("id")) {
            Optional.ofNullable(calls.get(json.path("id").asLong())).ifPresent(call -> call.complete(json));
        } else {
            Optional.ofNullable(sessions.get(json.path("sessionId").asText()))
                    .ifPresent(session -> session.accept(json));
        }
    }

    private static JsonNode tooLarge(long length) {
        return Json.mapper()
                .valueToTree(Map.of("error", Map.of("message", "an answer of " + length + " bytes is too large")));
    }

    private void end() {
        ended = true;
        writer.interrupt();
        calls.values().forEach(call -> call.completeExceptionally(new BrowserGoneException("the browser has ended")));
        sessions.values().forEach(session -> session.accept(MissingNode.getInstance()));
    }

    /** Whether the browser has ended. */
    boolean ended() {
        return ended;
    }

    @Override
    public void close() {
        end();
    }
}
