package io.trawl.standalone.remote;

import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.Figures;
import io.trawl.model.CrawlId;
import io.trawl.model.Durations;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.text.CrawlOutcome;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.WaitNotice;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl wait}: waits until a crawl has ended; its exit code tells how. */
@Command(name = "wait", sortOptions = false, description = "Wait until a crawl has ended. Exit code 0: it has finished or reached a limit; 4: it was stopped; 6: no seed gave a page, or the site failed for most; "
        + "1: the time is over.", footerHeading = "%nExamples:%n", footer = {
                "  trawl wait docs && ./import pages/items/docs-1", "  trawl wait docs --timeout 2h"})
public final class WaitCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Option(names = "--timeout", paramLabel = "TIME", description = "The longest time to wait, such as 90s, 10m or 8h. Default: no limit.")
    private @Nullable String timeout;

    private final Time time = Time.system();
    private final long begun = time.nanos();
    private Optional<Duration> longest = Optional.empty();
    private int code = ExitCode.DONE;

    /** With {@code --timeout} it also waits for a deployment that starts, at the address that it has then. */
    @Override
    public Integer call() throws InterruptedException {
        longest = Optional.ofNullable(timeout).map(text -> Durations.parse("--timeout", text));
        try (WaitNotice notice = new WaitNotice(time)) {
            while (true) {
                try {
                    super.call();
                    return code;
                } catch (CoordinatorUnavailableException e) {
                    if (longest.isEmpty() || over()) {
                        throw e;
                    }
                    notice.show(String.valueOf(e.getMessage()));
                }
            }
        }
    }

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        String path = "/api/v1/crawls/" + new CrawlId(crawl);
        ApiResponse answer = api.get(path);
        String silence = "";
        try (WaitNotice notice = new WaitNotice(time)) {
            while (!ended(answer)) {
                if (over()) {
                    code = ExitCode.FAILURE;
                    break;
                }
                notice.show(line(answer.as(CrawlSummary.class)) + silence);
                try {
                    answer = api.get(path);
                    silence = "";
                } catch (CoordinatorUnavailableException e) {
                    silence = "; " + e.getMessage();
                }
            }
        }
        CrawlSummary last = answer.as(CrawlSummary.class);
        code = ended(answer) ? outcome(last) : code;
        printer.answer(answer.body(), screen -> List.of(CrawlText.inBrief(last)));
    }

    private boolean over() {
        return longest.filter(most -> time.nanos() - begun >= most.toNanos()).isPresent();
    }

    private static boolean ended(ApiResponse answer) {
        CrawlSummary crawl = answer.as(CrawlSummary.class);
        return crawl.state() == CrawlState.STOPPED && crawl.end().isPresent() && crawl.counting().isEmpty();
    }

    private static int outcome(CrawlSummary crawl) {
        return switch (crawl.end().orElseThrow().reason()) {
            case ASKED -> ExitCode.CONFLICT;
            case FINISHED, PAGE_LIMIT, BYTE_LIMIT, TIME_LIMIT, QUOTA ->
                CrawlOutcome.failed(crawl) ? ExitCode.RUN_FAILED : ExitCode.DONE;
        };
    }

    private static String line(CrawlSummary crawl) {
        return CrawlText.inBrief(crawl) + ": " + Figures.count(crawl.totals().answered()) + " of "
                + Figures.count(crawl.totals().emitted()) + " known done" + Figures.left(crawl);
    }
}
