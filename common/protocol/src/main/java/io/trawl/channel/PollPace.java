package io.trawl.channel;

import io.trawl.control.ControlView;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Polls of a member of a group that has a loop. A poll returns at once when a record comes, so only what the loop looks
 * at between two polls waits for its end: stop signs, holds, and partitions that come and go. While nothing has
 * happened for some seconds, fewer polls cost less. While no crawl fetches either, most turns wait for a record on
 * {@code control} in place of a poll: each poll costs the broker a request, and without a started crawl only what comes
 * late is in the topics. Belongs to the thread that polls.
 */
final class PollPace {
    /** How long a poll takes that brings nothing. */
    static final Duration USUAL = Duration.ofMillis(200);
    private static final Duration RESTING = Duration.ofMillis(500);
    private static final Duration SOME = Duration.ofSeconds(5);
    /** Of so many turns one polls while no crawl fetches: what comes late waits for five seconds. */
    private static final int TURNS = 10;
    private final ControlView control;
    private final Time time;
    private long happened;
    private long changes;
    private int turns;

    /** @param time for durations */
    PollPace(ControlView control, Time time) {
        this.control = control;
        this.time = time;
        this.happened = time.nanos();
    }

    /**
     * Polls, or waits in place of a poll that would bring nothing.
     *
     * @param working whether the loop has something to do besides
     * @param usual how long the poll takes, unless nothing has happened for some seconds
     * @return as {@link GroupMembership#poll}
     */
    Optional<ConsumerRecords<byte[], byte[]>> poll(Consumer<byte[], byte[]> consumer, boolean working, Duration usual) {
        long now = time.nanos();
        long read = control.changes();
        if (working || read != changes) {
            happened = now;
        }
        changes = read;
        boolean resting = now - happened >= SOME.toNanos();
        boolean crawling = !resting || !control.rests();
        turns = crawling ? 0 : (turns + 1) % TURNS;
        if (turns > 0) {
            await();
            return Optional.of(ConsumerRecords.empty());
        }
        Optional<ConsumerRecords<byte[], byte[]>> polled = GroupMembership.poll(consumer,
                resting && crawling ? RESTING : usual);
        if (polled.filter(records -> records.nextOffsets().isEmpty()).isEmpty()) {
            happened = time.nanos();
        }
        return polled;
    }

    /** Whether the last turn was a poll: what the client knows may be new. */
    boolean polled() {
        return turns == 0;
    }

    private void await() {
        try {
            control.await(changes, RESTING);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
