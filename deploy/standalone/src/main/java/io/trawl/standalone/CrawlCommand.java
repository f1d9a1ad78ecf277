package io.trawl.standalone;

import io.trawl.definition.CrawlDefinition;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.crawl.CrawlFile;
import io.trawl.admission.HostKeyFactory;
import io.trawl.coordinator.definition.CrawlNotes;
import io.trawl.downloader.fetch.http.AddressGuard;
import io.trawl.model.CrawlId;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.model.InvalidValueException;
import io.trawl.standalone.client.CheckedOptions;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.client.SeedOptions;
import io.trawl.standalone.client.SeedSource;
import io.trawl.standalone.crawl.CrawlPlan;
import io.trawl.standalone.crawl.CrawlRunner;
import io.trawl.standalone.crawl.DefinitionOptions;
import io.trawl.standalone.crawl.DerivedId;
import io.trawl.standalone.text.CrawlOutcome;
import io.trawl.standalone.text.ProgressDisplay;
import io.trawl.standalone.text.Terminal;
import io.trawl.time.Time;
import io.trawl.worker.ShutdownRequest;
import io.trawl.worker.Signals;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trawl crawl}: runs a crawl from start to end on this machine. */
@Command(name = "crawl", sortOptions = false, description = "Crawl on this machine, from start to end: starts Kafka, Redis and all stages, and ends by itself.", footerHeading = "%nExamples:%n", footer = {
        "  trawl crawl https://docs.example.org --depth 2 --out pages",
        "  trawl crawl https://example.org https://example.net --max-pages 1000 --delay 500ms",
        "  trawl crawl http://localhost:8000/ --allow-network 127.0.0.0/8 --delay 0ms --depth -1",
        "  trawl crawl https://example.org --quiet --json | jq .totals",
        "  trawl crawl --seeds urls.txt.gz                                # the domains of all seeds",
        "  trawl init site.yaml && trawl crawl --file site.yaml --depth 1", "",
        "Ctrl-C shuts down gracefully; the same command resumes, also after a crash. A finished",
        "crawl only prints its summary again; --fresh begins a new run. Exit code 6: no seed gave a page,",
        "or the site failed for most of the pages of the last run; 2: all seeds of --seeds were refused."})
final class CrawlCommand implements Callable<Integer>, CheckedOptions {
    private static final CrawlId UNNAMED = new CrawlId("crawl");

    @Parameters(paramLabel = "URL", arity = "0..*", description = "The seeds of the crawl: absolute http or https URLs, instead of those of --file.")
    private List<String> given = List.of();

    @Mixin
    private SeedOptions seeds = new SeedOptions();

    @Mixin
    private DefinitionOptions definition = new DefinitionOptions();

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "pages", description = "The folder for pages and errors. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("pages");

    @Option(names = "--data", paramLabel = "DIR", defaultValue = ".trawl", description = "The folder of Kafka, Redis and the log, with a subfolder per crawl. Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of(".trawl");

    @Option(names = "--id", paramLabel = "ID", description = "The crawl's name. Default: that of the file of --file, or derived from the URLs, --seeds, --domain and --depth.")
    private @Nullable String id;

    @Mixin
    private DownloadOptions download = new DownloadOptions();

    @Mixin
    private OutcomeOptions shown = new OutcomeOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        LogSetup.none();
        CrawlPlan plan = plan();
        LogSetup.into(plan.data());
        CrawlNotes.of(plan.definition().fetch(), DefinitionOptions.hosts(plan.definition()))
                .forEach(note -> spec.commandLine().getErr().println("note: " + note));
        definition.tellOfRuns(plan.definition());
        ShutdownRequest stop = new ShutdownRequest();
        Signals.ask(stop, System.err);
        Optional<CrawlOutcome> outcome;
        try (ProgressDisplay progress = shown.progress()) {
            outcome = new CrawlRunner(plan, stop, progress, Time.system()).run();
        }
        outcome.ifPresent(shown::print);
        NextStart.prepare(stop);
        if (!stop.asked() || outcome.flatMap(o -> o.summary().end()).isPresent()) {
            return outcome.filter(CrawlOutcome::failed).isPresent() ? ExitCode.RUN_FAILED : ExitCode.DONE;
        }
        spec.commandLine().getErr()
                .println("stopped; the same command resumes: " + Terminal.ofLauncher().typed(again()));
        return Signals.INTERRUPTED;
    }

