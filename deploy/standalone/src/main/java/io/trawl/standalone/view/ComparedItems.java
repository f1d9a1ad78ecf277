package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.changes.RunKeys;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.standalone.client.NotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of a finished run in an output folder, whichever deployment has written it.
 *
 * @param root the output folder
 * @param name of the folders of the run
 */
record ComparedItems(Path root, String name) {
    /** The run in the folder of its items. */
    static ComparedItems of(Path root, Path items) {
        return new ComparedItems(root, items.getFileName().toString());
    }

    /**
     * A run by its number: of several deployments the one that has finished last.
     *
     * @throws NotFoundException if it is not there, or not finished
     */
    static ComparedItems of(Path root, CrawlRun run) throws IOException {
        Path all = root.resolve(SinkFolder.kind(ItemKind.PAGE));
        if (Files.isDirectory(all)) {
            try (Stream<Path> folders = Files.list(all)) {
                List<Path> finished = folders
                        .filter(folder -> SinkFolder.run(folder.getFileName().toString()).filter(run::equals)
                                .isPresent())
                        .filter(folder -> Files.exists(folder.resolve(ManifestWriter.SUCCESS)))
                        .sorted(Comparator.comparing(ComparedItems::end).reversed()).toList();
                if (!finished.isEmpty()) {
                    return of(root, finished.getFirst());
                }
            }
        }
        throw new NotFoundException("the run " + run + " is not in " + root
                + ": it was deleted when newer ones had finished, has not finished, or is in another folder (--out)");
    }

    private static Instant end(Path folder) {
        try {
            return Files.getLastModifiedTime(folder.resolve(ManifestWriter.SUCCESS)).toInstant();
        } catch (IOException e) {
            // It was deleted since.
            return Instant.EPOCH;
        }
    }

    /** The folder of its items. */
    Path items() {
        return folder(ItemKind.PAGE);
    }

    /** The run with which it was compared. @throws NotFoundException if it is not there any more */
    ComparedItems before(int epoch) {
        ComparedItems before = new ComparedItems(root, name.replaceFirst("-[0-9]+(@.*)?$", "-" + epoch + "$1"));
        if (!Files.exists(before.items())) {
            throw new NotFoundException(before.items() + " is not there any more, so what was in run " + epoch
                    + " is not known: without a URL, diff lists what changed");
        }
        return before;
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

    private ComparedFiles files() throws IOException {
        try (RunKeys keys = RunKeys.open(items())) {
            return new ComparedFiles(keys.head().files());
        } catch (NoSuchFileException e) {
            throw new NotFoundException(items() + " has no file " + RunKeys.FILE + " any more");
        }
    }

    private Path folder(ItemKind kind) {
        return root.resolve(SinkFolder.kind(kind)).resolve(name);
    }
}
