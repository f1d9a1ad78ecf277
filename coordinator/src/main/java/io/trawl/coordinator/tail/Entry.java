package io.trawl.coordinator.tail;

/**
 * What stands at one place of a topic.
 *
 * @param partition of the topic
 * @param offset in the partition
 * @param value what the record says
 */
public record Entry<T>(int partition, long offset, T value) {
    /** Names the place: {@code partition:offset}. */
    public String id() {
        return partition + ":" + offset;
    }
}
