package io.trawl.pipeline.diff;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.definition.PageChange;
import io.trawl.direct.DiffListing.ListedChange;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.changes.ChangeCounts;
import io.trawl.pipeline.changes.RunChange;
import io.trawl.pipeline.changes.RunKeys;
import io.trawl.pipeline.manifest.ChangesFile;
import io.trawl.pipeline.manifest.KeptRuns;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * The files of a finished run in an output folder, whichever deployment has written it.
 *
 * @param root the output folder
 * @param name of the folders of the run
 */
public record ComparedItems(Path root, String name) {
    /**
     * A finished run of a crawl: of several, also of several deployments, the one that has finished last.
     *
     * @param epoch its number; empty: any
     * @throws MissingRunException if it is not there, or not finished
     */
    public static ComparedItems of(Path root, CrawlId crawl, Optional<Integer> epoch) throws IOException {
        return new KeptRuns(root, List.of()).newest(crawl, epoch)
                .map(items -> new ComparedItems(root, items.getFileName().toString()))
                .orElseThrow(() -> new MissingRunException(epoch
                        .map(number -> "the run " + new CrawlRun(crawl, number) + " is not in " + root
                                + ": it was deleted when newer ones had finished, has not finished,"
                                + " or is in another folder")
                        .orElseGet(() -> "no finished run of " + crawl + " is in " + root)));
    }

    /** The folder of its items. */
    public Path items() {
        return folder(ItemKind.PAGE);
    }

    /** The run. */
    public CrawlRun run() {
        return SinkFolder.run(name).orElseThrow();
    }

    /** The run with which it was compared. @throws MissingRunException if it is not there any more */
    ComparedItems before(int epoch) {
        return other(epoch, "so what was in run " + epoch + " is not known");
    }

    /** Whether another run of the same deployment ended after a time. @throws MissingRunException if nothing says so */
    boolean endedAfter(int epoch, Instant time) throws IOException {
        ComparedItems run = other(epoch,
                "so when run " + epoch + " ended is not known; what has changed since that run is");
        return ManifestWriter.end(run.items()).filter(end -> !end.isAfter(time)).isEmpty();
    }

    /**
     * The runs whose files hold the items that there were after this one, the oldest first: itself, and if it has
     * visited the pages of another one, those of that one.
     *
     * @throws MissingRunException if one is not there any more
     */
    public List<ComparedItems> holders() throws IOException {
        Deque<ComparedItems> runs = new ArrayDeque<>(List.of(this));
        for (OptionalInt before = ManifestWriter.refreshed(items()); before
                .isPresent(); before = ManifestWriter.refreshed(runs.getFirst().items())) {
            runs.addFirst(other(before.getAsInt(),
                    "and run " + runs.getFirst().run().epoch() + " holds only what has changed since"));
        }
        return List.copyOf(runs);
    }

    /** Another run of the same deployment. */
    private ComparedItems other(int epoch, String consequence) {
        Path items = new SinkFolder(root, SinkFolder.ownerOf(items()).orElse("")).of(ItemKind.PAGE,
                new CrawlRun(run().crawl(), epoch));
        if (!Files.exists(items)) {
            throw new MissingRunException(root.relativize(items) + " is not there any more, " + consequence);
        }
        return new ComparedItems(root, items.getFileName().toString());
    }

    /** How it differs from the run before. @throws MissingRunException if it was not compared */
    public ChangeCounts changes() throws IOException {
        return ChangesFile.counts(items())
                .orElseThrow(() -> new MissingRunException(
                        items() + " was compared with no other run: there was none before, or its files say too little"
                                + " (docs/freshness.md)"));
    }

    /** A line of its changes. */
    public ListedChange listed(String line) {
        RunChange change = Json.read(line.getBytes(StandardCharsets.UTF_8), RunChange.class);
        return new ListedChange(run().epoch(), change.change().word(), change.url(), change.key(), change.name(),
                change.id());
    }

    /**
     * The items and errors with this URL as they were stored last after this run, by key: a run that visits the pages
     * of another one holds only what has changed.
     *
     * @param late whether the files have been read for too long
     * @throws IOException if that is so, too
     */
    Map<String, JsonNode> present(String url, BooleanSupplier late) throws IOException {
        for (ComparedItems run : holders().reversed()) {
            Map<String, JsonNode> lines = run.lines(url, late);
            if (!lines.isEmpty()) {
                return lines;
            }
        }
        return Map.of();
    }

    private Map<String, JsonNode> lines(String url, BooleanSupplier late) throws IOException {
        Map<String, JsonNode> lines = new TreeMap<>();
        ComparedFiles files = files();
        for (ItemKind kind : ItemKind.values()) {
            for (Path file : files.list(folder(kind))) {
                ComparedFiles.read(file, line -> {
                    if (late.getAsBoolean()) {
                        throw new IOException("they are large, and could not be searched in time; trawl diff can");
                    }
                    JsonNode item = new String(line, StandardCharsets.UTF_8).contains(url)
                            ? Json.mapper().readTree(line)
                            : MissingNode.getInstance();
                    if (item.path("url").asText().equals(url)
                            && !item.path("change").asText().equals(PageChange.UNCHANGED)) {
                        lines.putIfAbsent(item.path("key").asText(), item);
                    }
                });
            }
        }
        return lines;
    }

    /** The finished files of its items. */
    public List<Path> itemFiles() throws IOException {
        return files().list(items());
    }

    private ComparedFiles files() throws IOException {
        try (RunKeys keys = keys()) {
            return new ComparedFiles(keys.head().files());
        }
    }

    /** Its keys. @throws MissingRunException if it has none */
    public RunKeys keys() throws IOException {
        try {
            return RunKeys.open(items());
        } catch (NoSuchFileException e) {
            throw new MissingRunException(root.relativize(items()) + " has no file " + RunKeys.FILE
                    + ": its files say too little (docs/freshness.md), or have been moved");
        }
    }

    private Path folder(ItemKind kind) {
        return root.resolve(SinkFolder.kind(kind)).resolve(name);
    }
}
