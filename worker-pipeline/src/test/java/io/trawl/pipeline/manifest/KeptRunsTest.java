package io.trawl.pipeline.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.CrawlId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptRunsTest {
    private static final CrawlId DOCS = new CrawlId("docs");
    @TempDir
    private Path root;

    private void settle(int keep, String... owners) throws IOException {
        new KeptRuns(root, List.of(owners)).settle(DOCS, keep);
    }

    /** @param hour of its end; empty: it has not finished */
    private void run(String name, String owner, String hour) throws IOException {
        for (String kind : List.of("errors", "items")) {
            Path folder = Files.createDirectories(root.resolve(kind).resolve(name));
            Files.writeString(folder.resolve(".owner-" + owner), "");
            Files.writeString(folder.resolve("part-00-00000000000000000000.jsonl"), "{}\n");
        }
        if (!hour.isEmpty()) {
            Files.writeString(root.resolve("items").resolve(name).resolve("_SUCCESS"),
                    "2026-11-23T%s:00:00.123Z\n".formatted(hour));
        }
    }

    private List<String> runs() throws IOException {
        List<String> runs = new ArrayList<>();
        for (String kind : List.of("errors", "items")) {
            try (Stream<Path> folders = Files.list(root.resolve(kind))) {
                runs.addAll(folders.map(folder -> folder.getFileName().toString()).toList());
            }
        }
        return runs.stream().sorted().toList();
    }

    private String latest() throws IOException {
        return root.resolve("latest/docs").toRealPath().getFileName().toString();
    }

    @Test
    void theNewestFinishedRunsStayAndLatestNamesTheNewest() throws IOException {
        run("docs-1", "a", "01");
        run("docs-2", "a", "02");
        run("docs-10", "a", "10");
        settle(2, "a");
        assertThat(runs()).containsExactly("docs-10", "docs-10", "docs-2", "docs-2");
        assertThat(latest()).isEqualTo("docs-10");
        settle(1, "a");
        assertThat(runs()).containsExactly("docs-10", "docs-10");
    }

    @Test
    void aRunStaysAsLongAsThoseThatHaveRefreshedIt() throws IOException {
        run("docs-1", "a", "01");
        run("docs-2", "a", "02");
        refresh("docs-3", "03");
        refresh("docs-4", "04");
        settle(1, "a");
        assertThat(runs()).doesNotContain("docs-1").contains("docs-2", "docs-3", "docs-4");
        assertThat(latest()).as("the last whole one").isEqualTo("docs-2");
        run("docs-5", "a", "05");
        settle(2, "a");
        assertThat(runs()).contains("docs-2", "docs-3", "docs-4", "docs-5");
        settle(1, "a");
        assertThat(runs()).containsExactly("docs-5", "docs-5");
        assertThat(latest()).isEqualTo("docs-5");
    }

    private void refresh(String name, String hour) throws IOException {
        run(name, "a", hour);
        Files.writeString(root.resolve("items").resolve(name).resolve(ManifestWriter.REFRESH), "1\n");
    }

    @Test
    void theChunksOfARunGoWithIt() throws IOException {
        run("docs-1", "a", "01");
        Files.move(root.resolve("errors/docs-1"), Files.createDirectories(root.resolve("chunks")).resolve("docs-1"));
        run("docs-2", "a", "02");
        settle(1, "a");
        assertThat(root.resolve("chunks/docs-1")).doesNotExist();
    }

    @Test
    void aRunThatHasNotFinishedReplacesNoneAndGoesWhenANewerOneHasFinished() throws IOException {
        run("docs-1", "a", "01");
        run("docs-2", "a", "");
        run("docs-3", "a", "");
        settle(1, "a");
        assertThat(runs()).containsExactly("docs-1", "docs-1", "docs-2", "docs-2", "docs-3", "docs-3");
        assertThat(latest()).isEqualTo("docs-1");
        run("docs-4", "a", "04");
        run("docs-5", "a", "");
        settle(2, "a");
        assertThat(runs()).containsExactly("docs-1", "docs-1", "docs-4", "docs-4", "docs-5", "docs-5");
        assertThat(latest()).isEqualTo("docs-4");
    }

    @Test
    void theRunsOfOtherCrawlsAndDeploymentsStay() throws IOException {
        run("docs-1", "a", "01");
        run("docs-2", "a", "02");
        run("docs-1@b", "b", "03");
        run("docs-old-1", "a", "01");
        settle(1, "a");
        assertThat(runs()).doesNotContain("docs-1").contains("docs-2", "docs-1@b", "docs-old-1");
        assertThat(latest()).as("the newest of all deployments").isEqualTo("docs-1@b");
    }

    @Test
    void aDeploymentMayFollowOthersWhoseRunsAreThenOlderThanItsOwn() throws IOException {
        run("docs-7", "a", "01");
        run("docs-1@b", "b", "");
        settle(1, "a", "b");
        assertThat(runs()).contains("docs-7");
        run("docs-1@b", "b", "03");
        settle(1, "a", "b");
        assertThat(runs()).containsExactly("docs-1@b", "docs-1@b");
    }

    @Test
    void whatAKillLeavesOfADeletionGoesNextTime() throws IOException {
        run("docs-1", "a", "01");
        run("docs-2", "a", "02");
        Files.delete(root.resolve("items/docs-1/_SUCCESS"));
        Files.delete(root.resolve("items/docs-1/part-00-00000000000000000000.jsonl"));
        settle(2, "a");
        assertThat(runs()).containsExactly("docs-2", "docs-2");
    }

    @Test
    void aRunThatIsStartedAgainIsNoLongerTheLatest() throws IOException {
        run("docs-1", "a", "01");
        run("docs-2", "a", "02");
        settle(2, "a");
        Files.delete(root.resolve("items/docs-2/_SUCCESS"));
        settle(2, "a");
        assertThat(latest()).isEqualTo("docs-1");
        Files.delete(root.resolve("items/docs-1/_SUCCESS"));
        settle(2, "a");
        assertThat(root.resolve("latest/docs")).doesNotExist();
        assertThat(runs()).hasSize(4);
    }

    @Test
    void nothingIsDeletedWhereTheLinkCannotBeMade() throws IOException {
        run("docs-1", "a", "01");
        run("docs-2", "a", "02");
        Files.writeString(root.resolve("latest"), "a file");
        settle(1, "a");
        assertThat(runs()).hasSize(4);
    }

    @Test
    void processesAtTheSameTimeDoNotDisturbEachOther() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            for (int round = 1; round <= 100; round++) {
                run("docs-" + round, "a", "01");
                Callable<Boolean> settle = () -> {
                    settle(1, "a");
                    return true;
                };
                for (Future<Boolean> each : threads.invokeAll(List.of(settle, settle, settle))) {
                    assertThat(each.get()).isTrue();
                }
                assertThat(runs()).containsExactly("docs-" + round, "docs-" + round);
                assertThat(latest()).isEqualTo("docs-" + round);
            }
        }
    }
}
