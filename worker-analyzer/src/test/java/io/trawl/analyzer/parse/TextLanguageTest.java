package io.trawl.analyzer.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.extract.HtmlParser;
import io.trawl.analyzer.parse.TextLanguage.LanguageGuess;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first article of the Universal Declaration of Human Rights, in 30 languages. */
class TextLanguageTest {
    private static final String ENGLISH = """
            The tide turns twice a day, and the boats that lie in the mud at noon float again before the evening. \
            Nobody in the village owns a watch that is more reliable than the sound of their chains.\n""";
    private static final String GERMAN = """
            Die Flut kommt zweimal am Tag, und die Boote, die am Mittag im Schlamm liegen, schwimmen wieder vor dem \
            Abend. Niemand im Dorf besitzt eine Uhr, die verlässlicher wäre als das Geräusch ihrer Ketten.\n""";
    private final TextLanguage languages = new TextLanguage();

    @ParameterizedTest
    @CsvFileSource(resources = "/languages/udhr-article-1.tsv", delimiter = '\t')
    void anArticleIsInItsLanguage(String language, String article) {
        assertThat(languages.of(article)).hasValueSatisfying(told -> {
            assertThat(told.code()).isEqualTo(language);
            assertThat(told.confidence()).isBetween(0.7, 1.0);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "OK", "Sign in", "12 34 56 2025 1,000.00 99 %", "$ € 100 £ 20 ¥ 3,000",
            "😀😀😀😀😀😀😀😀", "https://example.org/a/b?c=1", "x = y[i] + 1; i++; }", "中文"})
    void whatHasFewWordsIsInNoLanguage(String text) {
        assertThat(languages.of(text)).isEmpty();
    }

    @Test
    void aTextInTwoLanguagesIsInNone() {
        assertThat(languages.of(ENGLISH.repeat(3) + GERMAN.repeat(3))).isEmpty();
        assertThat(languages.of((ENGLISH.repeat(2) + GERMAN.repeat(2)).repeat(5))).isEmpty();
        assertThat(languages.of(GERMAN.repeat(9) + ENGLISH)).map(LanguageGuess::code).contains("de");
    }

    @Test
    void longTextsAreReadInPieces() {
        assertThat(languages.of("0123456789 ".repeat(1 << 18) + GERMAN.repeat(1 << 14))).map(LanguageGuess::code)
                .contains("de");
    }

    @Test
    void manyThreadsAskAtOnce() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            Callable<Optional<LanguageGuess>> ask = () -> {
                Optional<LanguageGuess> german = Optional.empty();
                for (int i = 0; i < 200; i++) {
                    languages.of(ENGLISH);
                    german = languages.of(GERMAN);
                }
                return german;
            };
            for (Future<Optional<LanguageGuess>> told : threads.invokeAll(java.util.Collections.nCopies(8, ask))) {
                assertThat(told.get()).contains(new LanguageGuess("de", 1));
            }
        }
    }

    @Test
    void itemsHoldTheLanguageOfTheirTextIfTheCrawlAsksForIt() {
        String html = "<html lang=en><main><p>" + GERMAN + "</main>";
        String asked = "{\"extract\":{\"language\":true}}";
        assertThat(fields(html, asked)).containsEntry("lang", "en").containsEntry("detectedLanguage", "de")
                .containsEntry("languageConfidence", 1.0);
        assertThat(fields(html, "{}")).containsOnlyKeys("lang", "text");
        assertThat(fields("<p>Hi", asked)).containsOnlyKeys("text");
    }

    private static Map<String, Object> fields(String html, String definition) {
        return new Parsers(List.of(new HtmlParser(1_000)), 100).parse(
                new FetchedPage(Fixtures.page("http://example.org/", Map.of("content-type", "text/html; charset=utf-8"),
                        html.getBytes(StandardCharsets.UTF_8)), Fixtures.definition(definition)))
                .fields();
    }
}
