package io.trawl.coordinator.lifecycle;

import io.trawl.model.Seed;
import java.util.List;

/** Where seeds get their places before they are written, so that what was taken over is not refused as CHANNEL_FULL afterwards. Thread-safe. */
public interface Places {
    /**
     * Keeps a place for each seed until it is admitted: for all of them or for none.
     *
     * @param priority of the seeds that name none
     * @throws ChannelFull if there are not enough
     */
    void keep(List<Seed> seeds, int priority) throws InterruptedException;

    /** Seeds that were not written after all need no places. */
    void giveBack(List<Seed> seeds, int priority);
}
