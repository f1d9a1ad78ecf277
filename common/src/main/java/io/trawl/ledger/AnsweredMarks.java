package io.trawl.ledger;

import java.util.BitSet;
import java.util.Collection;

/**
 * Which offsets of a request partition are answered: one bit each, so that a downloader that takes the partition over does not fetch again what lies
 * above the committed low-water mark. Losing marks repeats judgements and does no other harm. Thread-safe; calls block and throw
 * {@link LedgerUnavailable}.
 */
public interface AnsweredMarks {
    /** Marks offsets as answered. Only after the response is acknowledged by Kafka and its fact is learnt. */
    void mark(LogPartition partition, Collection<Long> offsets);

    /** The answered ones of {@code count} offsets from {@code from}: bit 0 is {@code from}. */
    BitSet answered(LogPartition partition, long from, int count);

    /** Forgets the marks below an offset, as far as whole blocks are below it. Only after the offset is committed. */
    void dropBelow(LogPartition partition, long offset);
}
