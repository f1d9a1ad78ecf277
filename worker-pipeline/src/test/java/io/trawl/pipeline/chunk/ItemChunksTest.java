package io.trawl.pipeline.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.definition.sink.ChunkRules;
import io.trawl.model.Sha256;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ItemChunksTest {
    private static final ChunkRules SMALL = new ChunkRules(Optional.of(32), Optional.empty());
    private static final String SENTENCE = "This sentence has some ten words, and one more word.";

    private static Item item(String run, Map<String, Object> fields) {
        return new Item("page-1", "kpage-1", run, ItemKind.PAGE, "https://example.org/a", fields);
    }

    private static List<Object> texts(String field, String text) {
        return texts(field, text, SMALL);
    }

    private static List<Object> texts(String field, String text, ChunkRules rules) {
        return ItemChunks.of(item("docs/1", Map.of(field, text)), rules).stream().map(c -> c.fields().get("text"))
                .toList();
    }

    @Test
    void aChunkNamesItsPageItsTitleItsPlaceAndItsHeadings() {
        Item chunk = ItemChunks.of(item("docs/1", Map.of("text", "ignored", "title", "The guide", "lang", "en",
                "markdown", "# Guide\n\n## Use `it` {#use}\n\nShort text.")), ChunkRules.DEFAULT).getFirst();

        assertThat(chunk.url()).isEqualTo("https://example.org/a#use");
        assertThat(chunk.run()).isEqualTo("docs/1");
        String text = "# Guide\n\n## Use `it` {#use}\n\nShort text.";
        assertThat(chunk.fields()).containsExactlyInAnyOrderEntriesOf(
                Map.of("page", "page-1", "title", "The guide", "ordinal", 1, "headings", List.of("Guide", "Use it"),
                        "text", text, "tokens", 14, "language", "en", "sha256", Sha256.hex(text)));
        assertThat(List.copyOf(chunk.fields().keySet()))
                .isEqualTo(ChunkRules.FIELDS.stream().skip(5).filter(field -> !field.equals("pages")).toList());
    }

    @Test
    void aChunkLeadsToTheHeadingThatThePageGivesAnId() {
        List<Map<String, String>> ids = List.of(Map.of("heading", "Use it", "id", "use"),
                Map.of("heading", "Examples", "id", "ex"), Map.of("heading", "Gone", "id", "gone"),
                Map.of("heading", "Examples", "id", "ex-1"));
        String part = "\n\n" + SENTENCE + " " + SENTENCE + "\n\n";
        assertThat(ItemChunks.of(item("docs/1",
                Map.of("headingIds", ids, "markdown",
                        "# *Use* `it`" + part + "## Examples" + part + "## None" + part + "## Examples" + part)),
                SMALL)).extracting(Item::url).containsExactly("https://example.org/a#use", "https://example.org/a#ex",
                        "https://example.org/a", "https://example.org/a#ex-1");
    }

    @Test
    void aChunkOfATextWithFormFeedsHasItsFirstAndLastPage() {
        String text = SENTENCE + " " + SENTENCE + "\n\f\f" + SENTENCE + "\nOn page 3.\n\fShort.\n\f" + SENTENCE
                + "\n\f";
        List<Item> chunks = ItemChunks.of(item("docs/1", Map.of("text", text)), SMALL);
        assertThat(chunks).extracting(chunk -> chunk.fields().get("pages")).containsExactly(List.of(1, 1),
                List.of(3, 4), List.of(5, 5));
        assertThat(ItemChunks.of(item("docs/1", Map.of("text", text)), ChunkRules.DEFAULT)).singleElement()
                .satisfies(chunk -> assertThat(chunk.fields()).containsEntry("pages", List.of(1, 5)));
    }

    @Test
    void theLanguageThatWasFoundComesBeforeTheOneThatThePageNames() {
        assertThat(ItemChunks.of(item("docs/1", Map.of("text", "Ja.", "lang", "en", "detectedLanguage", "de")), SMALL)
                .getFirst().fields()).containsEntry("language", "de");
    }

    @Test
    void equalTextsHaveIdsOfTheirOwnWhichTheNextRunHasToo() {
        String text = (SENTENCE + "\n\n").repeat(20);
        List<String> first = ItemChunks.of(item("docs/1", Map.of("text", text)), SMALL).stream().map(Item::id).toList();
        assertThat(first).hasSizeGreaterThan(3);
        assertThat(new LinkedHashSet<>(first)).hasSameSizeAs(first);
        assertThat(ItemChunks.of(item("docs/2", Map.of("text", text)), SMALL).stream().map(Item::id)).isEqualTo(first);
        assertThat(
                ItemChunks.of(item("docs/1", Map.of("text", text, "requestBody", "b")), SMALL).stream().map(Item::id))
                .doesNotContainAnyElementsOf(first);
    }

    @Test
    void anItemWithoutTextAndAnErrorHaveNone() {
        assertThat(ItemChunks.of(item("docs/1", Map.of("title", "A")), SMALL)).isEmpty();
        assertThat(ItemChunks.of(item("docs/1", Map.of("text", " \n")), SMALL)).isEmpty();
        assertThat(ItemChunks
                .of(new Item("e", "ke", "docs/1", ItemKind.ERROR, "https://example.org/", Map.of("text", "a")), SMALL))
                .isEmpty();
    }

    @Test
    void aSectionThatFitsIsNotCut() {
        String section = "## B\n\nOne, two, three.\n\nFour, five, six.\n\n- seven\n- eight";
        assertThat(texts("markdown", "# A\n\n" + SENTENCE + "\n\n" + SENTENCE + "\n\n" + section + "\n\n## C\n\n"
                + SENTENCE + " " + SENTENCE)).contains(section);
    }

    @Test
    void aPartOfATableHasItsHeadAndAPartOfCodeItsFences() {
        ChunkRules larger = new ChunkRules(Optional.of(64), Optional.empty());
        assertThat(texts("markdown", "| a | b |\n|---|---|\n" + "| one, two, three | four |\n".repeat(12), larger))
                .hasSizeGreaterThan(2).allSatisfy(part -> assertThat((String) part)
                        .matches("\\| a \\| b \\|\n\\|---\\|---\\|(\n\\| one, two, three \\| four \\|)+"));
        assertThat(texts("markdown", "> ```python title=x\n" + "> print(one, two)\n".repeat(20) + "> ```", larger))
                .hasSizeGreaterThan(2).allSatisfy(part -> assertThat((String) part)
                        .matches("> ```python( title=x)?(\n> print\\(one, two\\))+\n> ```"));
    }

    @Test
    void anInnerItemThatBeginsAChunkIsNoCode() {
        assertThat(texts("markdown", "- " + SENTENCE + "\n    - " + SENTENCE + "\n    - " + SENTENCE + "\n"))
                .allSatisfy(part -> assertThat((String) part).startsWith("- "));
    }

    @Test
    void whatIsTooLongIsCutBetweenWordsAndWithoutWordsBetweenCharacters() {
        assertThat(texts("text", "word ".repeat(100)))
                .allSatisfy(part -> assertThat((String) part).matches("(word ?)+"));
        assertThat(String.join("", texts("text", "漢\ud83d\ude00".repeat(50)).stream().map(String::valueOf).toList()))
                .isEqualTo("漢\ud83d\ude00".repeat(50));
    }
}
