package io.trawl.standalone.remote;

import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.probe.Explanation;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.FleetSummary.MissingKind;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.coordinator.lifecycle.RefreshPlan;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.EventsText;
import io.trawl.coordinator.text.ExplanationText;
import io.trawl.coordinator.text.Figures;
import io.trawl.coordinator.text.FleetText;
import io.trawl.coordinator.text.HostsText;
import io.trawl.coordinator.text.LogText;
import io.trawl.coordinator.text.ModulesText;
import io.trawl.coordinator.text.QueueText;
import io.trawl.coordinator.text.TreeText;
import io.trawl.coordinator.view.HostCalls.HostList;
import io.trawl.coordinator.lifecycle.RetriedCrawl;
import io.trawl.model.CrawlId;
import io.trawl.module.ModuleSummary;
import io.trawl.module.Registration;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand.CoordinatorOptions;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.operate.QueueResizeCommand;
import io.trawl.standalone.operate.SignPath;
import io.trawl.telemetry.RecentLog.LogLine;
import io.trawl.time.Time;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The commands that send one request to a coordinator and print the answer, a method each: the name, the options, the
 * path, and the text of the answer. {@code Trawl} lists them by name.
 */
public final class CoordinatorRequests {
    private static final String EXAMPLE = "%nExample:%n";
    private static final String EXAMPLES = "%nExamples:%n";
    private static final String CRAWLS = "/api/v1/crawls";
    private static final String A_CRAWL = "The crawl.";
    private static final String MOST = "Maximum number, 1 to 1000. Default: ${DEFAULT-VALUE}.";
    private static final String PROCESS = "A live process, such as D3, or its MID in quotes because of the bar.";

    private CoordinatorRequests() {}

    /** The method of a command. */
    public static Method named(String command) {
        return CommandLine.getCommandMethods(CoordinatorRequests.class, command).getFirst();
    }

    @Command(name = "summary", sortOptions = false, description = "Show everything about the fleet: channels, modules and every crawl in full.", footerHeading = EXAMPLES, footer = {
            "  trawl summary", "  trawl summary --json | jq '.crawls[].totals'"})
    static int summary(@Mixin CoordinatorOptions at) throws InterruptedException {
        return at.print(api -> api.get("/api/v1/summary?sort=crawl&limit=1000"),
                (answer, screen) -> FleetText.inFull(answer.as(FleetSummary.class), Time.system().now(), screen));
    }

    @Command(name = "crawls", sortOptions = false, description = "List all crawls.", footerHeading = EXAMPLES, footer = {
            "  trawl crawls", "  trawl crawls --json | jq -r '.[].crawl'"})
    static int crawls(@Mixin CoordinatorOptions at,
            @Option(names = "--ids", description = "Print only the ids of the crawls, one per line.") boolean ids)
            throws InterruptedException {
        return at.print(api -> api.getAll(CRAWLS),
                (answer, screen) -> ids
                        ? answer.list(CrawlSummary.class).stream().map(crawl -> crawl.run().crawl().value()).distinct()
                                .toList()
                        : CrawlText.table(answer.list(CrawlSummary.class), screen));
    }

    @Command(name = "modules", sortOptions = false, description = "List the live processes, or show the summary of one.", footerHeading = EXAMPLES, footer = {
            "  trawl modules", "  trawl modules D1", "  trawl modules --json | jq -r '.[].mid'"})
    static int modules(@Mixin CoordinatorOptions at,
            @Parameters(paramLabel = "MID", arity = "0..1", description = PROCESS
                    + " Default: all.") @Nullable String mid)
            throws InterruptedException {
        return mid == null ? at.print(api -> api.getAll("/api/v1/modules"), (answer, screen) -> {
            List<Registration> live = answer.list(Registration.class);
            return ModulesText.of(live, MissingKind.among(live), Time.system().now(), screen);
        })
                : at.print(api -> api.get("/api/v1/modules/" + Api.encoded(mid) + "/summary"),
                        (answer, screen) -> TreeText.of(answer.as(ModuleSummary.class), screen));
    }

    @Command(name = "queue", sortOptions = false, description = "Show the backlog and the traffic of every channel, move what waits, or replace the request topics.", subcommands = {
            QueueMoveCommand.class, QueueResizeCommand.class}, footerHeading = EXAMPLES, footer = {"  trawl queue",
                    "  trawl queue --json | jq -r .line", "  trawl queue move --crawl docs --host example.org --to 2",
                    "  trawl queue resize --partitions 32 --plan"})
    static int queue(@Mixin CoordinatorOptions at) throws InterruptedException {
        return at.print(api -> api.get("/api/v1/queue"),
                (answer, screen) -> QueueText.of(answer.as(QueueSummary.class), screen));
    }

