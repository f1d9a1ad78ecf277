package io.trawl.coordinator.feed;

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
}
