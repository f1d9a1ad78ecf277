package io.trawl.coordinator.leader;

import io.trawl.codec.PageRules;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.RefreshRules;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.VisitChoice;
import io.trawl.ledger.Fingerprint;
import io.trawl.model.Visit.DueReason;
import io.trawl.model.Durations;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.Visit;
import io.trawl.pattern.UrlParts;
import io.trawl.scope.LinkFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a refresh makes of the visits of the run before: it is told all of them, in the order of their log, once more if
 * not all that is due can be made, and then asked for each in that order. It is a function of the log, so another
 * leader decides the same. Keeps only what is said of pages that are nearer than their first answer or due early, and
 * the hosts that lie. Not thread-safe.
 */
final class VisitPlan {
    /** In one entry of the table the worth of visits differs by a twentieth. */
    private static final double STEPS = 20;
    private static final int MOST_LIARS = 100_000;
    private static final int MOST_EARLY = 200_000;
    private final VisitChoice choice;
    private final RefreshRules intervals;
    private final String rules;
    private final Map<Fingerprint, Integer> depths = new HashMap<>();
    /** What sitemaps, feeds and seeds say of pages. */
    private final Map<Fingerprint, DueReason> reasons = new HashMap<>();
    private final Set<HostKey> liars = new HashSet<>();
    private final TreeMap<Integer, Long> due = new TreeMap<>();
    private Optional<Threshold> threshold = Optional.empty();

    /** A visit is made if it is worth more than this; of those that are worth as much, so many. */
    private static final class Threshold {
        private final int worth;
        private long left;

        Threshold(int worth, long left) {
            this.worth = worth;
            this.left = left;
        }

        boolean admits(int its) {
            return its > worth || its == worth && left-- > 0;
        }
    }

    /** What becomes of a visit. */
    enum Turn {
        /** It becomes a request of the run. */
        NOW,
        /** It is due, and the run makes no more visits. */
        OVERDUE,
        /** It is carried over to the next run. */
        LATER;

        /** @param each how many visits there are of each kind */
        static PromotedVisits counts(Map<Turn, Long> each) {
            long overdue = each.getOrDefault(OVERDUE, 0L);
            return new PromotedVisits(each.getOrDefault(NOW, 0L), each.getOrDefault(LATER, 0L) + overdue, overdue);
        }
    }

    /** @param definition as it is now: other intervals hold at once */
    VisitPlan(VisitChoice choice, CrawlDefinition definition) {
        this.choice = choice;
        this.intervals = definition.refreshRules();
        this.rules = PageRules.digest(definition, choice.plugins());
    }

    /** Takes a record of the log, at the first reading. */
    void add(Request request) {
        if (request.visit().isEmpty()) {
            Fingerprint page = Fingerprint.of(request.identity());
            depths.merge(page, request.depth(), Math::min);
            LinkFacts.dueReason(request).filter(_ -> reasons.size() < MOST_EARLY || reasons.containsKey(page))
                    .ifPresent(reason -> reasons.merge(page, reason, DueReason::or));
        } else if (request.visit().filter(Visit::lied).isPresent() && liars.size() < MOST_LIARS) {
            liars.add(request.host());
        }
    }

    /** Whether the visits are to be {@link #count counted}. */
    boolean counts() {
        return choice.most().isPresent();
    }

    /** Takes a record of the log again, since some visits are due and must wait. */
    void count(Request request) {
        if (wanted(request)) {
            due.merge(worth(request), 1L, Long::sum);
        }
    }

    /** What becomes of a visit, at the last reading: asked once for each, in the order of the log. */
    Turn turn(Request request) {
        if (!wanted(request)) {
            return Turn.LATER;
        }
        if (choice.most().isEmpty()) {
            return Turn.NOW;
        }
        Threshold least = threshold.orElseGet(this::least);
        threshold = Optional.of(least);
        return least.admits(worth(request)) ? Turn.NOW : Turn.OVERDUE;
    }

    private Threshold least() {
        long left = choice.most().orElse(Long.MAX_VALUE);
        for (Map.Entry<Integer, Long> entry : due.descendingMap().entrySet()) {
            if (entry.getValue() >= left) {
                return new Threshold(entry.getKey(), left);
            }
            left -= entry.getValue();
        }
        return new Threshold(Integer.MIN_VALUE, Long.MAX_VALUE);
    }

    private boolean wanted(Request request) {
        return request.visit().isPresent()
                && choice.due().filter(now -> due(request).filter(now::isBefore).isPresent()).isEmpty()
                && choice.match().filter(its -> !its.matches(UrlParts.of(request.url()))).isEmpty();
    }

    /** When a visit is due; empty if at once. */
    Optional<Instant> due(Request request) {
        return intervals.due(told(request));
    }

    /** The request with what the log says of its page. */
    Request told(Request request) {
        return reasons.isEmpty()
                ? request
                : Optional.ofNullable(reasons.get(Fingerprint.of(request.identity())))
                        .map(reason -> request.withVisit(request.visit().map(visit -> visit.dueBy(reason))))
                        .orElse(request);
    }

    private static Duration age(Visit visit, Instant now) {
        return Duration.between(Instant.ofEpochSecond(visit.visited()), now);
    }

    /** A logarithm. What is older than it may be comes before all. */
    private int worth(Request request) {
        Visit visit = request.visit().orElseThrow();
        Instant now = choice.due().orElse(Instant.EPOCH);
        Duration age = age(visit, now);
        boolean overdue = age.compareTo(intervals.interval(request.url()).most()) >= 0;
        Duration known = intervals.early(told(request)).filter(from -> !now.isBefore(from)).isPresent()
                ? Durations.EVER
                : age;
        return visit.rate().filter(_ -> !overdue).map(rate -> (int) Math.floor(STEPS * Math.log(rate.worth(known))))
                .orElse(Integer.MAX_VALUE);
    }

    /**
     * The request at the smallest depth that the log says. It has no validators if the page is nearer than it was,
     * since its links count from there, if its host lies, or if the rules are no more those by which its items were
     * made.
     */
    Request planned(Request request) {
        int depth = depths.isEmpty()
                ? request.depth()
                : Math.min(request.depth(), depths.getOrDefault(Fingerprint.of(request.identity()), request.depth()));
        return request.with(copy -> copy.depth(depth).visit(told(request).visit().map(visit -> visit.withPlain(
                visit.plain() || visit.conditional() && (depth < request.depth() || mayLie(request.host(), visit))))));
    }

    private boolean mayLie(HostKey host, Visit visit) {
        return !visit.rules().equals(Optional.of(rules)) || liars.contains(host);
    }
}
