package io.trawl.process.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimilarTextTest {
    private static String words(long seed, int count) {
        Random random = new Random(seed);
        return IntStream.range(0, count).mapToObj(_ -> "word" + random.nextInt(5000)).collect(Collectors.joining(" "));
    }

    private static int bits(String one, String other) {
        return Long.bitCount(SimilarText.hash(one).orElseThrow() ^ SimilarText.hash(other).orElseThrow());
    }

    @Test
    void caseAndPunctuationDoNotCount() {
        String text = words(1, 100);
        assertThat(bits(text, text.toUpperCase(java.util.Locale.ROOT).replace(" ", ",\n "))).isZero();
    }

    @Test
    void aPageWithAnotherDateIsNearAndAnotherPageIsFar() {
        for (int seed = 0; seed < 50; seed++) {
            String text = words(seed, 2000);
            assertThat(bits(text, text + " printed on 23 November")).isLessThanOrEqualTo(6);
            assertThat(bits(text, words(seed + 100, 2000))).isGreaterThan(10);
        }
    }

    @Test
    void aShortTextHasNoHashAndIdeogramsAreWords() {
        assertThat(SimilarText.hash("Page not found. Go to the start page.")).isEmpty();
        assertThat(SimilarText.hash("")).isEmpty();
        assertThat(SimilarText.hash("\u6f22\u5b57".repeat(12))).isPresent();
    }
}
