package io.trawl.worker;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What one kind of process does. The worker calls {@link #start} once and {@link #stop} at most once; the other methods may be called at any moment
 * by any thread, must not block, and may be a moment old.
 */
public interface Stage {
    /** Starts its threads and returns. */
    void start();

    /** What it is doing, in a word or two for people: {@code running}, {@code waiting for redis}. */
    String state();

    /** What only this kind of module has to say in its summary: numbers, texts and maps of them. */
    Map<String, Object> extra();

    /** The stop signs whose work is done here: the key of the sign to the version that was dealt with. */
    Map<String, Long> deals();

    /**
     * Takes no new work, finishes what is in flight, commits it and leaves its groups, all within the grace period; what is not finished by then is
     * left as if the process had been killed.
     */
    void stop(Duration grace);

    /** What it does at once for whoever asks at its address, the same as long as it lives. */
    default List<DirectCall> calls() {
        return List.of();
    }
}
