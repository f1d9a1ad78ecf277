package io.trawl.coordinator.webhook;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How far the events have been sent: what lies below is done with for every receiver. Thread-safe. */
final class Sent {
    /** How many receivers an event still has to reach, by partition and offset. */
    private final Map<Integer, TreeMap<Long, Integer>> open = new HashMap<>();
    private final Map<Integer, Long> read = new HashMap<>();

    synchronized void opened(int partition, long offset, int receivers) {
        read.merge(partition, offset + 1, Math::max);
        if (receivers > 0) {
            open.computeIfAbsent(partition, p -> new TreeMap<>()).put(offset, receivers);
        }
    }

    synchronized void closed(int partition, long offset) {
        open.computeIfAbsent(partition, p -> new TreeMap<>()).computeIfPresent(offset, (o, left) -> left > 1 ? left - 1 : null);
    }

    /** Up to where a partition has been read here. */
    synchronized Optional<Long> read(int partition) {
        return Optional.ofNullable(read.get(partition));
    }

    /** The position of each partition that has been read. */
    synchronized Map<Integer, Long> positions() {
        Map<Integer, Long> positions = new HashMap<>(read);
        open.forEach((partition, offsets) -> {
            if (!offsets.isEmpty()) {
                positions.put(partition, offsets.firstKey());
            }
        });
        return positions;
    }
}
