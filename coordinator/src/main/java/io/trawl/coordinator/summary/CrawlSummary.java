package io.trawl.coordinator.summary;

import io.trawl.model.InvalidValueException;
import io.trawl.coordinator.definition.CronSchedule;
import static java.util.Objects.requireNonNullElse;

import io.soabase.recordbuilder.core.RecordBuilder;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.definition.CrawlNotes;
import io.trawl.coordinator.queue.StageRates.LiveModules;
import io.trawl.control.CrawlState;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.RefusalReason;
import io.trawl.coordinator.summary.FleetSummary.MissingKind;
import io.trawl.module.Registration;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The summary of a crawl. The numbers are sums over committed ledger records, so they survive crashes and belong to one
 * moment.
 *
 * @param epoch of the run
 * @param end why and when it stopped; empty while it is not stopped
 * @param startedAt the time of the last start
 * @param elapsed how long it has been started, all starts of the run together
 * @param definition without the secrets of its webhooks, and in the brief form without its seeds
 * @param definedSeeds the number of seeds in the definition
 * @param domains the accepted domains, in alphabetical order
 * @param waitingByPriority requests that are not answered, by priority
 * @param errorsByKind stored errors, as {@code HTTP_ERROR 404} or {@code FAILURE TIMEOUT}; and errors of parsers,
 * extraction rules and item processors, {@code PARSE}, {@code EXTRACT} and {@code PROCESSOR}
 * @param refusals URLs that did not become a request or were not fetched, by reason
 * @param refusalsByRule those among them that a rule of the definition refused, by its text
 * @param straySeeds seeds that were redirected out of the accepted domains, with the domain to add
 * @param droppedItems items that were dropped, by processor and reason
 * @param rejectedItems items that could not be stored, by processor and kind of failure
 * @param rates the speed of the crawl
 * @param idle whether there is no work: the crawl is in a stable state and not started, or no request and no item waits
 * @param remaining the estimated remaining time; empty if unknown, for example while the crawl finds more URLs than it
 * fetches
 * @param nextRun the next firing of its schedule
 * @param counting present while the numbers are incomplete
 * @param notes what its operator should know about its definition, and the faults
 * @param faults what holds it up, and what it has lost
 * @param closedAt when it was closed, while it is: it gets no new request
 * @param refreshes the epoch of the run whose pages it visits; empty if it visits none
 * @param visits what became of these visits; empty until they are promoted, and if there are none
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record CrawlSummary(CrawlId crawl, int epoch, CrawlState state, Optional<End> end, Optional<Instant> startedAt,
        Duration elapsed, CrawlDefinition definition, int definedSeeds, List<String> domains, Totals totals,
        Map<Integer, Long> waitingByPriority, Map<String, Long> errorsByKind, Map<RefusalReason, Long> refusals,
        Map<String, Long> refusalsByRule, List<StraySeed> straySeeds, Map<String, Long> droppedItems,
        Map<String, Long> rejectedItems, Rates rates, boolean idle, Optional<Duration> remaining,
        Optional<Instant> nextRun, Optional<Counting> counting, List<String> notes, List<String> faults,
        Optional<Instant> closedAt, Optional<Integer> refreshes,
        Optional<PromotedVisits> visits) implements CrawlSummaryBuilder.With {
    /** Fills in fields that a coordinator of another version does not report. */
    public CrawlSummary {
        elapsed = requireNonNullElse(elapsed, Duration.ZERO);
        domains = requireNonNullElse(domains, List.of());
        totals = requireNonNullElse(totals, Totals.NONE);
        waitingByPriority = requireNonNullElse(waitingByPriority, Map.of());
        errorsByKind = requireNonNullElse(errorsByKind, Map.of());
        refusals = requireNonNullElse(refusals, Map.of());
        refusalsByRule = requireNonNullElse(refusalsByRule, Map.of());
        straySeeds = requireNonNullElse(straySeeds, List.of());
        droppedItems = requireNonNullElse(droppedItems, Map.of());
        rejectedItems = requireNonNullElse(rejectedItems, Map.of());
        rates = requireNonNullElse(rates, Rates.UNKNOWN);
        notes = requireNonNullElse(notes, List.of());
        faults = requireNonNullElse(faults, List.of());
    }

    /** The word for its state, see {@link CrawlState#condition}. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public String condition() {
        return state.condition(end.map(End::reason));
    }

    /** The run whose pages it visits. */
    @JsonIgnore
    public Optional<CrawlRun> refreshed() {
        return refreshes.map(of -> new CrawlRun(crawl, of));
    }

    /** The run that it is about. */
    @JsonIgnore
    public CrawlRun run() {
        return new CrawlRun(crawl, epoch);
    }

    /**
     * The summary of a crawl at a moment. @param sinksBehind the keys of the sinks that are behind, of all
     * crawls @param loss the last loss in Kafka
     */
    public static CrawlSummary of(CrawlStatus status, Set<String> domains, RunSnapshot snapshot, Pace pace,
            Optional<Counting> counting, LiveModules live, Set<String> sinksBehind, Optional<KafkaLoss> loss,
            Instant now) {
        Optional<End> end = status.state() == CrawlState.STOPPED ? status.end() : Optional.empty();
        List<String> faults = Stream.of(missing(status, live, now), behind(status, sinksBehind),
                lost(status, end, loss), failed(status, end, snapshot.totals())).flatMap(List::stream).toList();
        return new CrawlSummary(status.run().crawl(), status.run().epoch(), status.state(), end, status.startedAt(),
                status.spentAt(now), status.definition().hidden(), status.definition().seeds().size(),
                domains.stream().sorted().toList(), snapshot.totals(), snapshot.waitingByPriority(),
                snapshot.errorsByKind(), snapshot.refusals(), snapshot.refusalsByRule(), snapshot.straySeeds(),
                snapshot.droppedItems(), snapshot.rejectedItems(), pace.rates(),
                counting.isEmpty() && idle(status.state(), snapshot),
                status.state() == CrawlState.STARTED && counting.isEmpty()
                        ? Forecast.remaining(status.definition(), snapshot.totals(), pace)
                        : Optional.empty(),
                nextRun(status, now), counting,
                Stream.of(CrawlNotes.of(status.definition().fetch(), domains),
                        status.definition().schedule().map(_ -> CrawlNotes.ofRuns(status.definition()))
                                .orElse(List.of()),
                        UnknownNames.of(status.definition(), live.registered()), status.forgotten().stream().toList(),
                        faults).flatMap(List::stream).toList(),
                faults, status.closedAt(), status.refreshed().map(CrawlRun::epoch), status.promoted());
    }

    /**
     * What holds up a crawl that should be going on. Processes may be missing at its start, when they may be starting,
     * too.
     */
    private static List<String> missing(CrawlStatus status, LiveModules live, Instant now) {
        if (status.state() != CrawlState.STARTED) {
            return List.of();
        }
        Optional<Instant> unknown = live.unknownSince(now);
        if (unknown.isPresent()) {
            return List.of(live.refusal()
                    .orElseGet(() -> "Redis has not answered since " + unknown.get().truncatedTo(ChronoUnit.SECONDS))
                    + ": the processes wait for it");
        }
        boolean begins = status.startedAt().filter(start -> start.plus(MissingKind.GRACE).isAfter(now)).isPresent();
        Stream<String> missing = begins || live.registered().isEmpty()
                ? Stream.of()
                : MissingKind.among(live.registered()).stream().map(MissingKind::text);
        return Stream.concat(missing, Registration.notes(live.registered(), status.run().crawl().value()).stream())
                .toList();
    }

    /**
     * At the limit of items analyzers hold for them, too. A crawl stops when they have caught up, of which the last
     * look at the queue may not know.
     */
    private static List<String> behind(CrawlStatus status, Set<String> sinksBehind) {
        if (status.state() == CrawlState.STOPPED) {
            return List.of();
        }
        CrawlId crawl = status.run().crawl();
        return sinksBehind.stream().filter(key -> key.startsWith(crawl + "/"))
                .map(key -> key.substring(key.indexOf('/') + 1)).sorted()
                .map(sink -> "the sink " + sink
                        + " is behind: the crawl ends when it has caught up, or is given up with" + " trawl sink skip "
                        + crawl + " " + sink)
                .toList();
    }

    /** That it has lost pages; of a run without any the errors say why. */
    private static List<String> failed(CrawlStatus status, Optional<End> end, Totals totals) {
        return end.filter(over -> over.failed() && totals.found() > 0).stream()
                .map(_ -> status.run() + " has failed: it has " + totals.found() + " of the " + status.lastPages()
                        + " pages of the last run, and " + totals.unavailable()
                        + (totals.unavailable() == 1 ? " request" : " requests")
                        + " failed; it gets no _SUCCESS, and older runs stay")
                .toList();
    }

    /** A loss in Kafka while the crawl was started. */
    private static List<String> lost(CrawlStatus status, Optional<End> end, Optional<KafkaLoss> loss) {
        return loss
                .filter(last -> status.startedAt().filter(start -> start.isBefore(last.at())).isPresent()
                        && end.filter(over -> over.at().isBefore(last.at())).isEmpty())
                .stream().map(KafkaLoss::text).toList();
    }

    /** The first firing of its schedule after a moment. */
    static Optional<Instant> nextRun(CrawlStatus status, Instant after) {
        try {
            return status.definition().schedule().flatMap(schedule -> CronSchedule.of(schedule).next(after));
        } catch (InvalidValueException e) {
            // A schedule of another version that cannot be read does not fire.
            return Optional.empty();
        }
    }

    /** The number of all errors, those of parsers and item processors included. */
    @JsonIgnore
    public long errors() {
        return errorsByKind.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The brief form for lists that clients poll: without the seeds of the definition. */
    public CrawlSummary brief() {
        return withDefinition(definition.withSeeds(List.of()));
    }

    private static boolean idle(CrawlState state, RunSnapshot snapshot) {
        return !state.passing()
                && (state != CrawlState.STARTED || snapshot.nothingWaits() && snapshot.totals().items().waiting() == 0);
    }

    /** Estimates the remaining time of a crawl. Pure. */
    private static final class Forecast {
        /** The minimum observation time. */
        private static final Duration EARLIEST = Duration.ofSeconds(5);
        /** Longer estimates are dropped. */
        private static final double LONGEST = Duration.ofDays(365).toSeconds();

        private Forecast() {}

        /**
         * The time until no request waits, if the number of waiting requests decreases, or until the limit of pages is
         * reached, whichever is earlier; and until the items that are written now are stored, if that takes longer.
         * Based on the last minute. The speed of a run with unchanged pages says nothing about the limit, which is not
         * for those.
         *
         * @return empty while the crawl finds more than it fetches and has no limit, while it makes no progress, and
         * shortly after its start
         */
        public static Optional<Duration> remaining(CrawlDefinition definition, Totals totals, Pace pace) {
            if (pace.over().compareTo(EARLIEST) < 0) {
                return Optional.empty();
            }
            double drained = pace.gained() > 0 ? totals.waiting() / pace.gained() : Double.POSITIVE_INFINITY;
            double limited = definition.limits().maxPages().filter(_ -> totals.unchanged() == 0)
                    .map(most -> Math.max(0, most - totals.pages()) / pace.rates().pages1m())
                    .orElse(Double.POSITIVE_INFINITY);
            double fetched = Math.min(drained, limited);
            double stored = totals.items().waiting() == 0 || pace.settled() == 0 && totals.waiting() > 0
                    ? 0
                    : totals.items().waiting() / pace.settled();
            return DoubleStream.of(Math.max(fetched, stored)).filter(seconds -> seconds <= LONGEST)
                    .mapToObj(seconds -> Duration.ofSeconds(Math.round(seconds))).findFirst();
        }
    }
}
