package io.trawl.ledger;

import java.util.Collection;

/**
 * How many processes have begun to handle the records at a place of a log and died over it. A handler that throws needs no such memory; a record that
 * takes its whole process down (out of memory, a crash in native code) would do it to the next owner of the partition, and so on for ever. Losing what
 * is noted here means one more attempt. Thread-safe; calls block and throw {@link LedgerUnavailable}.
 */
public interface Attempts {
    /** Where handling begins in a partition of a log. */
    record Place(String topic, int partition, long offset) {}

    /**
     * Notes that this process is about to handle the records from these places on, one place in each partition.
     *
     * @return how many processes have begun at one of them without ending, this one included: 1 if all is well
     */
    int begin(Collection<Place> places);

    /** Nothing was handled there after all; what others have begun stays counted. A process that dies over one record must not count against another. */
    void withdraw(Collection<Place> places);

    /** Handling has ended, in whatever way, and this process lives. */
    void end(Collection<Place> places);
}
