package io.trawl.pipeline.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What holds for the chunks of every text. */
class ChunkPropertiesTest {
    private static final List<String> PARTS = List.of("# a", "## b\n", "\n", "\n\n", "- x", "    - y", "1. z", "```",
            "~~~", "```java", "| a | b |", "|---|---|", "> ", "word ", "Sentence. ", "漢字", "\ud83d\ude00", "e\u0301",
            "---", "looooooooooooooooooooooooooong", "\t", "{#id}", "&lt;", "\r\n", "  ");

    private static List<TextChunk> chunks(String text, int maxTokens) {
        return TextChunker.ofMarkdown(text, HeadingAnchors.of(null), maxTokens, 0, Locale.ROOT);
    }

    @Property(tries = 200)
    void allOfATextIsInItsChunksOnceAndInOrder(@ForAll long seed, @ForAll @IntRange(min = 32, max = 600) int most) {
        EditedPage page = EditedPage.random(new Random(seed));
        assertThat(chunks(page.text(), most).stream().map(chunk -> EditedPage.content(chunk.own()))
                .collect(Collectors.joining())).isEqualTo(EditedPage.content(page.text()));
    }

    @Property(tries = 200)
    void allOfAPlainTextIsInItsChunks(@ForAll long seed, @ForAll @IntRange(min = 32, max = 600) int most) {
        String text = soup(new Random(seed));
        assertThat(EditedPage.tight(TextChunker.ofPlainText(text, most, 0, Locale.ROOT).stream().map(TextChunk::text)
                .collect(Collectors.joining()))).isEqualTo(EditedPage.tight(text));
    }

    @Property(tries = 500)
    void noChunkIsLargerThanAllowed(@ForAll long seed, @ForAll @IntRange(min = 32, max = 200) int most) {
        Random random = new Random(seed);
        String text = random.nextBoolean() ? soup(random) : EditedPage.random(random).text();
        assertThat(chunks(text, most)).allSatisfy(chunk -> assertThat(chunk.tokens()).isBetween(1, most));
        assertThat(TextChunker.ofMarkdown(text, HeadingAnchors.of(null), most, most / 2, Locale.ROOT))
                .allSatisfy(chunk -> assertThat(chunk.tokens()).isBetween(1, most));
    }

    @Property(tries = 100)
    void anOverlapChangesNoTextOfItsOwnAndIsTheEndOfTheTextBefore(@ForAll long seed) {
        String text = EditedPage.random(new Random(seed)).text();
        List<TextChunk> plain = chunks(text, 200);
        List<TextChunk> overlapping = TextChunker.ofMarkdown(text, HeadingAnchors.of(null), 250, 50, Locale.ROOT);
        assertThat(overlapping.stream().map(TextChunk::own)).isEqualTo(plain.stream().map(TextChunk::own).toList());
        String before = "";
        for (TextChunk chunk : overlapping) {
            String all = EditedPage.content(chunk.text());
            String own = EditedPage.content(chunk.own());
            assertThat(all).endsWith(own);
            assertThat(before).endsWith(all.substring(0, all.length() - own.length()));
            before += own;
        }
    }

    @Property(tries = 100)
    void fencesAndTablesAreWholeInEachChunk(@ForAll long seed) {
        chunks(EditedPage.random(new Random(seed)).text(), 64).forEach(chunk -> {
            assertThat(chunk.text().lines().filter(line -> line.startsWith("```")).count() % 2).isZero();
            assertThat(chunk.text().replaceAll("(?s)```.*?```", "")).doesNotContain(");\n");
            assertThat((chunk.text() + "\n").replaceAll("(?m)^\\|.*\\n\\|---\\|---\\|\\n(\\|.*\\|\\n)*", ""))
                    .doesNotContain("|");
        });
    }

    /** What is quadratic would take minutes. */
    @Test
    void hostileTextsTakeTimeInProportion() {
        for (String text : List.of("a".repeat(2_000_000), "漢".repeat(300_000), "x\n\n".repeat(100_000),
                "ab cd. ".repeat(500_000), "> ".repeat(300_000) + "x", "- ".repeat(300_000),
                "```java\n" + "x\n".repeat(200_000), "|a|\n|-|\n" + "|b|\n".repeat(100_000), "#".repeat(1_000_000),
                "| ".repeat(100_000) + "\n|" + "-|".repeat(100_000) + "\n" + "|x|\n".repeat(1_000),
                "\u0301".repeat(300_000), "# " + "[a](".repeat(200_000), "\n".repeat(2_000_000),
                ("  ".repeat(1_000) + "- x\n").repeat(1_000), "~~~ ".repeat(200_000) + "\n")) {
            assertThat(chunks(text, 512)).allSatisfy(chunk -> assertThat(chunk.tokens()).isLessThanOrEqualTo(512));
        }
    }

    private static String soup(Random random) {
        return random.ints(random.nextInt(600), 0, PARTS.size()).mapToObj(PARTS::get).collect(Collectors.joining());
    }
}
