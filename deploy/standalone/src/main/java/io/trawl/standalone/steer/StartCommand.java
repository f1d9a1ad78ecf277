package io.trawl.standalone.steer;

import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code trawl start}: starts a crawl, or lets it go on. */
@Command(name = "start", sortOptions = false, description = "Start a crawl that is defined, or let one that was stopped go on.", footerHeading = "%nExample:%n", footer = {
        "  trawl start docs"})
public final class StartCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Mixin
    private CoordinatorOptions at = new CoordinatorOptions();

    @Override
    public Integer call() throws InterruptedException {
        CrawlId id = new CrawlId(crawl);
        try (Api api = at.api()) {
            Answer answer = api.post("/api/crawls/" + id + "/start");
            at.printer().answer(answer.body(), screen -> Said.state(answer.json()));
        }
        return 0;
    }
}
