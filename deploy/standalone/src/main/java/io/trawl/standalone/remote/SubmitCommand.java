package io.trawl.standalone.remote;

import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.definition.DefinitionChanges;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.DefinitionChangesText;
import io.trawl.coordinator.text.Figures;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiRefusal;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CheckedOptions;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.crawl.CrawlFile;
import io.trawl.standalone.crawl.DefinitionOptions;
import io.trawl.standalone.crawl.ReplayedArchives;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.ProgressDisplay;
import io.trawl.standalone.text.WaitNotice;
import io.trawl.time.Time;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
        "  zcat seeds.jsonl.gz | trawl submit --crawl docs --seeds -",
        "  trawl submit --file site.yaml --replay archive/site-1          # analyzes an archive again", "",
        "A line of --seeds is a URL, or a seed as a JSON object: {\"url\":\"https://docs.example.org/\",\"priority\":2}.",
        "Empty lines and lines that begin with # are ignored."})
public final class SubmitCommand extends CoordinatorCommand implements CheckedOptions {
    private static final CrawlId UNNAMED = new CrawlId("crawl");
    /** A replay has another name than its crawl, whose definition it would replace. */
    private static final String REPLAY = "-replay";
    private static final int BUFFER = 1 << 16;

    @Option(names = "--crawl", paramLabel = "ID", description = "The crawl's name. Default: that of the file of --file.")
    private @Nullable String crawl;

    @Parameters(paramLabel = "URL", arity = "0..*", description = "The seeds of the crawl: absolute http or https URLs.")
    private List<String> urls = List.of();

    @Option(names = "--seeds", paramLabel = "FILE", description = "A file of seeds, one per line; - is standard input. Of any length: seeds are streamed.")
    private @Nullable String seeds;

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
        if (urls.isEmpty() && seeds == null && !definition.hasFile()) {
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
        } else if (seeds == null) {
            ApiResponse defined = define(api, id, wanted, true);
            printer.answer(defined.body(), screen -> List.of(CrawlText.inBrief(defined.as(CrawlSummary.class))));
        } else {
            Seeded seeded = seed(api, id, wanted, seeds);
            printer.answer(seeded.taken().body(), screen -> List.of(seeded.line(id)));
        }
    }

    /** Submits the requests of an archive, with what answers them. */
    private void replay(Api api, Printer printer, NamedDefinition named, Path folder) throws InterruptedException {
        if (seeds != null || !urls.isEmpty() || dryRun) {
            throw new UserMistakeException(
                    "--replay goes without URLs, --seeds and --dry-run: the seeds are those of the archive");
        }
        try {
            Path requests = Files.createTempFile("trawl-replay", ".jsonl");
            try {
                ReplayedArchives archives = ReplayedArchives.read("--replay", List.of(folder), requests,
                        ProgressDisplay.none());
                CrawlDefinition replayed = archives.definition(named.definition(), follow,
                        Optional.of(folder.toAbsolutePath().normalize().getFileName().toString()));
                Seeded seeded = seed(api, named.crawl(), replayed, requests.toString());
                printer.answer(seeded.taken().body(), screen -> List.of(seeded.line(named.crawl())));
            } finally {
                Files.delete(requests);
            }
        } catch (IOException e) {
            throw new UserMistakeException("no temporary file can be written: " + e.getMessage());
        }
    }

    @Override
    public void check() {
        definition();
    }

    /** What the user wants, with the name of the crawl. */
    private record NamedDefinition(CrawlId crawl, CrawlDefinition definition) {}

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
        faults.check();
        return new NamedDefinition(id, made);
    }

    /** The answer to seeds. */
    private record Taken(long seeds) {}

    /** The number of accepted seeds, and whether the crawl was started after them. */
    private record Seeded(ApiResponse taken, boolean started) {
        String line(CrawlId id) {
            long count = taken.as(Taken.class).seeds();
            return Figures.count(count, "seed") + (count == 1 ? " is" : " are") + " submitted to crawl " + id
                    + (started ? ", which is started" : "");
        }
    }

    private ApiResponse define(Api api, CrawlId id, CrawlDefinition wanted, boolean start) throws InterruptedException {
        definition.tellOfRuns(wanted);
        return api.put("/api/v1/crawls/" + id + "?start=" + start + "&fresh=" + definition.fresh(), wanted);
    }

    /** The crawl is started after its seeds are submitted: without seeds it would finish at once. */
    private Seeded seed(Api api, CrawlId id, CrawlDefinition wanted, String source) throws InterruptedException {
        boolean defines = replay != null || !urls.isEmpty() || definition.hasFile() || definition.fresh()
                || !known(api, id);
        if (defines && wanted.starts().isEmpty() && wanted.scope().domains().isEmpty()) {
            throw new UserMistakeException(
                    "crawl " + id + " does not exist: give a URL, or the accepted domains with --domain");
        }
        try (SeedFileReader lines = new SeedFileReader(open(source))) {
            boolean start = defines
                    && define(api, id, wanted, false).as(CrawlSummary.class).state() != CrawlState.STARTED;
            ApiResponse taken = send(api, id, lines);
            if (start) {
                api.post("/api/v1/crawls/" + id + "/start");
            }
            return new Seeded(taken, start);
        } catch (IOException e) {
            throw new UserMistakeException("--seeds: " + source + " cannot be read (" + e.getMessage() + ")");
        }
    }

    private static ApiResponse send(Api api, CrawlId id, SeedFileReader lines) throws InterruptedException {
        try (SeedUploadProgress progress = new SeedUploadProgress(lines, Time.system())) {
            return api.stream("/api/v1/crawls/" + id + "/seeds", SeedFileReader.CONTENT_TYPE, progress.watched());
        }
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

    private static InputStream open(String source) throws IOException {
        if (source.equals("-")) {
            return new BufferedInputStream(System.in, BUFFER);
        }
        Path file = Optional.of(Path.of(source)).filter(Files::isReadable).filter(f -> !Files.isDirectory(f))
                .orElseThrow(() -> new InvalidValueException("--seeds", source,
                        "a file that can be read, or - for standard input"));
        return new BufferedInputStream(Files.newInputStream(file), BUFFER);
    }

    /**
     * Shows the number of sent seeds when submission takes longer than two seconds. Used by the thread that reads the
     * stream.
     */
    private static final class SeedUploadProgress implements AutoCloseable {
        private static final long QUIET = Duration.ofSeconds(2).toNanos();
        private static final long BETWEEN = Duration.ofMillis(500).toNanos();
        private final SeedFileReader lines;
        private final WaitNotice notice;
        private final Time time;
        private final long begun;
        private long last;

        SeedUploadProgress(SeedFileReader lines, Time time) {
            this.lines = lines;
            this.notice = new WaitNotice(time);
            this.time = time;
            this.begun = time.nanos();
        }

        /** The lines; reading them shows the progress. */
        InputStream watched() {
            return new FilterInputStream(lines) {
                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    int read = super.read(into, offset, length);
                    note(read < 0);
                    return read;
                }
            };
        }

        private void note(boolean over) {
            long now = time.nanos();
            if (now - begun >= QUIET && (over || now - last >= BETWEEN)) {
                last = now;
                notice.say(Figures.count(lines.count(), "seed") + " sent" + (over ? ", waiting for the answer" : ""));
            }
        }

        @Override
        public void close() {
            notice.close();
        }
    }
}