    @Command(name = "events", sortOptions = false, description = "Show events of crawls: started, stopped, finished, deleted; newest first.", footerHeading = EXAMPLES, footer = {
            "  trawl events", "  trawl events --crawl docs --limit 5",
            "  trawl events --json | jq '.[] | select(.type == \"crawl.finished\")'"})
    static int events(@Mixin CoordinatorOptions at,
            @Option(names = "--crawl", paramLabel = "ID", description = "Only of this crawl.") @Nullable String crawl,
            @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = MOST) int limit)
            throws InterruptedException {
        return at.print(
                api -> api.get(
                        new Query("/api/v1/events").with("crawl", Optional.ofNullable(crawl)).limit(limit).toString()),
                (answer, screen) -> EventsText.of(answer.list(CrawlEvent.class), screen));
    }

    @Command(name = "start", sortOptions = false, description = "Start a defined crawl, resume a stopped one, open a closed one; or reset the stop sign of a process.", footerHeading = EXAMPLES, footer = {
            "  trawl start docs", "  trawl start D3"})
    static int start(@Mixin CoordinatorOptions at,
            @Parameters(paramLabel = "ID", description = "The crawl, or the process, such as D3.") String id)
            throws InterruptedException {
        return SignPath.isModule(id)
                ? at.print(api -> api.delete(SignPath.ofModule(id)),
                        (_, _) -> List.of("the stop sign of " + id + " is reset"))
                : change(at, id, "start");
    }

    @Command(name = "close", sortOptions = false, description = "Close a crawl: new seeds and links are refused, and what waits is still fetched.", footerHeading = EXAMPLE, footer = {
            "  trawl close docs", "", "trawl start docs opens it again."})
    static int close(@Mixin CoordinatorOptions at, @Parameters(paramLabel = "ID", description = A_CRAWL) String id)
            throws InterruptedException {
        return change(at, id, "close");
    }

    @Command(name = "refresh", sortOptions = false, description = "Visit the pages of an ended run again, in a new run: what has not changed is asked for conditionally, and not stored again.", footerHeading = EXAMPLE, footer = {
            "  trawl refresh docs && trawl wait docs", "  trawl refresh docs --match '/news/**'",
            "  trawl refresh docs --due --dry-run            # how many pages that would visit", "",
            "The crawl file needs the field refresh before the run whose pages are visited: without it a run keeps nothing for that."})
    static int refresh(@Mixin CoordinatorOptions at, @Parameters(paramLabel = "ID", description = A_CRAWL) String id,
            @Option(names = "--match", paramLabel = "PATTERN", description = "Only pages whose URL has this form, such as '/news/**'. The others keep their next visit. Default: all.") @Nullable String match,
            @Option(names = "--due", description = "Only pages that are due by the intervals of the crawl file, and no more than its visits of a day.") boolean due,
            @Option(names = "--dry-run", description = "Say how many pages it would visit, and change nothing.") boolean dryRun)
            throws InterruptedException {
        Query query = new Query("refresh").with("match", Optional.ofNullable(match)).with("due", flag(due));
        return dryRun
                ? at.print(api -> api.post(path(id, query.with("dryRun", flag(true)).toString())),
                        (answer, _) -> List.of(CrawlText.planned(answer.as(RefreshPlan.class))))
                : change(at, id, query.toString());
    }

    private static Optional<String> flag(boolean set) {
        return set ? Optional.of("true") : Optional.empty();
    }

    private static String path(String crawl, String call) {
        return CRAWLS + "/" + new CrawlId(crawl) + "/" + call;
    }

    private static int change(CoordinatorOptions at, String crawl, String change) throws InterruptedException {
        return at.print(api -> api.post(path(crawl, change)),
                (answer, _) -> List.of(CrawlText.inBrief(answer.as(CrawlSummary.class))));
    }

    @Command(name = "reset", sortOptions = false, description = "Reset the fleet's stop sign, or that of a host: started crawls continue.", footerHeading = EXAMPLES, footer = {
            "  trawl reset", "  trawl reset --host example.org"})
    static int reset(@Mixin CoordinatorOptions at,
            @Option(names = "--host", paramLabel = "HOST", description = "A host. Default: the fleet.") @Nullable String host)
            throws InterruptedException {
        String whose = host == null ? "the fleet's stop sign" : "the stop sign of host " + host;
        return at.print(api -> api.delete(host == null ? SignPath.FLEET : SignPath.ofHost(host)),
                (_, _) -> List.of(whose + " is reset"));
    }

    @Command(name = "explain", sortOptions = false, description = "Explain a URL or a host in a crawl: whether it is admitted, what it waits for, which module owns it, how it was answered.", footerHeading = EXAMPLES, footer = {
            "  trawl explain https://docs.example.org/guide/", "  trawl explain docs.example.org --crawl docs",
            "  trawl explain https://docs.example.org/guide/ --json | jq -r .state"})
    static int explain(@Mixin CoordinatorOptions at,
            @Parameters(paramLabel = "URL|HOST", description = "An absolute URL, or the name of a host.") String target,
            @Option(names = "--crawl", paramLabel = "ID", description = "The crawl. Default: the only one.") @Nullable String crawl,
            @Option(names = "--method", paramLabel = "METHOD", description = "The HTTP method of the request. Default: GET.") @Nullable String method,
            @Option(names = "--body", paramLabel = "TEXT", description = "The body of the request. Default: none.") @Nullable String body)
            throws InterruptedException {
        return at.print(api -> api.get(new Query("/api/v1/explain")
                .with("crawl", Optional.of(crawl == null ? only(api) : new CrawlId(crawl).value()))
                .with(target.contains("://") ? "url" : "host", Optional.of(target))
                .with("method", Optional.ofNullable(method)).with("body", Optional.ofNullable(body)).toString()),
                (answer, _) -> ExplanationText.of(answer.as(Explanation.class)));
    }

    private static String only(Api api) throws InterruptedException {
        List<String> ids = api.getAll(CRAWLS).list(CrawlSummary.class).stream().map(each -> each.run().crawl().value())
                .toList();
        if (ids.size() != 1) {
            throw new UserMistakeException(
                    ids.isEmpty() ? "there is no crawl" : "choose a crawl with --crawl: " + String.join(", ", ids));
        }
        return ids.getFirst();
    }

    @Command(name = "hosts", sortOptions = false, description = "Show the hosts of all downloaders: what waits, what is done, errors, pause, robots.txt, next turn.", footerHeading = EXAMPLES, footer = {
            "  trawl hosts --limit 50", "  trawl hosts --crawl docs --sort errors",
            "  trawl hosts --json | jq '.hosts[].waiting'", "",
            "Done and errors are those of the downloader since it started."})
    static int hosts(@Mixin CoordinatorOptions at,
            @Option(names = "--crawl", paramLabel = "ID", description = "Only hosts of this crawl.") @Nullable String crawl,
            @Option(names = "--host", paramLabel = "TEXT", description = "Only hosts with this text in their name.") @Nullable String host,
            @Option(names = "--sort", paramLabel = "ORDER", defaultValue = "waiting", description = "waiting, answered, errors, pause, next or host. Default: ${DEFAULT-VALUE}.") String sort,
            @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = MOST) int limit)
            throws InterruptedException {
        return at.print(
                api -> api.get(new Query("/api/v1/hosts").with("crawl", Optional.ofNullable(crawl))
                        .with("q", Optional.ofNullable(host)).with("sort", Optional.of(sort)).limit(limit).toString()),
                (answer, screen) -> HostsText.of(answer.as(HostList.class), screen));
    }

    @Command(name = "logs", sortOptions = false, description = "Show the last log lines of a process, the oldest first.", footerHeading = EXAMPLES, footer = {
            "  trawl logs D1", "  trawl logs C1 --lines 1000", "",
            "With trawl up and trawl crawl all modules are one process with one log. trawl modules lists them."})
    static int logs(@Mixin CoordinatorOptions at, @Parameters(paramLabel = "MID", description = PROCESS) String mid,
            @Option(names = "--lines", paramLabel = "N", defaultValue = "100", description = MOST) int lines)
            throws InterruptedException {
        return at.print(
                api -> api.get(new Query("/api/v1/modules/" + Api.encoded(mid) + "/logs")
                        .with("lines", Optional.of(Integer.toString(lines))).toString()),
                (answer, screen) -> LogText.of(answer.list(LogLine.class), screen));
    }

    @Command(name = "retry", sortOptions = false, description = "Fetch the failed URLs of a crawl again, in a crawl of its own: ID-retry-1, and so on. What the crawl knows is not fetched again.", footerHeading = EXAMPLES, footer = {
            "  trawl retry docs", "  trawl retry docs --kind TIMEOUT",
            "  trawl retry docs --kind HTTP_ERROR --json | jq -r .crawl", "",
            "The new crawl has the definition of the other one. URLs that were seeds of the definition keep their headers and other options;",
            "those of links and later seeds are not stored, so such URLs are fetched with the options of the crawl."})
    static int retry(@Mixin CoordinatorOptions at, @Parameters(paramLabel = "ID", description = A_CRAWL) String id,
            @Option(names = "--kind", paramLabel = "KIND", description = "Only of this kind: HTTP_ERROR, FAILURE, a reason such as TIMEOUT, or a status such as 503. Default: all.") @Nullable String kind)
            throws InterruptedException {
        return at.print(
                api -> api.post(new Query(CRAWLS + "/" + new CrawlId(id) + "/retry")
                        .with("kind", Optional.ofNullable(kind)).toString()),
                (answer, _) -> text(answer.as(RetriedCrawl.class)));
    }

    private static List<String> text(RetriedCrawl retry) {
        return List.of(retry.crawl() + " fetches " + Figures.count(retry.urls(), "URL") + " again");
    }
}
