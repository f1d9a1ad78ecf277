package io.trawl.standalone.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.pipeline.manifest.EndedRun;
import io.trawl.api.ItemKind;
import io.trawl.definition.CrawlDefinition;
import io.trawl.codec.Json;
import java.nio.charset.StandardCharsets;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFolderTest {
    private static final CrawlId DOCS = new CrawlId("docs");
    private static final Instant END = Instant.parse("2026-01-03T03:04:05.678Z");
    private static final CrawlDefinition KEEP_ONE = Json.read("{\"keep\":1}".getBytes(StandardCharsets.UTF_8),
            CrawlDefinition.class);
    @TempDir
    private Path temp;

    @Test
    void isResumedByTheDeploymentThatTookIt() {
        OutputFolder output = OutputFolder.open(temp, DOCS);
        output.take("cluster", false, false);
        output.belongsTo("cluster", new CrawlRun(DOCS, 1));
        OutputFolder.open(temp, DOCS).take("cluster", true, false);
        assertThat(output.of("cluster").of(ItemKind.PAGE, new CrawlRun(DOCS, 1)))
                .isEqualTo(temp.resolve("items/docs-1"));
    }

    @Test
    void holdsAnyNumberOfCrawlsOfAnyDeployments() throws Exception {
        Path docs = page("items/docs-1");
        mark("items/docs-1", "one");
        Path shared = page("items/news-1");
        mark("items/news-1", "two");
        CrawlId id = new CrawlId("news");
        OutputFolder news = OutputFolder.open(temp, id);
        news.take("three", false, false);
        news.belongsTo("three", new CrawlRun(id, 2));
        finish("items/news-2", "three");
        news.finished("three", new EndedRun(new CrawlRun(id, 2), END), KEEP_ONE, Duration.ZERO, Time.system());
        assertThat(docs).exists();
        assertThat(shared).as("of trawl up, for example").exists();
        for (ItemKind kind : ItemKind.values()) {
            assertThat(news.of("three").of(kind, new CrawlRun(id, 1)).getFileName()).asString()
                    .isEqualTo("news-1@three");
        }
    }

    private void finish(String run, String owner) throws IOException {
        page(run);
        mark(run, owner);
        Files.writeString(temp.resolve(run).resolve("_SUCCESS"), "2026-01-02T03:04:05.678Z\n");
    }

    private void mark(String run, String owner) throws IOException {
        Files.createFile(temp.resolve(run).resolve(".owner-" + owner));
    }

    @Test
    void isMarkedBeforeTheRunIsKnownSoThatAKillInBetweenIsHarmless() throws IOException {
        OutputFolder.open(temp, DOCS).take("cluster", false, false);
        assertThat(temp.resolve(".trawl-docs.json")).content().isEqualTo("{\"owner\":\"cluster\"}");
        OutputFolder.open(temp, DOCS).take("cluster", true, false);
        OutputFolder.open(temp, DOCS).belongsTo("cluster", new CrawlRun(DOCS, 3));
        assertThat(temp.resolve(".trawl-docs.json")).content().isEqualTo("{\"owner\":\"cluster\",\"epoch\":3}");
    }

    @Test
    void isRefusedIfTheCrawlHasWrittenElsewhere() {
        assertThatThrownBy(() -> OutputFolder.open(temp, DOCS).take("cluster", true, false))
                .isInstanceOf(UserMistakeException.class)
                .hasMessageContaining("it is in another folder, or was deleted");
    }

    @Test
    void isRefusedIfAnotherDataFolderKnowsWhatIsInIt() throws IOException {
        OutputFolder.open(temp, DOCS).take("other", false, false);
        assertThatThrownBy(() -> OutputFolder.open(temp, DOCS).take("cluster", false, false))
                .isInstanceOf(UserMistakeException.class).hasMessageContaining("--data");
        Files.delete(temp.resolve(".trawl-docs.json"));
        page("items/docs-1");
        assertThatThrownBy(() -> OutputFolder.open(temp, DOCS).take("cluster", false, false))
                .isInstanceOf(UserMistakeException.class);
    }

    @Test
    void losesOlderRunsOnlyWhenANewerOneHasFinished() throws Exception {
        OutputFolder output = OutputFolder.open(temp, DOCS);
        output.take("cluster", false, false);
        Path old = page("items/docs-1");
        finish("items/docs-1", "cluster");
        Path notes = Files.writeString(temp.resolve("notes.txt"), "mine");
        output.take("cluster", true, true);
        output.belongsTo("cluster", new CrawlRun(DOCS, 2));
        output.finished("cluster", new EndedRun(new CrawlRun(DOCS, 2), END), KEEP_ONE, Duration.ZERO, Time.system());
        assertThat(old).as("the new one has stored nothing").exists();
        assertThat(output.latest()).contains(temp.resolve("items/docs-1"));
        Path present = page("items/docs-2");
        mark("items/docs-2", "cluster");
        output.finished("cluster", new EndedRun(new CrawlRun(DOCS, 2), END), KEEP_ONE, Duration.ZERO, Time.system());
        assertThat(old).doesNotExist();
        assertThat(present).exists();
        assertThat(notes).exists();
        assertThat(output.latest()).contains(temp.resolve("items/docs-2"));
    }

    /** A folder without a mark was copied by hand. */
    @Test
    void isTakenFromAnotherDataFolderByAFreshRunWhichReplacesItsRunsWhenItHasFinished() throws Exception {
        OutputFolder.open(temp, DOCS).take("one", false, false);
        Path of = page("items/docs-7");
        mark("items/docs-7", "one");
        Path copied = page("items/docs-1");
        OutputFolder output = OutputFolder.open(temp, DOCS);
        output.take("two", false, true);
        output.belongsTo("two", new CrawlRun(DOCS, 1));
        assertThat(temp.resolve(".trawl-docs.json")).content()
                .isEqualTo("{\"owner\":\"two\",\"epoch\":1,\"earlier\":[\"one\",\"unknown\"]}");
        assertThat(output.of("two").of(ItemKind.PAGE, new CrawlRun(DOCS, 1)))
                .isEqualTo(temp.resolve("items/docs-1@two"));
        page("items/docs-1@two");
        mark("items/docs-1@two", "two");
        assertThat(of).exists();
        output.finished("two", new EndedRun(new CrawlRun(DOCS, 1), END), KEEP_ONE, Duration.ZERO, Time.system());
        assertThat(of).doesNotExist();
        assertThat(copied).doesNotExist();
        assertThat(output.latest()).contains(temp.resolve("items/docs-1@two"));
    }

    @Test
    void reportsWhyItCannotBeCreated() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "");
        assertThatThrownBy(() -> OutputFolder.open(file, DOCS)).isInstanceOf(UserMistakeException.class)
                .hasMessageContaining("is not a folder");
    }

    @Test
    void isRefusedIfItsMarkerCannotBeRead() throws IOException {
        Files.writeString(temp.resolve(".trawl-docs.json"), "{");
        assertThatThrownBy(() -> OutputFolder.open(temp, DOCS)).isInstanceOf(UserMistakeException.class)
                .hasMessageContaining(".trawl-docs.json");
    }

    private Path page(String run) throws IOException {
        Path folder = Files.createDirectories(temp.resolve(run));
        return Files.writeString(folder.resolve("part-00.jsonl"), "{}");
    }
}
