package io.trawl.standalone;

import java.nio.charset.StandardCharsets;
import io.trawl.codec.Json;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.url.DiscoverRules;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.downloader.replay.ArchiveIndex;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.pattern.UrlPattern;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.crawl.CrawlFile;
import io.trawl.standalone.crawl.CrawlPlan;
import io.trawl.standalone.crawl.CrawlPlan.Replay;
import io.trawl.standalone.crawl.CrawlRunner;
import io.trawl.standalone.text.CrawlOutcome;
import io.trawl.standalone.text.ProgressDisplay;
import io.trawl.time.Time;
import io.trawl.worker.ShutdownRequest;
import io.trawl.worker.Signals;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trawl replay}: analyzes and stores what WARC files hold, again or for the first time, and fetches nothing. */
@Command(name = "replay", sortOptions = false, description = "Analyze what WARC files hold, as if it were fetched now, and store the items. Sends nothing to any host.", footerHeading = "%nExamples:%n", footer = {
        "  trawl replay --from pages/archive/docs-1 --file docs.yaml",
        "  trawl replay --from CC-MAIN-20260101.warc.gz --out pages          # of another crawler", "",
        "Links are not followed, unless --follow is given: then within the archive. It starts",
        "over each time, and deletes what it has stored under its name before. Exit code 6: no page."})
final class ReplayCommand implements Callable<Integer> {
    /** A replay has another name than its crawl: it deletes what was stored under its own. */
    private static final String REPLAY = "replay";
    private static final int CONCURRENCY = 64;
    private static final UrlPattern NOTHING = UrlPattern.parse("http://invalid.invalid/");

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
        List<Path> files = files();
        Optional<CrawlFile> crawlFile = Optional.ofNullable(file).map(CrawlFile::checked);
        CrawlId crawl = new CrawlId(id == null ? crawlFile.map(named -> named.crawl() + "-" + REPLAY).orElse(REPLAY) : id);
        Path folder = data.toAbsolutePath().normalize().resolve("replays").resolve(crawl.value());
        LogSetup.into(folder);
        ShutdownRequest stop = new ShutdownRequest();
        Signals.ask(stop, System.err);
        Optional<CrawlOutcome> outcome;
        try (ProgressDisplay progress = shown.progress()) {
            Replay replay = read(files, folder.resolve("seeds.jsonl"), progress);
            FaultCollector faults = new FaultCollector();
            CrawlPlan plan = new CrawlPlan(crawl,
                    definition(crawlFile.map(CrawlFile::definition).orElse(CrawlDefinition.of(List.of())), replay.archives()),
                    out.toAbsolutePath().normalize(), folder, List.of(), CONCURRENCY, true,
                    Optional.of(replay));
            plan.fleet().check(System.getenv(), faults);
            faults.check();
            outcome = new CrawlRunner(plan, stop, progress, Time.system()).run();
        }
        outcome.ifPresent(shown::print);
        return outcome.flatMap(o -> o.summary().end()).isEmpty()
                ? Signals.INTERRUPTED
                : outcome.filter(CrawlOutcome::withoutPage).isPresent() ? ExitCode.NO_PAGE : ExitCode.DONE;
    }

    private List<Path> files() {
        List<Path> files = from.stream().flatMap(ReplayCommand::files).sorted().toList();
        if (files.isEmpty()) {
            throw new InvalidValueException("--from", from.toString(), "WARC files, or folders that have some");
        }
        return files;
    }

    private static Stream<Path> files(Path path) {
        if (!Files.exists(path)) {
            throw new InvalidValueException("--from", path.toString(), "a file or folder that exists");
        }
        if (!Files.isDirectory(path)) {
            return Stream.of(path);
        }
        try (Stream<Path> inside = Files.walk(path)) {
            return inside.filter(file -> file.getFileName().toString().matches(".*\\.warc(\\.gz)?")).toList().stream();
        } catch (IOException e) {
            throw new InvalidValueException("--from", path.toString(), "a folder that can be read");
        }
    }

    private Replay read(List<Path> files, Path seeds, ProgressDisplay progress) {
        ArchiveIndex archives = new ArchiveIndex();
        try (OutputStream lines = Files.newOutputStream(seeds)) {
            for (Path archive : files) {
                progress.say("reading " + archive + ", " + archives.size() + " answers so far");
                try {
                    archives.read(archive, seed -> write(lines, Json.text(seed) + "\n"));
                } catch (IOException e) {
                    throw new InvalidValueException("--from", archive.toString(),
                            "a WARC file that can be read (" + e.getMessage() + ")");
                }
            }
        } catch (IOException e) {
            throw new UserMistakeException("--data: " + seeds + " cannot be written: " + e.getMessage());
        }
        if (archives.size() == 0) {
            throw new InvalidValueException("--from", from.toString(), "WARC files with at least one response");
        }
        if (archives.skipped() > 0) {
            progress.note(archives.skipped() + " records are of no use: revisits of other files, and URLs that are none");
        }
        return new Replay(archives, seeds);
    }

    private static void write(OutputStream lines, String line) {
        try {
            lines.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** That of the file, without what is about hosts, time and the web. */
    private CrawlDefinition definition(CrawlDefinition written, ArchiveIndex archives) {
        List<String> domains = written.scope().domains().isEmpty() ? archives.domains() : written.scope().domains();
        return written.with(made -> made.seeds(List.of())
                .scope(written.scope().with(scope -> scope.domains(domains).maxPages(List.of())
                        .include(follow ? written.scope().include() : List.of(NOTHING))))
                .discover(follow ? written.discover() : DiscoverRules.DEFAULT.withLinks(written.discover().links()))
                .limits(CrawlDefinition.CrawlLimits.DEFAULT.withDepth(written.limits().depth()))
                .fetch(CrawlDefinition.FetchRules.DEFAULT.withDelay(Duration.ZERO))
                .sinks(written.sinks().stream().filter(sink -> !sink.isArchive()).toList())
                .schedule(Optional.empty()).webhooks(List.of()));
    }
}
