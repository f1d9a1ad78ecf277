package io.trawl.coordinator.seed;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.summary.Tally;
import io.trawl.http.TokenFile.Quota;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.Fault;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Checks the quotas of the prefixes that a crawl's id begins with; all of them must have room. Crawls and seeds are
 * refused before anything is written. Links that a crawl finds are never dropped, so the number of waiting requests may
 * grow beyond its quota; a crawl that is started is stopped when the pages of the day are spent, which may exceed the
 * quota by those in flight. The numbers are exact as far as the ledger is read. Thread-safe.
 *
 * @param quotas those in force, asked for each time
 */
public record QuotaRules(Supplier<List<Quota>> quotas, ControlState controlState, Tally tally, InstantSource clock) {
    private List<Quota> of(CrawlId crawl) {
        return quotas.get().stream().filter(quota -> crawl.value().startsWith(quota.prefix())).toList();
    }

    /** @throws QuotaExceededException 403 if there is no room for one more crawl */
    public void define(CrawlId crawl) {
        if (controlState.crawl(crawl).isEmpty()) {
            for (Quota quota : of(crawl)) {
                check(quota, "crawls", quota.crawls(), crawls(quota).size(), 1, 403);
            }
        }
    }

    /** @throws QuotaExceededException 429 if that many more requests may not wait */
    public void seed(CrawlId crawl, long seeds) {
        for (Quota quota : of(crawl)) {
            if (quota.waiting().isPresent()) {
                long waiting = crawls(quota).stream().mapToLong(c -> tally.totals(c.run()).waiting()).sum();
                check(quota, "waiting", quota.waiting(), waiting, seeds, 429);
            }
        }
    }

    /** @throws QuotaExceededException 429 if the pages of the day are spent */
    public void start(CrawlId crawl) {
        for (Quota quota : of(crawl)) {
            check(quota, "pagesPerDay", quota.pagesPerDay(), pages(quota), 1, 429);
        }
    }

    /** Whether the pages of the day are spent. */
    public boolean spent(CrawlId crawl) {
        return of(crawl).stream()
                .anyMatch(quota -> quota.pagesPerDay().filter(most -> pages(quota) >= most).isPresent());
    }

    private List<CrawlStatus> crawls(Quota quota) {
        return controlState.crawls().stream().filter(c -> c.run().crawl().value().startsWith(quota.prefix())).toList();
    }

    private long pages(Quota quota) {
        return quota.pagesPerDay().isEmpty()
                ? 0
                : tally.pagesOfDay(crawl -> crawl.value().startsWith(quota.prefix()), clock.instant());
    }

    private void check(Quota quota, String name, Optional<Long> most, long now, long more, int status) {
        most.filter(limit -> now + more > limit).ifPresent(limit -> {
            throw new QuotaExceededException(quota, name, limit, now, more, status, untilTomorrow());
        });
    }

    private long untilTomorrow() {
        Instant now = clock.instant();
        Instant tomorrow = now.atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS).plusDays(1).toInstant();
        return Duration.between(now, tomorrow).toSeconds() + 1;
    }

    /** There is no room in a quota: nothing is changed. */
    public static final class QuotaExceededException extends RuntimeException {
        private final transient Fault fault;
        private final int status;
        private final long again;

        QuotaExceededException(Quota quota, String name, long most, long now, long more, int status,
                long untilTomorrow) {
            super("the quota " + name + " of crawls whose id begins with '" + quota.prefix() + "' is " + most
                    + ", and it is " + now + " now" + (more > 1 ? "; the call would add " + more : ""));
            this.fault = new Fault("quotas." + quota.prefix() + "." + name, Long.toString(now), "at most " + most);
            this.status = status;
            this.again = name.equals("pagesPerDay") ? untilTomorrow : 60;
        }

        /** The quota, its present value and its limit. */
        public Fault fault() {
            return fault;
        }

        /** 403 for what stays until something is deleted, 429 for what passes. */
        public int status() {
            return status;
        }

        /** After how many seconds there may be room. */
        public long again() {
            return again;
        }
    }
}
