package io.trawl.standalone.remote;

import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.definition.DefinitionChanges;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.coordinator.leader.SeedCall.SubmittedSeeds;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.DefinitionChangesText;
import io.trawl.coordinator.text.Figures;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiRefusal;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CheckedOptions;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.SeedOptions;
import io.trawl.standalone.client.SeedSource;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.crawl.CrawlFile;
import io.trawl.standalone.crawl.DefinitionOptions;
import io.trawl.standalone.crawl.ReplayedArchives;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.ProgressDisplay;
import io.trawl.standalone.text.Terminal;
import io.trawl.standalone.text.WaitNotice;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code trawl submit}: defines and starts a crawl of a running deployment, and submits seeds from a file or a pipe.
 */
@Command(name = "submit", sortOptions = false, description = "Define and start a crawl, or submit further seeds.", footerHeading = "%nExamples:%n", footer = {
        "  trawl submit --crawl docs --depth 2 https://docs.example.org/",
        "  trawl submit --crawl docs --seeds urls.txt                     # for an existing crawl",
        "  trawl submit --crawl shops --domain example.com --domain example.net --seeds urls.txt",
        "  trawl submit --file site.yaml                                  # defines and starts the crawl site",
        "  trawl submit --file site.yaml --dry-run                        # shows what it would change",
        "  trawl submit --crawl docs --seeds pages.csv.gz --column url    # a column of CSV",
        "  trawl submit --crawl docs --seeds https://docs.example.org/sitemap.xml",
        "  trawl submit --file site.yaml --replay archive/site-1          # analyzes an archive again", "",
        "A line of --seeds is a URL, a capture of a CDXJ file, or a seed as a JSON object:",
        "{\"url\":\"https://docs.example.org/\",\"priority\":2}. Empty lines and lines that begin with # are ignored.",
        "The list may be compressed with gzip, and may be a WARC file. Exit code 2: it has no seed, or all were refused."})
public final class SubmitCommand extends CoordinatorCommand implements CheckedOptions {
    private static final CrawlId UNNAMED = new CrawlId("crawl");
    /** A replay has another name than its crawl, whose definition it would replace. */
    private static final String REPLAY = "-replay";

    @Option(names = "--crawl", paramLabel = "ID", description = "The crawl's name. Default: that of the file of --file.")
    private @Nullable String crawl;

    @Parameters(paramLabel = "URL", arity = "0..*", description = "The seeds of the crawl: absolute http or https URLs.")
    private List<String> urls = List.of();

    @Mixin
    private SeedOptions seeds = new SeedOptions();

    @Option(names = "--replay", paramLabel = "DIR", description = "Analyze what the WARC files of this folder hold, and fetch nothing. Downloaders read the folder of the same name in TRAWL_DOWNLOADER_ARCHIVES. Default name of the crawl: that of the file with -replay behind it.")
    private @Nullable Path replay;

    @Option(names = "--follow", description = "With --replay: follow the links of pages, too, as far as the crawl file and the archive have them.")
    private boolean follow;

    @Option(names = "--dry-run", description = "Check the definition, show what it would change, and change nothing.")
    private boolean dryRun;

