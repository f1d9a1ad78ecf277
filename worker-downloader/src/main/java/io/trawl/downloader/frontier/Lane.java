package io.trawl.downloader.frontier;

/**
 * One partition of the request topic of one priority.
 *
 * @param priority the larger is served first
 * @param partition a downloader serves it only while it holds that partition of every priority
 */
public record Lane(int priority, int partition) implements Comparable<Lane> {
    @Override
    public int compareTo(Lane other) {
        return partition != other.partition
                ? Integer.compare(partition, other.partition)
                : Integer.compare(priority, other.priority);
    }
}
