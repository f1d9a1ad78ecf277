package io.trawl.coordinator.queue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.model.RefusalReason;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts the seeds that this coordinator has refused in calls since it started; seeds that are refused after they were
 * written to the topic are counted in the ledger. Thread-safe.
 */
public final class QueueRefusals {
    /** The reasons for which a request channel refuses a seed. */
    public static final Set<RefusalReason> REASONS = Set.of(RefusalReason.PRIORITY_OUT_OF_INDEX,
            RefusalReason.CHANNEL_FULL);
    private final Map<RefusalReason, Counter> counters = new EnumMap<>(RefusalReason.class);

    /** @param meters publishes the counters */
    public QueueRefusals(MeterRegistry meters) {
        for (RefusalReason reason : EnumSet.of(RefusalReason.CLOSED, REASONS.toArray(RefusalReason[]::new))) {
            counters.put(reason,
                    Counter.builder("trawl.queue.refused").description("Seeds refused by a call of the REST interface")
                            .tag("reason", reason.name()).register(meters));
        }
    }

    /** Counts seeds that were refused for one of {@link #REASONS}, or as CLOSED. */
    public void count(RefusalReason reason, long seeds) {
        Counter counter = counters.get(reason);
        if (counter == null) {
            throw new IllegalArgumentException("not a refusal of a channel: " + reason);
        }
        counter.increment(seeds);
    }

    /** The counts by reason; reasons without refusals are left out. */
    public Map<RefusalReason, Long> counts() {
        Map<RefusalReason, Long> counts = new EnumMap<>(RefusalReason.class);
        counters.forEach((reason, counter) -> {
            if (counter.count() > 0) {
                counts.put(reason, (long) counter.count());
            }
        });
        return Collections.unmodifiableMap(counts);
    }
}
