package io.trawl.pipeline.sink;

import io.trawl.channel.offset.StoredPosition;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlRun;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The store of the sink's progress: a position per partition of {@code items}, written only by the partition's owner.
 */
public interface SinkOffsets {
    /**
     * The committed progress of a partition.
     *
     * @param position its note is empty, or a {@link CommitNote}
     * @param logStart the log start offset
     * @param cut whether Kafka has lost records since it was committed: what is beyond the position may be stored
     * already
     */
    record Committed(StoredPosition position, long logStart, boolean cut) {}

    /**
     * Reads the committed progress as the partitions' owner: no other member has owned one of them since the last poll.
     *
     * @throws PartitionLost if that is not certain, or the broker does not answer now: the caller must retry
     * @throws InterruptedException if the thread was interrupted while waiting
     */
    Map<Integer, Committed> committed(Set<Integer> partitions) throws PartitionLost, InterruptedException;

    /**
     * The number of partitions of {@code items}. @throws PartitionLost if the broker does not answer now: the caller
     * must retry
     */
    int partitions() throws PartitionLost, InterruptedException;

    /**
     * Commits a position, and writes to the ledger and to topics of sinks, in one transaction; blocks until the outcome
     * is known.
     *
     * @param ledger what became of the items below the position that no earlier commit has told
     * @param topics the items between the earlier position of sinks in topics and the new one
     * @throws PartitionLost if the caller no longer owns the partition
     * @throws InterruptedException if the thread was interrupted while waiting
     */
    void commit(int partition, StoredPosition position, List<LedgerRecord> ledger, List<TopicRecord> topics)
            throws PartitionLost, InterruptedException;

    /**
     * Why a topic does not take these records; empty if it takes them, or if that is not known now. Nothing is written.
     */
    Optional<String> refusal(List<TopicRecord> records) throws InterruptedException;

    /**
     * An item for the topic of a sink.
     *
     * @param key the id of the item, or its key if the sink upserts
     * @param value one line of JSON, without a line feed; empty: a tombstone
     * @param run of the item
     */
    record TopicRecord(String topic, String key, Optional<byte[]> value, CrawlRun run) {}

    /**
     * The partition probably belongs to another member. A commit that fails like this may still have been stored: the
     * client retries a request whose answer was lost, and the broker may reject the second one.
     */
    final class PartitionLost extends Exception {
        /** @param cause the broker's answer */
        public PartitionLost(Throwable cause) {
            super(cause.getMessage(), cause);
        }

        /** @param message why, for logs */
        public PartitionLost(String message) {
            super(message);
        }
    }
}
