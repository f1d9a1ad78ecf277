package io.trawl.standalone.probe;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.model.CrawlId;
import io.trawl.standalone.UserMistake;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Listing;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Printer;
import io.trawl.standalone.print.Screen;
import io.trawl.standalone.view.CrawlView;
import io.trawl.standalone.view.TreeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl explain}: the story of a URL or a host. */
@Command(name = "explain", sortOptions = false, description = "Tell the story of a URL or a host in a crawl: admitted or why not, known, waiting for what, in flight where, answered how.", footerHeading = "%nExamples:%n", footer = {
        "  trawl explain https://docs.example.org/guide/", "  trawl explain docs.example.org --crawl docs",
        "  trawl explain https://docs.example.org/guide/ --json | jq -r .state"})
public final class ExplainCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "URL|HOST", description = "An absolute URL, or the name of a host.")
    private String target = "";

    @Option(names = "--crawl", paramLabel = "ID", description = "In which crawl. Default: the only one.")
    private @Nullable String crawl;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        String id = crawl == null ? only(api) : new CrawlId(crawl).value();
        Answer answer = api.get(new Query("/api/explain").with("crawl", Optional.of(id))
                .with(target.contains("://") ? "url" : "host", Optional.of(target)).toString());
        printer.answer(answer.body(), screen -> text(answer.json(), screen));
    }

    private static String only(Api api) throws InterruptedException {
        List<String> ids = Listing.all(api, "/api/crawls").json().valueStream().map(json -> new CrawlView(json).id()).toList();
        if (ids.size() != 1) {
            throw new UserMistake(ids.isEmpty()
                    ? "there is no crawl to explain it by"
                    : "say in which crawl with --crawl: "
                            + Cell.of(String.join(", ", ids)).text());
        }
        return ids.getFirst();
    }

    static List<String> text(JsonNode told, Screen screen) {
        List<String> lines = new ArrayList<>();
        told.path("story").forEach(sentence -> lines.add(Cell.of(sentence.asText()).text()));
        return lines.isEmpty() ? TreeText.of(told, screen) : lines;
    }
}
