package io.trawl.standalone.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.ItemKind;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.standalone.client.UserMistakeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFolderTest {
    private static final CrawlId DOCS = new CrawlId("docs");
    @TempDir
    private Path temp;

    @Test
    void isResumedByTheDeploymentThatTookIt() {
        OutputFolder output = OutputFolder.open(temp, DOCS);
        output.take("cluster", false, false);
        output.belongsTo("cluster", new CrawlRun(DOCS, 1));
        OutputFolder.open(temp, DOCS).take("cluster", true, false);
        assertThat(output.of("cluster", ItemKind.PAGE, new CrawlRun(DOCS, 1))).isEqualTo(temp.resolve("items/docs-1"));
    }

    @Test
    void holdsAnyNumberOfCrawlsOfAnyDeployments() throws IOException {
        Path docs = page("items/docs-1");
        mark("items/docs-1", "one");
        OutputFolder.open(temp, DOCS).take("one", true, true);
        Path shared = page("items/news-1");
        mark("items/news-1", "two");
        OutputFolder news = OutputFolder.open(temp, new CrawlId("news"));
        news.take("three", false, false);
        news.belongsTo("three", new CrawlRun(new CrawlId("news"), 2));
        assertThat(docs).doesNotExist();
        assertThat(shared).as("of trawl up, for example").exists();
        assertThat(news.of("three", ItemKind.ERROR, new CrawlRun(new CrawlId("news"), 1)))
                .isEqualTo(temp.resolve("errors/news-1"));
        assertThat(news.of("three", ItemKind.PAGE, new CrawlRun(new CrawlId("news"), 1)))
                .isEqualTo(temp.resolve("items/news-1@three"));
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
    void losesOnlyTheOutputOfTheCrawlOnAFreshRun() throws IOException {
        Path mine = page("items/docs-1");
        Path errors = page("errors/docs-12");
        Path longerName = page("items/docs-2-1");
        Path foreign = page("items/other-1");
        Path notes = Files.writeString(temp.resolve("notes.txt"), "mine");
        OutputFolder.open(temp, DOCS).take("cluster", false, true);
        assertThat(mine).doesNotExist();
        assertThat(errors).doesNotExist();
        assertThat(longerName).exists();
        assertThat(foreign).exists();
        assertThat(notes).exists();
    }

    @Test
    void losesTheOutputOfOlderRunsAndKeepsThatOfThisRun() throws IOException {
        OutputFolder output = OutputFolder.open(temp, DOCS);
        output.take("cluster", false, false);
        Path old = page("items/docs-1");
        Path present = page("items/docs-2");
        output.belongsTo("cluster", new CrawlRun(DOCS, 2));
        assertThat(old).doesNotExist();
        assertThat(present).exists();
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
