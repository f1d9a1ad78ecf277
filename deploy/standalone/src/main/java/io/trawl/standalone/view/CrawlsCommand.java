package io.trawl.standalone.view;

import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Listing;
import io.trawl.standalone.print.Printer;
import picocli.CommandLine.Command;

/** {@code trawl crawls}: all crawls. */
@Command(name = "crawls", sortOptions = false, description = "List all crawls.", footerHeading = "%nExamples:%n", footer = {
        "  trawl crawls", "  trawl crawls --json | jq -r '.[].run'"})
public final class CrawlsCommand extends CoordinatorCommand {
    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        Answer crawls = Listing.all(api, "/api/crawls");
        printer.answer(crawls.body(), screen -> CrawlsText.of(crawls.json(), screen));
    }
}
