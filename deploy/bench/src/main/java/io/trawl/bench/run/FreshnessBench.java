package io.trawl.bench.run;

import io.trawl.model.FreshnessSimulation;
import io.trawl.model.FreshnessSimulation.Freshness;
import io.trawl.model.FreshnessSimulation.NutchRule;
import io.trawl.model.FreshnessSimulation.OwnRule;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code freshness}: which visits a crawl with intervals makes. */
@Command(name = "freshness", sortOptions = false, description = "Pages that change at random, in simulated time: how fresh their copies are, at best, by intervals, and by the rule of Nutch.")
public final class FreshnessBench extends Benchmark {
    @Option(names = "--pages", defaultValue = "1000000", description = "Default: ${DEFAULT-VALUE}.")
    private int pages;

    @Option(names = "--days", defaultValue = "300", description = "The second half is measured. Default: ${DEFAULT-VALUE}.")
    private int days;

    @Option(names = "--round", defaultValue = "1h", description = "From one refresh to the next. Default: ${DEFAULT-VALUE}.")
    private Duration round = Duration.ZERO;

    @Option(names = "--visits", split = ",", defaultValue = "1,0.3,0.1", description = "visitsPerDay, of a page on average. Default: ${DEFAULT-VALUE}.")
    private List<Double> visits = List.of();

    @Override
    boolean measure(Results results) {
        int rounds = (int) Duration.ofDays(days).dividedBy(round);
        FreshnessSimulation web = new FreshnessSimulation(pages, Duration.ofHours(2), Duration.ofDays(180),
                FreshnessSimulation.INTERVAL, round, rounds);
        boolean good = true;
        for (double perDay : visits) {
            long perRound = Math.round(perDay * pages * days / rounds);
            good &= row(results, "intervals", web.run(new OwnRule(web.interval()), perRound)).share() > 0.97;
            row(results, "Nutch", web.run(new NutchRule(web.interval(), FreshnessSimulation.FIRST), perRound));
        }
        return good;
    }

    private Freshness row(Results results, String rule, Freshness found) {
        results.row("rule", rule, "visits per page and day", found.perDay() / pages, "fresh %", 100 * found.freshness(),
                "best %", 100 * found.best(), "of the best %", 100 * found.share());
        return found;
    }
}
