package io.trawl.telemetry;

import io.trawl.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Decides when a process leaves its partitions to others because Kafka does not take what it writes: when that has
 * lasted for a lease while Kafka answers, and another process of its kind works. While all of Kafka is away nobody
 * could serve them, and work would only be done twice. {@link #look} belongs to one thread; the other methods may be
 * called by any.
 */
public final class WriteOutage {
    private static final Duration SELDOM = Duration.ofMinutes(10);
    private final Duration lease;
    private final Time time;
    private final Map<Object, String> failing = new ConcurrentHashMap<>();
    private Optional<Long> since = Optional.empty();
    private volatile boolean leaves;
    private volatile long yielded;

    /** @param lease how long no write may succeed until the process leaves its partitions */
    public WriteOutage(Duration lease, Time time) {
        this.lease = lease;
        this.time = time;
        this.yielded = time.nanos() - SELDOM.toNanos();
    }

    /** Why one writer of this process cannot write, for people; empty if it can. */
    public void report(Object writer, Optional<String> why) {
        why.ifPresentOrElse(reason -> failing.put(writer, reason), () -> failing.remove(writer));
    }

    /** Why a writer of this process cannot write, for people; empty if all can. */
    public Optional<String> reason() {
        return failing.values().stream().findAny();
    }

    /**
     * Decides anew; called about once a second.
     *
     * @param waiting whether the process waits for Kafka, which answers
     * @param others whether another process could serve its partitions; asked only if that matters
     */
    public void look(boolean waiting, BooleanSupplier others) {
        since = waiting && !failing.isEmpty() ? since.or(() -> Optional.of(time.nanos())) : Optional.empty();
        leaves = since.filter(began -> time.nanos() - began >= lease.toNanos()).isPresent() && others.getAsBoolean();
    }

    /**
     * Whether this process, which leads, leaves that to another one for a lease: once in ten minutes, since perhaps
     * none can write, and then one is to remain that says so. For one thread.
     */
    public boolean yields() {
        if (leaves() && time.nanos() - yielded >= SELDOM.toNanos()) {
            yielded = time.nanos();
        }
        return time.nanos() - yielded < lease.toNanos();
    }

    /** Whether this process gives all partitions back, and goes on trying to write. */
    public boolean leaves() {
        return leaves && !failing.isEmpty();
    }
}
