package io.trawl.standalone.report;

import io.trawl.coordinator.api.CrawlSummary;
import io.trawl.coordinator.summary.Totals;
import io.trawl.time.Time;
import java.io.PrintStream;
import java.time.Duration;

/** A line of its own every ten seconds: for logs and pipes. */
public final class PlainProgress implements Progress {
    private static final Duration BETWEEN = Duration.ofSeconds(10);
    private final PrintStream err;
    private final Time time;
    private final Rate rate = new Rate();
    private long last;

    /** Shows nothing yet. */
    public PlainProgress(PrintStream err, Time time) {
        this.err = err;
        this.time = time;
    }

    @Override
    public void say(String step) {
        err.println(step + " ...");
    }

    @Override
    public void note(String line) {
        err.println(line);
    }

    @Override
    public void begin(CrawlSummary summary) {
        err.println("crawling " + summary.run().crawl());
        last = time.nanos();
        rate.note(last, summary.totals().pages());
    }

    @Override
    public void show(CrawlSummary summary) {
        long now = time.nanos();
        rate.note(now, summary.totals().pages());
        if (now - last >= BETWEEN.toNanos()) {
            last = now;
            Totals totals = summary.totals();
            String queues = Figures.queues(summary);
            err.println(Figures.count(Figures.done(totals)) + " of " + Figures.count(totals.emitted()) + " known done, "
                    + Figures.count(totals.pages())
                    + " pages, " + Figures.perSecond(rate.perSecond()) + " pages/s, " + Figures.count(Figures.errors(totals))
                    + " errors"
                    + (queues.isEmpty() ? "" : ", queue " + queues));
        }
    }

    @Override
    public void close() {
        err.flush();
    }
}
