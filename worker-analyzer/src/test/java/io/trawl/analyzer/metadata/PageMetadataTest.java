package io.trawl.analyzer.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.extract.HtmlParser;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.Parsers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages were fetched on 2026-01-02. */
class PageMetadataTest {
    private static final String URL = "http://example.org/dir/a";
    private final Parsers parsers = new Parsers(List.of(new HtmlParser(1_000_000)), 10_000);
    private final WrittenDates dates = new WrittenDates();

    private Map<String, Object> fields(String html) {
        ParsedPage page = parsers.parse(Fixtures.html(URL, html));
        assertThat(page.errors()).isEmpty();
        return page.fields();
    }

    private static String linked(String json) {
        return "<script type=\"application/ld+json\">" + json + "</script>";
    }

    @Test
    void linkedDataIsTrustedBeforeOpenGraphAndThatBeforeMicrodataMetaAndTheVisiblePage() {
        String visible = "<h1>x</h1><p class=byline>By Visible Author<time datetime=2025-05-05>5 May</time></p>";
        String meta = "<meta name=author content='Meta Author'><meta name=date content=2025-04-04>";
        String microdata = "<div itemscope itemtype=https://schema.org/Article><span itemprop=author>Micro Author</span>"
                + "<meta itemprop=datePublished content=2025-03-03></div>";
        String open = "<meta property=article:author content='Open Author'>"
                + "<meta property=article:published_time content=2025-02-02>";
        String linked = linked(
                "{'@type':'NewsArticle','author':{'@type':'Person','name':'Linked Author'},'datePublished':'2025-01-01'}");
        String all = visible + meta + microdata + open + linked;
        assertThat(fields(all)).containsEntry("author", "Linked Author").containsEntry("published", "2025-01-01");
        assertThat(fields(visible + meta + microdata + open)).containsEntry("author", "Open Author")
                .containsEntry("published", "2025-02-02").containsEntry("pageType", "article");
        assertThat(fields(visible + meta + microdata)).containsEntry("author", "Micro Author")
                .containsEntry("published", "2025-03-03");
        assertThat(fields(visible + meta)).containsEntry("author", "Meta Author").containsEntry("published",
                "2025-04-04");
        assertThat(fields(visible)).containsEntry("author", "Visible Author").containsEntry("published", "2025-05-05");
    }

