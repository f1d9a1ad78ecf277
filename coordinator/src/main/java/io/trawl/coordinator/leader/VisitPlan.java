package io.trawl.coordinator.leader;

import io.trawl.control.VisitChoice;
import io.trawl.ledger.Fingerprint;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.Visit;
import io.trawl.pattern.UrlParts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a refresh makes of the visits of the run before: it is told all of them, in the order of their log, and then
 * asked for each in that order. It is a function of the log, so another leader decides the same. Keeps only what is
 * said of pages that are nearer than their first answer, and the hosts that lie. Not thread-safe.
 */
final class VisitPlan {
    /** In one entry of the table the part of the interval by which a page is late differs by a twentieth. */
    private static final double STEPS = 14;
    private static final int MOST_LIARS = 100_000;
    private final VisitChoice choice;
    private final String rules;
    private final Map<Fingerprint, Integer> depths = new HashMap<>();
    private final Set<HostKey> liars = new HashSet<>();
    private final TreeMap<Integer, Long> late = new TreeMap<>();
    private Optional<Threshold> threshold = Optional.empty();

    /** A visit is made if it is later than this; of those that are as late, so many. */
    private static final class Threshold {
        private static final Threshold NONE = new Threshold(Integer.MIN_VALUE, 0);
        private final int lateness;
        private long left;

        Threshold(int lateness, long left) {
            this.lateness = lateness;
            this.left = left;
        }

        boolean admits(int its) {
            return its > lateness || its == lateness && left-- > 0;
        }
    }

    /** What becomes of a visit. */
    enum Turn {
        /** It becomes a request of the run. */
        NOW,
        /** It is due, and the run makes no more visits. */
        OVERDUE,
        /** It is carried over to the next run. */
        LATER
    }

    /** @param rules a digest of those for pages, as they are now */
    VisitPlan(VisitChoice choice, String rules) {
        this.choice = choice;
        this.rules = rules;
    }

    /** Takes a record of the log, at the first reading. */
    void add(Request request) {
        if (request.visit().isEmpty()) {
            depths.merge(Fingerprint.of(request.identity()), request.depth(), Math::min);
        } else if (request.visit().filter(Visit::lied).isPresent() && liars.size() < MOST_LIARS) {
            liars.add(request.host());
        }
        if (choice.most().isPresent() && wanted(request)) {
            late.merge(lateness(request), 1L, Long::sum);
        }
    }

    /** What becomes of a visit, at the second reading: asked once for each, in the order of the log. */
    Turn turn(Request request) {
        if (!wanted(request)) {
            return Turn.LATER;
        }
        Threshold least = threshold.orElseGet(() -> choice.most().map(this::threshold).orElse(Threshold.NONE));
        threshold = Optional.of(least);
        return least.admits(lateness(request)) ? Turn.NOW : Turn.OVERDUE;
    }

    /** The latest come first: if there is not enough for all, all intervals become longer by one factor. */
    private Threshold threshold(long most) {
        long left = most;
        for (Map.Entry<Integer, Long> entry : late.descendingMap().entrySet()) {
            if (entry.getValue() >= left) {
                return new Threshold(entry.getKey(), left);
            }
            left -= entry.getValue();
        }
        return Threshold.NONE;
    }

    private boolean wanted(Request request) {
        return request.visit().isPresent()
                && choice.due().filter(now -> dueAt(request) > now.getEpochSecond()).isEmpty()
                && choice.match().filter(its -> !its.matches(UrlParts.of(request.url()))).isEmpty();
    }

    private static long dueAt(Request request) {
        return request.visit().map(Visit::due).orElse(0L);
    }

    /** A logarithm of the part of its interval by which the page is late. A page without an interval is latest. */
    private int lateness(Request request) {
        Visit visit = request.visit().orElseThrow();
        if (visit.interval() == 0) {
            return Integer.MAX_VALUE;
        }
        long seconds = choice.due().map(now -> now.getEpochSecond() - visit.due()).orElse(0L);
        return (int) (STEPS * Math.log1p((double) seconds / visit.interval()));
    }

    /**
     * The request at the smallest depth that the log says. It has no validators if its host lies, or if the rules are
     * no more those by which its items were made.
     */
    Request planned(Request request) {
        int depth = depths.isEmpty()
                ? request.depth()
                : Math.min(request.depth(), depths.getOrDefault(Fingerprint.of(request.identity()), request.depth()));
        return request.with(copy -> copy.depth(depth).visit(request.visit()
                .map(visit -> visit.withPlain(visit.plain() || visit.conditional() && mayLie(request.host(), visit)))));
    }

    private boolean mayLie(HostKey host, Visit visit) {
        return !visit.rules().equals(Optional.of(rules)) || liars.contains(host);
    }
}
