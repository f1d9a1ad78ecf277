package io.trawl.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.charset.WebCharset;
import io.trawl.model.RefusalReason;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.Charset;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UrlNormalizerPropertiesTest {
    private static final String[] PIECES = {"http:", "https:", "HTTP:", "ftp:", "//", "/", "\\", "user:pw@",
            "example.org", "EXAMPLE", "bücher.de", "faß", "a_b", "xn--a", "127.0.0.1", "0x7f", "1", ".", "..", "[::1]",
            "[", "]", ":", ":80", ":443", ":8080", "?", "#", "%", "%2", "%2e", "%2F", "%41", "%c3%a9", "%zz", "a",
            "b c", "é", "日", "\ud83d\ude80", "\ud83d", "\t", "\n", " ", "\u0000", "\u00ad", "\u200d", "。", "&", "=",
            "+", ";", "@", "'", "\"", "<", "|", "^", "{", "~", "\u0130", "ß", "Σ", "\u2100", "\u0301"};

    /** Texts of URL fragments in any order, most of them after the beginning of a URL. */
    @Provide
    Arbitrary<String> urls() {
        Arbitrary<String> rest = Arbitraries.of(PIECES).list().ofMaxSize(12).map(l -> String.join("", l));
        Arbitrary<String> begin = Arbitraries.of("https://example.org/", "http://example.org", "https://",
                "http://a.b/", "");
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
    void resolvingANormalFormAgainstAnyBaseReturnsItUnchanged(@ForAll("urls") String url,
            @ForAll("urls") String other) {
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

    @Property(tries = 5_000)
    void theQueryOfALinkIsInTheCharsetOfItsPageAndNothingElseIs(@ForAll("queries") String query,
            @ForAll("charsets") String label, @ForAll("beginnings") String begin) {
        Charset charset = WebCharset.forLabel(label).orElseThrow();
        NormalUrl base = new NormalUrl("http://a.org/");
        String url = ((NormalUrl) BaseUrl.of(base, charset).resolve(begin + query + "?" + query + "#" + query)).text();
        assertThat(url).matches("https?://[ab][.]org/%C3%A9/.*");
        assertThat(UrlNormalizer.normalize(url)).as("a normal form").isEqualTo(new NormalUrl(url));
        StringBuilder expected = new StringBuilder();
        query.codePoints().forEach(c -> {
            // Half a surrogate pair is no character.
            int character = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c;
            String text = Character.toString(character);
            expected.append(charset.newEncoder().canEncode(text) ? text : "&#" + character + ";");
        });
        assertThat(new String(bytes(url.substring(url.indexOf('?') + 1)), charset)).isEqualTo(expected.toString());
        String utf8 = ((NormalUrl) BaseUrl.of(base).resolve(begin + query)).text();
        assertThat(url.substring(0, url.indexOf('?'))).isEqualTo(utf8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"utf-8", "utf-16le", "utf-16be", "hz-gb-2312"})
    void theQueryOfALinkIsInUtf8WhereThePageHasNoOtherCharsetForIt(String label) {
        assertThat(BaseUrl.of(new NormalUrl("http://a.org/"), WebCharset.forLabel(label).orElseThrow()).resolve("?q=é"))
                .isEqualTo(new NormalUrl("http://a.org/?q=%C3%A9"));
    }

    /** Of references in all forms. */
    @Provide
    Arbitrary<String> beginnings() {
        return Arbitraries.of("é/", "/é/", "//b.org/é/", "http:é/", "http:/é/", "http://b.org/é/", "https://b.org/é/");
    }

    private static byte[] bytes(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < encoded.length(); i++) {
            boolean escape = encoded.charAt(i) == '%';
            bytes.write(escape ? Integer.parseInt(encoded, i + 1, i + 3, 16) : encoded.charAt(i));
            i += escape ? 2 : 0;
        }
        return bytes.toByteArray();
    }

    /** Without what URLs, or the standard in these charsets, write as something else. */
    @Provide
    Arbitrary<String> queries() {
        return Arbitraries.of("a", "中", "文", "д", "日本", "é", "♥", "😀", "恒", "①", "ア", "ｱ", "€", "漢", "\ud83d").list()
                .ofMaxSize(6).map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<String> charsets() {
        return Arbitraries.of("gb2312", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr", "windows-1251",
                "windows-1252", "iso-8859-2", "koi8-r", "utf-8");
    }

    @Property(tries = 5_000)
    void theFragmentOfAReferenceIsKeptInAUrlThatIsData(@ForAll("urls") String reference) {
        String fragment = UrlNormalizer.fragment(reference);
        if (UrlNormalizer.resolve("http://a.org/", reference) instanceof NormalUrl normal) {
            assertThat(URI.create(normal.text() + fragment).getRawFragment())
                    .isEqualTo(fragment.isEmpty() ? null : fragment.substring(1));
            assertThat(UrlNormalizer.normalize(normal.text() + fragment)).isEqualTo(normal);
            assertThat(UrlNormalizer.fragment(fragment)).isEqualTo(fragment);
        }
    }
}
