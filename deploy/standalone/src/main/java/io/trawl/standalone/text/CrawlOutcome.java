package io.trawl.standalone.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.Totals;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.CrawlText.Row;
import io.trawl.coordinator.text.Figures;
import io.trawl.coordinator.text.Screen;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.model.RefusalReason;
import io.trawl.pipeline.changes.ChangeCounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The outcome of one run of the command.
 *
 * @param summary of the crawl
 * @param pagesHere the number of pages that this run added
 * @param here the duration of this run
 * @param begunBefore whether an earlier run started the crawl
 * @param overBefore whether it had ended before this run, which had no effect
 * @param out where its output is
 * @param told the errors of a run without a page, or else those that are in no file, as those of items; the oldest
 * first, as far as they are known
 */
public record CrawlOutcome(CrawlSummary summary, long pagesHere, Duration here, boolean begunBefore, boolean overBefore,
        RunOutput out, List<SeenError> told) {
    private static final String NO_PAGE = "no page: ";

    /**
     * The folders of a run.
     *
     * @param items of the pages
     * @param errors of the errors
     * @param archive of the archive; empty if the crawl has none
     * @param latest the items of the newest finished run of the crawl that is whole; empty if there is none
     * @param changes since the finished run before; empty if it was not compared with one
     */
    public record RunOutput(Path items, Path errors, Optional<Path> archive, Optional<Path> latest,
            Optional<ChangeCounts> changes) {}

    /** So many errors are told. */
    public static final int MOST_CAUSES = 3;

    /**
     * The text of the summary, with the speed of this run and the output folders.
     *
     * @param current the current folder: paths below it are shown relative to it
     */
    public List<String> lines(Path current, Screen screen) {
        List<Row> rows = new ArrayList<>();
        rows.add(new Row("duration", Figures.time(duration()),
                Figures.perSecond(pagesPerSecond()) + " pages/s" + elapsed()));
        if (summary.totals().pages() > 0 && Files.exists(out.items)) {
            rows.add(new Row("output", "", shown(out.items, current)));
        }
        if (summary.totals().errors() > 0 && Files.exists(out.errors)) {
            rows.add(new Row(rows.size() == 1 ? "output" : "", "", shown(out.errors, current)));
        }
        out.archive.ifPresent(folder -> rows.add(new Row("archive", "", shown(folder, current))));
        List<String> lines = new ArrayList<>(
                CrawlText.of(summary, rows, seed -> "add --domain " + seed.domain(), screen));
        summary.end().map(End::reason).flatMap(reason -> switch (reason) {
            case PAGE_LIMIT -> Optional.of("--max-pages");
            case BYTE_LIMIT -> Optional.of("--max-bytes");
            case TIME_LIMIT -> Optional.of("--max-time");
            case FINISHED, QUOTA, ASKED -> Optional.<String>empty();
        }).ifPresent(
                option -> lines.add("the limit is reached: the same command with a higher " + option + " resumes"));
        if (summary.refusals().getOrDefault(RefusalReason.ADDRESS, 0L) > 0) {
            lines.add(
                    "private, loopback and other special addresses are closed: allow yours with --allow-network CIDR");
        }
        if (withoutLink()) {
            lines.add("no page has a link: if scripts make them, --fetcher browser runs these (docs/plugins.md)");
        }
        lines.addAll(causes());
        out.changes.map(ChangeText::of).ifPresent(lines::add);
        lines.addAll(elsewhere(current));
        return lines;
    }

    /** Where pages are that are not in the files of this run. */
    private List<String> elsewhere(Path current) {
        Optional<String> whole = out.latest.filter(folder -> !folder.equals(out.items))
                .map(folder -> shown(folder, current));
        return summary.refreshes().map(of -> {
            String changed = "the files of this run are what is new or has changed since run " + of
                    + whole.map(folder -> "; the last whole run is in " + folder).orElse("");
            String all = "./trawl export " + summary.crawl() + " --from "
                    + shown(out.items.resolve("../..").normalize(), current)
                    + " --out DIR gives all pages as they are now";
            return summary.end().filter(end -> end.reason() == EndReason.FINISHED).isPresent()
                    ? List.of(changed, all)
                    : List.of(changed);
        }).orElseGet(() -> whole.map(folder -> "the last finished run stays: " + folder).stream().toList());
    }

    /** Whether a crawl has ended by itself without a page. */
    public static boolean withoutPage(CrawlSummary summary) {
        return summary.totals().found() == 0
                && summary.end().filter(end -> end.reason() != EndReason.ASKED).isPresent();
    }

    /** Whether a script must not take it for a good run. */
    public boolean failed() {
        return failed(summary);
    }

    /** The same of a summary. */
    public static boolean failed(CrawlSummary summary) {
        return withoutPage(summary) || summary.end().filter(End::failed).isPresent();
    }

    /** Whether the crawl would follow links, and the pages of its seeds have none. */
    private boolean withoutLink() {
        Totals totals = summary.totals();
        return totals.pages() > 0 && totals.waiting() == 0 && summary.refusals().isEmpty()
                && totals.emitted() <= summary.definedSeeds() + totals.sources() + totals.requisites()
                        + totals.redirects()
                && summary.definition().discover().from().links() && summary.definition().fetch().fetcher().isEmpty()
                && summary.refreshes().isEmpty();
    }

    /** Why there is no page, in a line per error, or else the errors that are in no file. */
    public List<String> causes() {
        String what = withoutPage(summary) ? NO_PAGE : "error: ";
        List<String> causes = new ArrayList<>(told.stream().limit(MOST_CAUSES)
                .map(error -> TerminalText
                        .safe(what + error.url().map(url -> url + " ").orElse("") + error.kind() + " " + error.cause()))
                .toList());
        if (withoutPage(summary) && told.isEmpty()) {
            causes.add(NO_PAGE + (summary.errors() > 0
                    ? Figures.largestFirst(summary.errorsByKind())
                    : "every seed was refused or led to a page that was"));
        }
        if (!withoutPage(summary) && unfiled(summary) > causes.size()) {
            causes.add(Figures.count(unfiled(summary) - causes.size(), "further error")
                    + " of parsers, rules and processors: ./trawl errors lists them while the crawl runs, and ./trawl"
                    + " preview those of a page");
        }
        return causes;
    }

    /** The number of errors that are in no file: those of parsers, rules and processors. */
    public static long unfiled(CrawlSummary summary) {
        return summary.errors() - summary.totals().errors();
    }

    /** The summary of the REST interface as JSON on one line, with the speed of this run and the output folders. */
    public String json() {
        ObjectNode json = Json.mapper().valueToTree(summary);
        json.put("pagesPerSecond", Math.round(pagesPerSecond() * 10) / 10.0);
        json.put("seconds", duration().toMillis() / 1000.0);
        json.put("items", out.items.toString());
        json.put("errors", out.errors.toString());
        out.archive.ifPresent(folder -> json.put("archive", folder.toString()));
        out.changes.ifPresent(counts -> json.set("changes", Json.mapper().valueToTree(counts)));
        return Json.text(json);
    }

    private boolean resumed() {
        return begunBefore && !overBefore;
    }

    /** The duration of the crawl, or of this run if there were earlier ones. */
    private Duration duration() {
        return resumed() ? here : summary.elapsed();
    }

    private double pagesPerSecond() {
        long pages = resumed() ? pagesHere : summary.totals().found();
        double seconds = duration().toNanos() / 1e9;
        return seconds <= 0 ? 0 : pages / seconds;
    }

    private String elapsed() {
        return resumed() ? " in this run, " + Figures.time(summary.elapsed()) + " in all" : "";
    }

    private static String shown(Path folder, Path current) {
        return folder.equals(current)
                ? "."
                : folder.startsWith(current) ? current.relativize(folder).toString() : folder.toString();
    }
}
