package io.trawl.coordinator.summary;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import java.util.List;
import java.util.Optional;

/**
 * The summary of a deployment.
 *
 * @param leader the coordinator that leads, if there is one
 * @param channels the request topics
 * @param idle whether there is no work: every crawl is idle, every response is analysed, and every item is in
 *        a finished file
 * @param rates the speed of all crawls together
 * @param totals of all crawls together
 * @param queue backlogs and traffic of the channels
 * @param modules the live processes
 * @param crawls all crawls in brief form, ordered by id
 * @param counting present while all totals are incomplete
 * @param notes what its operator should know about the deployment
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record FleetSummary(Optional<MID> leader, Optional<Channels> channels, boolean idle, Rates rates, Totals totals,
        QueueSummary queue,
        List<Registration> modules, List<CrawlSummary> crawls, Optional<Counting> counting, List<String> notes) {
    /** Fills in fields that a coordinator of another version does not report. */
    public FleetSummary {
        rates = requireNonNullElse(rates, Rates.UNKNOWN);
        totals = requireNonNullElse(totals, Totals.NONE);
        queue = requireNonNullElse(queue, QueueSummary.UNKNOWN);
        modules = requireNonNullElse(modules, List.of());
        crawls = requireNonNullElse(crawls, List.of());
        notes = requireNonNullElse(notes, List.of());
    }

    /** Creates the summary. */
    public static FleetSummary of(Optional<MID> leader, Optional<Channels> channels, QueueSummary queue,
            List<Registration> modules, List<CrawlSummary> crawls, Optional<Counting> counting, List<String> notes) {
        boolean empty = queue.responses().empty() && queue.items().empty();
        return new FleetSummary(leader, channels, empty && crawls.stream().allMatch(CrawlSummary::idle),
                crawls.stream().map(CrawlSummary::rates).reduce(Rates.NONE, Rates::plus),
                crawls.stream().map(CrawlSummary::totals).reduce(Totals.NONE, Totals::plus), queue, modules, crawls, counting,
                notes);
    }
}
