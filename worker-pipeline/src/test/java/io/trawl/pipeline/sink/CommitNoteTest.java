package io.trawl.pipeline.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.ItemKind;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.sink.CommitNote.NotedFile;
import io.trawl.pipeline.sink.PartFileName.Unfinished;
import java.nio.file.Path;
import java.util.List;
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
        PartFileName name = new PartFileName(3, 120);
        assertThat(name.finished("jsonl")).isEqualTo("part-03-00000000000000000120.jsonl");
        assertThat(name.unfinished("jsonl", "1f3a-7")).isEqualTo("part-03-00000000000000000120.jsonl.1f3a-7.part");
        assertThat(Unfinished.parse("part-03-00000000000000000120.offers.csv.gz.1f3a-7.part"))
                .contains(new Unfinished(name, "offers.csv.gz", "1f3a-7"));
        assertThat(Unfinished.parse("part-03-00000000000000000120.offers.csv.gz")).isEmpty();
    }

    @Test
    void aNoteOfJsonLinesIsThatOfVersionsWithoutOtherFormats() {
        String text = "part-03-00000000000000000120.jsonl.1f3a-7.part 2 items/docs-1 errors/docs-1";
        CommitNote note = CommitNote.of(new PartFileName(3, 120), "1f3a-7",
                List.of(new NotedFile("items/docs-1", "jsonl"), new NotedFile("errors/docs-1", "jsonl")));
        assertThat(note.text()).isEqualTo(text);
        assertThat(CommitNote.parse(text)).isEqualTo(note);
        CommitNote both = CommitNote.of(new PartFileName(3, 120), "1f3a-7",
                List.of(new NotedFile("items/docs-1", "jsonl"), new NotedFile("items/docs-1", "offers.csv.gz")));
        assertThat(both.text()).endsWith(" 2 items/docs-1 items/docs-1:offers.csv.gz");
        assertThat(CommitNote.parse(both.text())).isEqualTo(both);
    }

    @Property(tries = 200)
    void aNoteRoundTripsAndFitsForAnyNumberOfCrawls(@ForAll @IntRange(max = 5000) int partition,
            @ForAll @LongRange(min = 0) long first, @ForAll @IntRange(min = 1, max = 300) int files) {
        CommitNote commitNote = CommitNote.of(new PartFileName(partition, first), "0f9e8d7c-6b5a-4938-999",
                IntStream.range(0, files)
                        .mapToObj(
                                i -> new NotedFile("items/a-rather-long-name-of-a-crawl-that-a-user-chose-" + i + "-1",
                                        i % 2 == 0 ? "jsonl" : "csv.zst"))
                        .toList());
        assertThat(commitNote.text()).hasSizeLessThan(4096);
        assertThat(CommitNote.parse(commitNote.text())).isEqualTo(commitNote);
        assertThat(commitNote.files()).isEqualTo(files);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "part-03-00000000000000000120.jsonl.n.part", "part-03-120.jsonl.n.part 1",
            "part-03-00000000000000000120.jsonl.n.part 0", "part-03-99999999999999999999.jsonl.n.part 1"})
    void aNoteOfAnotherFormatIsRefused(String text) {
        assertThatThrownBy(() -> CommitNote.parse(text)).isInstanceOf(StorageException.class)
                .hasMessageContaining(text);
    }

    @Test
    void theRunOfAFolderFollowsTheLastDash() {
        CrawlRun run = CrawlRun.parse("docs-2024/12");
        assertThat(new SinkFolder(Path.of("/none"), "a1").of(ItemKind.ERROR, run))
                .isEqualTo(Path.of("/none/errors/docs-2024-12"));
        assertThat(SinkFolder.run("errors/docs-2024-12")).contains(run);
        assertThat(SinkFolder.run("errors/docs-2024-12@1f3a5c7e")).contains(run);
        assertThat(SinkFolder.run("items/a user's folder")).isEqualTo(Optional.empty());
    }
}
