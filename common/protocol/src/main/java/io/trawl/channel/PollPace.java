package io.trawl.channel;

import io.trawl.time.Time;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * How long the polls of a member of a group take that brings no record. A poll returns at once when a record comes, so
 * only what the loop looks at between two polls waits for its end: stop signs, holds, and partitions that come and go.
 * While nothing has happened for some seconds, fewer polls cost less. Belongs to the thread that polls.
 */
public final class PollPace {
    private static final Duration USUAL = Duration.ofMillis(200);
    private static final Duration RESTING = Duration.ofMillis(500);
    private static final Duration SOME = Duration.ofSeconds(5);
    private final Time time;
    private long happened;
    private boolean brought;

    /** @param time for durations */
    public PollPace(Time time) {
        this.time = time;
        this.happened = time.nanos();
    }

    /** How long the next poll takes. @param working whether the loop has something to do besides */
    public Duration next(boolean working) {
        long now = time.nanos();
        if (working || brought) {
            happened = now;
        }
        return now - happened < SOME.toNanos() ? USUAL : RESTING;
    }

    /** What a poll has brought; empty if the member was expelled. */
    public void polled(Optional<ConsumerRecords<byte[], byte[]>> records) {
        brought = records.filter(none -> none.nextOffsets().isEmpty()).isEmpty();
    }
}
