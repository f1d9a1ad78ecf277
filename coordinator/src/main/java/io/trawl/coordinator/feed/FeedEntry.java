package io.trawl.coordinator.feed;

import java.util.Optional;

/**
 * A decoded record and its position in the topic.
 *
 * @param partition of the topic
 * @param offset in the partition
 * @param value the decoded record
 */
public record FeedEntry<T>(int partition, long offset, T value) {
    /** The position: {@code partition:offset}. */
    public String id() {
        return partition + ":" + offset;
    }

    /** The offset that an id names; empty if it is none of this partition. */
    static Optional<Long> offset(String id, int partition) {
        return id.matches(partition + ":[0-9]{1,18}")
                ? Optional.of(Long.valueOf(id.substring(id.indexOf(':') + 1)))
                : Optional.empty();
    }
}
