package io.trawl.coordinator.summary;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.control.Channels;
import io.trawl.coordinator.summary.FleetCrawls.CrawlCounts;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.module.SerialNumbers.Position;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The summary of a deployment.
 *
 * @param leader the coordinator that leads, if there is one
 * @param channels the request topics
 * @param idle whether there is no work: every crawl is idle, every response is analysed, and every item is in a
 * finished file
 * @param rates the speed of all crawls together
 * @param totals of all crawls together
 * @param queue backlogs and traffic of the channels
 * @param modules the live processes
 * @param counts how many crawls there are
 * @param crawls those that are asked for, in brief form
 * @param counting present while all totals are incomplete
 * @param notes what its operator should know about the deployment
 * @param missing the kinds of module of which none is registered
 * @param serials the generators of serial numbers, by kind
 * @param advice which stage limits the speed, and what would help; empty without work
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record FleetSummary(Optional<MID> leader, Optional<Channels> channels, boolean idle, Rates rates, Totals totals,
        QueueSummary queue, List<Registration> modules, CrawlCounts counts, List<CrawlSummary> crawls,
        Optional<Counting> counting, List<String> notes, List<MissingKind> missing, Map<ModuleKind, Position> serials,
        Optional<Advice> advice) {
    /** Fills in fields that a coordinator of another version does not report. */
    public FleetSummary {
        rates = requireNonNullElse(rates, Rates.UNKNOWN);
        totals = requireNonNullElse(totals, Totals.NONE);
        queue = requireNonNullElse(queue, QueueSummary.UNKNOWN);
        modules = requireNonNullElse(modules, List.of());
        counts = requireNonNullElse(counts, CrawlCounts.NONE);
        crawls = requireNonNullElse(crawls, List.of());
        notes = requireNonNullElse(notes, List.of());
        missing = requireNonNullElse(missing, List.of());
        serials = requireNonNullElse(serials, Map.of());
    }

    /**
     * A kind of module of which none is registered.
     *
     * @param effect what is not done therefore, and what waits for it
     * @param since when it was seen to be missing; empty if that is not known
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record MissingKind(ModuleKind kind, String effect, Optional<Instant> since) {
        /** Processes that start or are replaced may be missing for so long. */
        public static final Duration GRACE = Duration.ofSeconds(30);

        /** The kinds that are missing among live modules. */
        public static List<MissingKind> among(List<Registration> live) {
            return Arrays.stream(ModuleKind.values())
                    .filter(kind -> live.stream().noneMatch(r -> r.mid().kind() == kind))
                    .map(kind -> new MissingKind(kind, switch (kind) {
                        case DOWNLOADER -> "nothing is fetched";
                        case ANALYZER -> "fetched pages are not analysed";
                        case PIPELINE -> "no page is stored";
                        case COORDINATOR -> "crawls do not make progress";
                    }, Optional.empty())).toList();
        }

        private MissingKind with(Optional<Instant> seen, QueueSummary queue) {
            Optional<String> waits = switch (kind) {
                case DOWNLOADER ->
                    Optional.of(queue.levels().stream().mapToLong(QueueSummary.Level::waiting).sum() + " requests");
                case ANALYZER -> queue.responses().backlog().map(n -> n + " responses");
                case PIPELINE -> queue.items().backlog().map(n -> n + " items");
                case COORDINATOR -> Optional.empty();
            };
            return new MissingKind(kind, effect + waits.map(what -> ", " + what + " wait").orElse(""), seen);
        }

        /** A sentence for people. */
        public String text() {
            return "no " + kind.word() + since
                    .map(at -> " has been running since " + at.truncatedTo(ChronoUnit.SECONDS)).orElse(" is running")
                    + ": " + effect;
        }
    }

    /** Whether any coordinator is registered: one made this summary, so if none is, who leads is not known either. */
    public boolean coordinators() {
        return modules.stream().anyMatch(module -> module.mid().kind() == ModuleKind.COORDINATOR);
    }

    /**
     * The same while modules cannot register: which of them run is not known. @param refusal what the store says, in
     * one line
     */
    public FleetSummary unregistered(String refusal) {
        return new FleetSummary(leader, channels, idle, rates, totals, queue, modules, counts, crawls, counting,
                Stream.concat(
                        Stream.of(refusal
                                + ". Processes wait for it and cannot register, so those that run are not all known"),
                        notes.stream()).toList(),
                List.of(), serials, Optional.empty());
    }

    /** Creates the summary. @param missingSince when the kinds of module that are missing were seen to be */
    public static FleetSummary of(Optional<MID> leader, Optional<Channels> channels, QueueSummary queue,
            List<Registration> modules, FleetCrawls crawls, Optional<Counting> counting, List<String> notes,
            Map<ModuleKind, Instant> missingSince, Map<ModuleKind, Position> serials, Optional<Advice> advice) {
        boolean empty = queue.responses().empty() && queue.items().empty();
        return new FleetSummary(leader, channels, empty && counting.isEmpty() && crawls.idle(), crawls.rates(),
                crawls.totals(), queue, modules, crawls.counts(), crawls.shown(), counting, notes,
                MissingKind.among(modules).stream()
                        .map(kind -> kind.with(Optional.ofNullable(missingSince.get(kind.kind())), queue)).toList(),
                serials, advice);
    }
}
