package io.trawl.coordinator.api;

import io.trawl.coordinator.queue.QueueSummary;
import io.trawl.module.Registration;
import java.util.List;

/** Answers questions about the deployment as it is known here. */
public interface FleetDesk {
    /** How full the channels are, and what has gone through them. */
    QueueSummary queue();

    /** Everything in one. */
    FleetSummary summary();

    /** What was done, and how full the channels were, over the last ten minutes. */
    History history();

    /** The live processes. */
    List<Registration> modules();
}
