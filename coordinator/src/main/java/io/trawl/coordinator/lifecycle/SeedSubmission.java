package io.trawl.coordinator.lifecycle;

import io.trawl.model.RefusalReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntConsumer;

/** The seeds of one call: how many the leader has decided about, and why it refused some. Thread-safe. */
public final class SeedSubmission implements AutoCloseable {
    static final int LARGEST = 1_000_000_000;
    private final int number;
    private final IntConsumer closed;
    private final Map<RefusalReason, Long> refused = new EnumMap<>(RefusalReason.class);
    private long decided;
    private long due;

    /** @param closed gets the number at the end */
    SeedSubmission(int number, IntConsumer closed) {
        this.number = number;
        this.closed = closed;
    }

    int number() {
        return number;
    }

    synchronized void refused(RefusalReason reason) {
        refused.merge(reason, 1L, Long::sum);
    }

    synchronized void due() {
        due++;
    }

    synchronized void decided() {
        decided++;
    }

    /** How many of its seeds are admitted or refused. */
    public synchronized long total() {
        return decided;
    }

    /** How many of these make a known page due. */
    public synchronized long dues() {
        return due;
    }

    /** How many of these are refused, by reason. */
    public synchronized Map<RefusalReason, Long> refused() {
        return Map.copyOf(refused);
    }

    @Override
    public void close() {
        closed.accept(number);
    }
}
