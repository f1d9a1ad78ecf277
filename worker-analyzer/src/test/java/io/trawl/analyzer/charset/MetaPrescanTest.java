package io.trawl.analyzer.charset;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.trawl.charset.WebCharset;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a parser of HTML: the declaration is that of the first {@code meta} element that has one. */
class MetaPrescanTest {
    private static final List<String> LABELS = List.of("koi8-r", "x-cp1250", "iso-8859-5", "no-such-charset");
    private static final List<String> PIECES = List.of("<meta charset=%s>", "<META CharSet='%s' >",
            "<meta\tcharset = \"%s\"/>", "<meta http-equiv=content-type content='text/html; charset=%s'>",
            "<meta content=\"text/html;CharSet = %s;x\" HTTP-EQUIV='Content-Type'>",
            "<meta http-equiv=\"Content-Type\" content=\"text/html\">",
            "<meta name=description content='How to set charset=%s in a page'>",
            "<meta http-equiv=refresh content='0; url=?charset=%s'>", "<!-- <meta charset=%s> -->",
            "<script>x='<meta charset=%s>'</script>", "<style><meta charset=%s></style>",
            "<title><meta charset=%s></title>", "<link href='?a>b&charset=%s'>", "<meta name=charset content=%s>",
            "<meta charset=%s charset=utf-8>", "\n", "<p title='<meta charset=%s>'>x</p>",
            "<meta data-x=1 charset=\"%s\" name=y>", "text < 3 &amp; ");

    @Provide
    Arbitrary<String> documents() {
        Arbitrary<String> piece = Arbitraries.of(PIECES).flatMap(text -> Arbitraries.of(LABELS).map(text::formatted));
        return piece.list().ofMaxSize(8).map(parts -> String.join("", parts));
    }

    private static Optional<Charset> declared(String document) {
        byte[] bytes = document.getBytes(ISO_8859_1);
        return MetaPrescan.declared(bytes, bytes.length);
    }

    private static Optional<Charset> ofElement(Element meta) {
        if (meta.hasAttr("charset")) {
            return WebCharset.forLabel(meta.attr("charset"));
        }
        String content = meta.attr("http-equiv").equalsIgnoreCase("content-type") ? meta.attr("content") : "";
        int at = content.toLowerCase(java.util.Locale.ROOT).indexOf("charset");
        return at < 0
                ? Optional.empty()
                : WebCharset.forLabel(content.substring(at + 7).replaceFirst("^ *= *", "").split("[; ]")[0]);
    }

    @Property(tries = 3000)
    void theFirstMetaElementWithAKnownCharsetCounts(@ForAll("documents") String document) {
        Optional<Charset> first = Jsoup.parse(document).select("meta").stream().map(MetaPrescanTest::ofElement)
                .flatMap(Optional::stream).findFirst();
        assertThat(declared(document)).as(document).isEqualTo(first);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"<meta charset=utf-16>|UTF-8", "<meta charset=x-user-defined>|windows-1252",
            "<?xml version='1.0' encoding='koi8-r'?><meta charset=utf-8>|KOI8-R", "<!--><meta charset=koi8-r>|KOI8-R",
            "<?xml version='1.0' encoding='utf-16'?><p>|UTF-8",
            "<!-- > <meta charset=koi8-r> --><meta charset=iso-8859-5>|ISO-8859-5", "<meta charset='koi8-r>|",
            "<meta charset=koi8-r|KOI8-R", "<meta charset|",
            "<meta content='charset=koi8-r' http-equiv=content-type>|KOI8-R",
            "<meta http-equiv=content-type content=\"charset='koi8-r'\">|KOI8-R", "<metacharset=koi8-r>|",
            "</meta charset=koi8-r>|"})
    void oddDeclarationsAreReadAsTheStandardSays(String document, String charset) {
        assertThat(declared(document).map(Charset::name).orElse(null)).isEqualTo(charset);
    }

    @Test
    void anyBytesAreReadInLinearTime() {
        for (String part : List.of("<", "<meta ", "<meta charset=", "<!--", "<a b='", "<script>", "</", "<title",
                "<x y=", "--", "<meta charset=x ", "=")) {
            assertTimeoutPreemptively(Duration.ofSeconds(20),
                    () -> assertThat(declared(part.repeat(4_000_000 / part.length()))).isEmpty());
        }
    }
}
