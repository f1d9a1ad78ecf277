package io.trawl.standalone.crawl;

import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.definition.CrawlDefinition.Scope;
import io.trawl.admission.AcceptedName;
import io.trawl.admission.Admission;
import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.CrawlLimits;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.coordinator.definition.CrawlNotes;
import io.trawl.coordinator.definition.DefinitionRules;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.model.Choice;
import io.trawl.model.CrawlId;
import io.trawl.model.Durations;
import io.trawl.definition.FetchStyle;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Seed;
import io.trawl.process.ProcessorStep;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of a crawl definition, for {@code crawl} and {@code submit}. Does not call any server. */
public final class DefinitionOptions {
    /** The rules of the coordinator, as far as they are the same in every deployment. */
    static final DefinitionRules RULES = new DefinitionRules(new Admission(Integer.MAX_VALUE), 10);

    @Option(names = "--file", paramLabel = "FILE", description = "A crawl file in YAML or JSON, as trawl init writes it. Options and URLs win over it. Default: none.")
    private @Nullable Path file;

    @Option(names = "--depth", paramLabel = "N", defaultValue = ""
            + CrawlLimits.DEFAULT_DEPTH, description = "Maximum number of links from a given URL; -1: no limit. Default: ${DEFAULT-VALUE}.")
    private int depth = CrawlLimits.DEFAULT_DEPTH;

    @Option(names = "--domain", paramLabel = "NAME", description = "A domain or host to accept; can be repeated. Default: the domains of the URLs given.")
    private List<String> domains = List.of();

    @Option(names = "--max-pages", paramLabel = "N", description = "Stop after N pages; a higher number resumes. Default: no limit.")
    private @Nullable Long maxPages;

    @Option(names = "--max-bytes", paramLabel = "N", description = "Stop after N bytes of bodies (and those in flight); a higher number resumes. Default: no limit.")
    private @Nullable Long maxBytes;

    @Option(names = "--max-time", paramLabel = "TIME", description = "Stop after this time, such as 90s, 10m or 8h; a longer time resumes. Default: no limit.")
    private @Nullable String maxTime;

    @Option(names = "--delay", paramLabel = "TIME", defaultValue = "1s", description = "Pause from the end of one response to the next request of the same host, such as 500ms, 2s "
            + "or 1m; 0ms: none, still one at a time. robots.txt and Retry-After always apply. Default: ${DEFAULT-VALUE}.")
    private String delay = "1s";

    @Option(names = "--priority", paramLabel = "N", defaultValue = ""
            + CrawlDefinition.DEFAULT_PRIORITY, description = "The priority of this crawl's requests, higher first; 0 to 2 unless the deployment has other levels. Default: ${DEFAULT-VALUE}.")
    private int priority = CrawlDefinition.DEFAULT_PRIORITY;

    @Option(names = "--user-agent", paramLabel = "TEXT", defaultValue = FetchRules.DEFAULT_USER_AGENT, description = "The User-Agent header; the product name before '/' is matched in robots.txt ('trawl' if that is Mozilla). Default: ${DEFAULT-VALUE}.")
    private String userAgent = FetchRules.DEFAULT_USER_AGENT;

    @Option(names = "--contact", paramLabel = "TEXT", description = "An e-mail address or URL under which site owners reach you; appended to the User-Agent. Default: none.")
    private @Nullable String contact;

    @Option(names = "--ignore-robots", paramLabel = "HOST", description = "A host of your own whose robots.txt is not read; can be repeated. Default: none.")
    private List<String> ignoreRobots = List.of();

    @Option(names = "--profile", paramLabel = "NAME", defaultValue = "plain", description = "The headers of requests: plain, those of the crawler; browser, those of a browser. "
            + "Neither changes the user agent or the handling of robots.txt. Default: ${DEFAULT-VALUE}.")
    private String profile = FetchStyle.PLAIN.word();

    @Option(names = "--proxy", paramLabel = "URL", description = "The proxy for all requests, http://host:port. Default: none.")
    private @Nullable String proxy;

    @Option(names = "--header", paramLabel = "NAME=VALUE", description = "A header of all requests for pages; can be repeated. Default: none.")
    private Map<String, String> headers = Map.of();

    @Option(names = "--cookie", paramLabel = "TEXT", description = "The Cookie header of all requests for pages. Default: none.")
    private @Nullable String cookie;

    @Option(names = "--response-timeout", paramLabel = "TIME", description = "The longest silence of a server, if shorter than the downloader's. Default: the downloader's.")
    private @Nullable String responseTimeout;

    @Option(names = "--total-timeout", paramLabel = "TIME", description = "The longest time for a whole fetch, if shorter than the downloader's. Default: the downloader's.")
    private @Nullable String totalTimeout;

