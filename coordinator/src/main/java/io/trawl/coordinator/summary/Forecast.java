package io.trawl.coordinator.summary;

import io.trawl.control.CrawlDefinition;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.DoubleStream;

/** How long a crawl will go on, as far as that can be known. Pure. */
public final class Forecast {
    /** Earlier than that nothing can be said. */
    private static final Duration EARLIEST = Duration.ofSeconds(5);
    /** A longer time is no forecast. */
    private static final double LONGEST = Duration.ofDays(365).toSeconds();

    private Forecast() {}

    /**
     * Until nothing waits, if what waits becomes less, or until a limit of pages is reached; whichever comes first. It goes by the last minute.
     *
     * @return empty while it finds more than it fetches and has no limit, while it stands still, and shortly after its start
     */
    public static Optional<Duration> remaining(CrawlDefinition definition, Totals totals, Pace pace) {
        if (pace.over().compareTo(EARLIEST) < 0) {
            return Optional.empty();
        }
        double drained = pace.gained() > 0 ? totals.waiting() / pace.gained() : Double.POSITIVE_INFINITY;
        double limited = definition.maxPages().map(most -> Math.max(0, most - totals.pages()) / pace.rates().pages1m())
                .orElse(Double.POSITIVE_INFINITY);
        return DoubleStream.of(drained, limited).filter(seconds -> seconds <= LONGEST).min().stream()
                .mapToObj(seconds -> Duration.ofSeconds(Math.round(seconds))).findFirst();
    }
}
