package io.trawl.pipeline.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.CrawlRun;
import io.trawl.model.ItemKind;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoteTest {
    @Test
    void namesSortByOffset() {
        assertThat(new PartName(3, 120).finished()).isEqualTo("part-03-00000000000000000120.jsonl");
        assertThat(new PartName(3, 120).unfinished("1f3a-7")).isEqualTo("part-03-00000000000000000120.jsonl.1f3a-7.part");
    }

    @Property(tries = 200)
    void aNoteIsReadAsItWasWrittenAndFitsHoweverManyCrawlsThereAre(@ForAll @IntRange(max = 5000) int partition,
            @ForAll @LongRange(min = 0) long first,
            @ForAll @IntRange(min = 1, max = 300) int files) {
        Note note = Note.of(new PartName(partition, first), "0f9e8d7c-6b5a-4938-999",
                IntStream.range(0, files).mapToObj(i -> "items/a-rather-long-name-of-a-crawl-that-somebody-took-" + i + "-1")
                        .toList());
        assertThat(note.text()).hasSizeLessThan(4096);
        assertThat(Note.parse(note.text())).isEqualTo(note);
        assertThat(note.files()).isEqualTo(files);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "part-03-00000000000000000120.jsonl.n.part", "part-03-120.jsonl.n.part 1",
            "part-03-00000000000000000120.jsonl.n.part 0",
            "part-03-99999999999999999999.jsonl.n.part 1"})
    void aNoteOfSomebodyElseIsNotGuessedAt(String text) {
        assertThatThrownBy(() -> Note.parse(text)).isInstanceOf(StorageFailure.class).hasMessageContaining(text);
    }

    @Test
    void theRunOfAFolderIsFoundBehindTheLastDash() {
        CrawlRun run = CrawlRun.parse("docs-2024/12");
        assertThat(OutFolder.runFolder(ItemKind.ERROR, run)).isEqualTo("errors/docs-2024-12");
        assertThat(OutFolder.run("errors/docs-2024-12")).contains(run);
        assertThat(OutFolder.run("items/somebody's folder")).isEqualTo(Optional.empty());
    }
}
