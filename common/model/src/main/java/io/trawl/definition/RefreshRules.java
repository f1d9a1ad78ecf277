package io.trawl.definition;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.field.Form;
import io.trawl.field.Range;
import io.trawl.field.Size;
import io.trawl.model.ChangeRate;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.Request;
import io.trawl.model.Visit.PageState;
import io.trawl.pattern.UrlParts;
import io.trawl.pattern.UrlPattern;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How the pages of a crawl are visited again.
 *
 * @param compare the fields of items by which a page is unchanged; by default title and text, of an item of a rule or
 * parser its own fields, too, and {@code sha256} where there is no text
 * @param least the shortest time between two visits of a page; if it, {@code most}, {@code pages} or
 * {@code visitsPerDay} is there, a schedule visits only what is due. By default an hour
 * @param most the longest time between two visits of a page; by default 90 days
 * @param pages other times for pages by their URL; the first rule that matches counts
 * @param visitsPerDay how many visits a schedule makes at most in a day, in proportion to the time since the run before
 * @param events whether a refresh writes an event {@code page.changed} for each item whose change it tells
 * @param unchanged whether a refresh writes an item without content for each page that has not changed
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RefreshRules(
        @Size(max = 100) @Form(regexp = ".{1,200}", rule = "the name of a field of items") List<String> compare,
        @Range(min = "1s", max = "3650d") Optional<Duration> least,
        @Range(min = "1s", max = "3650d") Optional<Duration> most, @Size(max = 1000) List<PageInterval> pages,
        @Range(min = "1", max = "1000000000000") Optional<Long> visitsPerDay,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) Boolean events,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) Boolean unchanged) implements RefreshRulesBuilder.With {
    /** By title and text, and all pages in each run. */
    public static final RefreshRules DEFAULT = new RefreshRules(List.of(), Optional.empty(), Optional.empty(),
            List.of(), Optional.empty(), false, false);
    private static final Duration LEAST = Duration.ofHours(1);
    private static final Duration MOST = Duration.ofDays(90);
    /**
     * Pages that were found together do not stay together: the time to the next visit is shorter by at most a tenth.
     */
    private static final double LARGEST_JITTER = 0.1;
    private static final int JITTER = 1000;

    /**
     * How often the pages are visited that a pattern matches.
     *
     * @param match the URLs
     * @param least the shortest time between two visits; by default that of all pages
     * @param most the longest time between two visits; by default that of all pages
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record PageInterval(UrlPattern match, @Range(min = "1s", max = "3650d") Optional<Duration> least,
            @Range(min = "1s", max = "3650d") Optional<Duration> most) {
        /** @throws io.trawl.model.InvalidValueException if there is no pattern */
        public PageInterval {
            FieldRules.present("match", match);
        }
    }

    /**
     * The times between two visits of a page.
     *
     * @param least not longer than {@code most}
     */
    public record VisitInterval(Duration least, Duration most) {
        /** The part of the time between two changes after which a page is visited: most versions live longer. */
        private static final double PART = 0.3;

        /** The time between two visits of a page that changes at this rate. */
        public Duration of(ChangeRate rate) {
            Duration wanted = Duration.ofSeconds(Math.round(PART * rate.every()));
            return wanted.compareTo(least) < 0 ? least : wanted.compareTo(most) > 0 ? most : wanted;
        }

        /** A rate of which {@link #of} makes this time. */
        public static ChangeRate rate(Duration interval) {
            return ChangeRate.guess(Duration.ofSeconds(Math.round(interval.toSeconds() / PART)));
        }
    }

    /** Copies the lists; an absent one is empty, and neither events nor unchanged pages are written. */
    public RefreshRules {
        compare = compare == null ? List.of() : List.copyOf(compare);
        pages = pages == null ? List.of() : List.copyOf(pages);
        events = events != null && events;
        unchanged = unchanged != null && unchanged;
    }

    /** Whether pages have intervals, so that a schedule visits only what is due. */
    @JsonIgnore
    public boolean paced() {
        return least.isPresent() || most.isPresent() || !pages.isEmpty() || visitsPerDay.isPresent();
    }

    /**
     * The time from the last visit of a page to the next one; empty if no rate is known. A page that is missing may be
     * gone, which the next visit tells.
     */
    public Optional<Duration> pause(Request next) {
        return next.visit().filter(_ -> paced()).flatMap(visit -> visit.rate().map(rate -> {
            VisitInterval interval = interval(next.url());
            return visit.state() == PageState.MISSING ? interval.least() : interval.of(rate);
        }));
    }

    /** When the next visit of a page is due, the same whoever asks; empty if at once, since no rate is known. */
    public Optional<Instant> due(Request next) {
        return next.visit().flatMap(visit -> pause(next).map(wait -> {
            int part = Math.floorMod(next.identity().hashCode() * 31 + visit.number(), JITTER);
            Instant over = Instant.ofEpochSecond(
                    visit.visited() + (long) Math.floor(wait.toSeconds() * (1 - LARGEST_JITTER * part / JITTER)));
            return early(next).filter(over::isAfter).orElse(over);
        }));
    }

    /** From when on a page may be visited before its interval is over; empty if it is not. */
    public Optional<Instant> early(Request next) {
        return next.visit().flatMap(visit -> visit.due().map(reason -> Instant.ofEpochSecond(visit.visited())
                .plus(reason.seed() ? Duration.ZERO : interval(next.url()).least())));
    }

    private Optional<PageInterval> rule(String url) {
        if (pages.isEmpty()) {
            return Optional.empty();
        }
        UrlParts parts = UrlParts.of(url);
        return pages.stream().filter(its -> its.match().matches(parts)).findFirst();
    }

    /**
     * How often a page may and must be visited. The time that its rule names is nearer to it than that of all pages.
     */
    public VisitInterval interval(String url) {
        Optional<PageInterval> rule = rule(url);
        Optional<Duration> shortest = rule.flatMap(PageInterval::least);
        Optional<Duration> longest = rule.flatMap(PageInterval::most);
        Duration from = shortest.or(() -> least).orElse(LEAST);
        Duration to = longest.or(() -> most).orElse(MOST);
        return from.compareTo(to) <= 0
                ? new VisitInterval(from, to)
                : longest.isPresent() ? new VisitInterval(to, to) : new VisitInterval(from, from);
    }
}
