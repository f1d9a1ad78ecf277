package io.trawl.coordinator.api;

import io.trawl.control.ControlRecord.End;
import io.trawl.coordinator.summary.Rates;
import io.trawl.coordinator.summary.Totals;
import io.trawl.model.Durations;
import io.trawl.module.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Summaries as text (S15, S2), with the same numbers as in JSON. What comes from the web (domains) cannot hold control characters. Pure. */
final class TextForm {
    private TextForm() {}

    /** The deployment: first the channels in one line, then a line for each crawl and each module. */
    static String of(FleetSummary fleet) {
        List<String> lines = new ArrayList<>();
        lines.add(fleet.queue().line());
        lines.add("leader: " + fleet.leader().map(Object::toString).orElse("none") + ", idle: " + fleet.idle());
        lines.add("totals: " + totals(fleet.totals()));
        lines.add("rates: " + rates(fleet.rates()));
        fleet.crawls().forEach(crawl -> lines.add("crawl " + head(crawl) + ", " + totals(crawl.totals())));
        fleet.modules().forEach(module -> lines.add("module " + module(module)));
        return text(lines);
    }

    /** One crawl. */
    static String of(CrawlSummary crawl) {
        List<String> lines = new ArrayList<>();
        lines.add("crawl: " + head(crawl));
        lines.add("elapsed: " + Durations.format(crawl.elapsed()));
        crawl.remaining().ifPresent(remaining -> lines.add("remaining: " + Durations.format(remaining)));
        lines.add("totals: " + totals(crawl.totals()));
        lines.add("rates: " + rates(crawl.rates()));
        lines.add("waiting: " + counts(crawl.waitingByPriority()));
        lines.add("errors: " + counts(crawl.errorsByKind()));
        lines.add("refusals: " + counts(crawl.refusals()));
        lines.add("domains: " + String.join(", ", crawl.domains()));
        return text(lines);
    }

    private static String head(CrawlSummary crawl) {
        return crawl.run() + ", state: " + crawl.state().name().toLowerCase(Locale.ROOT)
                + crawl.end().map(End::reason).map(reason -> " (" + reason.name().toLowerCase(Locale.ROOT) + ")").orElse("")
                + ", idle: " + crawl.idle();
    }

    private static String totals(Totals t) {
        return "emitted " + t.emitted() + ", waiting " + t.waiting() + ", pages " + t.pages() + ", repeats " + t.repeats()
                + ", redirects " + t.redirects() + ", httpErrors " + t.httpErrors() + ", failures " + t.failures() + ", refused "
                + t.refused() + ", duplicates " + t.duplicates() + ", bytes " + t.bytes();
    }

    private static String rates(Rates r) {
        return "pages/s " + r.pages1m() + " (1m) " + r.pages5m() + " (5m), errors/s " + r.errors1m() + " (1m) " + r.errors5m()
                + " (5m), bytes/s " + r.bytes1m() + " (1m) " + r.bytes5m() + " (5m), requests/s " + r.requests1m() + " (1m) "
                + r.requests5m() + " (5m)";
    }

    private static String module(Registration m) {
        return m.mid() + ", state: " + m.state() + ", score: " + m.score() + ", called " + m.counts().called() + ", accepted "
                + m.counts().accepted() + ", completed " + m.counts().completed() + ", failed " + m.counts().failed()
                + ", handling " + m.counts().handling();
    }

    private static String counts(Map<?, Long> counts) {
        return counts.isEmpty()
                ? "none"
                : counts.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).collect(Collectors.joining(", "));
    }

    private static String text(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }
}
