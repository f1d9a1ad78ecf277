package io.trawl.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.model.RefusalReason;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlNormalizerTest {
    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9a-f]{4})");

    /** The table writes some characters as {@code \}{@code uXXXX}; a base of {@code -} means none. */
    @ParameterizedTest(name = "[{index}] {3}: {0}")
    @CsvFileSource(resources = "urls.csv", numLinesToSkip = 1, maxCharsPerColumn = 4096)
    void everyRowOfTheTableHolds(String input, String base, String expected, String why) {
        String url = unescaped(input);
        Normalized result = base.equals("-") ? UrlNormalizer.normalize(url) : UrlNormalizer.resolve(base, url);
        assertThat(text(result)).as(why).isEqualTo(expected);
        if (result instanceof NormalUrl normal) {
            assertThat(UrlNormalizer.normalize(normal.text())).as("twice").isEqualTo(normal);
            assertThat(UrlParser.absolute(normal.text())).as("without the fast path").isEqualTo(normal);
            assertThat(URI.create(normal.text()).getRawAuthority()).as("as java.net.URI").isNotEmpty();
        }
    }

    private static String text(Normalized result) {
        return switch (result) {
            case NormalUrl url -> url.text();
            case Refusal refusal -> refusal.reason().name();
        };
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text)
                .replaceAll(m -> Matcher.quoteReplacement(Character.toString((char) Integer.parseInt(m.group(1), 16))));
    }

    @Test
    void aNormalFormIsNotCopied() {
        String url = "https://example.org/a/b?c=%C3%A9";
        assertThat(UrlNormalizer.normalize(url)).isEqualTo(new NormalUrl(url));
        assertThat(((NormalUrl) UrlNormalizer.normalize(url)).text()).isSameAs(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://joe:hunter2@exa mple.org/", "https://joe:hunter2@example.org:99999/",
            "https://joe:hunter2/x@example.org/", "https://joe:hunter2@/"})
    void noCauseShowsAPassword(String url) {
        assertThat(UrlNormalizer.normalize(url)).isInstanceOfSatisfying(Refusal.class, r -> {
            assertThat(r.reason()).isEqualTo(RefusalReason.BAD_URL);
            assertThat(r.cause()).doesNotContain("joe", "hunter2");
        });
    }

    @Test
    void aShownUrlHasNoPasswordNoControlCharactersAndLimitedLength() {
        assertThat(UrlNormalizer.shown("https://joe:hunter2@exa mple.org/a@b")).isEqualTo("https://exa mple.org/a@b");
        assertThat(UrlNormalizer.shown("//joe:hunter2@x")).isEqualTo("//x");
        assertThat(UrlNormalizer.shown("mailto:joe@example.org\n\u001b[31m")).isEqualTo("mailto:joe@example.org  [31m");
        assertThat(UrlNormalizer.shown("x".repeat(5000))).hasSize(301);
        assertThat(UrlNormalizer.shown("")).isEmpty();
    }

    @Test
    void aHugeHostIsRefusedWithoutEncodingIt() {
        assertThat(UrlNormalizer.normalize("https://" + "ü".repeat(2_000_000) + "/")).isInstanceOf(Refusal.class);
    }
}
