package io.trawl.standalone;

import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.client.SeedSource;
import io.trawl.standalone.crawl.CrawlFile;
import io.trawl.standalone.crawl.CrawlPlan;
import io.trawl.standalone.crawl.ReplayedArchives;
import io.trawl.standalone.crawl.CrawlRunner;
import io.trawl.standalone.text.CrawlOutcome;
import io.trawl.standalone.text.ProgressDisplay;
import io.trawl.time.Time;
import io.trawl.worker.ShutdownRequest;
import io.trawl.worker.Signals;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trawl replay}: analyzes and stores what WARC files hold, again or for the first time, and fetches nothing. */
@Command(name = "replay", sortOptions = false, description = "Analyze what WARC files hold, as if it were fetched now, and store the items. Sends nothing to any host.", footerHeading = "%nExamples:%n", footer = {
        "  trawl replay --from pages/archive/docs-1 --file docs.yaml",
        "  trawl replay --from CC-MAIN-20260101.warc.gz --out pages          # of another crawler", "",
        "Links are not followed, unless --follow is given: then within the archive. Each time is a new",
        "run under its name; the last finished one stays (keep in the crawl file). Exit code 6: no page."})
final class ReplayCommand implements Callable<Integer> {
    /** A replay has another name than its crawl, whose runs it would replace. */
    private static final String REPLAY = "replay";
    private static final int CONCURRENCY = 64;

    @Option(names = "--from", paramLabel = "FILE", arity = "1..*", required = true, description = "WARC files, compressed or not, or folders of them; can be repeated.")
    private List<Path> from = List.of();

    @Option(names = "--file", paramLabel = "FILE", description = "The crawl file that says what is extracted and stored. Default: pages with their texts.")
    private @Nullable Path file;

    @Option(names = "--follow", description = "Follow the links of pages, too, as far as the crawl file and the archive have them.")
    private boolean follow;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "pages", description = "The folder for pages and errors. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("pages");

    @Option(names = "--data", paramLabel = "DIR", defaultValue = ".trawl", description = "The folder of Kafka, Redis and the log, with a subfolder per replay. Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of(".trawl");

    @Option(names = "--id", paramLabel = "ID", description = "The name of the replay. Default: that of the file of --file with -replay behind it, or replay.")
    private @Nullable String id;

    @Mixin
    private OutcomeOptions shown = new OutcomeOptions();

    @Override
    public Integer call() throws InterruptedException {
        LogSetup.none();
        Optional<CrawlFile> crawlFile = Optional.ofNullable(file).map(CrawlFile::checked);
        CrawlId crawl = new CrawlId(
                id == null ? crawlFile.map(named -> named.crawl() + "-" + REPLAY).orElse(REPLAY) : id);
        Path folder = data.toAbsolutePath().normalize().resolve("replays").resolve(crawl.value());
        LogSetup.into(folder);
        ShutdownRequest stop = new ShutdownRequest();
        Signals.ask(stop, System.err);
        Optional<CrawlOutcome> outcome;
        try (ProgressDisplay progress = shown.progress()) {
            ReplayedArchives archives = ReplayedArchives.read("--from", from, folder.resolve("seeds.jsonl"), progress);
            FaultCollector faults = new FaultCollector();
            CrawlPlan plan = new CrawlPlan(crawl,
                    archives.definition(crawlFile.map(CrawlFile::definition).orElse(CrawlDefinition.of(List.of())),
                            follow, Optional.empty()),
                    out.toAbsolutePath().normalize(), folder, List.of(), Optional.of(CONCURRENCY), NewRun.FRESH,
                    Optional.of(new SeedSource(archives.seeds().toString(), Optional.empty())), Optional.of(archives));
            plan.fleet().check(System.getenv(), faults);
            faults.check();
            outcome = new CrawlRunner(plan, stop, progress, Time.system()).run();
        }
        outcome.ifPresent(shown::print);
        return outcome.flatMap(o -> o.summary().end()).isEmpty()
                ? Signals.INTERRUPTED
                : outcome.filter(CrawlOutcome::failed).isPresent() ? ExitCode.RUN_FAILED : ExitCode.DONE;
    }
}
