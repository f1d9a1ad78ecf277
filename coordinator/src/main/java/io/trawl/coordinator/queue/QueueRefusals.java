package io.trawl.coordinator.queue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.model.RefusalReason;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * How many seeds this coordinator has refused before they came to a topic, since it started: those that came to one are counted in the ledger.
 * Thread-safe.
 */
public final class QueueRefusals {
    private final Map<RefusalReason, Counter> counters = new EnumMap<>(RefusalReason.class);

    /** @param meters shows them */
    public QueueRefusals(MeterRegistry meters) {
        for (RefusalReason reason : QueueSummary.ERRORS) {
            counters.put(reason,
                    Counter.builder("trawl.queue.refused").description("Seeds refused by a call of the REST interface")
                            .tag("reason", reason.name()).register(meters));
        }
    }

    /** Counts seeds that were refused for one of {@link QueueSummary#ERRORS}. */
    public void count(RefusalReason reason, long seeds) {
        Counter counter = counters.get(reason);
        if (counter == null) {
            throw new IllegalArgumentException("not an error of a channel: " + reason);
        }
        counter.increment(seeds);
    }

    /** By reason; those that never occurred are left out. */
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
