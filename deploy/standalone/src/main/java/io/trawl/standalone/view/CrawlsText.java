package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Column;
import io.trawl.standalone.print.Screen;
import io.trawl.standalone.print.Style;
import io.trawl.standalone.print.Table;
import io.trawl.standalone.report.Figures;
import java.util.List;

/** Crawls as a table. Pure. */
final class CrawlsText {
    private CrawlsText() {}

    /** The lines; one that says so if there is no crawl. */
    static List<String> of(JsonNode crawls, Screen screen) {
        Table table = new Table(Column.text("CRAWL"), Column.words("STATE"), Column.numbers("DONE"), Column.numbers("OF KNOWN"),
                Column.numbers(""), Column.numbers("PAGES"), Column.numbers("ERRORS"), Column.numbers("PAGES/S"),
                Column.numbers("REMAINING"));
        crawls.forEach(json -> row(table, new CrawlView(json)));
        return table.empty() ? List.of("no crawls; trawl submit defines one") : table.lines(screen);
    }

    private static void row(Table table, CrawlView crawl) {
        long errors = crawl.errors();
        table.row(Cell.of(crawl.run()), crawl.stateCell(), Cell.of(Figures.count(crawl.done())),
                Cell.of(Fields.count(crawl.totals(), "emitted")), Cell.of(share(crawl.done(), crawl.total("emitted"))),
                Cell.of(Fields.count(crawl.totals(), "pages")),
                Cell.of(Figures.count(errors), errors == 0 ? Style.PLAIN : Style.WARNING),
                Cell.of(crawl.started() ? Fields.rate(crawl.rates(), "pages1m") : ""),
                Cell.of(crawl.started() ? crawl.remaining().map(Figures::time).orElse(Fields.UNKNOWN) : ""));
    }

    /** {@code 61 %}, never 100 before all is done. */
    private static String share(long done, long all) {
        return all == 0 ? "" : done * 100 / all + " %";
    }
}
