package io.trawl.coordinator.summary;

import static java.util.Objects.requireNonNullElse;

import io.trawl.control.CrawlState;
import io.trawl.model.CrawlId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All crawls of a deployment in numbers, and those of them that are asked for.
 *
 * @param counts how many there are
 * @param idle whether none has work
 * @param rates the speed of all together
 * @param totals of all together
 * @param shown those that are asked for
 */
public record FleetCrawls(CrawlCounts counts, boolean idle, Rates rates, Totals totals, List<CrawlSummary> shown) {
    /** Without any crawl. */
    public static final FleetCrawls NONE = new FleetCrawls(CrawlCounts.NONE, true, Rates.NONE, Totals.NONE, List.of());

    /**
     * How many crawls there are.
     *
     * @param all of the deployment
     * @param found those that what is asked for fits, of which some may be shown
     * @param conditions all, by the word for their state ({@link CrawlState#condition})
     * @param left requests that wait in stopped crawls
     */
    public record CrawlCounts(int all, int found, Map<String, Long> conditions, long left) {
        static final CrawlCounts NONE = new CrawlCounts(0, 0, Map.of(), 0);

        /** Fills in fields that a coordinator of another version does not report. */
        public CrawlCounts {
            conditions = requireNonNullElse(conditions, Map.of());
        }
    }

    /**
     * Which crawls are asked for.
     *
     * @param ids only these; empty for all
     * @param text only those with it in the id, a domain or the word for the state; any letter case
     * @param sort the order, see {@link CrawlFigures#order}; empty for those that were started last, by their ids
     * @param offset how many of these are left out
     * @param limit how many are shown
     */
    public record CrawlQuery(Set<CrawlId> ids, String text, Optional<String> sort, int offset, int limit) {
        /** All, in the order of their ids. */
        public static final CrawlQuery ALL = new CrawlQuery(Set.of(), "", Optional.of("crawl"), 0, Integer.MAX_VALUE);

        private boolean fits(CrawlFigures crawl, Function<CrawlFigures, Set<String>> domains) {
            String wanted = text.toLowerCase(Locale.ROOT);
            return (ids.isEmpty() || ids.contains(crawl.crawl()))
                    && (wanted.isEmpty() || crawl.crawl().value().toLowerCase(Locale.ROOT).contains(wanted)
                            || crawl.condition().contains(wanted)
                            || domains.apply(crawl).stream().anyMatch(domain -> domain.contains(wanted)));
        }

        private List<CrawlFigures> page(List<CrawlFigures> found, Instant now) {
            List<CrawlFigures> page = found.stream().sorted(CrawlFigures.order(sort.orElse("-startedAt"), now))
                    .skip(offset).limit(limit).toList();
            return sort.isPresent() ? page : page.stream().sorted(CrawlFigures.order("crawl", now)).toList();
        }
    }

    /**
     * The crawls at a moment.
     *
     * @param all all of them
     * @param domains the accepted domains of a crawl
     * @param shown makes the summary of one that is asked for
     */
    public static FleetCrawls of(List<CrawlFigures> all, CrawlQuery query, Function<CrawlFigures, Set<String>> domains,
            Function<CrawlFigures, CrawlSummary> shown, Instant now) {
        List<CrawlFigures> found = all.stream().filter(crawl -> query.fits(crawl, domains)).toList();
        Map<String, Long> conditions = all.stream()
                .collect(Collectors.groupingBy(CrawlFigures::condition, TreeMap::new, Collectors.counting()));
        long left = all.stream().filter(crawl -> crawl.status().state() == CrawlState.STOPPED)
                .mapToLong(crawl -> crawl.totals().waiting()).sum();
        return new FleetCrawls(new CrawlCounts(all.size(), found.size(), conditions, left),
                all.stream().allMatch(CrawlFigures::idle),
                all.stream().map(CrawlFigures::rates).reduce(Rates.NONE, Rates::plus),
                all.stream().map(CrawlFigures::totals).reduce(Totals.NONE, Totals::plus),
                query.page(found, now).stream().map(shown).toList());
    }
}
