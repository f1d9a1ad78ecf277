package io.trawl.standalone.probe;

import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.print.Printer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl preview}: fetches one URL now and shows what would become of it. */
@Command(name = "preview", sortOptions = false, description = "Fetch one URL now, through the least loaded downloader and analyzer, and show what would become of it; no crawl is touched.", footerHeading = "%nExamples:%n", footer = {
        "  trawl preview https://docs.example.org/",
        "  trawl preview https://docs.example.org/ --crawl docs --json | jq '.links[] | select(.verdict != \"ADMITTED\")'"})
public final class PreviewCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "URL", description = "An absolute http or https URL.")
    private String url = "";

    @Option(names = "--crawl", paramLabel = "ID", description = "By whose definition links are judged and the fetch presents itself. Default: none.")
    private @Nullable String crawl;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        Map<String, String> question = new LinkedHashMap<>(Map.of("url", url));
        if (crawl != null) {
            question.put("crawl", new CrawlId(crawl).value());
        }
        Answer answer = api.post("/api/preview", question);
        printer.answer(answer.body(), screen -> PreviewText.of(answer.json(), screen));
    }
}
