package io.trawl.standalone.operate;

import io.trawl.codec.Json;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.Screen;
import io.trawl.coordinator.text.StopSignText;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.WaitNotice;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl stop}: stops one crawl, or sets the stop sign of a host, a process or the fleet. */
@Command(name = "stop", sortOptions = false, description = "Stop a crawl, a host, a process, or the whole fleet: no new fetches start, and fetched pages are analysed and stored.", footerHeading = "%nExamples:%n", footer = {
        "  trawl stop docs", "  trawl stop docs --wait", "  trawl stop --host example.org # in all crawls",
        "  trawl stop D3 --wait          # until the process has given its partitions back",
        "  trawl stop --fleet --wait     # until every module has drained", "",
        "trawl start docs resumes a crawl, trawl start D3 a process, trawl reset the fleet or a host."})
public final class StopCommand extends CoordinatorCommand {
    @ArgGroup(exclusive = true, multiplicity = "1")
    private What what = new What();

    @Option(names = {"-w",
            "--wait"}, description = "Wait until everything in flight is stored and every live module has drained.")
    private boolean wait;

    /** A crawl, a process, a host or the fleet. */
    private static final class What {
        @Parameters(paramLabel = "ID", description = "The crawl, or the process, such as D3.")
        private @Nullable String crawl;

        @Option(names = "--host", paramLabel = "HOST", description = "A host, with or without a port: nothing is fetched from it in any crawl.")
        private @Nullable String host;

        @Option(names = "--fleet", description = "The whole fleet: all crawls of all modules.")
        private boolean fleet;
    }

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (what.host != null) {
            sign(api, printer, SignPath.ofHost(what.host));
        } else if (what.crawl == null) {
            sign(api, printer, SignPath.FLEET);
        } else if (SignPath.isModule(what.crawl)) {
            sign(api, printer, SignPath.ofModule(what.crawl));
        } else {
            crawl(api, printer, "/api/v1/crawls/" + new CrawlId(what.crawl));
        }
    }

    private void crawl(Api api, Printer printer, String path) throws InterruptedException {
        ApiResponse answer = api.post(path + "/stop");
        CrawlSummary crawl = answer.as(CrawlSummary.class);
        try (WaitNotice notice = new WaitNotice(Time.system())) {
            while (wait && crawl.state().passing()) {
                notice.show(
                        CrawlText.inBrief(crawl) + ": fetched pages are analysed and stored" + waitedFor(api, path));
                answer = api.get(path);
                crawl = answer.as(CrawlSummary.class);
            }
        }
        String line = CrawlText.inBrief(crawl);
        printer.answer(answer.body(), screen -> List.of(line));
    }

    /** The modules that have not drained for the crawl's sign yet; empty if the coordinator does not report them. */
    private static String waitedFor(Api api, String path) throws InterruptedException {
        try {
            StopSignSummary sign = api.get(path + "/stop-sign").as(StopSignSummary.class);
            return sign.signed() ? "; " + StopSignText.drained(sign) : "";
        } catch (CoordinatorUnavailableException e) {
            return "";
        }
    }

    /** The answer to setting the sign, without the sign. */
    private record Signing(boolean first) {}

    private void sign(Api api, Printer printer, String path) throws InterruptedException {
        ApiResponse signed = api.post(path);
        boolean first = signed.as(Signing.class).first();
        StopSignSummary sign = signed.as(StopSignSummary.class);
        try (WaitNotice notice = new WaitNotice(Time.system())) {
            while (wait && !sign.complete()) {
                notice.show(StopSignText.line(sign, Screen.FILE));
                sign = standing(api, path);
            }
        }
        StopSignSummary last = sign;
        printer.answer(wait ? Json.bytes(last) : signed.body(), screen -> signText(last, first, screen));
    }

    /** @throws UserMistakeException if the sign was reset meanwhile, so that it cannot complete */
    private static StopSignSummary standing(Api api, String path) throws InterruptedException {
        return Optional.of(api.get(path).as(StopSignSummary.class)).filter(StopSignSummary::signed)
                .orElseThrow(() -> new UserMistakeException("the stop sign was reset while the command waited for it"));
    }

    private static List<String> signText(StopSignSummary sign, boolean first, Screen screen) {
        List<String> lines = new ArrayList<>(
                List.of("the stop sign of " + StopSignText.whose(sign) + (first ? " is set" : " was set before")));
        lines.addAll(StopSignText.of(sign, screen));
        return lines;
    }
}
