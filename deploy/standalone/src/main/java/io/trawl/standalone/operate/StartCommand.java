package io.trawl.standalone.operate;

import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trawl start}: starts or resumes a crawl. */
@Command(name = "start", sortOptions = false, description = "Start a defined crawl, resume a stopped one, open a closed one; or reset the stop sign of a process.", footerHeading = "%nExamples:%n", footer = {
        "  trawl start docs", "  trawl start D3"})
public final class StartCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "ID", description = "The crawl, or the process, such as D3.")
    private String crawl = "";

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (SignPath.isModule(crawl)) {
            ApiResponse reset = api.delete(SignPath.ofModule(crawl));
            printer.answer(reset.body(), screen -> List.of("the stop sign of " + crawl + " is reset"));
            return;
        }
        CrawlId id = new CrawlId(crawl);
        ApiResponse answer = api.post("/api/v1/crawls/" + id + "/start");
        printer.answer(answer.body(), screen -> List.of(CrawlText.inBrief(answer.as(CrawlSummary.class))));
    }
}
