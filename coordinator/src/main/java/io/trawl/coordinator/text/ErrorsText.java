package io.trawl.coordinator.text;

import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.text.Table.Cell;
import io.trawl.coordinator.text.Table.Column;
import io.trawl.model.CrawlId;
import java.util.List;

/** Errors as a table, and one by one. Their URLs and causes come from the web and are untrusted. Pure functions. */
public final class ErrorsText {
    private ErrorsText() {}

    /** The table; a message if there are none. */
    public static List<String> of(List<SeenError> errors, Screen screen) {
        Table table = new Table(Column.words("AT"), Column.words("CRAWL"), Column.words("KIND"), Column.words("MID"),
                Column.text("URL"), Column.text("CAUSE"));
        errors.forEach(error -> table.row(Cell.of(Figures.moment(error.at())), Cell.of(crawl(error)),
                Cell.of(error.kind(), Style.WARNING), Cell.of(error.mid().toString(), Style.DIM), Cell.of(url(error)),
                Cell.of(error.cause())));
        return table.empty() ? List.of("no errors") : table.lines(screen);
    }

    /** One error on one line, not truncated and without columns, for streams. */
    public static String line(SeenError error, Screen screen) {
        return String.join("  ", Figures.moment(error.at()), crawl(error),
                screen.paint(Style.WARNING, TerminalText.safe(error.kind())),
                screen.paint(Style.DIM, error.mid().toString()), TerminalText.safe(url(error)),
                TerminalText.safe(error.cause()));
    }

    private static String crawl(SeenError error) {
        return error.crawl().map(CrawlId::value).orElse(Figures.UNKNOWN);
    }

    private static String url(SeenError error) {
        return error.url().orElse(Figures.UNKNOWN);
    }
}