    /** The user's command line without the option that starts over. */
    private List<String> again() {
        return spec.root().commandLine().getParseResult().originalArgs().stream().filter(arg -> !arg.equals("--fresh"))
                .toList();
    }

    @Override
    public void check() {
        plan();
    }

    /**
     * The options and the settings, checked as far as possible without a server.
     *
     * @throws InvalidDefinitionException naming each option and variable with its value and the rule
     */
    CrawlPlan plan() {
        FaultCollector faults = new FaultCollector();
        Optional<SeedSource> list = faults.note(seeds::source).flatMap(source -> source);
        if (given.isEmpty() && !definition.hasFile() && !seeds.given()) {
            throw new UserMistakeException("Missing required parameter: 'URL', or --file FILE, or --seeds FILE");
        }
        List<String> urls = DefinitionOptions.urls(given, faults);
        Optional<CrawlFile> file = definition.file(faults);
        CrawlId crawl = faults.note(() -> id(file, urls, list)).orElse(UNNAMED);
        CrawlDefinition made = definition.definition(crawl, file, urls, faults);
        file.filter(_ -> made.starts().isEmpty() && !seeds.given())
                .ifPresent(f -> faults.addAll(
                        List.of(f.named(new Fault("seeds", "", "at least one URL, in the file or behind the command"))),
                        0));
        faults.note(download::guard)
                .ifPresent(guard -> DefinitionOptions.urls(made).forEach(url -> faults.note(() -> open(guard, url))));
        CrawlPlan plan = new CrawlPlan(crawl, seeds.given() ? DefinitionOptions.ofSeeds(made) : made,
                out.toAbsolutePath().normalize(),
                data.toAbsolutePath().normalize().resolve("crawls").resolve(crawl.value()), download.allowNetwork(),
                download.concurrency(faults), definition.newRun(faults), list);
        plan.fleet().check(System.getenv(), faults);
        faults.check();
        return plan;
    }

    private CrawlId id(Optional<CrawlFile> file, List<String> urls, Optional<SeedSource> list) {
        if (id == null && file.isPresent()) {
            return file.get().crawl();
        }
        if (id == null) {
            return urls.isEmpty() && list.isEmpty()
                    ? UNNAMED
                    : DerivedId.of(urls, list, definition.domains(new FaultCollector()), definition.depth());
        }
        try {
            return new CrawlId(id);
        } catch (InvalidValueException e) {
            throw new InvalidValueException("--id", e.value(), e.rule());
        }
    }

    /** A URL with a closed address: the crawl would finish without a page. */
    private static String open(AddressGuard guard, String url) {
        address(url).ifPresent(address -> guard.refusal(address).ifPresent(what -> {
            throw new InvalidValueException("URL", url,
                    "this is " + what + ", which is closed: open it with --allow-network " + address.getHostAddress());
        }));
        return url;
    }

    /** The literal address in a URL in normal form. */
    private static Optional<InetAddress> address(String url) {
        String host = HostKeyFactory.host(HostKeyFactory.of(url));
        if (host.equals("localhost")) {
            return Optional.of(InetAddress.getLoopbackAddress());
        }
        try {
            return Optional.of(InetAddress.ofLiteral(host.replaceAll("^\\[|]$", "")));
        } catch (IllegalArgumentException e) {
            // A name: the downloader checks its addresses.
            return Optional.empty();
        }
    }
}
