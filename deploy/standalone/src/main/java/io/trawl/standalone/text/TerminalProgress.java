package io.trawl.standalone.text;

import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.Figures;
import io.trawl.time.Time;
import java.io.PrintStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** One line that is written over: pages done of those known, pages per second, errors, queue per priority. */
public final class TerminalProgress implements ProgressDisplay {
    private static final int MILLIS = 250;
    private final PrintStream err;
    private final int columns;
    private final Time time;
    private final SpeedMeter speed = new SpeedMeter();
    private boolean saying;
    private @Nullable ProgressBar bar;

    /**
     * Shows nothing yet.
     *
     * @param columns the width of the terminal
     */
    public TerminalProgress(PrintStream err, int columns, Time time) {
        this.err = err;
        this.columns = columns;
        this.time = time;
    }

    @Override
    public void say(String step) {
        close();
        String line = step + " ...";
        err.print("\r" + (line.length() < columns ? line : line.substring(0, columns - 1)));
        err.flush();
        saying = true;
    }

    @Override
    public void note(String line) {
        close();
        err.println(line);
    }

    @Override
    public void begin(CrawlSummary summary) {
        clear();
        bar = new ProgressBarBuilder().setTaskName("")
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(MILLIS)
                .setInitialMax(summary.totals().emitted())
                .startsFrom(summary.totals().answered(), summary.elapsed())
                .hideEta()
                .continuousUpdate()
                .setConsumer(new ConsoleProgressBarConsumer(err, columns - 1))
                .build();
        show(summary);
    }

    @Override
    public void show(CrawlSummary summary) {
        ProgressBar shown = bar;
        if (shown != null) {
            speed.note(time.nanos(), summary.totals().pages());
            shown.maxHint(Math.max(1, summary.totals().emitted()));
            shown.stepTo(summary.totals().answered());
            shown.setExtraMessage(figures(summary));
        }
    }

    private String figures(CrawlSummary summary) {
        String queues = Figures.byPriority(summary.waitingByPriority());
        return Figures.perSecond(speed.perSecond()) + " pages/s, " + Figures.count(summary.totals().errors()) + " errors"
                + (queues.isEmpty() ? "" : ", queue " + queues);
    }

    private void clear() {
        if (saying) {
            err.print("\r" + " ".repeat(columns - 1) + "\r");
            err.flush();
            saying = false;
        }
    }

    @Override
    public void close() {
        clear();
        ProgressBar shown = bar;
        if (shown != null) {
            bar = null;
            shown.close();
        }
    }
}
