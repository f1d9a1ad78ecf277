package io.trawl.pipeline.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.ItemKind;
import io.trawl.model.CrawlRun;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommitNoteTest {
    @Test
    void namesSortByOffset() {
        assertThat(new PartFileName(3, 120).finished()).isEqualTo("part-03-00000000000000000120.jsonl");
        assertThat(new PartFileName(3, 120).unfinished("1f3a-7")).isEqualTo("part-03-00000000000000000120.jsonl.1f3a-7.part");
    }

    @Property(tries = 200)
    void aNoteRoundTripsAndFitsForAnyNumberOfCrawls(@ForAll @IntRange(max = 5000) int partition,
            @ForAll @LongRange(min = 0) long first,
            @ForAll @IntRange(min = 1, max = 300) int files) {
        CommitNote commitNote = CommitNote.of(new PartFileName(partition, first), "0f9e8d7c-6b5a-4938-999",
                IntStream.range(0, files).mapToObj(i -> "items/a-rather-long-name-of-a-crawl-that-a-user-chose-" + i + "-1")
                        .toList());
        assertThat(commitNote.text()).hasSizeLessThan(4096);
        assertThat(CommitNote.parse(commitNote.text())).isEqualTo(commitNote);
        assertThat(commitNote.files()).isEqualTo(files);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "part-03-00000000000000000120.jsonl.n.part", "part-03-120.jsonl.n.part 1",
            "part-03-00000000000000000120.jsonl.n.part 0",
            "part-03-99999999999999999999.jsonl.n.part 1"})
    void aNoteOfAnotherFormatIsRefused(String text) {
        assertThatThrownBy(() -> CommitNote.parse(text)).isInstanceOf(StorageException.class).hasMessageContaining(text);
    }

    @Test
    void theRunOfAFolderFollowsTheLastDash() {
        CrawlRun run = CrawlRun.parse("docs-2024/12");
        assertThat(new SinkFolder(Path.of("/none"), "a1").runFolder(ItemKind.ERROR, run.toString()))
                .isEqualTo("errors/docs-2024-12");
        assertThat(SinkFolder.run("errors/docs-2024-12")).contains(run);
        assertThat(SinkFolder.run("errors/docs-2024-12@1f3a5c7e")).contains(run);
        assertThat(SinkFolder.run("items/a user's folder")).isEqualTo(Optional.empty());
    }
}
