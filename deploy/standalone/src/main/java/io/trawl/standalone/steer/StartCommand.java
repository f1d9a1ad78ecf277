package io.trawl.standalone.steer;

import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.print.Printer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trawl start}: starts a crawl, or lets it go on. */
@Command(name = "start", sortOptions = false, description = "Start a crawl that is defined, or let one that was stopped go on.", footerHeading = "%nExample:%n", footer = {
        "  trawl start docs"})
public final class StartCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        CrawlId id = new CrawlId(crawl);
        Answer answer = api.post("/api/crawls/" + id + "/start");
        printer.answer(answer.body(), screen -> Said.state(answer.json()));
    }
}
