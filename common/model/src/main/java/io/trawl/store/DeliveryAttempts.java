package io.trawl.store;

import java.util.Collection;

/**
 * Counts the processes that have begun to handle the records at a log position and died. A handler that throws needs no
 * such count; a record that kills its whole process (out of memory, a crash in native code) would kill the next owner
 * of the partition, and so on. Losing the counts means one more attempt. Thread-safe; calls block and throw
 * {@link LedgerUnavailableException}.
 */
public interface DeliveryAttempts {
    /** The position in a log partition at which handling begins. */
    record LogPosition(String topic, int partition, long offset) {}

    /**
     * Records that this process is about to handle the records from these positions on, one position per partition.
     *
     * @return how many processes have begun at one of them without ending, this one included: 1 normally
     */
    int begin(Collection<LogPosition> logPositions);

    /**
     * Records that this process is about to handle only the record at this position. A process that dies then has
     * probably died of it; one that dies over a batch, or between two records, need not have.
     *
     * @return how many processes have begun with it alone without ending, this one included: 1 normally
     */
    int beginAlone(LogPosition logPosition);

    /**
     * Withdraws this process's attempt at batches without handling; attempts of others stay counted. A process that
     * dies over one record must not count against another.
     */
    void withdraw(Collection<LogPosition> logPositions);

    /** Handling has ended, with or without success, and this process is alive. */
    void end(Collection<LogPosition> logPositions);
}
