package io.trawl.standalone.remote;

import io.trawl.coordinator.probe.Explanation;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.ExplanationText;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.text.Printer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl explain}: explains where a URL or a host is, and why. */
@Command(name = "explain", sortOptions = false, description = "Explain a URL or a host in a crawl: whether it is admitted, what it waits for, which module owns it, how it was answered.", footerHeading = "%nExamples:%n", footer = {
        "  trawl explain https://docs.example.org/guide/", "  trawl explain docs.example.org --crawl docs",
        "  trawl explain https://docs.example.org/guide/ --json | jq -r .state"})
public final class ExplainCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "URL|HOST", description = "An absolute URL, or the name of a host.")
    private String target = "";

    @Option(names = "--crawl", paramLabel = "ID", description = "The crawl. Default: the only one.")
    private @Nullable String crawl;

    @Option(names = "--method", paramLabel = "METHOD", description = "The HTTP method of the request. Default: GET.")
    private @Nullable String method;

    @Option(names = "--body", paramLabel = "TEXT", description = "The body of the request. Default: none.")
    private @Nullable String body;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        String id = crawl == null ? only(api) : new CrawlId(crawl).value();
        ApiResponse answer = api.get(new Query("/api/v1/explain").with("crawl", Optional.of(id))
                .with(target.contains("://") ? "url" : "host", Optional.of(target))
                .with("method", Optional.ofNullable(method)).with("body", Optional.ofNullable(body)).toString());
        printer.answer(answer.body(), screen -> ExplanationText.of(answer.as(Explanation.class)));
    }

    private static String only(Api api) throws InterruptedException {
        List<String> ids = api.getAll("/api/v1/crawls").list(CrawlSummary.class).stream()
                .map(each -> each.run().crawl().value()).toList();
        if (ids.size() != 1) {
            throw new UserMistakeException(
                    ids.isEmpty() ? "there is no crawl" : "choose a crawl with --crawl: " + String.join(", ", ids));
        }
        return ids.getFirst();
    }
}
