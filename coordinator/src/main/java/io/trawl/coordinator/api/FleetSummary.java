package io.trawl.coordinator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.coordinator.queue.QueueSummary;
import io.trawl.coordinator.summary.Rates;
import io.trawl.coordinator.summary.Totals;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import java.util.List;
import java.util.Optional;

/**
 * What people see of a deployment.
 *
 * @param leader the coordinator that leads, if one does
 * @param channels the request topics
 * @param idle whether nothing is being done: every crawl is idle, and nothing stands in the channels behind the downloaders
 * @param rates how fast all crawls go together
 * @param totals of all crawls together
 * @param queue how full the channels are, and what has gone through them
 * @param modules the live processes
 * @param crawls all crawls, by id, in brief
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record FleetSummary(Optional<MID> leader, Optional<Channels> channels, boolean idle, Rates rates, Totals totals,
        QueueSummary queue,
        List<Registration> modules, List<CrawlSummary> crawls) {
    /** The summary of what is known. */
    public static FleetSummary of(Optional<MID> leader, Optional<Channels> channels, QueueSummary queue,
            List<Registration> modules, List<CrawlSummary> crawls) {
        boolean empty = queue.responses().backlog().orElse(0L) == 0 && queue.items().backlog().orElse(0L) == 0;
        return new FleetSummary(leader, channels, empty && crawls.stream().allMatch(CrawlSummary::idle),
                crawls.stream().map(CrawlSummary::rates).reduce(Rates.NONE, Rates::plus),
                crawls.stream().map(CrawlSummary::totals).reduce(Totals.NONE, Totals::plus), queue, modules, crawls);
    }
}
