package io.trawl.coordinator.summary;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.CrawlState;
import io.trawl.model.CrawlId;
import java.time.Instant;
import java.util.Comparator;

/**
 * A crawl with the numbers by which it is counted, found and sorted: a hundredth of the work of its summary, since a
 * deployment has thousands of crawls.
 */
public record CrawlFigures(CrawlStatus status, Totals totals, Rates rates) {
    /** The id of the crawl. */
    public CrawlId crawl() {
        return status.run().crawl();
    }

    /** The word for its state, see {@link CrawlState#condition}. */
    public String condition() {
        return status.state().condition(status.end().map(End::reason));
    }

    /** Whether there is no work, if these numbers are complete. */
    boolean idle() {
        return !status.state().passing()
                && (status.state() != CrawlState.STARTED || totals.waiting() == 0 && totals.items().waiting() == 0);
    }

    /**
     * The order of a name; {@code -} before it reverses it. Crawls that are equal are sorted by id, and so are all by
     * an unknown name.
     *
     * @param now for the time for which crawls have been started
     */
    public static Comparator<CrawlFigures> order(String name, Instant now) {
        Comparator<CrawlFigures> byId = Comparator.comparing(CrawlFigures::crawl);
        Comparator<CrawlFigures> order = switch (name.replaceFirst("^-", "")) {
            case "startedAt" -> Comparator.comparing(crawl -> crawl.status.startedAt().orElse(Instant.EPOCH));
            case "state" -> Comparator.comparing(crawl -> crawl.status.state());
            case "progress" -> Comparator.comparingDouble(CrawlFigures::progress);
            case "pages" -> Comparator.comparingLong(crawl -> crawl.totals.pages());
            case "errors" -> Comparator.comparingLong(crawl -> crawl.totals.errors());
            case "waiting" -> Comparator.comparingLong(crawl -> crawl.totals.waiting());
            case "bytes" -> Comparator.comparingLong(crawl -> crawl.totals.bytes());
            case "rate" -> Comparator.comparingDouble(CrawlFigures::rate);
            case "elapsed" -> Comparator.comparing(crawl -> crawl.status.spentAt(now));
            default -> byId;
        };
        return (name.startsWith("-") ? order.reversed() : order).thenComparing(byId);
    }

    private double progress() {
        return totals.emitted() == 0 ? 0 : (double) totals.answered() / totals.emitted();
    }

    private double rate() {
        return status.state() == CrawlState.STARTED ? rates.pages1m() : -1;
    }
}
