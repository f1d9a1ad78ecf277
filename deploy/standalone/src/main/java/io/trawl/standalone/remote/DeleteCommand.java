package io.trawl.standalone.remote;

import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.Confirmation;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.text.Printer;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl delete}: deletes a crawl and its state. */
@Command(name = "delete", sortOptions = false, description = "Delete a crawl that is not started, with all its state; written pages are kept.", footerHeading = "%nExamples:%n", footer = {
        "  trawl delete docs", "  trawl delete docs --yes"})
public final class DeleteCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.")
    private boolean yes;

    @Override
    public Integer call() throws InterruptedException {
        CrawlId id = new CrawlId(crawl);
        if (!yes && !Confirmation.given("crawl " + id + " and all its state")) {
            System.err.println("not deleted");
            return ExitCode.FAILURE;
        }
        return super.call();
    }

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse answer = api.delete("/api/v1/crawls/" + crawl);
        printer.answer(answer.body(), screen -> List.of("crawl " + crawl + " is deleted"));
    }
}
