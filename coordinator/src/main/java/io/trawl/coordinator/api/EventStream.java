package io.trawl.coordinator.api;

import io.trawl.coordinator.feed.FeedEntry;
import io.trawl.coordinator.feed.FeedSubscription;
import io.trawl.http.CallResponse;
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
    private final OutputStream out;
    private Duration silent = Duration.ZERO;

    private EventStream(OutputStream out) {
        this.out = out;
    }

    /** Sends events. */
    interface Events {
        void send(EventStream stream) throws IOException, InterruptedException;
    }

    /** The answer that sends these events. */
    static CallResponse response(Events events) {
        return CallResponse.streamed("text/event-stream", out -> events.send(new EventStream(out)))
                .with("Cache-Control", "no-store").with("X-Accel-Buffering", "no");
    }

    /**
     * Sends the entries of the feed until it ends or the client disconnects.
     *
     * @param data one line of text
     */
    <T> void send(String event, FeedSubscription<T> feedSubscription, Function<FeedEntry<T>, String> data)
            throws IOException, InterruptedException {
        begin();
        while (!feedSubscription.ended()) {
            write(feedSubscription.next(LOOK).map(entry -> text(event, entry.id(), data.apply(entry))));
        }
    }

    /**
     * Sends a state whenever it has changed, until the client disconnects.
     *
     * @param state one line of text
     */
    void sendChanges(String event, Supplier<String> state, Time time) throws IOException, InterruptedException {
        begin();
        String sent = "";
        while (true) {
            String now = state.get();
            write(now.equals(sent)
                    ? Optional.empty()
                    : Optional.of(text(event, Long.toString(time.now().toEpochMilli()), now)));
            sent = now;
            time.pause(LOOK);
        }
    }

    private static String text(String event, String id, String data) {
        return "event: " + event + "\nid: " + id + "\ndata: " + data + "\n\n";
    }

    /** Sends an event, or a comment after some time without one. */
    private void write(Optional<String> event) throws IOException {
        silent = event.isPresent() ? Duration.ZERO : silent.plus(LOOK);
        if (event.isPresent() || silent.compareTo(HEARTBEAT) >= 0) {
            write(event.orElse(": still here\n\n"));
            silent = Duration.ZERO;
        }
    }

    private void begin() throws IOException {
        write("retry: " + AGAIN_MILLIS + "\n\n");
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
