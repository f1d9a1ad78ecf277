package io.trawl.downloader.frontier.queue;

/**
 * One partition of the request topic of one priority.
 *
 * @param priority the larger is served first
 * @param partition a downloader serves it only while it owns that partition of every priority
 */
public record RequestPartition(int priority, int partition) implements Comparable<RequestPartition> {
    @Override
    public int compareTo(RequestPartition other) {
        return partition != other.partition
                ? Integer.compare(partition, other.partition)
                : Integer.compare(priority, other.priority);
    }
}
