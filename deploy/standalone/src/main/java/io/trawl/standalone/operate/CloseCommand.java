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

/** {@code trawl close}: a crawl gets no new request, and finishes what waits. */
@Command(name = "close", sortOptions = false, description = "Close a crawl: new seeds and links are refused, and what waits is still fetched.", footerHeading = "%nExample:%n", footer = {
        "  trawl close docs", "", "trawl start docs opens it again."})
public final class CloseCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse answer = api.post("/api/v1/crawls/" + new CrawlId(crawl) + "/close");
        printer.answer(answer.body(), screen -> List.of(CrawlText.inBrief(answer.as(CrawlSummary.class))));
    }
}
