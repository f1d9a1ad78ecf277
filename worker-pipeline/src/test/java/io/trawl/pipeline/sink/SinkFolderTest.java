package io.trawl.pipeline.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.ItemKind;
import io.trawl.model.CrawlRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which folder a run has, when several write. */
class SinkFolderTest {
    private static final int PIPELINES = 2;
    private static final int RUNS = 1000;
    @TempDir
    private Path out;

    @Test
    void pipelinesOfADeploymentThatBeginARunAtTheSameMomentWriteToOneFolder() throws Exception {
        CyclicBarrier together = new CyclicBarrier(PIPELINES);
        List<Future<List<String>>> claims = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(PIPELINES)) {
            for (int i = 0; i < PIPELINES; i++) {
                SinkFolder folder = new SinkFolder(out, "11111111");
                claims.add(threads.submit(() -> {
                    List<String> claimed = new ArrayList<>();
                    for (int run = 1; run <= RUNS; run++) {
                        together.await();
                        claimed.add(folder.claimed("items", "docs/" + run));
                    }
                    return claimed;
                }));
            }
        }
        for (Future<List<String>> claim : claims) {
            assertThat(claim.get()).allMatch(name -> !name.contains("@"));
        }
    }

    @Test
    void theFolderOfAnotherDeploymentIsLeftAlone() throws Exception {
        assertThat(new SinkFolder(out, "11111111").claimed("items", "docs/1")).isEqualTo("items/docs-1");
        assertThat(new SinkFolder(out, "22222222").claimed("items", "docs/1")).isEqualTo("items/docs-1@22222222");
        assertThat(new SinkFolder(out, "11111111").claimed("items", "docs/1")).isEqualTo("items/docs-1");
    }

    /** Whichever is written first, and whatever the other deployment has. */
    @ParameterizedTest
    @CsvSource({"items, errors", "errors, items", "archive, errors", "items, archive"})
    void theFoldersOfARunHaveOneNameWhichStays(String others, String first) throws Exception {
        SinkFolder other = new SinkFolder(out, "11111111");
        SinkFolder folder = new SinkFolder(out, "22222222");
        other.claimed(others, "docs/1");
        assertThat(folder.claimed(first, "docs/1")).isEqualTo(first + "/docs-1@22222222");
        for (String kind : List.of("items", "errors", "archive")) {
            assertThat(folder.claimed(kind, "docs/1")).isEqualTo(kind + "/docs-1@22222222");
        }
        for (Path gone : List.of(out.resolve("items/docs-1"), out.resolve(others + "/docs-1"))) {
            Files.deleteIfExists(gone.resolve(".owner-11111111"));
            Files.deleteIfExists(gone);
        }
        assertThat(folder.claimed("errors", "docs/1")).isEqualTo("errors/docs-1@22222222");
        assertThat(folder.of(ItemKind.PAGE, CrawlRun.parse("docs/1"))).isEqualTo(out.resolve("items/docs-1@22222222"));
        assertThat(folder.claimed("errors", "docs/2")).isEqualTo("errors/docs-2");
        assertThat(other.claimed("items", "docs/2")).as("claimed with the first folder")
                .isEqualTo("items/docs-2@11111111");
    }
}
