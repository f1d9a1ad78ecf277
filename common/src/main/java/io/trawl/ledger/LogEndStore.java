package io.trawl.ledger;

import java.util.Map;
import java.util.TreeMap;

/**
 * The ends of Kafka's logs, beside the facts about their records. A log only grows: if it ends earlier than noted, records are gone, and facts
 * may speak of them. Thread-safe; calls block and throw {@link LedgerUnavailableException}.
 */
public interface LogEndStore {
    /**
     * The end of a partition's log.
     *
     * @param offset the high-water mark
     * @param epoch of the leader that wrote the last records, or {@value #NO_EPOCH} if the broker does not say
     */
    record LogEnd(long offset, int epoch) {
        /** The broker knows no epoch. */
        public static final int NO_EPOCH = -1;
    }

    /** The ends that were noted last, by {@code topic-partition}; empty if there are none. */
    Map<String, LogEnd> noted();

    /** Notes the ends in the place of those before. */
    void note(Map<String, LogEnd> ends);

    /**
     * The partitions that end below an earlier end, with their present ends. A partition that is not there any more belongs to a topic that was
     * deleted.
     */
    static Map<String, LogEnd> below(Map<String, LogEnd> earlier, Map<String, LogEnd> now) {
        Map<String, LogEnd> below = new TreeMap<>(now);
        below.entrySet().removeIf(end -> !earlier.containsKey(end.getKey())
                || end.getValue().offset() >= earlier.get(end.getKey()).offset());
        return below;
    }
}
