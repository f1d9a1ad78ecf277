package io.trawl.channel.offset;

import io.trawl.module.StageState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * Notices that a loop handles nothing although records wait: a call to Kafka or Redis does not return, or polls bring
 * nothing. Its own loop writes it, any thread may read it.
 */
public final class Standstill {
    /** A restart of the broker, a rebalance or an election is over by then. */
    private static final Duration FAULT = Duration.ofSeconds(10);
    private static final Duration COUNTED = Duration.ofSeconds(1);
    private final Time time;
    private volatile long since;
    private volatile boolean handling = true;
    private long began;
    private long counted;
    /** Whether records waited when they were counted last. */
    private boolean waiting;

    /** @param time for durations */
    public Standstill(Time time) {
        this.time = time;
        this.began = time.nanos();
        this.since = began;
        this.counted = began;
    }

    /** A handler begins, which takes its time. */
    public void handling() {
        began = time.nanos();
        handling = true;
    }

    /** The loop has handled something, or does no work for a reason of its own. */
    public void progress() {
        since = time.nanos();
        handling = false;
    }

    /**
     * What a turn brought is handled. If that is nothing, it is progress only if nothing waits in the partitions that
     * are not paused.
     *
     * @param asked whether the turn was a poll, so that other records may wait than before
     */
    public void handled(Consumer<?, ?> consumer, ConsumerRecords<?, ?> polled, boolean asked) {
        handled(!polled.nextOffsets().isEmpty(), asked,
                () -> consumer.assignment().stream().filter(partition -> !consumer.paused().contains(partition))
                        .anyMatch(partition -> consumer.currentLag(partition).orElse(0) > 0));
    }

    /** @param waits asked once a second at most */
    void handled(boolean anything, boolean asked, BooleanSupplier waits) {
        if (anything) {
            progress();
            return;
        }
        long now = time.nanos();
        if (handling) {
            since += now - began;
            handling = false;
        }
        // The client's own thread must be asked for each partition.
        if (asked && now - counted >= COUNTED.toNanos()) {
            counted = now;
            waiting = waits.getAsBoolean();
        }
        since = waiting ? since : now;
    }

    /** The state of the loop's stage: that it waits, if it stands still and does not know why. */
    public StageState of(StageState state) {
        long lasts = handling ? 0 : time.nanos() - since;
        return lasts < FAULT.toNanos() || state instanceof WaitingFor || state == Phase.STOPPED
                ? state
                : new WaitingFor(Dependency.ANSWER, Optional.of("nothing has been handled for "
                        + Duration.ofNanos(lasts).toSeconds()
                        + " s: a call to Kafka or Redis does not return, or Kafka does not give the records that wait"));
    }
}
