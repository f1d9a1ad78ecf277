package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.changes.RunKeys;
import io.trawl.pipeline.manifest.KeptRuns;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.standalone.client.NotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The files of a finished run in an output folder, whichever deployment has written it.
 *
 * @param root the output folder
 * @param name of the folders of the run
 */
record ComparedItems(Path root, String name) {
    /**
     * A finished run of a crawl: of several, also of several deployments, the one that has finished last.
     *
     * @param epoch its number; empty: any
     * @throws NotFoundException if it is not there, or not finished
     */
    static ComparedItems of(Path root, CrawlId crawl, Optional<Integer> epoch) throws IOException {
        return new KeptRuns(root, List.of()).newest(crawl, epoch)
                .map(items -> new ComparedItems(root, items.getFileName().toString()))
                .orElseThrow(() -> new NotFoundException(epoch
                        .map(number -> "the run " + new CrawlRun(crawl, number) + " is not in " + root
                                + ": it was deleted when newer ones had finished, has not finished,"
                                + " or is in another folder")
                        .orElseGet(() -> "no finished run of " + crawl + " is in " + root)));
    }

    /** The folder of its items. */
    Path items() {
        return folder(ItemKind.PAGE);
    }

    /** The run. */
    CrawlRun run() {
        return SinkFolder.run(name).orElseThrow();
    }

    /** The run with which it was compared. @throws NotFoundException if it is not there any more */
    ComparedItems before(int epoch) {
        return other(epoch, "so what was in run " + epoch + " is not known: without a URL, diff lists what changed");
    }

    /**
     * The runs whose files hold the items that there were after this one, the oldest first: itself, and if it has
     * visited the pages of another one, those of that one.
     *
     * @throws NotFoundException if one is not there any more
     */
    List<ComparedItems> holders() throws IOException {
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
            throw new NotFoundException(items + " is not there any more, " + consequence);
        }
        return new ComparedItems(root, items.getFileName().toString());
    }

    /** The lines of its items and errors with this URL, by key. */
    Map<String, JsonNode> lines(String url) throws IOException {
        Map<String, JsonNode> lines = new TreeMap<>();
        ComparedFiles files = files();
        for (ItemKind kind : ItemKind.values()) {
            for (Path file : files.list(folder(kind))) {
                ComparedFiles.read(file, line -> {
                    JsonNode item = Json.mapper().readTree(line);
                    if (item.path("url").asText().equals(url)) {
                        lines.putIfAbsent(item.path("key").asText(), item);
                    }
                });
            }
        }
        return lines;
    }

    /** The finished files of its items. */
    List<Path> itemFiles() throws IOException {
        return files().list(items());
    }

    private ComparedFiles files() throws IOException {
        try (RunKeys keys = keys()) {
            return new ComparedFiles(keys.head().files());
        }
    }

    /** Its keys. @throws NotFoundException if it has none */
    RunKeys keys() throws IOException {
        try {
            return RunKeys.open(items());
        } catch (NoSuchFileException e) {
            throw new NotFoundException(items() + " has no file " + RunKeys.FILE
                    + ": its files say too little (docs/freshness.md), or have been moved");
        }
    }

    private Path folder(ItemKind kind) {
        return root.resolve(SinkFolder.kind(kind)).resolve(name);
    }
}
