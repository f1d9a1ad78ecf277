package io.trawl.bench.run;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.Checkout;
import io.trawl.bench.fleet.ModulePage;
import io.trawl.bench.fleet.Patience;
import io.trawl.bench.fleet.Stages;
import io.trawl.bench.load.Backlog;
import io.trawl.bench.load.Share;
import io.trawl.bench.plugin.Waiting;
import io.trawl.bench.report.Results;
import io.trawl.bench.web.LoopbackWeb;
import io.trawl.bench.web.PoliteWeb;
import io.trawl.control.CrawlState;
import io.trawl.model.CrawlRun;
import io.trawl.model.Durations;
import io.trawl.model.ModuleKind;
import io.trawl.plugin.Plugins;
import io.trawl.settings.SettingsReader;
import io.trawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code scaling}: what one more process of a stage gives. Every process is given a capacity that comes from waiting and not from the machine: slots
 * and slow pages for downloaders, a parser and an item processor that wait for analyzers and pipelines.
 */
@Command(name = "scaling", sortOptions = false, description = "Grows and shrinks the stages under a running crawl: the throughput of each, politeness, and the output at the end.")
public final class Scaling implements Callable<Integer> {
    private static final Duration LONGEST = Duration.ofMinutes(30);
    private static final Duration TO_SCALE = Duration.ofMinutes(2);

    @Option(names = "--steps", split = ",", defaultValue = "1/1/1,2/1/1,2/2/1,2/2/2,4/2/2,4/4/2,4/4/4,1/1/1,4/4/4", description = "Downloaders, analyzers and pipelines, one step after the other. Default: ${DEFAULT-VALUE}.")
    private List<String> steps = List.of();

    @Option(names = "--capacity", defaultValue = "20", description = "Pages per second that one process can do. Default: ${DEFAULT-VALUE}.")
    private int capacity;

    @Option(names = "--hosts", defaultValue = "400", description = "Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--urls", defaultValue = "40", description = "Of each host. Default: ${DEFAULT-VALUE}.")
    private int urls;

    @Option(names = "--takes", defaultValue = "800ms", converter = Common.DurationOption.class, description = "Every page. Default: ${DEFAULT-VALUE}.")
    private Duration takes = Duration.ZERO;

    @Option(names = "--delay", defaultValue = "1s", converter = Common.DurationOption.class, description = "Of each host. Default: ${DEFAULT-VALUE}.")
    private Duration delay = Duration.ZERO;

    @Option(names = "--warm-up", defaultValue = "15s", converter = Common.DurationOption.class, description = "From the moment when all processes of a step are there to the first count. Default: ${DEFAULT-VALUE}.")
    private Duration warmUp = Duration.ZERO;

    @Option(names = "--window", defaultValue = "20s", converter = Common.DurationOption.class, description = "From the first count to the last. Default: ${DEFAULT-VALUE}.")
    private Duration window = Duration.ZERO;

    @Mixin
    private Common common = new Common();

    private final Time time = Time.system();

    /** What each stage has done so far. */
    private record Done(long downloaded, long analysed, long stored) {
        Done since(Done before) {
            return new Done(downloaded - before.downloaded, analysed - before.analysed, stored - before.stored);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        List<Stages> stages = steps.stream().map(Stages::parse).toList();
        Results results = new Results("scaling", Map.of("capacity", capacity, "hosts", hosts, "urls", urls, "takes",
                Durations.format(takes), "delay", Durations.format(delay), "window", Durations.format(window)));
        PoliteWeb pages = new PoliteWeb(takes, delay, time::nanos);
        Path folder = Common.folder();
        boolean exact;
        try (LoopbackWeb web = LoopbackWeb.start(0, pages, time); BenchFleet fleet = new BenchFleet(folder, time)) {
            Backlog backlog = new Backlog(List.of(new Share(hosts, urls, 0)), true);
            CrawlRun run = fleet.define(BenchCrawl.ID, BenchCrawl.over(web.url(hosts, "/seed.html"), List.of(), delay)).run();
            fleet.deployment().load(run, backlog, web.port(), false, new Progress(backlog.requests(), time));
            ScaledFleet scaled = new ScaledFleet(fleet, environment());
            for (Stages step : stages) {
                scaled.scale(step);
                measure(results, step, fleet, pages);
            }
            exact = finish(results, fleet, pages, new Stored(folder.resolve("pages")), backlog.requests() + 1);
        } finally {
            Common.delete(folder);
        }
        common.report(results);
        return exact ? 0 : 1;
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        String wait = Durations.format(Duration.ofMillis(1000 / capacity));
        environment.put(Waiting.PAGE, wait);
        environment.put(Waiting.ITEM, wait);
        environment.put(Plugins.SETTING, Checkout.jar("deploy/bench").getParent().toString());
        environment.put(SettingsReader.variable("trawl.downloader.concurrency"),
                Long.toString(Math.max(1, capacity * takes.toMillis() / 1000)));
        // So that what one stage cannot take is seen at the stage before it within the warm-up.
        environment.put(SettingsReader.variable("trawl.downloader.response-backlog"), Integer.toString(5 * capacity));
        // Items count as stored when their file is finished.
        environment.put(SettingsReader.variable("trawl.pipeline.file-size"), "4096");
        environment.put(SettingsReader.variable("trawl.analyzer.threads"), "1");
        environment.put(SettingsReader.variable("trawl.analyzer.batch"), Integer.toString(capacity));
        return environment;
    }

    private void measure(Results results, Stages step, BenchFleet fleet, PoliteWeb pages) throws InterruptedException {
        try (ModulePage modules = new ModulePage(fleet.coordinator())) {
            Patience.until("all processes of " + step, TO_SCALE, time, () -> modules.modules() == step.processes() + 1);
            time.pause(warmUp);
            Done before = done(modules, pages);
            long begun = time.nanos();
            time.pause(window);
            Done did = done(modules, pages).since(before);
            double seconds = (time.nanos() - begun) / 1e9;
            results.row("downloaders", step.downloaders(), "analyzers", step.analyzers(), "pipelines", step.pipelines(),
                    "downloaded/s", did.downloaded() / seconds, "analysed/s", did.analysed() / seconds, "stored/s",
                    did.stored() / seconds, "too early", pages.early());
            Common.say("%s: downloaded %.1f/s, analysed %.1f/s, stored %.1f/s", step, did.downloaded() / seconds,
                    did.analysed() / seconds, did.stored() / seconds);
        }
    }

    private static Done done(ModulePage modules, PoliteWeb pages) throws InterruptedException {
        return new Done(pages.visits(), modules.completed(ModuleKind.ANALYZER), modules.completed(ModuleKind.PIPELINE));
    }

    /** Lets the crawl end, and looks at what it has left. */
    private boolean finish(Results results, BenchFleet fleet, PoliteWeb pages, Stored stored, long expected)
            throws InterruptedException {
        Patience.until("the end of the crawl", LONGEST, time,
                () -> fleet.client().crawl(BenchCrawl.ID).filter(crawl -> crawl.state() == CrawlState.STOPPED).isPresent());
        long lines = stored.lines();
        long distinct = stored.urls();
        results.row("at the end", "", "pages", expected, "stored", lines, "different", distinct, "too early", pages.early());
        return lines == expected && distinct == expected && pages.early() == 0;
    }
}
