package io.trawl.standalone.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void belongsToTheCrawlThatTookIt() {
        OutputFolder output = OutputFolder.open(temp, DOCS);
        output.take("cluster", false, false);
        output.belongsTo("cluster", new CrawlRun(DOCS, 1));
        OutputFolder.open(temp, DOCS).take("cluster", true, false);
        assertThatThrownBy(() -> OutputFolder.open(temp, new CrawlId("news"))).isInstanceOf(UserMistakeException.class)
                .hasMessageContaining(temp + " holds another crawl, docs");
    }

    @Test
    void isMarkedBeforeTheRunIsKnownSoThatAKillInBetweenIsHarmless() throws IOException {
        OutputFolder.open(temp, DOCS).take("cluster", false, false);
        assertThat(temp.resolve(OutputFolder.MARKER)).content().isEqualTo("{\"cluster\":\"cluster\",\"crawl\":\"docs\"}");
        OutputFolder.open(temp, DOCS).take("cluster", true, false);
        OutputFolder.open(temp, DOCS).belongsTo("cluster", new CrawlRun(DOCS, 3));
        assertThat(temp.resolve(OutputFolder.MARKER)).content()
                .isEqualTo("{\"cluster\":\"cluster\",\"crawl\":\"docs\",\"epoch\":3}");
    }

    @Test
    void isRefusedIfTheCrawlHasWrittenElsewhere() {
        assertThatThrownBy(() -> OutputFolder.open(temp, DOCS).take("cluster", true, false))
                .isInstanceOf(UserMistakeException.class)
                .hasMessageContaining("was started with another output folder");
    }

    @Test
    void isRefusedIfAnotherDataFolderKnowsWhatIsInIt() throws IOException {
        OutputFolder.open(temp, DOCS).take("other", false, false);
        assertThatThrownBy(() -> OutputFolder.open(temp, DOCS).take("cluster", false, false))
                .isInstanceOf(UserMistakeException.class)
                .hasMessageContaining("--data");
        Files.delete(temp.resolve(OutputFolder.MARKER));
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
        Files.writeString(temp.resolve(OutputFolder.MARKER), "{");
        assertThatThrownBy(() -> OutputFolder.open(temp, DOCS)).isInstanceOf(UserMistakeException.class)
                .hasMessageContaining(OutputFolder.MARKER);
    }

    private Path page(String run) throws IOException {
        Path folder = Files.createDirectories(temp.resolve(run));
        return Files.writeString(folder.resolve("part-00.jsonl"), "{}");
    }

    @Test
    void isSharedByAllCrawlsOfOneDataFolderAndByNoOther() {
        OutputFolder.takeForAll(temp, "cluster");
        OutputFolder.takeForAll(temp, "cluster");
        assertThatThrownBy(() -> OutputFolder.takeForAll(temp, "other")).isInstanceOf(UserMistakeException.class)
                .hasMessageContaining("--data");
        assertThatThrownBy(() -> OutputFolder.open(temp, DOCS)).isInstanceOf(UserMistakeException.class)
                .hasMessageContaining(temp + " holds the crawls of trawl up");
    }

    @Test
    void isNotUsedForAllCrawlsWhileItHoldsASingleOne() {
        OutputFolder.open(temp, DOCS).take("cluster", false, false);
        assertThatThrownBy(() -> OutputFolder.takeForAll(temp, "cluster")).isInstanceOf(UserMistakeException.class)
                .hasMessageContaining("holds a single crawl, docs");
    }
}
