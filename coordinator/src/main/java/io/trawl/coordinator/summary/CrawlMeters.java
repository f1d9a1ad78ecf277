package io.trawl.coordinator.summary;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.coordinator.summary.Tally.ActiveRuns;
import io.trawl.model.CrawlId;
import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The metrics of single crawls: of those that were active last, and the sum of the others, so that their number stays
 * bounded. They are there as soon as the ledger is counted, and follow the tally and {@code control} on a thread of
 * their own.
 */
public final class CrawlMeters implements AutoCloseable {
    /** Stands for the crawls without series of their own, and for a crawl of that name. */
    private static final String OTHERS = "other";
    private static final Duration EVERY = Duration.ofSeconds(2);
    private static final long NOTHING = -1;
    private final Tally tally;
    private final Supplier<List<CrawlStatus>> crawls;
    private final int most;
    private final Time time;
    private final Map<ToLongFunction<Totals>, MultiGauge> ofTotals = new LinkedHashMap<>();
    private final Map<ToLongFunction<CrawlStatus>, MultiGauge> ofStates = new LinkedHashMap<>();
    private final PeriodicTask task;
    /** The changes of the tally when its totals were shown last; belongs to the thread, as these do. */
    private long shown = NOTHING;
    private ActiveRuns runs = new ActiveRuns(Map.of(), Totals.NONE);

    /**
     * @param crawls all of them, in their present states
     * @param most how many crawls have series of their own
     */
    public CrawlMeters(Tally tally, Supplier<List<CrawlStatus>> crawls, int most, MeterRegistry meters, Time time) {
        this.tally = tally;
        this.crawls = crawls;
        this.most = most;
        this.time = time;
        totals(meters, "pages", "Stored pages of the present run", Totals::pages);
        totals(meters, "unchanged", "Pages of the present run that are as they were at their last visit",
                Totals::unchanged);
        totals(meters, "not.modified", "Pages of the present run that were answered 304", Totals::notModified);
        totals(meters, "errors", "Stored errors of the present run", totals -> totals.httpErrors() + totals.failures());
        totals(meters, "waiting", "Requests of the present run without an answer", Totals::waiting);
        totals(meters, "bytes", "Bytes of handled bodies of the present run", Totals::bytes);
        visits(meters, "made", "Pages that the present run visits again", PromotedVisits::made);
        visits(meters, "later", "Pages that the present run leaves for the next refresh", PromotedVisits::later);
        visits(meters, "overdue", "Pages among these that were due", PromotedVisits::overdue);
        state(meters, "refresh.late.seconds", "The time since the schedule should have begun a refresh", this::late);
        this.task = new PeriodicTask("crawl meters", EVERY, time, this::show);
    }

    private static MultiGauge gauge(MeterRegistry meters, String name, String description) {
        return MultiGauge.builder("trawl.crawl." + name).description(description).register(meters);
    }

    private void totals(MeterRegistry meters, String name, String description, ToLongFunction<Totals> value) {
        ofTotals.put(value, gauge(meters, name, description));
    }

    private void state(MeterRegistry meters, String name, String description, ToLongFunction<CrawlStatus> value) {
        ofStates.put(value, gauge(meters, name, description));
    }

    private void visits(MeterRegistry meters, String name, String description, ToLongFunction<PromotedVisits> value) {
        state(meters, "visits." + name, description, crawl -> crawl.promoted().map(value::applyAsLong).orElse(0L));
    }

    /**
     * The seconds since the first firing of a schedule with intervals after the start of the last run; 0 before that
     * firing, and during a run that visits no pages again, which may take as long as it takes.
     */
    private long late(CrawlStatus crawl) {
        boolean first = crawl.state() == CrawlState.STARTED && !crawl.refreshes();
        return crawl.startedAt().filter(_ -> crawl.definition().refreshRules().paced() && !first)
                .flatMap(start -> CrawlSummary.nextRun(crawl, start))
                .map(firing -> Math.max(0, Duration.between(firing, time.now()).toSeconds())).orElse(0L);
    }

    /** Starts the thread. */
    public void start() {
        task.start();
    }

    /** Nothing while the totals are incomplete: they would look like a loss. */
    void show() {
        if (tally.counting().isPresent()) {
            shown = NOTHING;
            Stream.concat(ofTotals.values().stream(), ofStates.values().stream())
                    .forEach(gauge -> gauge.register(List.of(), true));
            return;
        }
        long now = tally.changes();
        if (now != shown) {
            shown = now;
            runs = tally.active(most, OTHERS);
            ofTotals.forEach((value, gauge) -> show(gauge,
                    runs.newest().entrySet().stream()
                            .collect(Collectors.toMap(Map.Entry::getKey, run -> value.applyAsLong(run.getValue()))),
                    value.applyAsLong(runs.others())));
        }
        List<CrawlStatus> known = crawls.get();
        Predicate<CrawlStatus> ofTheirOwn = crawl -> runs.newest().containsKey(crawl.run().crawl());
        ofStates.forEach((value, gauge) -> show(gauge,
                known.stream().filter(ofTheirOwn)
                        .collect(Collectors.toMap(crawl -> crawl.run().crawl(), value::applyAsLong)),
                known.stream().filter(ofTheirOwn.negate()).mapToLong(value).sum()));
    }

    private static void show(MultiGauge gauge, Map<CrawlId, Long> newest, long others) {
        gauge.register(Stream.concat(
                newest.entrySet().stream()
                        .map(crawl -> Row.of(Tags.of("crawl", crawl.getKey().value()), crawl.getValue())),
                Stream.of(Row.of(Tags.of("crawl", OTHERS), others))).toList(), true);
    }

    @Override
    public void close() {
        task.close();
    }
}
