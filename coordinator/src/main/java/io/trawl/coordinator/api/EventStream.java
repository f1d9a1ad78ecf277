package io.trawl.coordinator.api;

import io.javalin.http.Context;
import io.trawl.coordinator.tail.Entry;
import io.trawl.coordinator.tail.Feed;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * An answer that goes on: server-sent events (WHATWG HTML, section 9.2), each with the id of its entry, so that a client that was cut off goes on where it was.
 * Runs on the thread of its call, which is a virtual one. Ends when the client is gone, has fallen too far behind, or the coordinator stops.
 */
final class EventStream {
    /** Shorter than the time after which servers and proxies take a silent connection for dead. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int AGAIN_MILLIS = 2000;
    private final OutputStream out;

    EventStream(Context ctx) throws IOException {
        ctx.disableCompression();
        ctx.status(200).contentType("text/event-stream").header("Cache-Control", "no-store").header("X-Accel-Buffering", "no");
        this.out = ctx.res().getOutputStream();
    }

    /**
     * Sends what the feed gives until it ends, or the client is gone.
     *
     * @param data one line of text
     */
    <T> void send(String event, Feed<T> feed, Function<Entry<T>, String> data) throws IOException, InterruptedException {
        try {
            write("retry: " + AGAIN_MILLIS + "\n\n");
            Duration silent = Duration.ZERO;
            while (!feed.ended()) {
                Optional<Entry<T>> next = feed.next(LOOK);
                if (next.isPresent()) {
                    write("event: " + event + "\nid: " + next.get().id() + "\ndata: " + data.apply(next.get()) + "\n\n");
                    silent = Duration.ZERO;
                } else if ((silent = silent.plus(LOOK)).compareTo(HEARTBEAT) >= 0) {
                    write(": still here\n\n");
                    silent = Duration.ZERO;
                }
            }
        } catch (IOException e) {
            // The client is gone: nobody is left who could be told.
            return;
        }
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
