package io.trawl.standalone.report;

import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.coordinator.api.CrawlSummary;
import io.trawl.coordinator.summary.Totals;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.model.RefusalReason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The summary at the end of a run, as a table for people. Pure. */
public final class SummaryText {
    private static final int LABEL = 12;
    private static final int NUMBER = 10;
    private final Outcome outcome;
    private final Path here;
    private final List<String> lines = new ArrayList<>();

    private SummaryText(Outcome outcome, Path here) {
        this.outcome = outcome;
        this.here = here;
    }

    /**
     * The lines of the table.
     *
     * @param here the current folder: paths below it are shown relative to it
     */
    public static List<String> of(Outcome outcome, Path here) {
        SummaryText text = new SummaryText(outcome, here);
        text.write();
        return text.lines;
    }

    private void write() {
        CrawlSummary summary = outcome.summary();
        Totals totals = summary.totals();
        lines.add(summary.run().crawl() + ": " + headline(summary));
        lines.add("");
        row("pages", totals.pages(), Figures.bytes(totals.bytes()));
        row("errors", Figures.errors(totals), Figures.largestFirst(summary.errorsByKind()));
        row("redirects", totals.redirects(), "");
        row("refusals", summary.refusals().values().stream().mapToLong(Long::longValue).sum(),
                Figures.largestFirst(summary.refusals()));
        cell("duration", Figures.time(outcome.duration()), Figures.perSecond(outcome.pagesPerSecond()) + " pages/s" + elapsed());
        folder("output", outcome.items(), totals.pages());
        folder("", outcome.errors(), Figures.errors(totals));
        hints(summary);
    }

    private static String headline(CrawlSummary summary) {
        Optional<EndReason> reason = summary.end().map(End::reason);
        String left = Figures.count(summary.totals().waiting()) + (summary.totals().waiting() == 1 ? " request" : " requests")
                + " left";
        if (reason.isEmpty()) {
            return "stopped, " + left;
        }
        return switch (reason.get()) {
            case FINISHED -> "finished";
            case PAGE_LIMIT -> limit(left, "--max-pages");
            case BYTE_LIMIT -> limit(left, "--max-bytes");
            case TIME_LIMIT -> limit(left, "--max-time");
            case ASKED -> "stopped, " + left;
        };
    }

    private static String limit(String left, String option) {
        return "limit reached, " + left + "; a higher " + option + " goes on";
    }

    private String elapsed() {
        return outcome.begunBefore() && !outcome.overBefore()
                ? " in this run, " + Figures.time(outcome.summary().elapsed()) + " since the start"
                : "";
    }

    private void row(String label, long number, String detail) {
        cell(label, Figures.count(number), detail);
    }

    private void cell(String label, String value, String detail) {
        String start = "  " + label + " ".repeat(Math.max(1, LABEL - label.length()))
                + " ".repeat(Math.max(0, NUMBER - value.length())) + value;
        lines.add(detail.isEmpty() ? start : start + "   " + detail);
    }

    private void folder(String label, Path folder, long files) {
        if (files > 0) {
            lines.add("  " + label + " ".repeat(LABEL - label.length()) + "   " + shown(folder));
        }
    }

    private String shown(Path path) {
        return path.startsWith(here) ? here.relativize(path).toString() : path.toString();
    }

    private void hints(CrawlSummary summary) {
        List<String> hints = new ArrayList<>();
        summary.straySeeds().stream().map(SummaryText::stray).distinct().forEach(hints::add);
        if (summary.refusals().getOrDefault(RefusalReason.ADDRESS, 0L) > 0) {
            hints.add("private, loopback and other special addresses are closed: open yours with --allow-network CIDR");
        }
        if (!hints.isEmpty()) {
            lines.add("");
            hints.forEach(hint -> lines.add("  " + hint));
        }
    }

    private static String stray(StraySeed seed) {
        return seed.url() + " leads to " + seed.target() + ", which is not in the accepted domains: add --domain "
                + seed.domain();
    }
}
