package io.trawl.standalone.remote;

import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code trawl crawls}: all crawls. */
@Command(name = "crawls", sortOptions = false, description = "List all crawls.", footerHeading = "%nExamples:%n", footer = {
        "  trawl crawls", "  trawl crawls --json | jq -r '.[].crawl'"})
public final class CrawlsCommand extends CoordinatorCommand {
    @Option(names = "--ids", description = "Print only the ids of the crawls, one per line.")
    private boolean ids;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse crawls = api.getAll("/api/v1/crawls");
        printer.answer(crawls.body(),
                screen -> ids
                        ? crawls.list(CrawlSummary.class).stream().map(crawl -> crawl.run().crawl().value()).distinct()
                                .toList()
                        : CrawlText.table(crawls.list(CrawlSummary.class), screen));
    }
}
