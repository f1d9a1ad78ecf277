package io.trawl.downloader.partition;

import io.trawl.downloader.frontier.queue.RequestPartition;
import java.util.BitSet;
import org.apache.kafka.common.TopicPartition;

/** One request partition while it is served. Belongs to the reading thread. */
final class PartitionReader {
    private final RequestPartition requestPartition;
    private final TopicPartition partition;
    private final long assignment;
    private final long start;
    private BitSet answered;
    private long position;
    private long low;
    private long committed;

    /**
     * @param start where reading begins: the committed offset
     * @param answered the offsets from there on that are answered already
     */
    PartitionReader(RequestPartition requestPartition, TopicPartition partition, long assignment, long start,
            BitSet answered) {
        this.requestPartition = requestPartition;
        this.partition = partition;
        this.assignment = assignment;
        this.start = start;
        this.answered = answered;
        this.position = start;
        this.low = start;
        this.committed = start;
    }

    RequestPartition requestPartition() {
        return requestPartition;
    }

    TopicPartition partition() {
        return partition;
    }

    long assignment() {
        return assignment;
    }

    /** The offset up to which every record has been delivered. */
    long position() {
        return position;
    }

    /** Resumes reading at an offset that was delivered before. */
    void back(long offset) {
        position = Math.min(position, offset);
    }

    /** Whether the answer to this offset was acknowledged before this assignment. */
    boolean answered(long offset) {
        long bit = offset - start;
        return bit < answered.length() && answered.get((int) bit);
    }

    /** Reading has reached this offset; true if the position has advanced. */
    boolean reached(long next) {
        boolean advanced = next > position;
        position = Math.max(position, next);
        if (advanced && position - start >= answered.length()) {
            answered = new BitSet(0);
        }
        return advanced;
    }

    void low(long offset) {
        low = Math.max(low, offset);
    }

    long low() {
        return low;
    }

    boolean uncommitted() {
        return low > committed;
    }

    void committed(long offset) {
        committed = Math.max(committed, offset);
    }
}
