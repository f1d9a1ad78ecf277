package io.trawl.standalone.client;

import io.trawl.standalone.text.WaitNotice;
import io.trawl.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Follows server-sent events (WHATWG HTML, section 9.2). After a lost connection it reconnects after a pause, the
 * server's {@code retry} or one second, doubled up to 30 s while no server answers, and sends the id of the last event,
 * so that none is lost or repeated. Used by one thread.
 */
public final class ServerSentEvents {
    /**
     * A server-sent event.
     *
     * @param type its name, {@code message} if it has none
     * @param id the last id of the stream; empty if there was none
     * @param data its lines, joined
     */
    public record Event(String type, String id, String data) {}

    private static final Duration LONGEST = Duration.ofSeconds(30);
    private final Api api;
    private final String path;
    private final Time time;
    private final EventParser parser = new EventParser();
    private final WaitNotice silence;
    private boolean once;

    public ServerSentEvents(Api api, String path, Time time) {
        this.api = api;
        this.path = path;
        this.time = time;
        this.silence = new WaitNotice(time);
    }

    /**
     * Passes each event to the taker until it returns false.
     *
     * @param taker returns whether to continue
     * @throws ApiRefusal if the coordinator refuses
     * @throws CoordinatorUnavailableException if the first connection fails; later ones are retried
     */
    public void follow(Predicate<Event> taker) throws InterruptedException {
        Duration pause = parser.retry();
        while (true) {
            try {
                if (!read(taker)) {
                    return;
                }
                pause = parser.retry();
            } catch (CoordinatorUnavailableException e) {
                if (!once) {
                    throw e;
                }
                silence.say(e.getMessage() + "; trying again");
                pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
            }
            time.pause(pause);
        }
    }

    /** Reads until the connection is lost (true) or the taker returns false (false). */
    private boolean read(Predicate<Event> taker) throws InterruptedException {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(api.follow(path, parser.lastId()), StandardCharsets.UTF_8))) {
            once = true;
            silence.clear();
            parser.begin();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<Event> event = parser.take(line);
                if (event.isPresent() && !taker.test(event.get())) {
                    return false;
                }
            }
        } catch (IOException e) {
            // Connection lost: the next one resumes after the last id.
            return true;
        }
        return true;
    }
}
