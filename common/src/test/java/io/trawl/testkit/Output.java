package io.trawl.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The output folder of a crawl. */
public final class Output {
    private final Path folder;
    private final String run;

    /** The output of all runs. */
    public Output(Path folder) {
        this(folder, "");
    }

    /** @param run only this run's output, for example {@code docs-1} */
    public Output(Path folder, String run) {
        this.folder = folder;
        this.run = run;
    }

    /** The pages by URL; fails if one is there twice. */
    public Map<String, JsonNode> pages() {
        return byUrl("items");
    }

    /** The errors by URL; fails if one is there twice. */
    public Map<String, JsonNode> errors() {
        return byUrl("errors");
    }

    /** The URLs of the pages, however often they are there. */
    public Set<String> pageUrls() {
        return lines("items").stream().map(line -> line.path("url").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The lines of pages, in no order: those of the pages, and further ones of their parts. */
    public List<JsonNode> items() {
        return lines("items");
    }

    private Map<String, JsonNode> byUrl(String kind) {
        Map<String, JsonNode> byUrl = new TreeMap<>();
        for (JsonNode line : lines(kind)) {
            if (byUrl.put(line.path("url").asText(), line) != null) {
                throw new IllegalStateException("twice: " + line.path("url"));
            }
        }
        return byUrl;
    }

    private List<JsonNode> lines(String kind) {
        List<JsonNode> lines = new ArrayList<>();
        for (Path file : files(Path.of(kind, run).toString(), ".jsonl")) {
            try (Stream<String> texts = Files.lines(file)) {
                texts.forEach(text -> lines.add(read(text)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return lines;
    }

    private static JsonNode read(String line) {
        try {
            return Json.mapper().readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Files of the run that are not finished. Those of a run that a cleared namespace had stay where they are: whether
     * they were committed, only its offsets told.
     */
    public List<Path> unfinished() {
        return files("", ".part").stream().filter(file -> run.isEmpty() || file.toString().contains("/" + run + "/"))
                .toList();
    }

    private List<Path> files(String below, String ending) {
        return all(folder.resolve(below)).stream().filter(file -> file.toString().endsWith(ending)).toList();
    }

    /** All files below a folder that a pipeline may be writing to: what it renames meanwhile is left out. */
    public static List<Path> all(Path start) {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(start, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
