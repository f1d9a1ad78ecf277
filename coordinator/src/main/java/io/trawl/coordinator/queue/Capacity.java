package io.trawl.coordinator.queue;

import io.trawl.model.Request;
import io.trawl.model.Seed;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;

/**
 * The free capacity of each priority, during one term. Only the leader admits seeds, so it counts: the backlog that the
 * broker reported last, the requests that it has admitted since, the batch that it is admitting, and the places
 * reserved for submitted seeds. Before a refusal the leader reads the backlog again, unless it did so within 100 ms.
 * Links of pages do not pass through here; they are part of the backlog and are never dropped. Thread-safe.
 *
 * <p>
 * Seeds never exceed the capacity of a level, except for those whose places a previous leader reserved. For a moment a
 * level may seem fuller than it is: a record that is committed while the broker is asked counts twice until the next
 * read.
 */
public final class Capacity {
    /** Bounds the rate of calls to the broker. */
    private static final Duration FRESH = Duration.ofMillis(100);
    private final Supplier<CapacityRule> rules;
    private final WaitingRequests waitingRequests;
    private final Time time;
    private final long[] backlog;
    private final long[] admitted;
    private final long[] reserved;
    private long[] claimed;
    private boolean refreshed;
    private long refreshedAt;
    /** Why the last refresh failed, and when; kept for those who have waited for it. */
    private Optional<KafkaException> failure = Optional.empty();
    private long failedAt;

    /** The backlog of each priority, as the broker reports it. */
    @FunctionalInterface
    public interface WaitingRequests {
        /** The waiting requests by priority, from 0. Includes all requests that were committed before the call. */
        long[] now() throws InterruptedException;
    }

    /**
     * @param rules the rule that holds now
     * @param waitingRequests called when a current backlog is needed
     */
    public Capacity(Supplier<CapacityRule> rules, WaitingRequests waitingRequests, Time time) {
        this.rules = rules;
        this.waitingRequests = waitingRequests;
        this.time = time;
        this.backlog = new long[Request.MOST_LEVELS];
        this.admitted = new long[Request.MOST_LEVELS];
        this.reserved = new long[Request.MOST_LEVELS];
        this.claimed = new long[Request.MOST_LEVELS];
    }

    /**
     * Reserves a place for each seed until it is admitted, so that it is not refused as CHANNEL_FULL afterwards: for
     * all seeds or for none.
     *
     * @param priority of the seeds without one
     * @throws ChannelFullException if there is not enough capacity
     * @throws KafkaException if the broker does not answer
     */
    public void reserve(List<Seed> seeds, int priority) throws InterruptedException {
        reserve(seeds, priority, time.nanos());
    }

    private synchronized void reserve(List<Seed> seeds, int priority, long asked) throws InterruptedException {
        CapacityRule rule = rules.get();
        long[] wanted = count(seeds, priority);
        if (!fits(rule, wanted)) {
            refresh(asked);
        }
        for (int level = 0; level < wanted.length; level++) {
            if (wanted[level] > free(rule, level)) {
                throw new ChannelFullException(level, rule.of(level).orElseThrow(), free(rule, level), wanted[level]);
            }
        }
        add(reserved, wanted);
    }

    /** Releases the places of seeds that were not written. */
    public synchronized void release(List<Seed> seeds, int priority) {
        subtract(count(seeds, priority));
    }

    /**
     * The capacity for one batch of seeds. It replaces that of the batch before, whether or not that one was committed.
     *
     * @param prioritiesWithoutPlace one entry for every seed that may become a request and has no reserved place
     */
    public BatchCapacity room(List<Integer> prioritiesWithoutPlace) throws InterruptedException {
        return room(prioritiesWithoutPlace, time.nanos());
    }

    private synchronized BatchCapacity room(List<Integer> prioritiesWithoutPlace, long asked)
            throws InterruptedException {
        CapacityRule rule = rules.get();
        long[] wanted = new long[Request.MOST_LEVELS];
        prioritiesWithoutPlace.forEach(p -> wanted[p]++);
        claimed = new long[Request.MOST_LEVELS];
        if (!fits(rule, wanted)) {
            refresh(asked);
        }
        for (int level = 0; level < wanted.length; level++) {
            claimed[level] = Math.min(wanted[level], free(rule, level));
        }
        return new BatchCapacity(claimed.clone());
    }

    /** Accounts for a committed batch, and frees the capacity that it claimed and did not use. */
    public synchronized void committed(BatchCapacity batchCapacity) {
        claimed = new long[Request.MOST_LEVELS];
        add(admitted, batchCapacity.taken());
        subtract(batchCapacity.used());
    }

    private boolean fits(CapacityRule rule, long[] wanted) {
        for (int level = 0; level < wanted.length; level++) {
            if (wanted[level] > 0 && rule.of(level).isPresent() && (!refreshed || wanted[level] > free(rule, level))) {
                return false;
            }
        }
        return true;
    }

    /** @param asked when the caller came: one after the other would wait for a broker that does not answer */
    private void refresh(long asked) throws InterruptedException {
        if (refreshed && time.nanos() - refreshedAt < FRESH.toNanos()) {
            return;
        }
        if (failure.isPresent() && failedAt - asked > 0) {
            throw failure.get();
        }
        refreshedAt = time.nanos();
        long[] now;
        try {
            now = waitingRequests.now();
        } catch (KafkaException e) {
            failure = Optional.of(e);
            failedAt = time.nanos();
            throw e;
        }
        failure = Optional.empty();
        Arrays.fill(backlog, 0);
        System.arraycopy(now, 0, backlog, 0, now.length);
        Arrays.fill(admitted, 0);
        refreshed = true;
    }

    private long free(CapacityRule rule, int level) {
        long used = backlog[level] + admitted[level] + reserved[level] + claimed[level];
        return rule.of(level).map(most -> Math.max(0, most - used)).orElse(Long.MAX_VALUE);
    }

    private void subtract(long[] places) {
        for (int level = 0; level < reserved.length; level++) {
            // This term may use places that a previous leader reserved.
            reserved[level] = Math.max(0, reserved[level] - places[level]);
        }
    }

    private static void add(long[] to, long[] more) {
        for (int level = 0; level < to.length; level++) {
            to[level] += more[level];
        }
    }

    private long[] count(List<Seed> seeds, int priority) {
        long[] count = new long[Request.MOST_LEVELS];
        int usual = Math.min(priority, rules.get().levels() - 1);
        seeds.forEach(seed -> count[seed.priority().orElse(usual)]++);
        return count;
    }
}
