package io.trawl.standalone;

import io.trawl.worker.Signals;
import io.trawl.worker.StopRequest;
import io.trawl.downloader.fetch.AddressGuard;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValue;
import io.trawl.standalone.crawl.CrawlPlan;
import io.trawl.standalone.crawl.CrawlRunner;
import io.trawl.standalone.crawl.DerivedId;
import io.trawl.standalone.report.Outcome;
import io.trawl.standalone.report.Progress;
import io.trawl.standalone.report.SummaryJson;
import io.trawl.standalone.report.SummaryText;
import io.trawl.time.Time;
import java.net.InetAddress;
import java.net.URI;
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

/** {@code trawl crawl}: a crawl from start to end on this machine. */
@Command(name = "crawl", sortOptions = false, description = "Crawl on this machine, from start to end: starts Kafka, Redis and all stages, and ends by itself.", footerHeading = "%nExamples:%n", footer = {
        "  trawl crawl https://docs.example.org --depth 2 --out pages",
        "  trawl crawl https://example.org https://example.net --max-pages 1000 --delay 500ms",
        "  trawl crawl http://localhost:8000/ --allow-network 127.0.0.0/8 --delay 0ms --depth -1",
        "  trawl crawl https://example.org --quiet --json | jq .totals", "",
        "Ctrl-C stops cleanly; the same command goes on where it stopped, also after a crash. A finished",
        "crawl prints its summary again and changes nothing; --fresh begins anew."})
final class CrawlCommand implements Callable<Integer> {
    @Parameters(paramLabel = "URL", arity = "1..*", description = "Where the crawl begins: absolute http or https URLs.")
    private List<String> given = List.of();

    @Mixin
    private DefinitionOptions definition = new DefinitionOptions();

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "pages", description = "Where pages and errors are written. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("pages");

    @Option(names = "--data", paramLabel = "DIR", defaultValue = ".trawl", description = "Where Kafka, Redis and the log are kept, a folder per crawl. Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of(".trawl");

    @Option(names = "--id", paramLabel = "ID", description = "The crawl's name. Default: derived from the URLs, --domain and --depth.")
    private @Nullable String id;

    @Mixin
    private DownloadOptions download = new DownloadOptions();

    @Option(names = {"-q", "--quiet"}, description = "Show no progress.")
    private boolean quiet;

    @Option(names = "--json", description = "Print the summary as JSON on standard output, everything else on standard error.")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    private boolean help;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        Logs.none();
        CrawlPlan plan = plan();
        Logs.into(plan.data());
        Terminal terminal = Terminal.ofLauncher();
        StopRequest stop = new StopRequest();
        Signals.ask(stop, System.err);
        Optional<Outcome> outcome;
        try (Progress progress = terminal.progress(quiet, System.err)) {
            outcome = new CrawlRunner(plan, stop, progress, Time.system()).run();
        }
        outcome.ifPresent(this::print);
        if (!stop.asked() || outcome.flatMap(o -> o.summary().end()).isPresent()) {
            return 0;
        }
        spec.commandLine().getErr().println("stopped; the same command goes on from here: " + terminal.typed(again()));
        return Signals.INTERRUPTED;
    }

    /** What the user typed, but not what would begin anew. */
    private List<String> again() {
        return spec.root().commandLine().getParseResult().originalArgs().stream().filter(arg -> !arg.equals("--fresh")).toList();
    }

    private void print(Outcome outcome) {
        if (json) {
            System.out.println(SummaryJson.of(outcome));
        } else {
            System.out.println();
            SummaryText.of(outcome, Path.of("").toAbsolutePath()).forEach(System.out::println);
        }
        System.out.flush();
    }

    /**
     * The options, checked as far as that is possible without any server.
     *
     * @throws InvalidValue naming the option, the value and the rule
     */
    CrawlPlan plan() {
        List<String> urls = DefinitionOptions.urls(given);
        CrawlId crawl = id == null ? DerivedId.of(urls, definition.domains(), definition.depth()) : named(id);
        AddressGuard guard = download.guard();
        urls.forEach(url -> open(guard, url));
        return new CrawlPlan(crawl, definition.definition(crawl, given), out.toAbsolutePath().normalize(),
                data.toAbsolutePath().normalize().resolve("crawls").resolve(crawl.value()), download.allowNetwork(),
                download.concurrency(), definition.fresh());
    }

    private static CrawlId named(String id) {
        try {
            return new CrawlId(id);
        } catch (InvalidValue e) {
            throw new InvalidValue("--id", e.value(), e.rule());
        }
    }

    /** A URL that names a closed address would only be refused later, and the crawl would be over without a page. */
    private static void open(AddressGuard guard, String url) {
        address(url).ifPresent(address -> guard.refusal(address).ifPresent(what -> {
            throw new UserMistake(
                    url + " is " + what + ", which is closed: open it with --allow-network " + address.getHostAddress());
        }));
    }

    /** The address that a URL names without a name server. */
    private static Optional<InetAddress> address(String url) {
        String host = Optional.ofNullable(URI.create(url).getHost()).orElse("");
        if (host.equals("localhost")) {
            return Optional.of(InetAddress.getLoopbackAddress());
        }
        try {
            return Optional.of(InetAddress.ofLiteral(host.replaceAll("^\\[|]$", "")));
        } catch (IllegalArgumentException e) {
            // A name: the downloader judges what it resolves to.
            return Optional.empty();
        }
    }
}