    @Test
    void aGraphOfLinkedDataIsReadWithItsReferences() {
        assertThat(fields(linked("""
                {"@context":"https://schema.org","@graph":[
                {"@type":["WebPage","ItemPage"],"@id":"#page","datePublished":"2019-01-01T00:00:00Z"},
                {"@type":"WebSite","name":"The Site"},
                {"@type":"BlogPosting","author":[{"@id":"#anna"},{"@type":"Person","name":"Ben B."}],
                 "datePublished":"2025-03-04T22:00:00-05:00","dateModified":"2025-03-06 10:00",
                 "image":{"@type":"ImageObject","url":"/i/1.png"}},
                {"@type":"Person","@id":"#anna","name":"Anna A."},
                {"@type":"BreadcrumbList","name":"none"}]}"""))).containsEntry("author", "Anna A., Ben B.")
                .containsEntry("published", "2025-03-05T03:00:00.000Z").containsEntry("modified", "2025-03-06")
                .containsEntry("siteName", "The Site").containsEntry("pageType", "article")
                .containsEntry("image", "http://example.org/i/1.png");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{\"@type\":\"Product\",\"author\":\"Ann\",},]",
            "/* x */ {\"@type\":\"Product\",\"author\":\"Ann\"}",
            "//<![CDATA[\n{\"@type\":\"Product\",\"author\":\"Ann\"}\n//]]>",
            "<!-- {\"@type\":\"Product\",\"author\":\"Ann\"} -->",
            "{\"@type\":\"Product\",\"author\":\"Ann\",\"description\":\"two\nlines\"}",
            "{\"@type\":\"Product\",\"author\":\"Ann\",\"description\":\"a \"quoted\" word\"}",
            "{\"@type\":\"Product\",\"author\":\"Ann\",\"offers\":[{\"price\":", "{'@type':'Product',author:'Ann'}",
            "{\"@type\":\"http://schema.org/Product\",\"author\":[null,{},{\"name\":[\"Ann\"]}]}"})
    void brokenLinkedDataIsReadAsFarAsItCanBe(String json) {
        assertThat(fields(linked(json))).containsEntry("pageType", "product").containsEntry("author", "Ann");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "\"text\"", "{", "[[[[", "{\"@type\":7,\"author\":7}", "}{",
            "{\"@graph\":{}}", "{\"author\":\"who has no type\"}"})
    void linkedDataThatSaysNothingGivesNothing(String json) {
        assertThat(fields(linked(json))).containsOnlyKeys("text");
    }

    @Test
    void aPageOfManyProductsIsACollectionAndHasTheAuthorOfNone() {
        String product = "{\"@type\":\"Product\",\"name\":\"%s\",\"author\":\"Ann\"}";
        assertThat(fields(linked(
                "[" + product.formatted("a") + "," + product.formatted("b") + "," + product.formatted("c") + "]")))
                .containsEntry("pageType", "collection").doesNotContainKey("author");
    }

    @Test
    void hostileLinkedDataCostsLittle() {
        String deep = "[".repeat(200_000);
        String wide = "{\"@type\":\"Article\",\"a\":[" + "{},".repeat(150_000) + "{}]}";
        String long_ = "{\"@type\":\"Article\",\"name\":\"" + "x".repeat(3 << 20) + "\"}";
        String names = "{\"@type\":\"Article\",\"author\":[" + "{\"name\":\"n\"},".repeat(30_000) + "{}]}";
        String html = linked(deep) + linked(wide) + linked(long_) + linked(names).repeat(20)
                + "<div class=author>".repeat(20_000) + "<p class=date>2025</p>".repeat(20_000);
        assertThat(Assertions.assertTimeoutPreemptively(Duration.ofSeconds(10), () -> fields(html)))
                .doesNotContainKey("published");
    }

    @Test
    void whatStandsInCommentsAndTheFrameIsOfOthers() {
        assertThat(fields("<h1>x</h1>" + "<p>text</p>".repeat(50)
                + "<aside><time datetime=2025-01-01>1</time></aside><div id=comments><b class=author>Ann</b>"
                + "<time datetime=2025-01-02>2</time></div><footer><span class=date>2025-01-03</span></footer>"))
                .doesNotContainKeys("author", "published");
    }

    @ParameterizedTest
    @ValueSource(strings = {"main--withSidebar", "has-sidebar", "elementor-widget"})
    void whatStandsInABoxThatIsNamedAfterWhatIsBesideItIsOfThePage(String name) {
        String page = "<div class=" + name + "><b class=author>Ann</b></div>";
        assertThat(fields(page)).containsEntry("author", "Ann");
        assertThat(fields(page.replace(name, "sidebar"))).doesNotContainKey("author");
        assertThat(fields(page.replace(name, "widget"))).doesNotContainKey("author");
        assertThat(fields(page.replace(name, "widget").replace("<b", "<h1>x</h1><b"))).containsEntry("author", "Ann");
    }

    @Test
    void theDataOfACardIsAnAuthorIfItsLabelSaysSo() {
        String page = "<meta name=twitter:label1 content='%s'><meta name=twitter:data1 content='Ann &amp;amp; Ben'>";
        assertThat(fields(page.formatted("Geschrieben von"))).containsEntry("author", "Ann & Ben");
        assertThat(fields(page.formatted("Written by"))).containsEntry("author", "Ann & Ben");
        assertThat(fields(page.formatted("Time to read"))).doesNotContainKey("author");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"By Ann Lee | ann lee", "by: Ann Lee · 3 min read | ann lee",
            "Von Änne Öhm | änne öhm", "Written by Ann Lee on March 3 | ann lee", "Ann Lee, | ann lee",
            "https://example.org/ann |", "ann@example.org |", "12 |", "By |"})
    void anAuthorIsANameWithoutTheWordsAroundIt(String written, String author) {
        assertThat(Optional.ofNullable(fields("<meta name=author content='" + written + "'>").get("author"))
                .map(name -> name.toString().toLowerCase(java.util.Locale.ROOT)))
                .isEqualTo(Optional.ofNullable(author));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"en|March 4, 2025|2025-03-04", "en|Tue 4th of March 2025 at 10:00|2025-03-04",
            "de|4. März 2025|2025-03-04", "fr|4 mars 2025|2025-03-04", "es|4 de marzo de 2025|2025-03-04",
            "it|4 marzo 2025|2025-03-04", "pt-BR|4 de março de 2025|2025-03-04", "nl|4 maart 2025|2025-03-04",
            "sv|4 mars 2025|2025-03-04", "da|4. marts 2025|2025-03-04", "no|4. mars 2025|2025-03-04",
            "fi|4. maaliskuuta 2025|2025-03-04", "pl|4 marca 2025|2025-03-04", "cs|4. března 2025|2025-03-04",
            "sk|4. marca 2025|2025-03-04", "hu|2025. március 4.|2025-03-04", "ro|4 martie 2025|2025-03-04",
            "ru|4 марта 2025 г.|2025-03-04", "uk|4 березня 2025 р.|2025-03-04", "el|4 Μαρτίου 2025|2025-03-04",
            "tr|4 Mart 2025|2025-03-04", "ja|2025年3月4日|2025-03-04", "ko|2025년 3월 4일|2025-03-04",
            "''|4 Mai 2025|2025-05-04", "pl|1 listopada 2024|2024-11-01", "''|1 listopada 2024|2024-11-01",
            "de|Stand: 04.03.2025|2025-03-04", "en|03/24/2025|2025-03-24", "en-US|03/04/2025|2025-03-04",
            "fr|03/04/2025|2025-04-03", "en|03/04/2025|",
            "en|2025-03-04T05:06:07.891234+02:00|2025-03-04T03:06:07.000Z", "en|2025-03-04T05:06|2025-03-04",
            "en|20250304|2025-03-04", "en|2025-02-30|", "en|1989-12-31|", "en|2026-01-03|2026-01-03", "en|2026-01-04|",
            "en|soon|", "en|2025|", "en|March 2025|", "en|Tue, 04 Mar 2025 10:00:00 GMT|2025-03-04T10:00:00.000Z"})
    void aDateIsReadInItsLanguageOrLeftOut(String language, String written, String date) {
        assertThat(dates.read(written, language, Instant.parse("2026-01-02T03:04:05Z")))
                .isEqualTo(Optional.ofNullable(date));
    }
}
