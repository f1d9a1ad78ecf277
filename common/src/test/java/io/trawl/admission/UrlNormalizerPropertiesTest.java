package io.trawl.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.model.RefusalReason;
import java.net.URI;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class UrlNormalizerPropertiesTest {
    private static final String[] PIECES = {"http:", "https:", "HTTP:", "ftp:", "//", "/", "\\", "user:pw@", "example.org",
            "EXAMPLE", "bücher.de", "faß", "a_b",
            "xn--a", "127.0.0.1", "0x7f", "1", ".", "..", "[::1]", "[", "]", ":", ":80", ":443", ":8080", "?", "#", "%", "%2",
            "%2e", "%2F", "%41", "%c3%a9",
            "%zz", "a", "b c", "é", "日", "\ud83d\ude80", "\ud83d", "\t", "\n", " ", "\u0000", "\u00ad", "\u200d", "。", "&", "=",
            "+", ";", "@", "'", "\"", "<",
            "|", "^", "{", "~", "\u0130", "ß", "Σ", "\u2100", "\u0301"};

    /** Texts of URL fragments in any order, most of them after the beginning of a URL. */
    @Provide
    Arbitrary<String> urls() {
        Arbitrary<String> rest = Arbitraries.of(PIECES).list().ofMaxSize(12).map(l -> String.join("", l));
        Arbitrary<String> begin = Arbitraries.of("https://example.org/", "http://example.org", "https://", "http://a.b/", "");
        return begin.flatMap(b -> rest.map(r -> b + r));
    }

    @Provide
    Arbitrary<String> anything() {
        return Arbitraries.oneOf(urls(), Arbitraries.strings().ofMaxLength(40));
    }

    @Property(tries = 20_000)
    void normalisingTwiceChangesNothing(@ForAll("urls") String url) {
        if (UrlNormalizer.normalize(url) instanceof NormalUrl normal) {
            assertThat(UrlNormalizer.normalize(normal.text())).isEqualTo(normal);
            assertThat(UrlParser.absolute(normal.text())).isEqualTo(normal);
        }
    }

    @Property(tries = 20_000)
    void theFastPathAndTheParserGiveTheSameResult(@ForAll("urls") String url) {
        assertThat(UrlNormalizer.normalize(url)).isEqualTo(UrlParser.absolute(url));
    }

    @Property(tries = 20_000)
    void resolvingANormalFormAgainstAnyBaseReturnsItUnchanged(@ForAll("urls") String url, @ForAll("urls") String other) {
        if (UrlNormalizer.normalize(url) instanceof NormalUrl normal
                && UrlNormalizer.normalize(other) instanceof NormalUrl base) {
            assertThat(BaseUrl.of(base).resolve(normal.text())).isEqualTo(normal);
            assertThat(UrlParser.relative(BaseUrl.of(base), normal.text())).isEqualTo(normal);
        }
    }

    @Property(tries = 20_000)
    void javaNetUriParsesEveryResultAndItIsAscii(@ForAll("urls") String base, @ForAll("anything") String reference) {
        if (UrlNormalizer.resolve(base, reference) instanceof NormalUrl normal) {
            URI uri = URI.create(normal.text());
            assertThat(uri.getScheme()).matches("https?");
            assertThat(uri.getRawAuthority()).doesNotContain("@")
                    .isEqualTo(uri.getRawAuthority().toLowerCase(java.util.Locale.ROOT));
            assertThat(uri.getRawPath()).startsWith("/").doesNotContain("/./", "/../");
            assertThat(uri.getRawFragment()).isNull();
            assertThat(normal.text().chars()).allMatch(c -> c > ' ' && c < 127);
            assertThat(UrlNormalizer.normalize(normal.text())).isEqualTo(normal);
        }
    }

    @Property(tries = 20_000)
    void theNormalizerNeverThrows(@ForAll("anything") String base, @ForAll("anything") String reference) {
        assertThat(UrlNormalizer.resolve(base, reference)).isNotNull();
        assertThat(UrlNormalizer.shown(reference)).isNotNull();
    }

    @Property
    void aRefusalIsOneOfThree(@ForAll("anything") String url) {
        if (UrlNormalizer.normalize(url) instanceof Refusal refusal) {
            assertThat(refusal.reason()).isIn(RefusalReason.NO_URL, RefusalReason.BAD_URL, RefusalReason.SCHEME);
        }
    }
}
