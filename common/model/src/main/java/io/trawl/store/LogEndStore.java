package io.trawl.store;

import static java.util.Objects.requireNonNull;

import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is noted of Kafka's logs and outlives a loss there: their ends, and which runs have begun. A log only grows: if
 * it ends earlier than noted, records are gone, and facts may speak of them. Thread-safe; calls block and throw
 * {@link LedgerUnavailableException}.
 */
public interface LogEndStore {
    /**
     * The end of a partition's log.
     *
     * @param offset the high-water mark
     * @param epoch of the leader that wrote the last records, or {@value #NO_EPOCH} if the broker does not say
     * @param topic the id of the topic: one that is deleted and made again has another; empty: it is unknown
     */
    record LogEnd(long offset, int epoch, String topic) {
        /** The broker knows no epoch. */
        public static final int NO_EPOCH = -1;

        /** @throws io.trawl.model.InvalidValueException if there is no topic */
        public LogEnd {
            FieldRules.present("topic", topic);
        }

        /** Whether the topic is not that of an earlier end: somebody has deleted it and made it again. */
        public boolean remadeSince(LogEnd earlier) {
            return !topic.isEmpty() && !earlier.topic().isEmpty() && !topic.equals(earlier.topic());
        }

        /**
         * The first offset whose record is not that of an earlier end any more, as far as the ends can tell;
         * {@link Long#MAX_VALUE} if there is none.
         */
        public long lostSince(LogEnd earlier) {
            if (remadeSince(earlier)) {
                return 0;
            }
            return offset < earlier.offset() ? offset : Long.MAX_VALUE;
        }
    }

    /** The ends that were noted last, by {@code topic-partition}; empty if there are none. */
    Map<String, LogEnd> noted();

    /** Notes the ends in the place of those before. */
    void note(Map<String, LogEnd> ends);

    /**
     * How far groups had handled logs that end before, by {@code topic-partition}, as processes told since the last
     * loss in Kafka that this store knows: a leader that looked after such a loss only does not find it itself.
     */
    Map<String, Long> lost();

    /** Tells the leader, in the place of what was told before. A process repeats it until the loss is on record. */
    void lost(Map<String, Long> handled);

    /** The epoch of the newest run of a crawl that was noted; 0 if there is none. */
    int newestEpoch(CrawlId crawl);

    /** Notes that a run has begun: if Kafka loses its definition, a later run does not take its name. */
    void begun(CrawlRun run);

    /**
     * The partitions that end below an earlier end or belong to a topic that was made again, with their present ends. A
     * partition that is not there any more belongs to a topic that was deleted.
     */
    static Map<String, LogEnd> below(Map<String, LogEnd> earlier, Map<String, LogEnd> now) {
        Map<String, LogEnd> below = new TreeMap<>(now);
        below.entrySet().removeIf(end -> !earlier.containsKey(end.getKey())
                || end.getValue().lostSince(requireNonNull(earlier.get(end.getKey()))) == Long.MAX_VALUE);
        return below;
    }
}
