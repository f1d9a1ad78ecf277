package io.trawl.pipeline.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.ledger.ItemId;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.changes.RunKeys;
import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.pipeline.sink.SinkFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunExportTest {
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private static final Instant END = Instant.parse("2026-11-23T10:00:00.123Z");
    @TempDir
    private Path root;

    private static final class Killed extends RuntimeException {}

    @Test
    void aKillBeforeAnyStepLeavesNoMark() throws Exception {
        Path items = Files.createDirectories(root.resolve("items/docs-1"));
        Path file = Files.writeString(items.resolve("part-00-00000000000000000000.jsonl"),
                "{\"key\":\"%s\",\"url\":\"http://h/\",\"text\":\"a\"}\n"
                        .formatted(ItemId.key(RUN.crawl(), "http://h/")));
        new ManifestWriter(new SinkFolder(root, "a1"), FaultPoint.NONE).write(new EndedRun(RUN, END),
                Optional.of(new ComparedFiles("jsonl")));
        for (FaultStep step : List.of(FaultStep.MANIFEST, FaultStep.MARK)) {
            Path out = Files.createDirectories(root.resolve(step.name()));
            try (RunKeys keys = RunKeys.open(items)) {
                assertThatThrownBy(() -> new RunExport(out, FileCompression.NONE, reached -> {
                    if (reached == step) {
                        throw new Killed();
                    }
                }).write(keys, END, List.of(file))).isInstanceOf(Killed.class);
            }
            assertThat(out.resolve("items.jsonl")).hasSameBinaryContentAs(file);
            assertThat(out.resolve("_SUCCESS")).doesNotExist();
        }
    }
}
