package io.trawl.standalone.client;

import io.trawl.standalone.CoordinatorClient.Unavailable;
import io.trawl.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Follows server-sent events (WHATWG HTML, section 9.2). When the connection breaks it connects again after a pause, that of the server's {@code retry} or one
 * second, doubled up to 30 s while nobody answers, and says which event it saw last, so that none is missed or told twice. Used by one thread.
 */
public final class EventStream {
    private static final Duration LONGEST = Duration.ofSeconds(30);
    private final Api api;
    private final String path;
    private final Time time;
    private final EventParser parser = new EventParser();
    private boolean once;

    /** Connects to nothing yet. */
    public EventStream(Api api, String path, Time time) {
        this.api = api;
        this.path = path;
        this.time = time;
    }

    /**
     * Hands each event over, until the taker has enough.
     *
     * @param taker whether it wants more
     * @throws Refused if the coordinator refuses
     * @throws Unavailable if the first connection fails; later ones are tried again
     */
    public void follow(Predicate<Event> taker) throws InterruptedException {
        Duration pause = parser.retry();
        while (true) {
            try {
                if (!read(taker)) {
                    return;
                }
                pause = parser.retry();
            } catch (Unavailable e) {
                if (!once) {
                    throw e;
                }
                pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
            }
            time.pause(pause);
        }
    }

    /** Reads until the connection breaks (true) or the taker has enough (false). */
    private boolean read(Predicate<Event> taker) throws InterruptedException {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(api.follow(path, parser.lastId()), StandardCharsets.UTF_8))) {
            once = true;
            parser.begin();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<Event> event = parser.take(line);
                if (event.isPresent() && !taker.test(event.get())) {
                    return false;
                }
            }
        } catch (IOException e) {
            // Broken: what was read so far stands, and the last id says from where to go on.
            return true;
        }
        return true;
    }
}
