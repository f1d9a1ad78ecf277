package io.trawl.coordinator.text;

import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.summary.Totals;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import java.util.ArrayList;
import java.util.List;

/** Events of crawls as a table. Pure functions. */
public final class EventsText {
    private EventsText() {}

    /** The table; a message if there are none. */
    public static List<String> of(List<CrawlEvent> events, Screen screen) {
        Table table = new Table(Column.words("AT"), Column.words("EVENT"), Column.words("CRAWL"),
                Column.text("DETAILS"));
        events.forEach(event -> table.row(Cell.of(Figures.moment(event.at())), Cell.of(event.type()),
                Cell.of(event.crawl() + "/" + event.epoch()), Cell.of(details(event))));
        return table.empty() ? List.of("no events") : table.lines(screen);
    }

    private static String details(CrawlEvent event) {
        List<String> details = new ArrayList<>();
        event.reason().ifPresent(reason -> details
                .add(event.condition() + CrawlText.limit(event.reason()) + (event.failed() ? " and has failed" : "")));
        event.refreshes().map(run -> "refreshes run " + run).ifPresent(details::add);
        event.totals().map(CrawlText::pagesInBrief).ifPresent(details::add);
        event.totals().map(Totals::waiting).filter(n -> n > 0).map(n -> Figures.count(n, "request") + " left")
                .ifPresent(details::add);
        event.by().map(name -> "by " + name).ifPresent(details::add);
        return String.join(", ", details);
    }
}
