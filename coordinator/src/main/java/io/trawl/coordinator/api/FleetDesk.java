package io.trawl.coordinator.api;

import io.trawl.coordinator.queue.QueueSummary;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.Summary;
import java.util.List;

/** Answers questions about the deployment as it is known here. */
public interface FleetDesk {
    /** How full the channels are, and what has gone through them. */
    QueueSummary queue();

    /** Everything in one. */
    FleetSummary summary();

    /** What was done, and how full the channels were, over the last ten minutes. */
    History history();

    /**
     * What a module says of itself, at its own address.
     *
     * @throws io.trawl.coordinator.workers.UnknownModule if no live module has that MID
     * @throws io.trawl.coordinator.workers.SilentModule if it does not answer
     */
    Summary module(MID mid) throws InterruptedException;

    /** The live processes. */
    List<Registration> modules();
}
