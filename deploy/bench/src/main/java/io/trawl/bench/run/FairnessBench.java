package io.trawl.bench.run;

import io.trawl.downloader.frontier.FairnessSimulation;
import io.trawl.downloader.frontier.FairnessSimulation.AnswerKind;
import io.trawl.downloader.frontier.FairnessSimulation.FairnessReport;
import io.trawl.downloader.frontier.FairnessSimulation.Site;
import io.trawl.downloader.frontier.FairnessSimulation.SiteMix;
import io.trawl.downloader.frontier.SharedHostSimulation;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code fairness}: what hostile sites take from others in the frontier. */
@Command(name = "fairness", sortOptions = false, description = "The frontier in isolation, in simulated time: the rate of honest sites alone and beside hostile ones.")
public final class FairnessBench extends Benchmark {
    private static final int SLOTS = 64;
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Duration QUICK = Duration.ofMillis(50);
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final Site TWENTY = new Site("clean%d", 20, 500, QUICK, AnswerKind.PAGES);
    private static final Site TEN = new Site("honest%d", 10, 500, QUICK, AnswerKind.PAGES);
    private static final Site ENDLESS = new Site("endless", 1, 100_000, Duration.ofMillis(2), AnswerKind.SAME_PAGE);
    private static final Site SILENT_DOMAIN = new Site("silent", 400, 20, SILENCE, AnswerKind.NOTHING);
    private static final Site SILENT_DOMAINS = new Site("silent%d", 400, 20, SILENCE, AnswerKind.NOTHING);

    @Override
    boolean measure(Results results) {
        row(results, "20 clean hosts, an endless one", TWENTY, ENDLESS, Duration.ZERO);
        row(results, "20 clean hosts, an endless one, 1 s apart", TWENTY, ENDLESS, Duration.ofSeconds(1));
        row(results, "10 honest hosts, 400 silent ones of a domain", TEN, SILENT_DOMAIN, Duration.ofSeconds(1));
        row(results, "10 honest hosts, 400 silent ones of 400 domains", TEN, SILENT_DOMAINS, Duration.ofSeconds(1));
        for (int slow : List.of(120, 600, 3000)) {
            row(results, "20 clean hosts, " + slow + " of 10 s, 1 s apart", TWENTY,
                    new Site("slow%d", slow, 60, Duration.ofSeconds(10), AnswerKind.PAGES), Duration.ofSeconds(1));
        }
        SharedHostSimulation simulation = new SharedHostSimulation(2500, 3, Duration.ofSeconds(1));
        results.row("sites", "3 pages behind 2,500 requests of the same host and crawl, 1 s apart", "done s",
                simulation.untilSmallIsDone(false).toSeconds());
        results.row("sites", "3 pages beside a crawl with 2,500 requests of the same host, 1 s apart", "done s",
                simulation.untilSmallIsDone(true).toSeconds());
        return true;
    }

    private static void row(Results results, String name, Site honest, Site hostile, Duration delay) {
        FairnessReport alone = new FairnessSimulation(new SiteMix(List.of(honest), SLOTS, delay, Duration.ZERO, LIMIT))
                .run();
        FairnessReport beside = new FairnessSimulation(
                new SiteMix(List.of(honest, hostile), SLOTS, delay, Duration.ZERO, LIMIT)).run();
        results.row("sites", name, "alone/s", alone.rate(0), "beside/s", beside.rate(0), "kept %",
                100 * beside.rate(0) / alone.rate(0), "hostile %", 100 * beside.part(1));
    }
}
