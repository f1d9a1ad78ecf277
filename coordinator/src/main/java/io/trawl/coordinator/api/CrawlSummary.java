package io.trawl.coordinator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.Forecast;
import io.trawl.coordinator.summary.Pace;
import io.trawl.coordinator.summary.Rates;
import io.trawl.coordinator.summary.RunStanding;
import io.trawl.coordinator.summary.Totals;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.model.CrawlRun;
import io.trawl.model.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What people see of a crawl. The numbers are sums over committed ledger records, so they survive every crash and belong to one moment.
 *
 * @param end why and when it stopped; empty while it is not stopped
 * @param startedAt when it was started last
 * @param elapsed from the last start to the end, or to now; zero if it was never started
 * @param definition without the secrets of its webhooks, and in brief without its seeds
 * @param definedSeeds how many seeds the definition has
 * @param domains the accepted domains, in alphabetical order
 * @param waitingByPriority requests that are not answered, by priority
 * @param errorsByKind stored errors, as {@code HTTP_ERROR 404} or {@code FAILURE TIMEOUT}
 * @param refusals what did not become a request or was not fetched, by reason
 * @param straySeeds seeds that were redirected out of the accepted domains, with the domain to add
 * @param rates how fast it goes
 * @param idle whether nothing is being done for it: it is at rest, or no request waits
 * @param remaining how long it will go on; empty if that cannot be known, for example while it finds more than it fetches
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record CrawlSummary(CrawlRun run, CrawlState state, Optional<End> end, Optional<Instant> startedAt, Duration elapsed,
        CrawlDefinition definition, int definedSeeds,
        List<String> domains, Totals totals, Map<Integer, Long> waitingByPriority, Map<String, Long> errorsByKind,
        Map<RefusalReason, Long> refusals,
        List<StraySeed> straySeeds, Rates rates, boolean idle, Optional<Duration> remaining) {

    /** The summary of a crawl at a moment. */
    public static CrawlSummary of(CrawlStatus status, Set<String> domains, RunStanding standing, Pace pace,
            Instant now) {
        Optional<End> end = status.state() == CrawlState.STOPPED ? status.end() : Optional.empty();
        Duration elapsed = status.startedAt().map(start -> Duration.between(start, end.map(End::at).orElse(now)))
                .orElse(Duration.ZERO);
        return new CrawlSummary(status.run(), status.state(), end, status.startedAt(), elapsed, status.definition().hidden(),
                status.definition().seeds().size(), domains.stream().sorted().toList(),
                standing.totals(), standing.waitingByPriority(), standing.errorsByKind(), standing.refusals(),
                standing.straySeeds(), pace.rates(), idle(status.state(), standing),
                status.state() == CrawlState.STARTED
                        ? Forecast.remaining(status.definition(), standing.totals(), pace)
                        : Optional.empty());
    }

    /** The same in brief, for lists that are asked for again and again: without the seeds of its definition. */
    public CrawlSummary brief() {
        return new CrawlSummary(run, state, end, startedAt, elapsed, definition.withoutSeeds(), definedSeeds, domains, totals,
                waitingByPriority, errorsByKind, refusals, straySeeds, rates, idle, remaining);
    }

    private static boolean idle(CrawlState state, RunStanding standing) {
        return !state.passing() && (state != CrawlState.STARTED || standing.nothingWaits());
    }
}
