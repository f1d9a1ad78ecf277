package io.trawl.standalone.text;

import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.Totals;
import io.trawl.coordinator.text.Figures;
import io.trawl.time.Time;
import java.io.PrintStream;
import java.time.Duration;

/** A line of its own every ten seconds: for logs and pipes. */
public final class PlainProgress implements ProgressDisplay {
    private static final Duration BETWEEN = Duration.ofSeconds(10);
    private final PrintStream err;
    private final Time time;
    private final SpeedMeter speed = new SpeedMeter();
    private long last;
    private String said = "";

    /** Shows nothing yet. */
    public PlainProgress(PrintStream err, Time time) {
        this.err = err;
        this.time = time;
    }

    @Override
    public void say(String step) {
        if (!step.equals(said)) {
            err.println(step + " ...");
        }
        said = step;
    }

    @Override
    public void note(String line) {
        err.println(line);
    }

    @Override
    public void begin(CrawlSummary summary) {
        err.println("crawling " + summary.run().crawl());
        last = time.nanos();
        speed.note(last, summary.totals().found());
    }

    @Override
    public void show(CrawlSummary summary) {
        long now = time.nanos();
        speed.note(now, summary.totals().found());
        if (now - last >= BETWEEN.toNanos()) {
            last = now;
            Totals totals = summary.totals();
            String queues = Figures.byPriority(summary.waitingByPriority());
            err.println(Figures.count(totals.answered()) + " of " + Figures.count(totals.emitted()) + " known done, "
                    + Figures.count(totals.found()) + " pages, " + Figures.perSecond(speed.perSecond()) + " pages/s, "
                    + Figures.count(totals.errors()) + " errors" + Figures.left(summary)
                    + (queues.isEmpty() ? "" : ", queue " + queues));
        }
    }

    @Override
    public void close() {
        err.flush();
    }
}
