package io.trawl.standalone.text;

import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.Figures;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.time.Time;
import java.io.PrintStream;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** One line that is written over: pages done of those known, pages per second, errors, queue per priority. */
public final class TerminalProgress implements ProgressDisplay {
    private static final int MILLIS = 250;
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private final PrintStream err;
    private volatile Terminal terminal;
    private final Time time;
    private final SpeedMeter speed = new SpeedMeter();
    private long measured;
    private boolean saying;
    private @Nullable ProgressBar bar;

    /**
     * Shows nothing yet.
     *
     * @param terminal its width at the start; the line follows the window
     */
    TerminalProgress(PrintStream err, Terminal terminal, Time time) {
        this.err = err;
        this.terminal = terminal;
        this.time = time;
    }

    @Override
    public void say(String step) {
        close();
        String line = step + " ...";
        err.print("\r" + TerminalText.fitted(line, terminal.columns() - 1));
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
        bar = new ProgressBarBuilder().setTaskName("").setStyle(ProgressBarStyle.ASCII).setUpdateIntervalMillis(MILLIS)
                .setInitialMax(summary.totals().emitted()).startsFrom(summary.totals().answered(), summary.elapsed())
                .hideEta().continuousUpdate().setConsumer(new ConsoleProgressBarConsumer(err) {
                    @Override
                    public int getMaxRenderedLength() { return terminal.columns() - 1; }
                }).build();
        show(summary);
    }

    @Override
    public void show(CrawlSummary summary) {
        ProgressBar shown = bar;
        if (shown != null) {
            speed.note(time.nanos(), summary.totals().found());
            follow();
            shown.maxHint(Math.max(1, summary.totals().emitted()));
            shown.stepTo(summary.totals().answered());
            shown.setExtraMessage(figures(summary));
        }
    }

    /** A resized window: the line that was drawn for the old width is left behind. */
    private void follow() {
        if (time.nanos() - measured > BETWEEN.toNanos()) {
            measured = time.nanos();
            terminal = terminal.resized();
        }
    }

    private String figures(CrawlSummary summary) {
        String queues = Figures.byPriority(summary.waitingByPriority());
        return Figures.perSecond(speed.perSecond()) + " pages/s, " + Figures.count(summary.totals().errors())
                + " errors" + Figures.left(summary) + (queues.isEmpty() ? "" : ", queue " + queues);
    }

    private void clear() {
        if (saying) {
            err.print("\r" + " ".repeat(terminal.columns() - 1) + "\r");
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
