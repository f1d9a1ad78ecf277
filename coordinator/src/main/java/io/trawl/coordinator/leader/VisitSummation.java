package io.trawl.coordinator.leader;

import io.trawl.definition.RefreshRules;
import io.trawl.coordinator.summary.VisitSummary.DuePages;
import io.trawl.coordinator.summary.VisitSummary.IntervalPages;
import io.trawl.coordinator.summary.VisitSummary;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The sums over the visits of a run, at a moment. Not thread-safe. */
final class VisitSummation {
    /** By when pages are due. */
    private static final List<Duration> TIMES = List.of(Duration.ZERO, Duration.ofHours(1), Duration.ofDays(1),
            Duration.ofDays(7), Duration.ofDays(30));
    /** The longest intervals of the classes; the last one has none. */
    private static final List<Optional<Duration>> CLASSES = List.of(Optional.of(Duration.ofHours(1)),
            Optional.of(Duration.ofHours(6)), Optional.of(Duration.ofDays(1)), Optional.of(Duration.ofDays(7)),
            Optional.of(Duration.ofDays(30)), Optional.empty());
    private final VisitPlan plan;
    private final RefreshRules rules;
    private final Instant now;
    private final Map<PageState, Long> states = new TreeMap<>();
    private final long[] due = new long[TIMES.size()];
    private final long[] intervals = new long[CLASSES.size()];
    private long pages;
    private long rated;
    private double fresh;

    /** @param plan says when pages are due, and which have changed for sure */
    VisitSummation(VisitPlan plan, RefreshRules rules, Instant now) {
        this.plan = plan;
        this.rules = rules;
        this.now = now;
    }

    /** @param request with a visit */
    void add(Request request) {
        Visit visit = request.visit().orElseThrow();
        pages++;
        states.merge(visit.state(), 1L, Long::sum);
        Duration left = plan.due(request).map(at -> Duration.between(now, at)).orElse(Duration.ZERO);
        IntStream.range(0, due.length).filter(i -> left.compareTo(TIMES.get(i)) <= 0).forEach(i -> due[i]++);
        Optional<Duration> pause = rules.pause(request);
        if (pause.isPresent()) {
            intervals[IntStream.range(0, intervals.length)
                    .filter(i -> CLASSES.get(i).filter(most -> pause.get().compareTo(most) > 0).isEmpty()).findFirst()
                    .orElseThrow()]++;
            if (visit.state() == PageState.STORED) {
                rated++;
                fresh += plan.told(request).visit().flatMap(Visit::due).isPresent()
                        ? 0
                        : visit.rate().orElseThrow()
                                .fresh(Duration.between(Instant.ofEpochSecond(visit.visited()), now));
            }
        }
    }

    /** @param run that has kept the visits */
    VisitSummary result(CrawlRun run) {
        List<IntervalPages> classes = IntStream.range(0, intervals.length).filter(i -> intervals[i] > 0)
                .mapToObj(i -> new IntervalPages(CLASSES.get(i), intervals[i])).toList();
        return new VisitSummary(run.crawl(), run.epoch(), now, pages,
                new DuePages(due[0], due[1], due[2], due[3], due[4]), classes,
                rated == 0 ? Optional.empty() : Optional.of(fresh / rated), states);
    }
}
