package io.trawl.bench.run;

import static org.awaitility.Awaitility.await;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.RunFolder;
import io.trawl.bench.fleet.StageCounts;
import io.trawl.bench.web.ChangingPages;
import io.trawl.bench.web.ChangingPages.SentVersion;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.RefreshRules;
import io.trawl.definition.RefreshRules.PageInterval;
import io.trawl.definition.RefreshRules.VisitInterval;
import io.trawl.model.FreshnessSimulation;
import io.trawl.model.FreshnessSimulation.Freshness;
import io.trawl.model.FreshnessSimulation.NutchRule;
import io.trawl.model.FreshnessSimulation.Version;
import io.trawl.model.Seed;
import io.trawl.pattern.UrlPattern;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.Output;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code refresh}: what processes that refresh by intervals find of pages that change. */
@Command(name = "refresh", sortOptions = false, description = "Pages that change at known moments, refreshed by processes without end: first at intervals of seconds, of which no version may be missing that lived longer; then by as many visits as there are, as fresh as these can keep them.")
public final class RefreshBench extends Benchmark {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration DELAY = Duration.ofMillis(5);
    private static final List<Duration> INTERVALS = List.of(Duration.ofSeconds(12), Duration.ofSeconds(24),
            Duration.ofSeconds(36));
    private static final VisitInterval FREE = new VisitInterval(Duration.ofSeconds(4), Duration.ofMinutes(3));
    private static final double REQUIRED = 0.95;

    @Option(names = "--pages", defaultValue = "2000", description = "Default: ${DEFAULT-VALUE}.")
    private int pages;

    @Option(names = "--hosts", defaultValue = "20", description = "Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--fastest", defaultValue = "10s", description = "Between two changes, on average. Default: ${DEFAULT-VALUE}.")
    private Duration fastest = Duration.ZERO;

    @Option(names = "--slowest", defaultValue = "10m", description = "Default: ${DEFAULT-VALUE}.")
    private Duration slowest = Duration.ZERO;

    @Option(names = "--round", defaultValue = "4s", description = "From one refresh to the next. Default: ${DEFAULT-VALUE}.")
    private Duration round = Duration.ZERO;

    @Option(names = "--seconds", defaultValue = "255", description = "How long pages change: by intervals for a third of it; in the second half freshness is measured. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--visits", defaultValue = "0.015", description = "Of a page in a second on average, in the last two thirds: visitsPerDay. Default: ${DEFAULT-VALUE}.")
    private double visits;

    @Override
    boolean measure(Results results) throws InterruptedException {
        FreshnessSimulation trace = new FreshnessSimulation(pages, fastest, slowest, FREE, round,
                (int) Duration.ofSeconds(seconds).dividedBy(round));
        try (RunFolder folder = new RunFolder(); FakeWeb web = FakeWeb.start(hosts)) {
            ChangingPages served = ChangingPages.serve(web, trace, time);
            List<Refresh> byIntervals = refreshed(folder, web, served);
            List<String> titles = new Output(folder.path().resolve("pages")).items().stream()
                    .map(item -> item.path("title").asText()).filter(title -> title.startsWith("page ")).toList();
            Set<String> stored = new HashSet<>(titles);
            boolean exact = titles.size() == stored.size() && stored.equals(sent(served));
            boolean kept = lived(results, trace, byIntervals, stored);
            results.row("what", "each version that was sent is stored once", "versions", stored.size(), "kept",
                    exact ? 1.0 : 0.0);
            return fresh(results, trace, served) && kept && exact;
        }
    }

    /** One of the refreshes, in seconds. */
    private record Refresh(double begin, double end) {}

    /** @return those by intervals alone */
    private List<Refresh> refreshed(RunFolder folder, FakeWeb web, ChangingPages served) throws InterruptedException {
        try (BenchFleet fleet = new BenchFleet(folder.path(), time)) {
            fleet.scale(StageCounts.ONE, "512m", Map.of());
            fleet.define(definition(web, byKind()));
            ended(fleet, 1);
            served.begin();
            List<Refresh> byIntervals = refreshes(fleet, served, seconds / 3.0);
            fleet.define(definition(web, RefreshRules.DEFAULT
                    .with(rules -> rules.least(Optional.of(FREE.least())).most(Optional.of(FREE.most()))
                            .visitsPerDay(Optional.of(Math.round(visits * pages * Duration.ofDays(1).toSeconds()))))));
            refreshes(fleet, served, seconds);
            return byIntervals;
        }
    }

