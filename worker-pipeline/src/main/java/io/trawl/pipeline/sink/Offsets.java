package io.trawl.pipeline.sink;

import java.util.Map;
import java.util.Set;

/**
 * Where the sink's progress is kept: an offset and a note per partition of {@code items}, written together or not at all, and only by the partition's
 * owner.
 */
public interface Offsets {
    /** The metadata of a commit that leaves nothing to be done. */
    String NOTHING_PENDING = "";

    /**
     * What is stored for a partition.
     *
     * @param offset everything below it is in the files; -1 if nothing was ever stored
     * @param note {@link Offsets#NOTHING_PENDING}, or a {@link Note}
     * @param logStart the smallest offset that can still be read
     */
    record Committed(long offset, String note, long logStart) {}

    /**
     * Reads what is stored, as the partitions' owner.
     *
     * @throws PartitionLost if the caller no longer belongs to the group, or the answer cannot be had now: to be tried again
     * @throws InterruptedException if the thread was interrupted while waiting
     */
    Map<Integer, Committed> committed(Set<Integer> partitions) throws PartitionLost, InterruptedException;

    /**
     * Stores an offset with its note; waits until the outcome is known.
     *
     * @throws PartitionLost if the caller no longer owns the partition
     * @throws InterruptedException if the thread was interrupted while waiting
     */
    void commit(int partition, long offset, String note) throws PartitionLost, InterruptedException;

    /**
     * The partition belongs to somebody else, as far as can be known. A commit that ends like this may have been stored all the same: the client repeats
     * a request whose answer was lost, and may be refused the second time.
     */
    final class PartitionLost extends Exception {
        /** @param cause what the broker said */
        public PartitionLost(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }
}
