package io.trawl.bench.run;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.Checkout;
import io.trawl.bench.fleet.ModuleStatusPage;
import io.trawl.bench.fleet.RunFolder;
import io.trawl.bench.fleet.StageCounts;
import io.trawl.bench.plugin.PluginDelays;
import io.trawl.bench.web.PoliteWeb;
import io.trawl.control.CrawlState;
import io.trawl.model.Durations;
import io.trawl.model.ModuleKind;
import io.trawl.plugin.Plugins;
import io.trawl.settings.SettingsReader;
import io.trawl.settings.SharedSetting;
import io.trawl.testkit.Output;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.testkit.web.LoopbackWeb;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code scaling}: the throughput gain of one more process of a stage. Waits and not the machine limit the capacity of
 * every process: slots and slow pages for downloaders, a parser and an item processor that wait for analyzers and
 * pipelines.
 */
@Command(name = "scaling", sortOptions = false, description = "Scale the stages up and down during a crawl: throughput of each, politeness, and the output at the end.")
public final class ScalingBench extends Benchmark {
    private static final String HEAP = "192m";
    private static final Duration CRAWL_TIMEOUT = Duration.ofMinutes(30);
    private static final Duration SCALE_TIMEOUT = Duration.ofMinutes(2);

    @Option(names = "--steps", split = ",", defaultValue = "1/1/1,2/1/1,2/2/1,2/2/2,4/2/2,4/4/2,4/4/4,1/1/1,4/4/4", description = "Numbers of downloaders, analyzers and pipelines in each step. Default: ${DEFAULT-VALUE}.")
    private List<String> steps = List.of();

    @Option(names = "--capacity", defaultValue = "20", description = "Pages per second of one process. Default: ${DEFAULT-VALUE}.")
    private int capacity;

    @Option(names = "--hosts", defaultValue = "400", description = "Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--urls", defaultValue = "40", description = "URLs of each host. Default: ${DEFAULT-VALUE}.")
    private int urls;

    @Option(names = "--takes", defaultValue = "800ms", description = "Response time of every page. Default: ${DEFAULT-VALUE}.")
    private Duration takes = Duration.ZERO;

    @Option(names = "--delay", defaultValue = "1s", description = "Delay of each host. Default: ${DEFAULT-VALUE}.")
    private Duration delay = Duration.ZERO;

    @Option(names = "--warm-up", defaultValue = "15s", description = "From the start of all processes of a step to the first count. Default: ${DEFAULT-VALUE}.")
    private Duration warmUp = Duration.ZERO;

    @Option(names = "--window", defaultValue = "20s", description = "From the first count to the last. Default: ${DEFAULT-VALUE}.")
    private Duration window = Duration.ZERO;

    /** The progress of each stage. */
    private record Done(long downloaded, long analysed, long stored) {
        Done since(Done before) {
            return new Done(downloaded - before.downloaded, analysed - before.analysed, stored - before.stored);
        }
    }

    @Override
    boolean measure(Results results) throws InterruptedException {
        List<StageCounts> stageCounts = steps.stream().map(StageCounts::parse).toList();
        PoliteWeb pages = new PoliteWeb(takes, delay, time::nanos);
        try (RunFolder folder = new RunFolder();
                LoopbackWeb web = LoopbackWeb.start(0, pages, time);
                BenchFleet fleet = new BenchFleet(folder.path(), time)) {
            BacklogPlan plan = new BacklogPlan(List.of(new BacklogShare(hosts, urls, 0)), true);
            fleet.load(BenchCrawl.over(web.url(hosts, "/seed.html"), List.of(), delay), plan, web.port());
            // Makes back-pressure reach the previous stage within the warm-up.
            fleet.api().patch("/api/v1/settings", Map.of(SharedSetting.RESPONSE_BACKLOG.word(), 5 * capacity));
            Map<String, String> environment = environment();
            for (StageCounts step : stageCounts) {
                fleet.scale(step, HEAP, environment);
                measure(results, step, fleet, pages);
            }
            return finish(results, fleet, pages, new Output(folder.path().resolve("pages")), plan.requests() + 1);
        }
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        String wait = Durations.format(Duration.ofMillis(1000 / capacity));
        environment.put(PluginDelays.PAGE, wait);
        environment.put(PluginDelays.ITEM, wait);
        environment.put(Plugins.SETTING, requireNonNull(Checkout.jar("deploy/bench").getParent()).toString());
        environment.put(SettingsReader.variable("trawl.downloader.concurrency"),
                Long.toString(Math.max(1, capacity * takes.toMillis() / 1000)));
        // Items count as stored when their file is finished.
        environment.put(SettingsReader.variable("trawl.pipeline.file-size"), "4096");
        environment.put(SettingsReader.variable("trawl.analyzer.threads"), "1");
        environment.put(SettingsReader.variable("trawl.analyzer.batch"), Integer.toString(capacity));
        return environment;
    }

    private void measure(Results results, StageCounts step, BenchFleet fleet, PoliteWeb pages)
            throws InterruptedException {
        ModuleStatusPage modules = new ModuleStatusPage(fleet.api());
        await("all processes of " + step).atMost(SCALE_TIMEOUT).until(() -> modules.modules() == step.processes() + 1);
        time.pause(warmUp);
        Done before = done(modules, pages);
        long begun = time.nanos();
        time.pause(window);
        Done did = done(modules, pages).since(before);
        double seconds = secondsSince(begun);
        results.row("downloaders", step.downloaders(), "analyzers", step.analyzers(), "pipelines", step.pipelines(),
                "downloaded/s", did.downloaded() / seconds, "analysed/s", did.analysed() / seconds, "stored/s",
                did.stored() / seconds, "too early", pages.early());
        progress("%s: downloaded %.1f/s, analysed %.1f/s, stored %.1f/s", step, did.downloaded() / seconds,
                did.analysed() / seconds, did.stored() / seconds);
    }

    private static Done done(ModuleStatusPage modules, PoliteWeb pages) throws InterruptedException {
        return new Done(pages.visits(), modules.completed(ModuleKind.ANALYZER), modules.completed(ModuleKind.PIPELINE));
    }

    /** Waits for the end of the crawl and checks its output. */
    private static boolean finish(Results results, BenchFleet fleet, PoliteWeb pages, Output output, long expected) {
        await("the end of the crawl").atMost(CRAWL_TIMEOUT).until(() -> fleet.client().crawl(BenchFleet.CRAWL)
                .filter(crawl -> crawl.state() == CrawlState.STOPPED).isPresent());
        long lines = output.items().size();
        long distinct = output.pageUrls().size();
        results.row("at the end", "", "pages", expected, "stored", lines, "different", distinct, "too early",
                pages.early());
        return lines == expected && distinct == expected && pages.early() == 0;
    }
}
