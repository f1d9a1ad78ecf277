package io.trawl.standalone.probe;

import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl preview}: fetches one URL now and shows what would become of it. */
@Command(name = "preview", sortOptions = false, description = "Fetch one URL now, through the least loaded downloader and analyzer, and show what would become of it; no crawl is touched.", footerHeading = "%nExamples:%n", footer = {
        "  trawl preview https://docs.example.org/",
        "  trawl preview https://docs.example.org/ --crawl docs --json | jq '.links[] | select(.verdict != \"ADMITTED\")'"})
public final class PreviewCommand implements Callable<Integer> {
    @Parameters(paramLabel = "URL", description = "An absolute http or https URL.")
    private String url = "";

    @Option(names = "--crawl", paramLabel = "ID", description = "By whose definition links are judged and the fetch presents itself. Default: none.")
    private @Nullable String crawl;

    @Mixin
    private CoordinatorOptions at = new CoordinatorOptions();

    @Override
    public Integer call() throws InterruptedException {
        Map<String, String> question = new LinkedHashMap<>(Map.of("url", url));
        if (crawl != null) {
            question.put("crawl", new CrawlId(crawl).value());
        }
        try (Api api = at.api()) {
            Answer answer = api.post("/api/preview", question);
            at.printer().answer(answer.body(), screen -> PreviewText.of(answer.json(), screen));
        }
        return 0;
    }
}
