package io.trawl.coordinator.text;

import io.trawl.api.render.Rendering;
import io.trawl.coordinator.text.CrawlText.Row;
import io.trawl.ledger.RenderCounts;
import io.trawl.model.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How pages were rendered. Pure functions. */
final class RenderText {
    private RenderText() {}

    /** One page: {@code partial, in 48s, 49 requests, 12 refused}. */
    static String of(Rendering page) {
        List<String> parts = new ArrayList<>();
        if (page.partial()) {
            parts.add("partial");
        }
        parts.add("in " + Durations.format(Duration.ofMillis(page.ms())));
        parts.add(Figures.count(page.requests(), "request"));
        if (page.refusals() > 0) {
            parts.add(Figures.count(page.refusals()) + " refused");
        }
        return String.join(", ", parts);
    }

    /** Those of a crawl. */
    static Row row(RenderCounts pages) {
        List<String> parts = new ArrayList<>();
        if (pages.partial() > 0) {
            parts.add(Figures.count(pages.partial()) + " partial");
        }
        parts.add(Figures.count(pages.requests(), "request"));
        parts.add(Durations.format(Duration.ofMillis(pages.ms() / Math.max(1, pages.pages()))) + " a page");
        if (!pages.refused().isEmpty()) {
            parts.add("refused " + Figures.largestFirst(pages.refused()));
        }
        return new Row("rendered", Figures.count(pages.pages()), String.join(", ", parts));
    }
}
