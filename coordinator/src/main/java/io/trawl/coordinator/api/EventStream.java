package io.trawl.coordinator.api;

import io.javalin.http.Context;
import io.trawl.coordinator.feed.FeedEntry;
import io.trawl.coordinator.feed.FeedSubscription;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A streamed response: server-sent events (WHATWG HTML, section 9.2), each with the id of its entry, so that a
 * disconnected client resumes after the last one. Runs on the virtual thread of its call. Ends when the client
 * disconnects or falls too far behind, or the coordinator stops.
 */
final class EventStream {
    /** Shorter than the idle time-out of servers and proxies. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int AGAIN_MILLIS = 2000;
    /** The attribute of a request that wants no more than the headers of a stream. */
    static final String HEADERS_ONLY = "trawl.headers-only";
    private final Context ctx;
    private final boolean headersOnly;

    EventStream(Context ctx) {
        this.ctx = ctx;
        this.headersOnly = Boolean.TRUE.equals(ctx.req().getAttribute(HEADERS_ONLY));
    }

    private void begin() throws IOException {
        ctx.disableCompression();
        ctx.status(200).contentType("text/event-stream").header("Cache-Control", "no-store").header("X-Accel-Buffering",
                "no");
        write("retry: " + AGAIN_MILLIS + "\n\n");
    }

    /**
     * Sends the entries of the feed until it ends or the client disconnects.
     *
     * @param data one line of text
     */
    <T> void send(String event, FeedSubscription<T> feedSubscription, Function<FeedEntry<T>, String> data)
            throws IOException, InterruptedException {
        try {
            begin();
            Duration silent = Duration.ZERO;
            while (!headersOnly && !feedSubscription.ended()) {
                Optional<FeedEntry<T>> next = feedSubscription.next(LOOK);
                if (next.isPresent()) {
                    write("event: " + event + "\nid: " + next.get().id() + "\ndata: " + data.apply(next.get())
                            + "\n\n");
                    silent = Duration.ZERO;
                } else if ((silent = silent.plus(LOOK)).compareTo(HEARTBEAT) >= 0) {
                    write(": still here\n\n");
                    silent = Duration.ZERO;
                }
            }
        } catch (IOException e) {
            // The client has disconnected.
            return;
        }
    }

    /**
     * Sends a state whenever it has changed, until the client disconnects.
     *
     * @param state one line of text
     */
    void sendChanges(String event, Supplier<String> state, Time time) throws InterruptedException {
        try {
            begin();
            String sent = "";
            Duration silent = Duration.ZERO;
            while (!headersOnly) {
                String now = state.get();
                silent = silent.plus(LOOK);
                if (!now.equals(sent)) {
                    write("event: " + event + "\nid: " + time.now().toEpochMilli() + "\ndata: " + now + "\n\n");
                    silent = Duration.ZERO;
                } else if (silent.compareTo(HEARTBEAT) >= 0) {
                    write(": still here\n\n");
                    silent = Duration.ZERO;
                }
                sent = now;
                time.pause(LOOK);
            }
        } catch (IOException e) {
            // The client has disconnected.
            return;
        }
    }

    private void write(String text) throws IOException {
        OutputStream out = ctx.res().getOutputStream();
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
