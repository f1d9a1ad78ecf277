package io.trawl.standalone.view;

import io.trawl.codec.Json;
import io.trawl.direct.DiffListing.ListedChange;
import io.trawl.model.CrawlId;
import io.trawl.pipeline.diff.ComparedItems;
import io.trawl.pipeline.diff.ItemDifference.PageDifference;
import io.trawl.pipeline.diff.RunDiff;
import io.trawl.pipeline.manifest.ChangesFile;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.text.ChangeText;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trawl diff}: what differs between a finished run and an earlier one. Reads files only. */
@Command(name = "diff", sortOptions = false, description = "List what a finished run has changed since the one before it, or all runs since a time, or what changed in one page. Reads the files in the output folder, calls no server.", footerHeading = "%nExamples:%n", footer = {
        "  trawl diff docs", "  trawl diff docs https://docs.example.org/guide/",
        "  trawl diff docs --since 2026-01-31", "  trawl diff docs --run 3 --json"})
public final class DiffCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Parameters(index = "1", paramLabel = "URL", arity = "0..1", description = "Show what changed in the items of this URL, as it is listed: fields, and text by words.")
    private @Nullable String url;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "pages", description = "The folder with the pages. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("pages");

    @Option(names = "--run", paramLabel = "EPOCH", description = "A run. Default: the newest finished one.")
    private @Nullable Integer epoch;

    @Option(names = "--since", paramLabel = "T", description = "What has changed since the last run that had ended at a time (2026-01-31, 2026-01-31T08:00Z; UTC), or since the run with this number. Default: the run before.")
    private @Nullable String since;

    @Option(names = "--json", description = "Print a JSON object per change.")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    private boolean help;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        LogSetup.none();
        RunDiff diff = RunDiff.of(out, new CrawlId(crawl), Optional.ofNullable(epoch), Optional.ofNullable(since));
        Printer printer = new Printer(spec.commandLine().getOut(), Terminal.ofLauncher().output(), json);
        if (url == null) {
            list(diff, printer);
        } else {
            for (PageDifference item : diff.page(url, () -> false)) {
                printer.copy(json ? List.of(Json.text(item)) : item.lines());
            }
        }
        return ExitCode.DONE;
    }

    private void list(RunDiff diff, Printer printer) throws IOException {
        if (!json && diff.runs().isEmpty()) {
            printer.note("since run " + diff.since() + ": no run has finished");
        }
        for (ComparedItems run : diff.runs()) {
            if (!json) {
                printer.note(ChangeText.of(run.changes()));
            }
            try (BufferedReader changes = Files.newBufferedReader(run.items().resolve(ChangesFile.FILE))) {
                for (String line = changes.readLine(); line != null && !printer.gone(); line = changes.readLine()) {
                    ListedChange change = run.listed(line);
                    printer.copy(List.of(json ? Json.text(change) : text(change)));
                }
            }
        }
    }

    private static String text(ListedChange change) {
        return String.format(Locale.ROOT, "%-9s %s%s", change.change(), change.url(),
                change.name().map(name -> ", " + name).orElse(""));
    }
}
