package io.trawl.standalone.view;

import io.trawl.coordinator.text.Figures;
import io.trawl.coordinator.view.RetriedCrawl;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.text.Printer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl retry}: fetches the failed URLs of a crawl again, in a crawl of its own. */
@Command(name = "retry", sortOptions = false, description = "Fetch the failed URLs of a crawl again, in a crawl of its own: ID-retry-1, and so on. What the crawl knows is not fetched again.", footerHeading = "%nExamples:%n", footer = {
        "  trawl retry docs", "  trawl retry docs --kind TIMEOUT",
        "  trawl retry docs --kind HTTP_ERROR --json | jq -r .crawl", "",
        "The new crawl has the definition of the other one. URLs that were seeds of the definition keep their headers and other options;",
        "those of links and later seeds are not stored, so such URLs are fetched with the options of the crawl."})
public final class RetryCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Option(names = "--kind", paramLabel = "KIND", description = "Only of this kind: HTTP_ERROR, FAILURE, a reason such as TIMEOUT, or a status such as 503. Default: all.")
    private @Nullable String kind;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse answer = api.post(new Query("/api/v1/crawls/" + new CrawlId(crawl) + "/retry")
                .with("kind", Optional.ofNullable(kind)).toString());
        RetriedCrawl retry = answer.as(RetriedCrawl.class);
        printer.answer(answer.body(),
                _ -> List.of(retry.crawl() + " fetches " + Figures.count(retry.urls(), "URL") + " again"));
    }
}
