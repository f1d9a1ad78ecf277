package io.trawl.coordinator.summary;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.CrawlId;
import io.trawl.model.Visit.PageState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The next visits of the pages of a run, at a moment. While the run goes on, those of pages that it has not answered
 * yet are not among them.
 *
 * @param epoch of the run
 * @param at the moment
 * @param pages how many pages have a next visit
 * @param due how many of these are due by then
 * @param intervals the pages by the time between two of their visits, the shortest first; none if they have no
 * intervals
 * @param fresh the expected share of pages that are still as they were at their last visit, of those that have items
 * and an interval: the mean of {@link io.trawl.model.ChangeRate#fresh}, which is 0 if a sitemap or feed says that the
 * page has changed; between 0 and 1; empty if there are none
 * @param states the pages by what their last visits have found
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record VisitSummary(CrawlId crawl, int epoch, Instant at, long pages, DuePages due,
        List<IntervalPages> intervals, Optional<Double> fresh, Map<PageState, Long> states) {
    /**
     * How many pages are due now, and within these times from now on, those before included. A page without an interval
     * is due now.
     *
     * @param month 30 days
     */
    public record DuePages(long now, long hour, long day, long week, long month) {}

    /**
     * Pages with intervals of a class.
     *
     * @param most the longest interval of the class; empty if it has none
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record IntervalPages(Optional<Duration> most, long pages) {}
}
