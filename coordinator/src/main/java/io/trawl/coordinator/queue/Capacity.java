package io.trawl.coordinator.queue;

import io.trawl.coordinator.lifecycle.ChannelFull;
import io.trawl.coordinator.lifecycle.Places;
import io.trawl.model.Seed;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * Who still finds room at which priority, during one term of leading. The leader is the only one who admits seeds, so it counts: what waited when the
 * broker was asked last, what it has admitted since, what it is about to admit, and the places it keeps for seeds that are on their way. Nobody is refused
 * on an old answer: before a refusal the broker is asked again, if that was more than a moment ago. Links that a crawl finds pass by here; they are in the broker's numbers and are never
 * dropped. Thread-safe.
 *
 * <p>
 * A level is never filled over its capacity by seeds, except by those that got their places from a leader before. It may look fuller than it is for a
 * moment, since a record that is being committed while the broker is asked counts twice until the next time.
 */
public final class Capacity implements Places {
    /** So that a flood of refusals is not a flood of questions to the broker. */
    private static final Duration MOMENT = Duration.ofMillis(100);
    private final CapacityRule rule;
    private final Waiting waiting;
    private final Time time;
    private final long[] backlog;
    private final long[] admitted;
    private final long[] kept;
    private long[] claimed;
    private boolean asked;
    private long askedAt;

    /** How many requests wait at each priority, by the broker. */
    @FunctionalInterface
    public interface Waiting {
        /** By priority, from 0. What was committed before the call is in it. */
        long[] now() throws InterruptedException;
    }

    /** @param waiting asked when it must be known */
    public Capacity(CapacityRule rule, Waiting waiting, Time time) {
        this.rule = rule;
        this.waiting = waiting;
        this.time = time;
        this.backlog = new long[rule.levels()];
        this.admitted = new long[rule.levels()];
        this.kept = new long[rule.levels()];
        this.claimed = new long[rule.levels()];
    }

    @Override
    public synchronized void keep(List<Seed> seeds, int priority) throws InterruptedException {
        long[] wanted = count(seeds, priority);
        if (!fits(wanted)) {
            ask();
        }
        for (int level = 0; level < wanted.length; level++) {
            if (wanted[level] > free(level)) {
                throw new ChannelFull(level, rule.of(level).orElseThrow(), free(level), wanted[level]);
            }
        }
        add(kept, wanted);
    }

    @Override
    public synchronized void giveBack(List<Seed> seeds, int priority) {
        release(count(seeds, priority));
    }

    /**
     * The room for one batch of seeds; it takes the place of the batch before, whatever became of that.
     *
     * @param prioritiesWithoutPlace one entry for every seed that may become a request and has no place of its own
     */
    public synchronized Room room(List<Integer> prioritiesWithoutPlace) throws InterruptedException {
        long[] wanted = new long[rule.levels()];
        prioritiesWithoutPlace.forEach(p -> wanted[p]++);
        claimed = new long[rule.levels()];
        if (!fits(wanted)) {
            ask();
        }
        for (int level = 0; level < wanted.length; level++) {
            claimed[level] = Math.min(wanted[level], free(level));
        }
        return new Room(claimed.clone());
    }

    /** The requests of a batch are committed: what it claimed and did not need is free again. */
    public synchronized void committed(Room room) {
        claimed = new long[rule.levels()];
        add(admitted, room.taken());
        release(room.used());
    }

    private boolean fits(long[] wanted) {
        for (int level = 0; level < wanted.length; level++) {
            if (wanted[level] > 0 && rule.of(level).isPresent() && (!asked || wanted[level] > free(level))) {
                return false;
            }
        }
        return true;
    }

    private void ask() throws InterruptedException {
        if (asked && time.nanos() - askedAt < MOMENT.toNanos()) {
            return;
        }
        askedAt = time.nanos();
        long[] now = waiting.now();
        System.arraycopy(now, 0, backlog, 0, backlog.length);
        Arrays.fill(admitted, 0);
        asked = true;
    }

    private long free(int level) {
        long used = backlog[level] + admitted[level] + kept[level] + claimed[level];
        return rule.of(level).map(most -> Math.max(0, most - used)).orElse(Long.MAX_VALUE);
    }

    private void release(long[] places) {
        for (int level = 0; level < kept.length; level++) {
            // Places that a leader before has given are used here without having been kept here.
            kept[level] = Math.max(0, kept[level] - places[level]);
        }
    }

    private static void add(long[] to, long[] more) {
        for (int level = 0; level < to.length; level++) {
            to[level] += more[level];
        }
    }

    private long[] count(List<Seed> seeds, int priority) {
        long[] count = new long[rule.levels()];
        seeds.forEach(seed -> count[seed.priority().orElse(priority)]++);
        return count;
    }
}
