package io.trawl.analyzer.charset;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.extract.HtmlParser;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.analyzer.sitemap.SitemapParser;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text is decoded correctly even if the page declares no charset or a wrong one. */
class CharsetTest {
    @ParameterizedTest(name = "{4}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "text/html; charset=utf-8 | | utf-8 | Zürich €99 | declared by the header, correctly",
            "text/html; charset=\"windows-1251\" | | windows-1251 | Привет, мир | declared by the header, in quotes",
            "text/html;charset='Shift_JIS' | | windows-31j | 日本語 | a label that Java maps elsewhere",
            "text/html; charset=gb2312 | | gb18030 | 汉字漢字 | GB2312 means its superset",
            "text/html | <meta charset=koi8-r> | koi8-r | Привет | declared by a meta element",
            "text/html | <META HTTP-EQUIV='Content-Type' CONTENT='text/html; CHARSET=ISO-8859-2'> | iso-8859-2 | Łódź | declared by an http-equiv",
            "text/html | <!-- <meta charset=koi8-r> --><meta charset=utf-8> | utf-8 | Łódź | a comment does not count",
            "application/xhtml+xml | <?xml version='1.0' encoding='iso-8859-15'?> | iso-8859-15 | 5 € é | declared by the XML declaration",
            "text/html; charset=utf-8 | <meta charset=koi8-r> | utf-8 | Łódź | the header wins over the document",
            "text/html | | utf-8 | Zürich €99 | not declared, UTF-8",
            "text/html | | windows-1252 | Zürich €99 | not declared, Latin",
            "text/html; charset=no-such-charset | | utf-8 | Zürich €99 | an unknown name, UTF-8",
            "text/html; charset=no-such-charset | | windows-1252 | Zürich €99 | an unknown name, Latin",
            "text/html; charset=no-such-charset | <meta charset=koi8-r> | koi8-r | Привет | an unknown name in the header, a known one in the document",
            "text/html; charset=?? | | utf-8 | Zürich | an impossible name",
            "text/html; charset=utf-8 | | windows-1252 | Zürich für größte Gäste | declared as UTF-8, actually Latin",
            "text/html; charset=iso-8859-1 | | utf-8 | Zürich €99 | declared as Latin, actually UTF-8",
            "text/html; charset=iso-8859-1 | | windows-1252 | 99 € – “so” | Latin-1 means windows-1252",
            "text/html; charset=iso-8859-1 | | windows-1252 | Ñúåøü æå åù¸ ýòèõ ìÿãêèõ ôðàíöóçñêèõ áóëîê | no guess overrules Latin-1",
            "text/html | <meta charset=iso-8859-1> | windows-1252 | Ñúåøü æå åù¸ ýòèõ ìÿãêèõ ôðàíöóçñêèõ áóëîê | nor that of a document",
            "text/html; charset=utf-8 | <meta charset=koi8-r> | koi8-r | Мир | the document counts before a guess",
            "text/html; charset=utf-8 | <meta charset=utf-8> | windows-1252 | Zürich für größte Gäste | both are wrong",
            "text/html | | windows-1252 | Übergröße | a few characters are Latin",
            "text/html | | windows-1252 | àéè | a few others, too",
            "text/html | <meta charSet=\"windows-1250\"/> | windows-1250 | Zażółć gęślą jaźń | in any case",
            "text/html; charset=utf-8 | <meta charset=gb2312> | gb18030 | 公共资源交易中心公告 | the header is wrong, the document is right",
            "text/html | <meta charset=korean> | x-windows-949 | 한국어 문서 | a label that is no name of Java",
            "text/html | <meta charset=gb_2312-80> | gb18030 | 联系我们 | a known label is not overruled by a guess",
            "text/html; charset=x-cp1250 | | windows-1250 | pchnąć w tę łódź jeża | a label of the header",
            "text/html | <meta name=description content='set charset=big5'><meta charset=windows-1250> | windows-1250 | Łódź jeża | within another meta it is none",
            "text/html | <meta charset=utf-16> | utf-8 | Zürich | UTF-16 in a declaration that was read as ASCII"})
    void textIsDecodedCorrectly(String contentType, String head, String encoding, String text, String why) {
        String html = (head == null ? "" : head) + "<p>" + text;
        FetchedPage page = new FetchedPage(Fixtures.page("http://example.org/", Map.of("content-type", contentType),
                html.getBytes(Charset.forName(encoding))), Fixtures.definition("{}"));
        assertThat(page.text()).as(why).endsWith("<p>" + text);
    }

    @Test
    void aDeclarationFarBehindTheBeginningCountsForBytesThatAreNotUtf8() {
        String head = "<html><head><script>" + "var a='<meta charset=koi8-r>';".repeat(2000)
                + "</script><meta charset=windows-1250></head><p>";
        String text = "Zażółć gęślą jaźń, pchnąć w tę łódź jeża";
        for (String charset : List.of("windows-1250", "utf-8")) {
            FetchedPage page = new FetchedPage(Fixtures.page("http://example.org/", Map.of("content-type", "text/html"),
                    (head + text).getBytes(Charset.forName(charset))), Fixtures.definition("{}"));
            assertThat(page.text()).as(charset).endsWith("<p>" + text);
        }
    }

    @Test
    void aPageOfAsciiHasTheCharsetThatItDeclaresSinceItsLinksAreWrittenInIt() {
        FetchedPage page = new FetchedPage(
                Fixtures.page("http://example.org/", Map.of("content-type", "text/html; charset=iso-8859-1"),
                        "<a href='/s?q=&eacute;'>".getBytes(StandardCharsets.UTF_8)),
                Fixtures.definition("{}"));
        assertThat(page.charset().name()).isEqualTo("windows-1252");
        assertThat(page.resolve(page.url(), "/é?q=é♥#é")).contains("http://example.org/%C3%A9?q=%E9%26%239829%3B");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"<a href='/д?q=д#д'>|http://example.org/%D0%B4?q=%E4",
            "<base href=/b/><a href='c?q=&#1076;&hearts;'>|http://example.org/b/c?q=%E4%26%239829%3B",
            "<base href='http://b.org/?x=д'><a href='?q=д&eacute;'>|http://b.org/?q=%E4%26%23233%3B",
            "<a href='https://b.org/д?q=д'>|https://b.org/%D0%B4?q=%E4"})
    void theQueriesOfTheLinksOfAPageAreInItsCharset(String html, String url) {
        assertThat(links(Fixtures.page("http://example.org/", Map.of("content-type", "text/html; charset=windows-1251"),
                html.getBytes(Charset.forName("windows-1251"))))).containsExactly(url);
    }

    /** The standard of sitemaps says so. */
    @Test
    void theQueriesOfTheUrlsOfASitemapAreInUtf8InAnyCharset() {
        String xml = "<?xml version='1.0' encoding='windows-1251'?><urlset><url><loc>http://example.org/д?q=д</loc></url></urlset>";
        assertThat(
                links(Fixtures.response(
                        Fixtures.request("http://example.org/sitemap.xml", 0,
                                FetchOptions.ofSource(FetchOptions.SITEMAP)),
                        new Outcome.Success(200, false), Map.of("content-type", "application/xml"),
                        xml.getBytes(Charset.forName("windows-1251")))))
                .containsExactly("http://example.org/%D0%B4?q=%D0%B4");
    }

    private static List<String> links(Response response) {
        return new Parsers(List.of(new HtmlParser(1_000), new SitemapParser()), 100)
                .parse(new FetchedPage(response, Fixtures.definition("{}"))).links().orElseThrow().stream()
                .map(link -> link.url().text()).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"windows-1251 | Съешь же ещё этих мягких французских булок, да выпей чаю.",
            "windows-1251 | Все люди рождаются свободными и равными в своем достоинстве и правах.",
            "koi8-r | Съешь же ещё этих мягких французских булок, да выпей чаю.",
            "shift_jis | いろはにほへと ちりぬるを わかよたれそ つねならむ", "euc-jp | いろはにほへと ちりぬるを わかよたれそ つねならむ",
            "gb18030 | 人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心。", "big5 | 人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心。",
            "windows-1253 | Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, όλοι οι άνθρωποι γεννιούνται ελεύθεροι",
            "windows-1255 | כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם",
            "windows-1252 | Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich, fröhlich und müßig, schön für Gäste",
            "windows-1252 | Dès Noël, où un zéphyr haï me vêt de glaçons würmiens, je dîne d’exquis rôtis de bœuf à l’aÿ d’âge mûr",
            "windows-1252 | El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia y frío; añoraba a su querido cachorro. ¿Qué? ¡Así!"})
    void aCharsetThatIsNotDeclaredIsDetected(String charset, String text) {
        String html = "<html><head><title>x</title></head><body class=a>" + "<div><a href=/>menu</a></div>".repeat(50)
                + "<p>" + text;
        for (String declared : List.of("text/html", "text/html; charset=utf-8", "text/html; charset=nonsense")) {
            FetchedPage page = new FetchedPage(Fixtures.page("http://example.org/", Map.of("content-type", declared),
                    html.getBytes(Charset.forName(charset))), Fixtures.definition("{}"));
            assertThat(page.text()).as(declared).endsWith("<p>" + text);
        }
    }

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void detectionReadsABoundedPart() {
        byte[] body = new byte[32 << 20];
        new java.util.Random(1).nextBytes(body);
        body[0] = 'x';
        assertThat(CharsetGuess.of(body)).isNotNull();
        Arrays.fill(body, 0, body.length - 8, (byte) 'x');
        assertThat(CharsetGuess.of(body)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"UTF-8", "UTF-16LE", "UTF-16BE"})
    void aByteOrderMarkTakesPrecedenceOverAllDeclarations(String charset) {
        byte[] html = ("\uFEFF<p>Łódź").getBytes(Charset.forName(charset));
        FetchedPage page = new FetchedPage(
                Fixtures.page("http://example.org/", Map.of("content-type", "text/html; charset=koi8-r"), html),
                Fixtures.definition("{}"));
        assertThat(page.text()).isEqualTo("<p>Łódź");
        assertThat(page.charset()).isEqualTo(Charset.forName(charset));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
    void anXmlDeclarationInUtf16TellsItsOrderWithoutAByteOrderMark(String charset) {
        String xml = "<?xml version='1.0' encoding='utf-16'?><p>Łódź";
        FetchedPage page = new FetchedPage(Fixtures.page("http://example.org/",
                Map.of("content-type", "application/xhtml+xml"), xml.getBytes(Charset.forName(charset))),
                Fixtures.definition("{}"));
        assertThat(page.text()).isEqualTo(xml);
        assertThat(page.charset()).isEqualTo(Charset.forName(charset));
    }

    @Test
    void theCharacterThatStandsForABrokenOneIsNoBrokenByte() {
        FetchedPage page = new FetchedPage(
                Fixtures.page("http://example.org/", Map.of(), "caf\uFFFD".getBytes(StandardCharsets.UTF_8)),
                Fixtures.definition("{}"));
        assertThat(page.text()).isEqualTo("caf\uFFFD");
    }

    @Test
    void oneBrokenByteDoesNotMakeAPageLatin() {
        byte[] html = "Łódź i Kraków <meta charset=koi8-r>, cut in ź".getBytes(StandardCharsets.UTF_8);
        for (Map<String, String> headers : List.of(Map.<String, String>of(),
                Map.of("content-type", "text/html; charset=utf-8"))) {
            byte[] sent = headers.isEmpty() ? "Łódź i Kraków, cut in ź".getBytes(StandardCharsets.UTF_8) : html;
            FetchedPage page = new FetchedPage(
                    Fixtures.page("http://example.org/", headers, Arrays.copyOf(sent, sent.length - 1)),
                    Fixtures.definition("{}"));
            assertThat(page.text()).startsWith("Łódź i Kraków");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html; charset=", "charset", "text/html;charset='"})
    @Timeout(value = 5, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aHeaderOfAnyLengthIsReadInLinearTime(String begin) {
        byte[] html = ("<meta charset=" + " ".repeat(4_000)).getBytes(StandardCharsets.UTF_8);
        for (String again : List.of(" ", "charset= ", ";", "\"", "/")) {
            FetchedPage page = new FetchedPage(
                    Fixtures.page("http://example.org/", Map.of("content-type", begin + again.repeat(1 << 17)), html),
                    Fixtures.definition("{}"));
            assertThat(page.text()).startsWith("<meta");
            assertThat(page.contentType()).isEqualTo("text/html");
        }
    }
}
