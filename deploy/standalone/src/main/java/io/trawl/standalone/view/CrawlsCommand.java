package io.trawl.standalone.view;

import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorOptions;
import io.trawl.standalone.client.Listing;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trawl crawls}: all crawls. */
@Command(name = "crawls", sortOptions = false, description = "List all crawls.", footerHeading = "%nExamples:%n", footer = {
        "  trawl crawls", "  trawl crawls --json | jq -r '.[].run'"})
public final class CrawlsCommand implements Callable<Integer> {
    @Mixin
    private CoordinatorOptions at = new CoordinatorOptions();

    @Override
    public Integer call() throws InterruptedException {
        try (Api api = at.api()) {
            Answer crawls = Listing.all(api, "/api/crawls");
            at.printer().answer(crawls.body(), screen -> CrawlsText.of(crawls.json(), screen));
        }
        return 0;
    }
}