    @Option(names = "--fetcher", paramLabel = "NAME", description = "The fetcher of the pages: http, browser (needs TRAWL_DOWNLOADER_BROWSER), or that of a plug-in. Default: http.")
    private @Nullable String fetcher;

    @Option(names = "--parser", paramLabel = "NAME", description = "A parser that reads pages; can be repeated. Default: all.")
    private List<String> parsers = List.of();

    @Option(names = "--processor", paramLabel = "NAME", description = "An item processor that runs; can be repeated. Default: all.")
    private List<String> processors = List.of();

    @Option(names = "--no-text", description = "Leave out the readable text of pages.")
    private boolean noText;

    @Option(names = "--anchors", description = "Store the text and link types of the links of pages.")
    private boolean anchors;

    @Option(names = "--keep", paramLabel = "N", defaultValue = ""
            + CrawlDefinition.DEFAULT_KEEP, description = "How many finished runs keep their files: when one has finished, older ones are deleted. Archives and what other sinks hold stay. Default: ${DEFAULT-VALUE}.")
    private int keep = CrawlDefinition.DEFAULT_KEEP;

    @Option(names = "--fresh", description = "Start over with an empty ledger, in a new run. The run before stays until this one has finished, see --keep.")
    private boolean fresh;

    @Option(names = "--refresh", description = "Visit the pages of the last run again, and store what is new or has changed, in a new run; the first time, crawl so that this is possible.")
    private boolean refresh;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    /** The crawl file; empty, with faults added, if it cannot be read, or if there is none. */
    public Optional<CrawlFile> file(FaultCollector faults) {
        return Optional.ofNullable(file).flatMap(path -> CrawlFile.read(path, faults));
    }

    /** Whether a crawl file is named. */
    public boolean hasFile() {
        return file != null;
    }

    private boolean given(String option) {
        return command.commandLine().getParseResult().hasMatchedOption(option);
    }

    private <T> T chosen(String option, T value, T otherwise) {
        return given(option) ? value : otherwise;
    }

    /** Which run is wanted. */
    public NewRun newRun(FaultCollector faults) {
        return faults.note(this::newRun).orElse(NewRun.NONE);
    }

    private NewRun newRun() {
        if (refresh && fresh) {
            throw new InvalidValueException("--refresh", "", "left out with --fresh, which visits no pages");
        }
        return refresh ? NewRun.REFRESH : fresh ? NewRun.FRESH : NewRun.NONE;
    }

    /** Tells what keeps the items of every run, if a new one begins. */
    public void tellOfRuns(CrawlDefinition made) {
        if (fresh) {
            CrawlNotes.ofRuns(made).forEach(note -> command.commandLine().getErr().println("note: " + note));
        }
    }

    /** The depth limit, -1 for none. */
    public int depth() {
        return depth;
    }

    /** The valid ones of the URLs in normal form, in the order given, each once. */
    public static List<String> urls(List<String> given, FaultCollector faults) {
        return given.stream().flatMap(url -> faults.note(() -> normal(url)).stream()).distinct().toList();
    }

    /** The valid URLs of the seeds of a definition, in normal form. */
    public static List<String> urls(CrawlDefinition definition) {
        return definition.seeds().stream().flatMap(seed -> seed.url().stream()).map(UrlNormalizer::normalize)
                .flatMap(url -> url instanceof NormalUrl normal ? Stream.of(normal.text()) : Stream.empty()).distinct()
                .toList();
    }

    /** The hosts of the seeds of a definition, without ports. */
    public static List<String> hosts(CrawlDefinition definition) {
        return urls(definition).stream().map(HostKeyFactory::of).map(HostKeyFactory::host).distinct().toList();
    }

    /** The valid ones of the accepted domains in normal form, each once; empty for those of the URLs. */
    public List<String> domains(FaultCollector faults) {
        return domains.stream().flatMap(d -> faults.note(() -> AcceptedName.of("--domain", d)).stream()).distinct()
                .toList();
    }