    private static RefreshRules byKind() {
        return RefreshRules.DEFAULT.withPages(IntStream.range(0, ChangingPages.KINDS)
                .mapToObj(kind -> new PageInterval(UrlPattern.parse("/" + kind + "/**"),
                        Optional.of(INTERVALS.get(kind)), Optional.of(INTERVALS.get(kind))))
                .toList());
    }

    private static CrawlDefinition definition(FakeWeb web, RefreshRules rules) {
        return CrawlDefinition
                .of(web.hosts().stream().map(host -> Seed.of(BenchFleet.CRAWL, host.url("/"), Optional.empty()))
                        .toList())
                .with(crawl -> crawl.fetch(FetchRules.DEFAULT.withDelay(DELAY)).refresh(Optional.of(rules)));
    }

    private static CrawlSummary ended(BenchFleet fleet, int epoch) {
        return await("the end of run " + epoch).atMost(LIMIT)
                .until(() -> fleet.client().crawl(BenchFleet.CRAWL),
                        crawl -> crawl.filter(run -> run.epoch() == epoch && run.end().isPresent()).isPresent())
                .orElseThrow();
    }

    private List<Refresh> refreshes(BenchFleet fleet, ChangingPages served, double until) throws InterruptedException {
        List<Refresh> all = new ArrayList<>();
        while (served.moment() < until) {
            double begin = served.moment();
            int epoch = fleet.api().post("/api/v1/crawls/" + BenchFleet.CRAWL + "/refresh?due=true")
                    .as(CrawlSummary.class).epoch();
            CrawlSummary run = ended(fleet, epoch);
            all.add(new Refresh(begin, served.moment()));
            progress("%.1f s: run %d, %s, in %.1f s", begin, epoch, run.visits(), served.moment() - begin);
            time.pause(Duration.ofMillis(Math.max(0, Math.round(round.toMillis() - 1000 * (served.moment() - begin)))));
        }
        return all;
    }

    /** What was sent, but not again. */
    private Set<String> sent(ChangingPages served) {
        Set<String> sent = new HashSet<>();
        IntStream.range(0, pages).forEach(
                page -> served.answers(page).forEach(answer -> sent.add(ChangingPages.title(page, answer.version()))));
        return sent;
    }

    /**
     * Whether all versions are stored that lived longer than the interval of their page, and until a refresh had ended
     * that began then.
     */
    private boolean lived(Results results, FreshnessSimulation trace, List<Refresh> refreshes, Set<String> stored) {
        boolean all = true;
        for (int kind = 0; kind < ChangingPages.KINDS; kind++) {
            long interval = INTERVALS.get(kind).toSeconds();
            long many = 0;
            long kept = 0;
            for (int page = kind; page < pages; page += ChangingPages.KINDS) {
                for (Version version = next(trace, page, trace.version(page, 0)); version.until() < seconds
                        / 3.0; version = next(trace, page, version)) {
                    double over = version.from() + interval;
                    double until = version.until();
                    if (refreshes.stream().filter(its -> its.begin() >= over).findFirst()
                            .filter(its -> its.end() < until).isPresent()) {
                        many++;
                        kept += stored.contains(ChangingPages.title(page, version.number())) ? 1 : 0;
                    }
                }
            }
            all &= many > 0 && kept == many;
            results.row("what", "versions that lived longer than their interval of " + interval + " s", "versions",
                    many, "kept", (double) kept / many);
        }
        return all;
    }

    private static Version next(FreshnessSimulation trace, int page, Version version) {
        return trace.version(page, version.until());
    }

    private boolean fresh(Results results, FreshnessSimulation trace, ChangingPages served) {
        List<List<Double>> moments = new ArrayList<>();
        IntStream.range(0, pages)
                .forEach(page -> moments.add(served.answers(page).stream().map(SentVersion::moment).toList()));
        Freshness own = row(results, "intervals", trace.measured(moments));
        double perSecond = own.perDay() / Duration.ofDays(1).toSeconds();
        row(results, "Nutch's rule on the same changes, simulated",
                trace.run(new NutchRule(FREE, Duration.ofSeconds(Math.round(pages / perSecond))),
                        Math.round(perSecond * round.toSeconds())));
        return own.share() >= REQUIRED;
    }

    private Freshness row(Results results, String rule, Freshness found) {
        results.row("what", rule, "visits/s", found.perDay() / Duration.ofDays(1).toSeconds(), "fresh %",
                100 * found.freshness(), "best %", 100 * found.best(), "kept", found.share());
        return found;
    }
}
