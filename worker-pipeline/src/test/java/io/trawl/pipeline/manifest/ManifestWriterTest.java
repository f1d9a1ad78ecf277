package io.trawl.pipeline.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.ledger.ItemId;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManifestWriterTest {
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private static final CrawlRun NEXT = CrawlRun.parse("docs/2");
    private static final Instant END = Instant.parse("2026-11-23T10:00:00.123Z");
    private static final Optional<ComparedFiles> FILES = ComparedFiles.of(List.of());
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
                    manifests(FaultPoint.NONE).write(new EndedRun(RUN, end), FILES);
                    return true;
                };
                for (Future<Boolean> each : threads.invokeAll(List.of(write, write, write))) {
                    assertThat(each.get()).isTrue();
                }
                assertThat(manifest().at("/finishedAt").asText()).isEqualTo(end.toString());
            }
        }
        assertThat(besideItems()).containsExactly("_SUCCESS", "_keys.gz", "_manifest.json");
    }

    @Test
    void theManifestHasEachFinishedFileOfTheRunWithItsItemsItsSizeAndItsDigest() throws Exception {
        run();
        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
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
        assertThat(besideItems()).containsExactly("_SUCCESS", "_keys.gz", "_manifest.json");
        assertThat(root.resolve("items/docs-2/_SUCCESS")).doesNotExist();
    }

    @Test
    void aKillBeforeAnyStepLeavesNoMarkWithoutItsManifestAndTheNextProcessWritesBoth() throws Exception {
        for (FaultStep step : List.of(FaultStep.KEYS, FaultStep.MANIFEST, FaultStep.MARK)) {
            run();
            Files.deleteIfExists(root.resolve("items/docs-1/_SUCCESS"));
            assertThatThrownBy(() -> manifests(reached -> {
                if (reached == step) {
                    throw new Killed();
                }
            }).write(new EndedRun(RUN, END), FILES)).isInstanceOf(Killed.class);
            Files.writeString(root.resolve("items/docs-1/.manifest-dead"), "half");
            assertThat(besideItems()).doesNotContain("_SUCCESS");
            manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
            assertThat(besideItems()).containsExactly("_SUCCESS", "_keys.gz", "_manifest.json");
            assertThat(manifest().at("/files")).hasSize(5);
        }
    }

    @Test
    void aSecondProcessBesideTheFirstWritesTheSame() throws Exception {
        for (FaultStep step : List.of(FaultStep.KEYS, FaultStep.MANIFEST, FaultStep.MARK)) {
            run();
            manifests(reached -> {
                if (reached == step) {
                    try {
                        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                }
            }).write(new EndedRun(RUN, END), FILES);
            assertThat(besideItems()).containsExactly("_SUCCESS", "_keys.gz", "_manifest.json");
            assertThat(manifest().at("/items").asLong()).isEqualTo(7);
        }
    }

    @Test
    void theyAreWrittenOncePerEnd() throws Exception {
        run();
        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
        Files.delete(root.resolve("items/docs-1/part-00-00000000000000000000.jsonl"));
        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
        assertThat(manifest().at("/files")).hasSize(5);
        manifests(FaultPoint.NONE).unmark(RUN);
        assertThat(besideItems()).containsExactly("_keys.gz", "_manifest.json");
        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END.plusSeconds(1)), FILES);
        assertThat(manifest().at("/files")).hasSize(4);
        assertThat(Files.readString(root.resolve("items/docs-1/_SUCCESS"))).isEqualTo("2026-11-23T10:00:01.123Z\n");
    }

    @Test
    void theArchiveOfTheRunIsInTheManifestAndHoldsNoItems() throws Exception {
        write("archive/docs-1/part-00-00000000000000000000.warc.gz", FileCompression.GZIP, "WARC/1.1\n\n");
        write("archive/docs-1/part-00-00000000000000000000.cdxj", FileCompression.NONE, "h)/ 2026 {}\n");
        write("archive/docs-1/part-00-00000000000000000009.warc.gz.n-1.part", FileCompression.GZIP, "WARC/1.1\n\n");
        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
        assertThat(manifest().at("/files")).extracting(file -> file.at("/path").asText() + " " + file.at("/items"))
                .containsExactly("archive/docs-1/part-00-00000000000000000000.cdxj 0",
                        "archive/docs-1/part-00-00000000000000000000.warc.gz 0");
        assertThat(manifest().at("/bytes").asLong())
                .isEqualTo(Files.size(root.resolve("archive/docs-1/part-00-00000000000000000000.warc.gz"))
                        + "h)/ 2026 {}\n".length());
        assertThat(besideItems()).containsExactly("_SUCCESS", "_keys.gz", "_manifest.json");
    }

    @Test
    void aRunWithoutFoldersGetsNoneAndOneWithErrorsOnlyDoes() throws Exception {
        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
        assertThat(root.resolve("items")).doesNotExist();
        write("errors/docs-1/part-01-00000000000000000000.jsonl", FileCompression.NONE, "{}\n");
        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
        assertThat(manifest().at("/items").asLong()).isEqualTo(1);
    }

    private static String key(String page) {
        return ItemId.key(RUN.crawl(), "http://h/" + page);
    }

    private static String line(String page, String fields) {
        return "{\"id\":\"%s\",\"key\":\"%s\",\"url\":\"http://h/%s\",%s}\n".formatted("id-" + page, key(page), page,
                fields);
    }

    private void twoRuns() throws Exception {
        write("items/docs-1/part-00-00000000000000000000.jsonl", FileCompression.NONE,
                line("same", "\"title\":\"a\",\"text\":\"b\",\"sha256\":\"1\"") + line("text", "\"text\":\"b\"")
                        + line("gone", "\"text\":\"b\"") + line("down", "\"text\":\"b\"")
                        + line("old", "\"text\":\"b\"") + line("alone", "\"text\":\"b\""));
        write("errors/docs-1/part-00-00000000000000000000.jsonl", FileCompression.NONE,
                line("back", "\"kind\":\"HTTP_ERROR\",\"status\":410"));
        write("items/docs-2/part-00-00000000000000000000.jsonl", FileCompression.NONE,
                line("same", "\"title\":\"a\",\"text\":\"b\",\"sha256\":\"2\"") + line("text", "\"text\":\"c\"")
                        + line("back", "\"text\":\"b\"")
                        + line("new", "\"text\":\"b\",\"redirects\":[{\"url\":\"http://h/old\",\"status\":301}]"));
        write("errors/docs-2/part-00-00000000000000000000.jsonl", FileCompression.NONE,
                line("gone", "\"kind\":\"HTTP_ERROR\",\"status\":404")
                        + line("down", "\"kind\":\"FAILURE\",\"reason\":\"TIMEOUT\""));
    }

    private void assertCompared() throws Exception {
        assertThat(Json.mapper().readTree(root.resolve("items/docs-2/_manifest.json").toFile()).path("changes"))
                .isEqualTo(Json.mapper().readTree(
                        """
                                {"since":1,"new":1,"changed":1,"touched":0,"unchanged":1,"gone":1,"back":1,"moved":1,"failed":1,"unlinked":1}"""));
        assertThat(Files.readAllLines(root.resolve("items/docs-2/_changes.ndjson"))).containsExactly(
                change("back", "back", "back"), change("changed", "text", "text"), change("failed", "down", "down"),
                change("gone", "gone", "gone"), change("moved", "old", "new"), change("new", "new", "new"),
                "{\"change\":\"unlinked\",\"url\":\"http://h/alone\",\"key\":\"" + key("alone") + "\"}");
    }

    private static String change(String change, String page, String id) {
        return "{\"change\":\"%s\",\"url\":\"http://h/%s\",\"key\":\"%s\",\"id\":\"id-%s\"}".formatted(change, page,
                key(page), id);
    }

    @Test
    void aRunIsComparedWithTheNewestFinishedOneBeforeIt() throws Exception {
        twoRuns();
        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
        assertThat(manifest().has("changes")).isFalse();
        Files.createDirectories(root.resolve("items/docs-0"));
        manifests(FaultPoint.NONE).write(new EndedRun(NEXT, END), FILES);
        assertCompared();
        write("items/docs-3/part-00-00000000000000000000.jsonl", FileCompression.NONE, line("new", "\"text\":\"b\""));
        Files.delete(root.resolve("items/docs-2/_SUCCESS"));
        manifests(FaultPoint.NONE).write(new EndedRun(CrawlRun.parse("docs/3"), END), FILES);
        assertThat(ChangesFile.counts(root.resolve("items/docs-3")).orElseThrow().since()).as("2 has no mark").isOne();
    }

    @Test
    void aRunIsNotComparedIfItsFilesOrThoseOfTheOneBeforeSayTooLittle() throws Exception {
        twoRuns();
        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
        manifests(FaultPoint.NONE).write(new EndedRun(NEXT, END), Optional.of(new ComparedFiles("csv")));
        assertNotCompared();
        manifests(FaultPoint.NONE).write(new EndedRun(NEXT, END.plusSeconds(1)), FILES);
        assertCompared();
        manifests(FaultPoint.NONE).write(new EndedRun(NEXT, END.plusSeconds(2)), Optional.empty());
        assertNotCompared();
        assertThat(root.resolve("items/docs-2/_keys.gz")).doesNotExist();
        Path keys = root.resolve("items/docs-1/_keys.gz");
        byte[] whole = Files.readAllBytes(keys);
        Files.write(keys, Arrays.copyOf(whole, whole.length / 2));
        manifests(FaultPoint.NONE).write(new EndedRun(NEXT, END.plusSeconds(3)), FILES);
        assertNotCompared();
    }

    private void assertNotCompared() {
        assertThat(root.resolve("items/docs-2/_SUCCESS")).exists();
        assertThat(root.resolve("items/docs-2/_changes.ndjson")).doesNotExist();
        assertThat(root.resolve("items/docs-2/_manifest.json")).content().doesNotContain("changes");
    }

    @Test
    void aKillBeforeAnyStepOfAComparisonLeavesNothingThatCountsAndTheNextProcessWritesTheSame() throws Exception {
        for (FaultStep step : List.of(FaultStep.KEYS, FaultStep.CHANGES, FaultStep.MANIFEST, FaultStep.MARK)) {
            twoRuns();
            manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
            Files.deleteIfExists(root.resolve("items/docs-2/_SUCCESS"));
            assertThatThrownBy(() -> manifests(reached -> {
                if (reached == step) {
                    throw new Killed();
                }
            }).write(new EndedRun(NEXT, END), FILES)).as(step.name()).isInstanceOf(Killed.class);
            assertThat(root.resolve("items/docs-2/_SUCCESS")).doesNotExist();
            Files.writeString(root.resolve("items/docs-2/.manifest-dead"), "half");
            manifests(FaultPoint.NONE).write(new EndedRun(NEXT, END), FILES);
            assertCompared();
            try (Stream<Path> files = Files.list(root.resolve("items/docs-2"))) {
                assertThat(files.map(Path::getFileName).map(Path::toString)).containsExactlyInAnyOrder(
                        "part-00-00000000000000000000.jsonl", "_keys.gz", "_changes.ndjson", "_manifest.json",
                        "_SUCCESS");
            }
        }
    }

    @Test
    void aSlowWriterDoesNotTakeBackWhatAnotherHasSaidSinceTheRunBeforeWasDeleted() throws Exception {
        twoRuns();
        for (String run : List.of("items/docs-1", "errors/docs-1", "items/docs-2")) {
            Files.createFile(root.resolve(run).resolve(SinkFolder.mark("a1")));
        }
        manifests(FaultPoint.NONE).write(new EndedRun(RUN, END), FILES);
        manifests(reached -> {
            if (reached == FaultStep.KEYS) {
                try {
                    manifests(FaultPoint.NONE).write(new EndedRun(NEXT, END), FILES);
                    new KeptRuns(root, List.of("a1")).settle(RUN.crawl(), 1);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }).write(new EndedRun(NEXT, END), FILES);
        assertThat(root.resolve("items/docs-1")).doesNotExist();
        assertCompared();
    }
}
