package io.trawl.coordinator.queue;

import io.trawl.coordinator.queue.QueueWatch.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How full the channels were, for as long as it is kept. Thread-safe. */
final class PastReadings {
    private final Duration keep;
    private final TreeMap<Instant, Reading> byTime = new TreeMap<>();

    PastReadings(Duration keep) {
        this.keep = keep;
    }

    synchronized void add(Reading reading) {
        byTime.put(reading.at(), reading);
        byTime.headMap(reading.at().minus(keep), false).clear();
    }

    /** The last reading within the time before the end. */
    synchronized Optional<Reading> before(Instant end, Duration within) {
        return Optional.ofNullable(byTime.floorEntry(end)).map(Map.Entry::getValue)
                .filter(reading -> reading.at().isAfter(end.minus(within)));
    }
}
