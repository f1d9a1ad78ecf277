package io.trawl.standalone.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShownOnceTest {
    @TempDir
    private Path data;

    @Test
    void aLineIsNewOnceForAllCrawlsOfADataFolder() throws IOException {
        Path docs = Files.createDirectories(data.resolve("crawls/docs"));
        Path news = Files.createDirectories(data.resolve("crawls/news"));
        assertThat(ShownOnce.isNew(docs, "an old server")).isTrue();
        assertThat(ShownOnce.isNew(docs, "an old server")).isFalse();
        assertThat(ShownOnce.isNew(news, "an old server")).isFalse();
        assertThat(ShownOnce.isNew(news, "another line")).isTrue();
    }

    @Test
    void aFleetHasItsFolderForItself(@TempDir Path other) {
        assertThat(ShownOnce.isNew(data, "an old server")).isTrue();
        assertThat(ShownOnce.isNew(data, "an old server")).isFalse();
        assertThat(ShownOnce.isNew(other, "an old server")).isTrue();
    }
}
