package io.trawl.coordinator.summary;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.trawl.coordinator.summary.Tally.ActiveRuns;
import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The metrics of single crawls: of those that were active last, and the sum of the others, so that their number stays
 * bounded. They are there as soon as the ledger is counted, and follow the tally on a thread of their own.
 */
public final class CrawlMeters implements AutoCloseable {
    /** Stands for the crawls without series of their own, and for a crawl of that name. */
    private static final String OTHERS = "other";
    private static final Duration EVERY = Duration.ofSeconds(2);
    private static final long NOTHING = -1;
    private final Tally tally;
    private final int most;
    private final Map<ToLongFunction<Totals>, MultiGauge> gauges = new LinkedHashMap<>();
    private final PeriodicTask task;
    /** The state of the tally that is shown; belongs to the thread. */
    private long shown = NOTHING;

    /** @param most how many crawls have series of their own */
    public CrawlMeters(Tally tally, int most, MeterRegistry meters, Time time) {
        this.tally = tally;
        this.most = most;
        gauge(meters, "pages", "Stored pages of the present run", Totals::pages);
        gauge(meters, "unchanged", "Pages of the present run that are as they were at their last visit",
                Totals::unchanged);
        gauge(meters, "errors", "Stored errors of the present run", totals -> totals.httpErrors() + totals.failures());
        gauge(meters, "waiting", "Requests of the present run without an answer", Totals::waiting);
        gauge(meters, "bytes", "Bytes of handled bodies of the present run", Totals::bytes);
        this.task = new PeriodicTask("crawl meters", EVERY, time, this::show);
    }

    private void gauge(MeterRegistry meters, String name, String description, ToLongFunction<Totals> value) {
        gauges.put(value, MultiGauge.builder("trawl.crawl." + name).description(description).register(meters));
    }

    /** Starts the thread. */
    public void start() {
        task.start();
    }

    /** Nothing while the totals are incomplete: they would look like a loss. */
    void show() {
        if (tally.counting().isPresent()) {
            shown = NOTHING;
            gauges.values().forEach(gauge -> gauge.register(List.of(), true));
            return;
        }
        long now = tally.changes();
        if (now == shown) {
            return;
        }
        shown = now;
        ActiveRuns runs = tally.active(most, OTHERS);
        gauges.forEach(
                (value, gauge) -> gauge.register(
                        Stream.concat(
                                runs.newest().entrySet().stream()
                                        .<Row<?>>map(run -> Row.of(Tags.of("crawl", run.getKey().value()),
                                                value.applyAsLong(run.getValue()))),
                                Stream.of(Row.of(Tags.of("crawl", OTHERS), value.applyAsLong(runs.others())))).toList(),
                        true));
    }

    @Override
    public void close() {
        task.close();
    }
}