    /**
     * The definition of the file and the options, as far as they are valid.
     *
     * @param crawlFile what holds where no option is given
     * @param urls the seeds in normal form, instead of those of the file
     * @param faults receives each option, and each line of the file, that breaks a rule
     */
    public CrawlDefinition definition(CrawlId crawl, Optional<CrawlFile> crawlFile, List<String> urls,
            FaultCollector faults) {
        CrawlDefinition base = crawlFile.map(CrawlFile::definition).orElse(CrawlDefinition.of(List.of()));
        List<Seed> seeds = urls.stream().map(url -> Seed.of(crawl, url, Optional.empty())).toList();
        CrawlDefinition definition = base.with(made -> made.seeds(seeds.isEmpty() ? base.seeds() : seeds)
                .scope(given("--domain") ? base.scope().withDomains(domains(faults)) : base.scope())
                .limits(limits(base.limits(), faults)).fetch(fetch(base.fetch(), faults))
                .extract(base.extract()
                        .with(extract -> extract.text(base.extract().text() && !noText)
                                .anchors(base.extract().anchors() || anchors)
                                .parsers(chosen("--parser", parsers, base.extract().parsers()))))
                .process(base.process()
                        .withProcessors(chosen("--processor", processors.stream().map(ProcessorStep::of).toList(),
                                base.process().processors())))
                .priority(chosen("--priority", priority, base.priority())).keep(chosen("--keep", keep, base.keep())));
        WrittenDefinition written = crawlFile.map(CrawlFile::written).orElse(WrittenDefinition.of(base));
        try {
            written.check(crawl, definition, RULES);
        } catch (InvalidDefinitionException e) {
            faults.addAll(e.named(fault -> {
                String option = option(fault.field());
                boolean typed = option.equals("URL") ? !urls.isEmpty() : given(option);
                return crawlFile.isPresent() && !typed
                        ? crawlFile.get().named(fault)
                        : new Fault(option, fault.value(), fault.rule());
            }).faults(), e.more());
        }
        return definition;
    }

    /** The definition of a crawl with a list of seeds: it accepts their domains, unless it names some. */
    public static CrawlDefinition ofSeeds(CrawlDefinition definition) {
        return definition.scope().domains().isEmpty()
                ? definition.withScope(definition.scope().withDomains(List.of(Scope.SEEDS)))
                : definition;
    }

    private CrawlLimits limits(CrawlLimits base, FaultCollector faults) {
        return base.with(limits -> limits.depth(chosen("--depth", depth, base.depth()))
                .maxPages(Optional.ofNullable(maxPages).or(base::maxPages))
                .maxBytes(Optional.ofNullable(maxBytes).or(base::maxBytes))
                .maxTime(duration("--max-time", maxTime, faults).or(base::maxTime)));
    }

    private FetchRules fetch(FetchRules base, FaultCollector faults) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(base.headers());
        headers.forEach((name, value) -> {
            all.remove(name);
            all.put(name, value);
        });
        return base.with(fetch -> fetch
                .delay(given("--delay")
                        ? faults.note(() -> Durations.parse("--delay", delay)).orElse(Duration.ZERO)
                        : base.delay())
                .userAgent(chosen("--user-agent", userAgent, base.userAgent()))
                .profile(given("--profile")
                        ? faults.note(() -> Choice.of("--profile", FetchStyle.values(), profile))
                                .orElse(FetchStyle.PLAIN)
                        : base.profile())
                .proxy(Optional.ofNullable(proxy).or(base::proxy))
                .contact(Optional.ofNullable(contact).or(base::contact))
                .ignoreRobots(chosen("--ignore-robots", ignoreRobots, base.ignoreRobots())).headers(all)
                .cookie(Optional.ofNullable(cookie).or(base::cookie))
                .responseTimeout(duration("--response-timeout", responseTimeout, faults).or(base::responseTimeout))
                .totalTimeout(duration("--total-timeout", totalTimeout, faults).or(base::totalTimeout))
                .fetcher(Optional.ofNullable(fetcher).or(base::fetcher)));
    }

    private static Optional<Duration> duration(String option, @Nullable String value, FaultCollector faults) {
        return Optional.ofNullable(value).flatMap(text -> faults.note(() -> Durations.parse(option, text)));
    }

    /** The option that sets a field: {@code --max-pages} for {@code limits.maxPages}. */
    private static String option(String field) {
        if (field.startsWith("fetch.headers") || field.startsWith("extract.parsers")
                || field.startsWith("process.processors")) {
            return "--" + field.substring(field.indexOf('.') + 1).replaceAll("s(\\[.*|\\..*)?$", "");
        }
        return field.startsWith("seeds")
                ? "URL"
                : "--" + field.substring(field.lastIndexOf('.') + 1).replaceAll("\\[\\d+]$", "")
                        .replaceAll("[A-Z]", "-$0").toLowerCase(Locale.ROOT);
    }

    private static String normal(String url) {
        return switch (UrlNormalizer.normalize(url)) {
            case NormalUrl normal -> normal.text();
            case Refusal refusal -> throw new InvalidValueException("URL", UrlNormalizer.shown(url),
                    "an absolute http or https URL such as https://example.org/ (" + refusal.cause() + ")");
        };
    }
}
