package io.trawl.analyzer.batch;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Visit;
import io.trawl.scope.LinkFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The dates of pages in the sitemaps and feeds of a batch: which of these pages have changed since the last visit of
 * the source. A source may be made an hour before it is published, or later, so it is not asked to the second. One that
 * dates most of its pages so gives the time at which it was made, and is not believed. Immutable.
 */
final class SourceDates {
    private static final SourceDates NONE = new SourceDates(Map.of());
    private static final Duration MADE_BEFORE = Duration.ofDays(1);
    /** A feed may name new pages only. */
    private static final int FEW = 100;
    private final Map<RequestId, Count> counts;

    /** Of the pages that a source names. */
    private record Count(int all, int changed) {
        private static final Count NONE = new Count(0, 0);

        Count and(boolean changed) {
            return new Count(all + 1, this.changed + (changed ? 1 : 0));
        }

        boolean believed() {
            return changed > 0 && (changed <= FEW || 2 * changed <= all);
        }
    }

    private SourceDates(Map<RequestId, Count> counts) {
        this.counts = counts;
    }

    /** Only pages with intervals may be due earlier. @param found all references of the batch */
    static SourceDates of(CrawlStatus crawl, List<FoundReference> found) {
        if (!crawl.refreshes() || !crawl.definition().refreshRules().paced()) {
            return NONE;
        }
        Map<RequestId, Count> counts = new HashMap<>();
        found.stream().filter(reference -> reference.from().options().source())
                .forEach(reference -> counts.compute(reference.from().id(),
                        (_, count) -> (count == null ? Count.NONE : count).and(changedSinceVisit(reference))));
        return new SourceDates(counts);
    }

    /** Whether its page has changed. */
    boolean changed(FoundReference reference) {
        return counts.getOrDefault(reference.from().id(), Count.NONE).believed() && changedSinceVisit(reference);
    }

    private static boolean changedSinceVisit(FoundReference reference) {
        Optional<Instant> visited = reference.from().visit().map(Visit::visited).filter(seconds -> seconds > 0)
                .map(Instant::ofEpochSecond);
        return visited.isPresent() && LinkFacts.lastmod(reference.wanted().metadata())
                .filter(date -> date.isAfter(visited.get().minus(MADE_BEFORE))).isPresent();
    }
}