    @Mixin
    private DefinitionOptions definition = new DefinitionOptions();

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        Optional<SeedSource> list = seeds.source();
        if (urls.isEmpty() && list.isEmpty() && !definition.hasFile()) {
            throw new UserMistakeException(
                    "give at least one URL, a file of seeds with --seeds, or a crawl file with --file");
        }
        NamedDefinition named = definition();
        CrawlId id = named.crawl();
        CrawlDefinition wanted = named.definition();
        if (replay != null) {
            replay(api, printer, named, replay);
        } else if (dryRun) {
            ApiResponse changes = api.put("/api/v1/crawls/" + id + "?dryRun=true", wanted);
            printer.answer(changes.body(),
                    screen -> DefinitionChangesText.of(changes.as(DefinitionChanges.class), screen));
        } else if (list.isEmpty()) {
            ApiResponse defined = define(api, named, wanted, true);
            printer.answer(defined.body(), screen -> List.of(CrawlText.inBrief(defined.as(CrawlSummary.class))));
        } else {
            seed(api, printer, named, wanted, list.get());
        }
    }

    /** Submits the requests of an archive, with what answers them. */
    private void replay(Api api, Printer printer, NamedDefinition named, Path folder) throws InterruptedException {
        if (seeds.source().isPresent() || !urls.isEmpty() || dryRun) {
            throw new UserMistakeException(
                    "--replay goes without URLs, --seeds and --dry-run: the seeds are those of the archive");
        }
        try {
            Path requests = Files.createTempFile("trawl-replay", ".jsonl");
            try {
                ReplayedArchives archives;
                try (ProgressDisplay progress = Terminal.ofLauncher().progress(false, System.err)) {
                    archives = ReplayedArchives.read("--replay", List.of(folder), requests, progress);
                }
                CrawlDefinition replayed = archives.definition(named.definition(), follow,
                        Optional.of(folder.toAbsolutePath().normalize().getFileName().toString()));
                seed(api, printer, named, replayed, new SeedSource(requests.toString(), Optional.empty()));
            } finally {
                Files.delete(requests);
            }
        } catch (IOException e) {
            throw new UserMistakeException("no temporary file can be written: " + e.getMessage());
        }
    }

    @Override
    public void check() {
        seeds.source();
        definition();
    }

    /** What the user wants, with the name of the crawl. */
    private record NamedDefinition(CrawlId crawl, CrawlDefinition definition, NewRun newRun) {}

    private NamedDefinition definition() {
        if (crawl == null && !definition.hasFile()) {
            throw new UserMistakeException("Missing required option: '--crawl=ID', or '--file=FILE'");
        }
        FaultCollector faults = new FaultCollector();
        Optional<CrawlFile> file = definition.file(faults);
        String ending = replay == null ? "" : REPLAY;
        CrawlId id = faults.note(() -> crawl == null
                ? file.map(named -> new CrawlId(named.crawl() + ending)).orElse(UNNAMED)
                : new CrawlId(crawl)).orElse(UNNAMED);
        CrawlDefinition made = definition.definition(id, file, DefinitionOptions.urls(urls, faults), faults);
        NewRun newRun = definition.newRun(faults);
        faults.check();
        if (newRun == NewRun.REFRESH && (seeds.given() || replay != null)) {
            throw new UserMistakeException(
                    "--refresh goes without --seeds and --replay: submit seeds when the refresh has begun");
        }
        return new NamedDefinition(id, made, newRun);
    }

    private ApiResponse define(Api api, NamedDefinition named, CrawlDefinition wanted, boolean start)
            throws InterruptedException {
        definition.tellOfRuns(wanted);
        return api.put("/api/v1/crawls/" + named.crawl() + "?start=" + start + named.newRun().query(), wanted);
    }

    /** The crawl is started after its seeds are submitted: without seeds it would finish at once. */
    private void seed(Api api, Printer printer, NamedDefinition named, CrawlDefinition wanted, SeedSource source)
            throws InterruptedException {
        CrawlId id = named.crawl();
        boolean defines = replay != null || !urls.isEmpty() || definition.hasFile() || named.newRun() != NewRun.NONE
                || !known(api, id);
        if (defines && !definition.hasFile() && wanted.starts().isEmpty() && wanted.scope().domains().isEmpty()) {
            throw new UserMistakeException("crawl " + id
                    + " does not exist: give a URL, or the accepted domains with --domain; --domain seeds: those of all seeds");
        }
        boolean start = defines && define(api, named, DefinitionOptions.ofSeeds(wanted), false).as(CrawlSummary.class)
                .state() != CrawlState.STARTED;
        ApiResponse answer;
        try (WaitNotice notice = new WaitNotice(Time.system())) {
            answer = source.submit(api, id, notice::say);
        }
        SubmittedSeeds submitted = answer.as(SubmittedSeeds.class);
        Optional<String> useless = SeedSource.useless(submitted);
        boolean starts = start && (useless.isEmpty() || !wanted.starts().isEmpty());
        if (starts) {
            api.post("/api/v1/crawls/" + id + "/start");
        }
        if (submitted.seeds() > 0 || starts) {
            printer.answer(answer.body(), screen -> List.of(line(id, submitted, starts)));
        }
        if (useless.isPresent()) {
            throw new UserMistakeException(useless.get() + (start && !starts ? "; crawl " + id + " is not started" : "")
                    + (submitted.seeds() > 0 ? "; ./trawl errors has them" : ""));
        }
    }

    private static String line(CrawlId id, SubmittedSeeds submitted, boolean started) {
        String refusals = SeedSource.refusals(submitted);
        return Figures.count(submitted.seeds(), "seed") + (submitted.seeds() == 1 ? " is" : " are")
                + " submitted to crawl " + id + (started ? ", which is started" : "")
                + (refusals.isEmpty() ? "" : "; " + refusals);
    }

    private boolean known(Api api, CrawlId id) throws InterruptedException {
        try {
            api.get("/api/v1/crawls/" + id);
            return true;
        } catch (ApiRefusal e) {
            if (e.exitCode() == ExitCode.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }
}
