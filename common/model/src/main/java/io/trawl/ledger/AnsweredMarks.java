package io.trawl.ledger;

import java.util.BitSet;
import java.util.Collection;

/**
 * The answered offsets of request partitions: one bit each, so that a downloader that takes a partition over does not
 * fetch requests above the committed low-water mark again. Lost marks repeat work and do no other harm. Thread-safe;
 * calls block and throw {@link LedgerUnavailableException}.
 */
public interface AnsweredMarks {
    /**
     * Marks offsets as answered. Call only after Kafka has acknowledged the response and the ledger has learned its
     * fact, or Kafka has acknowledged a copy of the request at a later offset.
     */
    void mark(LogPartition partition, Collection<Long> offsets);

    /** The answered ones of {@code count} offsets from {@code from}: bit 0 is {@code from}. */
    BitSet answered(LogPartition partition, long from, int count);

    /** Deletes the marks below an offset, in whole blocks. Call only after the offset is committed. */
    void dropBelow(LogPartition partition, long offset);
}
