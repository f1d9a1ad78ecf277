package io.trawl.bench.run;

import static org.awaitility.Awaitility.await;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.RunFolder;
import io.trawl.bench.fleet.StageCounts;
import io.trawl.bench.web.SlowWeb;
import io.trawl.model.Seed;
import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileWeb;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.testkit.web.LoopbackWeb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hostile}: the effect of the hostile web on honest hosts. */
@Command(name = "hostile", sortOptions = false, description = "The rate of honest hosts with and without the hostile web beside them, in interleaved pairs.")
public final class HostileBench extends Disturbance<CaseGroup> {
    private static final Duration FIRST_PAGE = Duration.ofMinutes(2);
    /** As the hostile web asks for, and the honest hosts beside it. */
    private static final Map<String, String> NETWORK = Map.of("TRAWL_ALLOW_NETWORK", HostileWeb.NETWORK);

    @Option(names = "--cases", defaultValue = ".*", description = "The hostile cases, by a pattern of their names. Default: all.")
    private Pattern cases = Pattern.compile("");

    @Option(names = "--groups", split = ",", description = "Groups of cases, one after the other: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<CaseGroup> groups = List.of(CaseGroup.values());

    @Option(names = "--hosts", defaultValue = "100", description = "Honest hosts. Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--delay", defaultValue = "2s", description = "Delay of each host; with the number of hosts it sets the rate. Default: ${DEFAULT-VALUE}.")
    private Duration delay = Duration.ZERO;

    @Option(names = "--rounds", defaultValue = "5", description = "URLs of each hostile case. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "10s", description = "From the first page to the attack. Default: ${DEFAULT-VALUE}.")
    private Duration warmUp = Duration.ZERO;

    @Option(names = "--window", defaultValue = "60s", description = "From the attack to the last count. Default: ${DEFAULT-VALUE}.")
    private Duration window = Duration.ZERO;

    @Option(names = "--heap", defaultValue = "512m", description = "Heap of each worker. Default: ${DEFAULT-VALUE}.")
    private String heap = "";

    @Override
    List<List<CaseGroup>> blocks() {
        return groups.stream().map(List::of).toList();
    }

    @Override
    String name(CaseGroup each) {
        return each.heading();
    }

    @Override
    double required(CaseGroup each) {
        return 0.9;
    }

    @Override
    Measured run(CaseGroup group, boolean disturbed) throws InterruptedException {
        SlowWeb pages = new SlowWeb(1, Duration.ZERO, Duration.ZERO, time::nanos);
        try (RunFolder folder = new RunFolder();
                HostileWeb hostile = HostileWeb.start(Files.createDirectory(folder.path().resolve("keys")),
                        each -> each.group() == group && cases.asMatchPredicate().test(each.name()));
                LoopbackWeb web = LoopbackWeb.start(0, pages, time);
                BenchFleet fleet = new BenchFleet(folder.path(), time)) {
            String seed = web.url(0, "/seed.html");
            List<String> domains = new ArrayList<>(hostile.domains());
            domains.add(URI.create(seed).getHost());
            fleet.load(BenchCrawl.over(seed, domains, delay), backlog(), web.port());
            fleet.scale(StageCounts.ONE, heap, NETWORK);
            await("the first page").atMost(FIRST_PAGE).until(() -> pages.quickVisits() > 0);
            time.pause(warmUp);
            long before = pages.quickVisits();
            long begun = time.nanos();
            for (int round = 0; disturbed && round < rounds; round++) {
                fleet.submit(seeds(hostile, round));
            }
            time.pause(window);
            double rate = (pages.quickVisits() - before) / secondsSince(begun);
            progress("%s, %s: %.1f/s", group.heading(), disturbed ? "with" : "without", rate);
            return new Measured(rate,
                    disturbed
                            ? Map.of("hostile requests", hostile.requests(), "downloader, peak MiB",
                                    fleet.worker("worker-downloader").usage().peakMemory() >> 20, "analyzer, peak MiB",
                                    fleet.worker("worker-analyzer").usage().peakMemory() >> 20)
                            : Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** More than the honest hosts can be asked for until the end. */
    private BacklogPlan backlog() {
        long each = warmUp.plus(window).plus(FIRST_PAGE).dividedBy(delay) + 1;
        return new BacklogPlan(List.of(new BacklogShare(1, 1, 0), new BacklogShare(hosts, (int) each, 0)), true);
    }

    private static List<Seed> seeds(HostileWeb hostile, int round) {
        return hostile.entries("?round=" + round).stream().map(url -> Seed.of(BenchFleet.CRAWL, url, Optional.empty()))
                .toList();
    }
}
