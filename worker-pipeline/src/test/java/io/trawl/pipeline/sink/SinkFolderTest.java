package io.trawl.pipeline.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
