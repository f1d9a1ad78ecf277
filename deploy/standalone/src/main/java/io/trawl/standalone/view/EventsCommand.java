package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Column;
import io.trawl.standalone.print.Printer;
import io.trawl.standalone.print.Screen;
import io.trawl.standalone.print.Table;
import io.trawl.standalone.report.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code trawl events}: what happened to crawls. */
@Command(name = "events", sortOptions = false, description = "Show what happened to crawls: started, stopped, finished, deleted; the newest first.", footerHeading = "%nExamples:%n", footer = {
        "  trawl events", "  trawl events --crawl docs --limit 5",
        "  trawl events --json | jq '.[] | select(.type == \"crawl.finished\")'"})
public final class EventsCommand extends CoordinatorCommand {
    @Option(names = "--crawl", paramLabel = "ID", description = "Only of this crawl.")
    private @Nullable String crawl;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "At most so many, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        String path = new Query("/api/events").with("crawl", Optional.ofNullable(crawl)).limit(limit).toString();
        Answer events = api.get(path);
        printer.answer(events.body(), screen -> text(events.json(), screen));
    }

    static List<String> text(JsonNode events, Screen screen) {
        Table table = new Table(Column.words("AT"), Column.words("EVENT"), Column.words("CRAWL"), Column.text("DETAILS"));
        events.forEach(event -> table.row(Cell.of(Fields.time(event, "at")), Cell.of(event.path("type").asText()),
                Cell.of(event.path("crawl").asText() + Fields.text(event, "epoch").map(epoch -> "/" + epoch).orElse("")),
                Cell.of(details(event))));
        return table.empty() ? List.of("no events") : table.lines(screen);
    }

    private static String details(JsonNode event) {
        List<String> details = new ArrayList<>();
        Fields.text(event, "reason").map(CrawlView::word).ifPresent(details::add);
        Fields.number(event.path("totals"), "pages").map(pages -> Figures.count(pages) + " pages").ifPresent(details::add);
        Fields.number(event.path("totals"), "waiting").filter(n -> n > 0).map(n -> Figures.count(n) + " requests left")
                .ifPresent(details::add);
        return String.join(", ", details);
    }
}
