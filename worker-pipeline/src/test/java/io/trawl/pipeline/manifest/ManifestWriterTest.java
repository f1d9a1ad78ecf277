package io.trawl.pipeline.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestWriterTest {
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private static final Instant END = Instant.parse("2026-11-23T10:00:00.123Z");
    @TempDir
    Path root;

    private static final class Killed extends RuntimeException {}

    private ManifestWriter manifests(FaultPoint faults) {
        return new ManifestWriter(new SinkFolder(root, "a1"), faults);
    }

    private void write(String name, FileCompression compression, String text) throws Exception {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        try (OutputStream out = compression.over(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void run() throws Exception {
        write("items/docs-1/part-00-00000000000000000000.jsonl", FileCompression.NONE, "{}\n{}\n");
        write("items/docs-1/part-00-00000000000000000000.jsonl.gz", FileCompression.GZIP, "{}\n{}\n");
        write("items/docs-1/part-00-00000000000000000000.a.csv.zst", FileCompression.ZSTD, "title\n\"a\n\"\"b\"\nc\n");
        write("items/docs-1/part-00-00000000000000000002.jsonl.n-1.part", FileCompression.NONE, "{}\n");
        write("errors/docs-1/part-01-00000000000000000000.jsonl", FileCompression.NONE, "{}\n");
        write("chunks/docs-1/part-01-00000000000000000000.jsonl", FileCompression.NONE, "{}\n{}\n{}\n");
        write("items/docs-2/part-01-00000000000000000009.jsonl", FileCompression.NONE, "{}\n");
    }

    private JsonNode manifest() throws Exception {
        return Json.mapper().readTree(root.resolve("items/docs-1/_manifest.json").toFile());
    }

    private List<String> besideItems() throws Exception {
        try (Stream<Path> files = Files.list(root.resolve("items/docs-1"))) {
            return files.map(file -> file.getFileName().toString()).filter(name -> !name.startsWith("part-")).sorted()
                    .toList();
        }
    }

    @Test
    void writersAtTheSameTimeDoNotDisturbEachOther() throws Exception {
        run();
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            for (int round = 0; round < 100; round++) {
                Instant end = END.plusSeconds(round);
                Callable<Boolean> write = () -> {
                    manifests(FaultPoint.NONE).write(RUN, end);
                    return true;
                };
                for (Future<Boolean> each : threads.invokeAll(List.of(write, write, write))) {
                    assertThat(each.get()).isTrue();
                }
                assertThat(manifest().at("/finishedAt").asText()).isEqualTo(end.toString());
            }
        }
        assertThat(besideItems()).containsExactly("_SUCCESS", "_manifest.json");
    }

    @Test
    void theManifestHasEachFinishedFileOfTheRunWithItsItemsItsSizeAndItsDigest() throws Exception {
        run();
        manifests(FaultPoint.NONE).write(RUN, END);
        JsonNode manifest = manifest();
        assertThat(manifest.at("/crawl").asText()).isEqualTo("docs");
        assertThat(manifest.at("/finishedAt").asText()).isEqualTo("2026-11-23T10:00:00.123Z");
        assertThat(manifest.at("/items").asLong()).isEqualTo(7);
        assertThat(manifest.at("/chunks").asLong()).isEqualTo(3);
        assertThat(manifest.at("/files").get(0).at("/chunks").asLong()).isEqualTo(3);
        assertThat(manifest.at("/files").get(1).has("chunks")).isFalse();
        assertThat(manifest.at("/files")).extracting(file -> file.at("/path").asText() + " " + file.at("/items"))
                .containsExactly("chunks/docs-1/part-01-00000000000000000000.jsonl 0",
                        "errors/docs-1/part-01-00000000000000000000.jsonl 1",
                        "items/docs-1/part-00-00000000000000000000.a.csv.zst 2",
                        "items/docs-1/part-00-00000000000000000000.jsonl 2",
                        "items/docs-1/part-00-00000000000000000000.jsonl.gz 2");
        for (JsonNode file : manifest.at("/files")) {
            byte[] bytes = Files.readAllBytes(root.resolve(file.at("/path").asText()));
            assertThat(file.at("/bytes").asLong()).isEqualTo(bytes.length);
            assertThat(file.at("/sha256").asText())
                    .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
        }
        assertThat(besideItems()).containsExactly("_SUCCESS", "_manifest.json");
        assertThat(root.resolve("items/docs-2/_SUCCESS")).doesNotExist();
    }

    @Test
    void aKillBeforeAnyStepLeavesNoMarkWithoutItsManifestAndTheNextProcessWritesBoth() throws Exception {
        for (FaultStep step : List.of(FaultStep.MANIFEST, FaultStep.MARK)) {
            run();
            Files.deleteIfExists(root.resolve("items/docs-1/_SUCCESS"));
            assertThatThrownBy(() -> manifests(reached -> {
                if (reached == step) {
                    throw new Killed();
                }
            }).write(RUN, END)).isInstanceOf(Killed.class);
            Files.writeString(root.resolve("items/docs-1/.manifest-dead"), "half");
            assertThat(besideItems()).doesNotContain("_SUCCESS");
            manifests(FaultPoint.NONE).write(RUN, END);
            assertThat(besideItems()).containsExactly("_SUCCESS", "_manifest.json");
            assertThat(manifest().at("/files")).hasSize(5);
        }
    }

    @Test
    void aSecondProcessBesideTheFirstWritesTheSame() throws Exception {
        for (FaultStep step : List.of(FaultStep.MANIFEST, FaultStep.MARK)) {
            run();
            manifests(reached -> {
                if (reached == step) {
                    try {
                        manifests(FaultPoint.NONE).write(RUN, END);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }).write(RUN, END);
            assertThat(besideItems()).containsExactly("_SUCCESS", "_manifest.json");
            assertThat(manifest().at("/items").asLong()).isEqualTo(7);
        }
    }

    @Test
    void theyAreWrittenOncePerEnd() throws Exception {
        run();
        manifests(FaultPoint.NONE).write(RUN, END);
        Files.delete(root.resolve("items/docs-1/part-00-00000000000000000000.jsonl"));
        manifests(FaultPoint.NONE).write(RUN, END);
        assertThat(manifest().at("/files")).hasSize(5);
        manifests(FaultPoint.NONE).unmark(RUN);
        assertThat(besideItems()).containsExactly("_manifest.json");
        manifests(FaultPoint.NONE).write(RUN, END.plusSeconds(1));
        assertThat(manifest().at("/files")).hasSize(4);
        assertThat(Files.readString(root.resolve("items/docs-1/_SUCCESS"))).isEqualTo("2026-11-23T10:00:01.123Z\n");
    }

    @Test
    void theArchiveOfTheRunIsInTheManifestAndHoldsNoItems() throws Exception {
        write("archive/docs-1/part-00-00000000000000000000.warc.gz", FileCompression.GZIP, "WARC/1.1\n\n");
        write("archive/docs-1/part-00-00000000000000000000.cdxj", FileCompression.NONE, "h)/ 2026 {}\n");
        write("archive/docs-1/part-00-00000000000000000009.warc.gz.n-1.part", FileCompression.GZIP, "WARC/1.1\n\n");
        manifests(FaultPoint.NONE).write(RUN, END);
        assertThat(manifest().at("/files")).extracting(file -> file.at("/path").asText() + " " + file.at("/items"))
                .containsExactly("archive/docs-1/part-00-00000000000000000000.cdxj 0",
                        "archive/docs-1/part-00-00000000000000000000.warc.gz 0");
        assertThat(manifest().at("/bytes").asLong())
                .isEqualTo(Files.size(root.resolve("archive/docs-1/part-00-00000000000000000000.warc.gz"))
                        + "h)/ 2026 {}\n".length());
        assertThat(besideItems()).containsExactly("_SUCCESS", "_manifest.json");
    }

    @Test
    void aRunWithoutFoldersGetsNoneAndOneWithErrorsOnlyDoes() throws Exception {
        manifests(FaultPoint.NONE).write(RUN, END);
        assertThat(root.resolve("items")).doesNotExist();
        write("errors/docs-1/part-01-00000000000000000000.jsonl", FileCompression.NONE, "{}\n");
        manifests(FaultPoint.NONE).write(RUN, END);
        assertThat(manifest().at("/items").asLong()).isEqualTo(1);
    }
}
