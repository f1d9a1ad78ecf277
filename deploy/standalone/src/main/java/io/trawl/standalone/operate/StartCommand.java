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
@Command(name = "start", sortOptions = false, description = "Start a defined crawl, or resume a stopped one.", footerHeading = "%nExample:%n", footer = {
        "  trawl start docs"})
public final class StartCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        CrawlId id = new CrawlId(crawl);
        ApiResponse answer = api.post("/api/v1/crawls/" + id + "/start");
        printer.answer(answer.body(), screen -> List.of(CrawlText.inBrief(answer.as(CrawlSummary.class))));
    }
}
