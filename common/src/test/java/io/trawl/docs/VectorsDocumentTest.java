package io.trawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/vectors.md} has the reason of each difference from the vectors of others. */
class VectorsDocumentTest {
    @Test
    void eachReasonOfADifferenceStandsInTheDocument() throws IOException {
        String document = Files.readString(Documents.ROOT.resolve("docs/vectors.md")).replaceAll("\\s+", " ");
        Set<String> missing = new TreeSet<>();
        for (Path file : differences()) {
            for (JsonNode difference : Json.mapper().readTree(file.toFile())) {
                String reason = difference.isTextual() ? difference.textValue() : difference.path("why").textValue();
                if (!document.contains(reason)) {
                    missing.add(reason);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    private static List<Path> differences() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : List.of("common", "worker-downloader", "worker-analyzer")) {
            try (Stream<Path> files = Files.walk(Documents.ROOT.resolve(module).resolve("src/test/resources"))) {
                files.filter(file -> file.getFileName().toString().endsWith("differences.json")).forEach(all::add);
            }
        }
        assertThat(all).hasSize(5);
        return all;
    }
}
