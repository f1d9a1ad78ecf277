package io.trawl.analyzer.loop;

import org.apache.kafka.common.TopicPartition;

/** Which partitions are handled, and how far. */
@FunctionalInterface
public interface ServedPartitions {
    /** Whether a partition is handled. */
    boolean serves(TopicPartition partition);

    /**
     * Reads what decides about {@link #limit} to its end: called before the group is joined, when all former writers
     * are fenced, and between each poll and the first record of it that is handled.
     */
    default void refresh() {}

    /** The offset from which on nothing of a partition is handled now; 0 for nothing at all. */
    default long limit(TopicPartition partition) {
        return Long.MAX_VALUE;
    }
}
