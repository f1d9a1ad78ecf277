package io.trawl.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The pages in an output folder. */
public record StoredPages(Path folder) {
    /** The number of pages. */
    public long lines() {
        return pages(Stream::count);
    }

    /** The number of distinct URLs. */
    public long urls() {
        return pages(pages -> pages.map(page -> page.path("url").asText()).distinct().count());
    }

    private interface Question {
        long of(Stream<JsonNode> pages);
    }

    private long pages(Question question) {
        try (Stream<Path> files = Files.walk(folder.resolve("items"))) {
            return question.of(files.filter(file -> file.toString().endsWith(".jsonl")).flatMap(StoredPages::pages));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<JsonNode> pages(Path file) {
        try {
            return Files.lines(file, StandardCharsets.UTF_8)
                    .map(line -> Json.read(line.getBytes(StandardCharsets.UTF_8), JsonNode.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
