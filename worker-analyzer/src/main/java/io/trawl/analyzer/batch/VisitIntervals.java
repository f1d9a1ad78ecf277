package io.trawl.analyzer.batch;

import io.trawl.control.RefreshRules;
import io.trawl.control.RefreshRules.VisitInterval;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a page is visited next, by what its visits have found: after half of the time if it has changed, and after twice
 * the time if it has not changed twice in a row. The time of its first visit is a guess by its headers. Pure.
 */
record VisitIntervals(RefreshRules rules) {
    private static final Duration FIRST = Duration.ofDays(1);
    private static final int STEADY = 2;
    private static final int FACTOR = 2;
    /** The usual part of its age for which a page is thought to be fresh (RFC 9111, section 4.2.2). */
    private static final int PART_OF_AGE = 10;
    private static final Pattern MAX_AGE = Pattern.compile("(?:^|[,\\s])max-age\\s*=\\s*\"?([0-9]{1,9})",
            Pattern.CASE_INSENSITIVE);
    /** Pages that were found together do not stay together: the time is shorter by at most a tenth. */
    private static final int JITTER = 1000;
    private static final double LARGEST_JITTER = 0.1;

    /**
     * The entry of a page with the time of its next visit.
     *
     * @param before its entry at this visit; empty if it was its first
     */
    Visit paced(Response response, Optional<Visit> before, Visit next) {
        if (!rules.paced()) {
            return next.with(copy -> copy.interval(0).due(0).steady(0));
        }
        VisitInterval permitted = rules.interval(response.url());
        Optional<Visit> known = before.filter(visit -> visit.interval() > 0);
        boolean same = known.isPresent() && same(known.get(), next);
        int steady = said(response) ? same ? next.steady() + 1 : 0 : next.steady();
        Duration last = known.map(visit -> Duration.ofSeconds(visit.interval())).orElseGet(() -> guess(response));
        Duration wanted = known.isEmpty() || !said(response)
                ? last
                : !same ? last.dividedBy(FACTOR) : steady >= STEADY ? last.multipliedBy(FACTOR) : last;
        Duration interval = permitted.nearest(next.state() == PageState.MISSING ? permitted.least() : wanted);
        return next.with(copy -> copy.interval(Math.toIntExact(interval.toSeconds())).steady(steady % STEADY)
                .due(response.fetchedAt().plusSeconds(jittered(interval, response, next)).getEpochSecond()));
    }

    /** Whether the visit has found what the one before had found. */
    private static boolean same(Visit before, Visit next) {
        return before.state() == next.state() && before.digest().equals(next.digest());
    }

    /** Whether the answer says anything about the content of the page: a failure or a server's trouble says nothing. */
    private static boolean said(Response response) {
        return switch (response.outcome()) {
            case Outcome.Success _,Outcome.Unchanged _,Outcome.Redirect _ -> true;
            case Outcome.HttpError error -> error.status() < 500;
            case Outcome.Failure _,Outcome.Refused _,Outcome.Duplicate _ -> false;
        };
    }

    /** The longer one of what {@code Cache-Control} permits and a part of the page's age; a day if it says neither. */
    private static Duration guess(Response response) {
        Optional<Duration> fresh = Optional.of(MAX_AGE.matcher(response.header("cache-control"))).filter(Matcher::find)
                .map(age -> Duration.ofSeconds(Long.parseLong(age.group(1)))).filter(Duration::isPositive);
        Optional<Duration> old = date(response.header("last-modified"))
                .map(changed -> Duration.between(changed, response.fetchedAt()).dividedBy(PART_OF_AGE))
                .filter(Duration::isPositive);
        return fresh.map(age -> old.filter(part -> part.compareTo(age) > 0).orElse(age)).or(() -> old).orElse(FIRST);
    }

    private static Optional<Instant> date(String date) {
        try {
            return date.isEmpty()
                    ? Optional.empty()
                    : Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A function of page and number, so that an answer that is handled again says the same. */
    private static long jittered(Duration interval, Response response, Visit next) {
        int part = Math.floorMod(response.identity().hashCode() * 31 + next.number(), JITTER);
        return Math.round(interval.toSeconds() * (1 - LARGEST_JITTER * part / JITTER));
    }
}
