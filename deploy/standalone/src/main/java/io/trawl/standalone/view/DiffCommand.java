package io.trawl.standalone.view;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.trawl.codec.Json;
import io.trawl.model.CrawlId;
import io.trawl.pipeline.changes.ChangeCounts;
import io.trawl.pipeline.changes.RunChange;
import io.trawl.pipeline.manifest.ChangesFile;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.client.NotFoundException;
import io.trawl.standalone.text.ChangeText;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.Terminal;
import io.trawl.standalone.view.ItemDifference.FieldChange;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trawl diff}: what differs between a finished run and the one before it. Reads files only. */
@Command(name = "diff", sortOptions = false, description = "List what a finished run has changed since the one before it, or what changed in one page. Reads the files in the output folder, calls no server.", footerHeading = "%nExamples:%n", footer = {
        "  trawl diff docs", "  trawl diff docs https://docs.example.org/guide/", "  trawl diff docs --run 3 --json"})
public final class DiffCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Parameters(index = "1", paramLabel = "URL", arity = "0..1", description = "Show what changed in the items of this URL, as it is listed: fields, and text by words.")
    private @Nullable String url;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "pages", description = "The folder with the pages. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("pages");

    @Option(names = "--run", paramLabel = "EPOCH", description = "A run. Default: the newest finished one.")
    private @Nullable Integer epoch;

    @Option(names = "--json", description = "Print a JSON object per change.")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    private boolean help;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        LogSetup.none();
        ComparedItems run = ComparedItems.of(out, new CrawlId(crawl), Optional.ofNullable(epoch));
        ChangeCounts counts = ChangesFile.counts(run.items())
                .orElseThrow(() -> new NotFoundException(run.items()
                        + " was compared with no other run: there was none before, or its files say too little"
                        + " (docs/freshness.md)"));
        Printer printer = new Printer(spec.commandLine().getOut(), Terminal.ofLauncher().output(), json);
        if (url == null) {
            list(run, counts, printer);
        } else {
            show(run, run.before(counts.since()), url, printer);
        }
        return ExitCode.DONE;
    }

    private void list(ComparedItems run, ChangeCounts counts, Printer printer) throws IOException {
        if (!json) {
            printer.note(ChangeText.of(counts));
        }
        try (BufferedReader changes = Files.newBufferedReader(run.items().resolve(ChangesFile.FILE))) {
            for (String line = changes.readLine(); line != null && !printer.gone(); line = changes.readLine()) {
                printer.copy(List.of(json ? line : listed(line)));
            }
        }
    }

    private static String listed(String line) {
        RunChange change = Json.read(line.getBytes(StandardCharsets.UTF_8), RunChange.class);
        return String.format(Locale.ROOT, "%-9s %s", change.change().word(), change.url());
    }

    private void show(ComparedItems run, ComparedItems earlier, String page, Printer printer) throws IOException {
        Map<String, JsonNode> before = earlier.lines(page);
        Map<String, JsonNode> now = run.lines(page);
        TreeSet<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(now.keySet());
        if (keys.isEmpty()) {
            throw new NotFoundException(page + " is in neither run: diff without a URL lists the URLs of changes");
        }
        for (String key : keys) {
            Map<String, FieldChange> fields = ItemDifference.of(before.getOrDefault(key, MissingNode.getInstance()),
                    now.getOrDefault(key, MissingNode.getInstance()));
            printer.copy(json ? List.of(Json.text(tree(key, fields))) : lines(key, fields));
        }
    }

    private Map<String, Object> tree(String key, Map<String, FieldChange> fields) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("url", requireNonNull(url));
        tree.put("key", key);
        Map<String, Map<String, JsonNode>> changed = new LinkedHashMap<>();
        fields.forEach((name, change) -> {
            Map<String, JsonNode> both = new LinkedHashMap<>();
            both.put("before", change.before());
            both.put("now", change.now());
            both.values().removeIf(JsonNode::isMissingNode);
            changed.put(name, both);
        });
        tree.put("fields", changed);
        return tree;
    }

    private static List<String> lines(String key, Map<String, FieldChange> fields) {
        List<String> lines = new ArrayList<>();
        lines.add(key + (fields.isEmpty() ? ": no change" : ""));
        fields.forEach((name, change) -> lines.addAll(ItemDifference.lines(name, change)));
        return lines;
    }
}
