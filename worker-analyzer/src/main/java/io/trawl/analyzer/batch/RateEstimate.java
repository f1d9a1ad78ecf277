package io.trawl.analyzer.batch;

import io.trawl.definition.RefreshRules;
import io.trawl.definition.RefreshRules.VisitInterval;
import io.trawl.model.ChangeRate;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.model.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the visits of a page say about how often it changes; the first one is a guess by its headers. Pure. */
record RateEstimate(RefreshRules rules) {
    private static final Duration FIRST = Duration.ofDays(1);
    private static final Pattern MAX_AGE = Pattern.compile("(?:^|[,\\s])max-age\\s*=\\s*\"?([0-9]{1,9})",
            Pattern.CASE_INSENSITIVE);

    /**
     * The entry of a page with its time and rate, if the crawl has intervals.
     *
     * @param before its entry at this visit; empty if it was its first
     */
    Visit told(Response response, Optional<Visit> before, Visit next) {
        if (!rules.paced()) {
            return next.with(copy -> copy.visited(0).rate(Optional.empty()));
        }
        ChangeRate rate = before
                .flatMap(visit -> visit.rate().map(
                        known -> compares(response) ? known.after(gap(visit, response), changed(visit, next)) : known))
                .orElseGet(() -> guess(response));
        return next.with(copy -> copy.visited(response.fetchedAt().getEpochSecond()).rate(Optional.of(rate)));
    }

    private static Duration gap(Visit before, Response response) {
        return Duration.between(Instant.ofEpochSecond(before.visited()), response.fetchedAt());
    }

    private static boolean changed(Visit before, Visit next) {
        return before.state() != next.state() || !before.digest().equals(next.digest());
    }

    /** Whether the answer says anything about the content: a failure or a server's trouble says nothing. */
    private static boolean compares(Response response) {
        return switch (response.outcome()) {
            case Outcome.Success _,Outcome.Unchanged _,Outcome.Redirect _ -> true;
            case Outcome.HttpError error -> error.status() < 500;
            case Outcome.Failure _,Outcome.Refused _,Outcome.Duplicate _ -> false;
        };
    }

    /**
     * By the longer one of its age and of what {@code Cache-Control} permits. At a random moment the age of a page is
     * as long as the time between its changes, on average.
     */
    private static ChangeRate guess(Response response) {
        Optional<ChangeRate> fresh = Optional.of(MAX_AGE.matcher(response.header("cache-control")))
                .filter(Matcher::find).map(age -> Duration.ofSeconds(Long.parseLong(age.group(1))))
                .filter(Duration::isPositive).map(VisitInterval::rate);
        Optional<ChangeRate> old = ItemBuilder.lastModified(response)
                .map(changed -> Duration.between(changed, response.fetchedAt())).filter(Duration::isPositive)
                .map(ChangeRate::guess);
        return fresh.map(age -> old.filter(rate -> rate.every() > age.every()).orElse(age)).or(() -> old)
                .orElse(VisitInterval.rate(FIRST));
    }
}
