package io.trawl.worker;

import io.trawl.http.Route;
import io.trawl.module.Deal;
import io.trawl.module.SlotCount;
import io.trawl.module.StageState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The work of one kind of process. The worker calls {@link #start} once and {@link #stop} at most once; any thread may
 * call the other methods at any time. They must not block, and their results may be slightly out of date.
 */
public interface Stage {
    /** Starts its threads and returns. */
    void start();

    /** The current state. The process is ready while this state is. */
    StageState state();

    /** Values of this kind of module for its summary: numbers, texts and maps of them. */
    Map<String, Object> extra();

    /** How far it is with each stop sign in force. */
    List<Deal> deals();

    /**
     * What an operator should know about its work now, besides its state: what fails again and again, or stands still.
     */
    default List<StageNote> notes() {
        return List.of();
    }

    /** The records of its input that it has not read; empty if the leader can tell that from committed offsets. */
    default Optional<Long> waiting() {
        return Optional.empty();
    }

    /** How many partitions of its input it serves; empty if no other module needs to know that. */
    default Optional<Integer> partitions() {
        return Optional.empty();
    }

    /** The slots for its exchanges; empty if it has none. */
    default Optional<SlotCount> slots() {
        return Optional.empty();
    }

    /** The names of its fetchers, parsers or item processors; empty if it has none, or does not know them yet. */
    default Optional<List<String>> names() {
        return Optional.empty();
    }

    /**
     * Accepts no new work, finishes the work in flight, commits it and leaves its groups, all within the grace period;
     * work that is not finished by then is left as if the process had been killed.
     */
    void stop(Duration grace);

    /**
     * Called on a thread of the worker after handled records were deleted from a topic; may block. If it throws, it is
     * called again after the next deletion there.
     *
     * @param below all records of the partition below this offset are deleted
     */
    default void trimmed(String topic, int partition, long below) {}

    /** The direct calls that it answers; the list never changes. */
    default List<Route> calls() {
        return List.of();
    }
}
