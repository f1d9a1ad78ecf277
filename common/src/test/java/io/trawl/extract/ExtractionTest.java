package io.trawl.extract;

import io.trawl.extract.rule.ItemRule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.trawl.codec.Json;
import io.trawl.extract.Extraction.ExtractedItems;
import io.trawl.extract.Extraction.LeftOut;
import io.trawl.extract.Extraction.TypedItem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtractionTest {
    private static final FixedPage LIBRARY = new FixedPage("https://docs.example.org/3/library/os.html", "text/html",
            """
                    <!doctype html><html lang=en><head><title>os</title><base href="/base/"></head><body>
                    <section id=files><h2>Files</h2>
                    <dl class="py function"><dt class=sig id=os.chdir><code class=descname>os.chdir</code>(<em>path</em>)<a class=headerlink href="#os.chdir">¶</a></dt>
                    <dd><p>Change the directory. <span class=since>3.1</span></p></dd></dl>
                    <dl class="py function"><dt class=sig id=os.open><code class=descname>os.open</code>(<em>path</em>, <em>flags</em>)<a class=headerlink href="#os.open">¶</a></dt>
                    <dd><p>Open the file.</p></dd></dl>
                    <dl class="py function"><dt class=sig><em>broken</em></dt></dl>
                    </section></body></html>""",
            Map.of("server", "nginx"));

    private static final FixedPage SHOP = new FixedPage("https://shop.example.org/p/42?x=1", "text/html",
            """
                    <html lang=de><head><title>Kaffee</title>
                    <meta name=Author content="A. Writer"><meta property=article:published_time content="2026-01-02T03:04:05+01:00">
                    <meta property=og:title content="Kaffee, 1 kg"><meta property=og:image content="/i.png">
                    <script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
                      {"@type": "Product", "sku": "K-42", "offers": [{"price": 12.5, "priceCurrency": "EUR"}, {"price": "13,50"}]}]}</script>
                    <script type="application/ld+json">{broken</script>
                    <script id=state type="application/json">{"stock": {"left": 7}, "sizes": ["S", "M"]}</script></head><body>
                    <div itemscope><span itemprop="name brand">Bohne</span><meta itemprop=ratingValue content="4.5">
                    <time itemprop=validThrough datetime=2026-12-31>Silvester</time><a itemprop=url href=/p/42>hier</a></div>
                    <h1>Kaffee  <b>aus</b> Peru</h1><p class=price>1.234,56&nbsp;€</p><p class=old>ab 9,- €</p>
                    <ul><li class=tag> Bio </li><li class=tag>Fair</li><li class=tag></li></ul>
                    <p class=date>3. Januar 2026</p><p class=stock>Noch 1.200 Stück</p>
                    <div class=author><b>Ada</b><a href=/ada>mehr</a></div><img src=k.png></body></html>""",
            Map.of("server", "nginx"));

    private static Optional<Object> x(FixedPage page, String field) {
        ExtractedItems extracted = page.extract(Rules.field(field));
        assertThat(extracted.errors()).isEmpty();
        return extracted.items().stream().map(item -> item.fields().get("x")).findFirst();
    }

    /**
     * The one error that costs the item, and that with the same words leaves the field empty where the item may lack
     * it.
     */
    private static String error(FixedPage page, String field) {
        ExtractedItems lenient = page.extract(Rules.field(field));
        ExtractedItems extracted = page.extract(Rules.field(field.replaceAll("^'(.*)'$", "{'css': '$1'}")
                .replaceAll("\\{'(css|xpath)'", "{'onError': 'item', '$1'")));
        assertThat(extracted.items()).isEmpty();
        if (!field.contains("required")) {
            assertThat(lenient.items()).isEmpty();
            assertThat(lenient.errors()).isEmpty();
            assertThat(lenient.leftOut()).singleElement().extracting(LeftOut::cause).asString().startsWith(
                    extracted.errors().getFirst().replaceFirst("; t 1 of this page was left out$", "; left empty"));
        }
        assertThat(extracted.errors()).hasSize(1);
        return extracted.errors().getFirst();
    }

    @Test
    void thereIsAnItemForEachElementAndOneWithoutARequiredFieldIsAnErrorThatCostsItAlone() {
        ExtractedItems extracted = LIBRARY.extract("""
                {'type': 'function', 'match': '/3/library/**', 'each': 'dl.py.function', 'fields': {
                  'name': {'css': 'dt > code.descname', 'required': true},
                  'signature': {'css': 'dt', 'transform': ['trim', {'replace': ['¶', '']}]},
                  'link': {'css': 'a.headerlink', 'type': 'url'},
                  'arguments': {'css': 'em', 'list': true},
                  'since': {'css': '.since', 'type': 'number', 'default': 0}}}""");
        assertThat(extracted.items()).extracting(TypedItem::type, TypedItem::ordinal).containsExactly(
                org.assertj.core.groups.Tuple.tuple("function", 1), org.assertj.core.groups.Tuple.tuple("function", 2));
        assertThat(Json.text(extracted.items().getFirst().fields())).isEqualTo(
                "{\"name\":\"os.chdir\",\"signature\":\"os.chdir(path)\",\"link\":\"https://docs.example.org/base/#os.chdir\","
                        + "\"arguments\":[\"path\"],\"since\":3.1}");
        assertThat(extracted.items().getLast().fields()).contains(entry("arguments", List.of("path", "flags")),
                entry("since", 0));
        assertThat(extracted.errors())
                .containsExactly("extract.items[0].fields.name: '' is not valid: it is required, and the page"
                        + " has none; function 3 of this page was left out");
        assertThat(extracted.cut()).isFalse();
    }

    @Test
    void rulesApplyToThePagesOfTheirPatternInTheirOrderAndOrdinalsCountPerType() {
        ExtractedItems extracted = LIBRARY.extract(
                """
                        [{'type': 'a', 'match': '/2/**', 'fields': {'t': 'h2'}},
                         {'type': 'b', 'each': 'em', 'fields': {'t': 'em'}}, {'type': 'a', 'each': 'xpath://h2', 'fields': {'t': {'xpath': '.'}}},
                         {'type': 'b', 'match': 'docs.example.org', 'fields': {'t': 'h2', 'u': {'page': 'url'}}}]""");
        assertThat(extracted.items()).extracting(item -> item.type() + item.ordinal() + item.fields().get("t"))
                .containsExactly("b1path", "b2path", "b3flags", "b4broken", "a1Files", "b5Files");
    }

    @Test
    void aPageOrAnElementWithoutAnyFieldGivesNoItem() {
        ExtractedItems extracted = LIBRARY.extract("""
                [{'type': 'a', 'fields': {'t': '.none', 'd': {'css': '.none', 'default': 'x'}}},
                 {'type': 'b', 'each': '.none', 'fields': {'t': {'css': 'h2', 'required': true}}}]""");
        assertThat(extracted.items()).isEmpty();
        assertThat(extracted.errors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "'h1'                                                         | `\"Kaffee aus Peru\"`",
            "{'css': 'h1', 'type': 'html'}                                | `\"<h1>Kaffee <b>aus</b> Peru</h1>\"`",
            "{'css': 'img', 'attribute': 'src'}                           | `\"k.png\"`",
            "{'css': 'img', 'type': 'url'}                                | `\"https://shop.example.org/p/k.png\"`",
            "{'openGraph': 'image', 'type': 'url'}                        | `\"https://shop.example.org/i.png\"`",
            "{'openGraph': 'title'}                                       | `\"Kaffee, 1 kg\"`",
            "{'meta': 'author'}                                           | `\"A. Writer\"`",
            "{'meta': 'article:published_time', 'type': 'date'}           | `\"2026-01-02T02:04:05.000Z\"`",
            "{'header': 'Server'}                                         | `\"nginx\"`",
            "{'page': 'url', 'regex': '/p/([0-9]+)'}                      | `\"42\"`",
            "{'page': 'text'}                                             | `\"The main text.\"`",
            "{'page': 'title'}                                            | `\"A title\"`",
            "{'page': 'lang'}                                             | `\"en\"`",
            "{'page': 'contentType'}                                      | `\"text/html\"`",
            "{'page': 'author'}                                           | `\"A. Writer\"`",
            "{'page': 'date', 'type': 'date'}                             | `\"2026-01-02T02:04:05.000Z\"`",
            "{'jsonld': '/sku'}                                           | `\"K-42\"`",
            "{'jsonld': '$.offers[0].price', 'type': 'number', 'locale': 'de'}  | 12.5",
            "{'jsonld': '/offers/1/price', 'type': 'number', 'locale': 'de'}    | 13.5",
            "{'jsonld': '$..priceCurrency'}                               | `\"EUR\"`",
            "{'css': '#state', 'json': '/stock/left', 'type': 'number'}   | 7",
            "{'css': '#state', 'json': '/sizes', 'list': true}            | `[\"S\",\"M\"]`",
            "{'microdata': 'brand'}                                       | `\"Bohne\"`",
            "{'microdata': 'ratingValue', 'type': 'number'}               | 4.5",
            "{'microdata': 'validThrough', 'type': 'date'}                | `\"2026-12-31\"`",
            "{'microdata': 'url', 'type': 'url'}                          | `\"https://shop.example.org/p/42\"`",
            "{'xpath': 'count(//li)', 'type': 'number'}                   | 3",
            "{'xpath': '//li/@class'}                                     | `\"tag\"`",
            "{'xpath': '//h1/b/text()'}                                   | `\"aus\"`",
            "{'xpath': '//img', 'attribute': 'src'}                       | `\"k.png\"`",
            "{'regex': 'Noch ([0-9.]+)', 'type': 'number', 'locale': 'de'} | 1200",
            "{'css': '.price', 'type': 'money', 'locale': 'de'}           | `{\"amount\":1234.56,\"currency\":\"EUR\"}`",
            "{'css': '.old', 'regex': 'ab (.*)', 'type': 'money', 'locale': 'de'} | `{\"amount\":9,\"currency\":\"EUR\"}`",
            "{'css': '.date', 'type': 'date', 'formats': ['d. MMMM uuuu'], 'locale': 'de'} | `\"2026-01-03\"`",
            "{'css': '.tag', 'list': true}                                | `[\"Bio\",\"Fair\"]`",
            "{'css': '.tag', 'transform': [{'join': '; '}, 'lower']}      | `\"bio; fair; \"`",
            "{'css': '.stock', 'transform': ['upper', {'split': ' '}], 'list': true} | `[\"NOCH\",\"1.200\",\"STÜCK\"]`",
            "{'css': '.stock', 'transform': [{'replace': ['re:[^0-9]', '']}], 'type': 'number'} | 1200",
            "{'css': '.author', 'fields': {'name': 'b', 'url': {'css': 'a', 'type': 'url'}}} | `{\"name\":\"Ada\",\"url\":\"https://shop.example.org/ada\"}`",
            "{'fields': {'h': 'h1'}}                                      | `{\"h\":\"Kaffee aus Peru\"}`",
            "{'css': 'li', 'list': true, 'fields': {'t': {'css': 'li'}}}  | `[{\"t\":\"Bio\"},{\"t\":\"Fair\"}]`",
            "{'css': '.none', 'default': 'x', 'required': true}           | "})
    void aFieldComesFromItsSourceInItsType(String field, String json) {
        assertThat(x(SHOP, field).map(Json::text).orElse(null)).isEqualTo(json);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "{'css': '.none', 'required': true} | extract.items[0].fields.x: '' is not valid: it is required, and the page has none",
            "{'css': 'h1', 'type': 'number'} | extract.items[0].fields.x: 'Kaffee aus Peru' is not valid: a number as written in the locale en",
            "{'css': '.price', 'type': 'number', 'locale': 'de'} | extract.items[0].fields.x: '1.234,56 €' is not valid: a number as written in the locale de",
            "{'css': 'h1', 'type': 'money'} | extract.items[0].fields.x: 'Kaffee aus Peru' is not valid: an amount of money with a currency such as EUR or € as written in the locale en",
            "{'css': '.date', 'type': 'date', 'formats': ['dd/MM/uuuu']} | extract.items[0].fields.x: '3. Januar 2026' is not valid: a date in ISO 8601 or RFC 1123 or as dd/MM/uuuu in the locale en",
            "{'css': 'h1', 'regex': '.*', 'transform': [{'replace': ['Kaffee aus Peru', 'mailto:a']}], 'type': 'url'} | extract.items[0].fields.x: 'mailto:a' is not valid: an http or https URL",
            "{'css': '.author', 'fields': {'n': {'css': 'b', 'type': 'number'}}} | extract.items[0].fields.x.fields.n: 'Ada' is not valid: a number as written in the locale en"})
    void aValueOfTheWrongTypeIsAnErrorThatNamesRuleFieldValueAndType(String field, String message) {
        assertThat(error(SHOP, field)).isEqualTo(message + "; t 1 of this page was left out");
    }

    @Test
    void aValueOfTheWrongTypeIsLeftOutOfAnItemThatMayLackItAndIsCounted() {
        FixedPage page = FixedPage
                .html("<li><b>a</b><i>1</i><a href=/x></a><a href=mailto:x></a><a href=/y></a><li><b>b</b><i>?</i>"
                        + "<li><b>c</b><i>no</i>");
        ExtractedItems extracted = page.extract(
                """
                        {'type': 't', 'each': 'li', 'fields': {'name': {'css': 'b', 'required': true}, 'n': {'css': 'i', 'type': 'number'},
                         'sure': {'css': 'i', 'type': 'number', 'required': true, 'default': 0},
                         'links': {'css': 'a', 'type': 'url', 'list': true}, 'in': {'css': 'i', 'fields': {'n': {'css': 'i', 'type': 'number'}}}}}""");
        assertThat(extracted.items()).extracting(item -> Json.text(item.fields())).containsExactly(
                "{\"name\":\"a\",\"n\":1,\"sure\":1,\"links\":[\"https://shop.example.org/x\",\"https://shop.example.org/y\"],\"in\":{\"n\":1}}",
                "{\"name\":\"b\",\"sure\":0}", "{\"name\":\"c\",\"sure\":0}");
        assertThat(extracted.errors()).isEmpty();
        assertThat(extracted.leftOut()).containsExactly(
                new LeftOut("extract.items[0].fields.links",
                        "extract.items[0].fields.links: 'mailto:x' is not valid: an http or https URL; left empty", 1),
                new LeftOut("extract.items[0].fields.n",
                        "extract.items[0].fields.n: '?' is not valid: a number as written in the locale en; left empty, as 1 further"
                                + " value of the field",
                        2),
                new LeftOut("extract.items[0].fields.sure",
                        "extract.items[0].fields.sure: '?' is not valid: a number as written in the locale en; left empty, as 1"
                                + " further value of the field",
                        2),
                new LeftOut("extract.items[0].fields.in.fields.n",
                        "extract.items[0].fields.in.fields.n: '?' is not valid: a number as written in the locale en; left empty,"
                                + " as 1 further value of the field",
                        2));
    }

    @Test
    void urlsThatAreDataKeepTheirFragments() {
        FixedPage page = FixedPage
                .html("<base href=/m/><a href='#json.dumps'>x</a><a href='b.html#ä b'>y</a><a href=c.html#>z</a>");
        assertThat(Json.text(x(page, "{'css': 'a', 'type': 'url', 'list': true}").orElseThrow())).isEqualTo(
                "[\"https://shop.example.org/m/#json.dumps\",\"https://shop.example.org/m/b.html#%C3%A4%20b\",\"https://shop.example.org/m/c.html\"]");
        assertThat(x(page, "{'css': 'a', 'type': 'markdown'}")).contains("[x](https://shop.example.org/m/#json.dumps)");
    }

    @Test
    void itemsOfJsonHaveFieldsByPointerAndPath() {
        FixedPage page = FixedPage
                .json("""
                        {"items": [{"id": 1, "name": "a", "tags": ["x", "y"], "price": 1.5}, {"id": 2, "name": null}, {"id": "three"}]}""");
        ExtractedItems extracted = page.extract(
                """
                        {'type': 'row', 'each': 'json:/items', 'fields': {'nr': {'json': '/id', 'type': 'number', 'required': true},
                         'name': {'json': '$.name'}, 'tags': {'json': '/tags', 'list': true}, 'price': {'json': '/price', 'type': 'money', 'locale': 'de-AT'},
                         'html': 'h1'}}""");
        assertThat(extracted.items()).extracting(item -> Json.text(item.fields())).containsExactly(
                "{\"nr\":1,\"name\":\"a\",\"tags\":[\"x\",\"y\"],\"price\":{\"amount\":1.5,\"currency\":\"EUR\"}}",
                "{\"nr\":2}");
        assertThat(extracted.errors())
                .containsExactly("extract.items[0].fields.nr: 'three' is not valid: a number as written in the"
                        + " locale en; row 3 of this page was left out");
        assertThat(
                page.extract("{'type': 'row', 'each': 'json:$.items[?(@.id == 2)]', 'fields': {'nr': {'json': '/id'}}}")
                        .items())
                .extracting(item -> item.ordinal() + " " + item.fields()).containsExactly("1 {nr=2}");
    }

    @Test
    void aPageThatIsNoJsonIsOneErrorOfEachRule() {
        assertThat(FixedPage.json("<p>Not found")
                .extract("{'type': 'row', 'each': 'json:/items', 'fields': {'nr': {'json': '/id'}}}").errors())
                .containsExactly(
                        "extract.items[0].each: '<p>Not found' is not valid: JSON of at most 32 levels and 500,000 values, as the media"
                                + " type says; the items were left out");
    }

    @Test
    void elementsOfXmlAreFoundAsThoseOfHtml() {
        FixedPage feed = new FixedPage("https://example.org/feed", "application/rss+xml",
                """
                        <?xml version="1.0"?><rss><channel><item><title>One</title><pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate>
                        <link>/one</link></item><item><title>Two</title></item></channel></rss>""",
                Map.of());
        ExtractedItems extracted = feed.extract(
                """
                        {'type': 'entry', 'each': 'item', 'fields': {'title': 'title', 'at': {'xpath': 'pubDate', 'type': 'date'},
                         'link': {'css': 'link', 'type': 'url'}}}""");
        assertThat(extracted.items()).extracting(item -> Json.text(item.fields())).containsExactly(
                "{\"title\":\"One\",\"at\":\"2026-01-02T03:04:05.000Z\",\"link\":\"https://example.org/one\"}",
                "{\"title\":\"Two\"}");
    }

    @Test
    void whatAPageMayMakeIsBounded() {
        String many = "<i>x</i>".repeat(1_000);
        ExtractedItems cut = Extraction.of(Rules.of("{'type': 't', 'each': 'i', 'fields': {'x': 'i'}}"))
                .extract(FixedPage.html(many).source(Map.of()), 100);
        assertThat(cut.items()).hasSize(100);
        assertThat(cut.cut()).isTrue();

        String nested = "<div>".repeat(400) + "x".repeat(10_000);
        ExtractedItems spent = FixedPage.html(nested).extract("{'type': 't', 'each': 'div', 'fields': {'x': 'div'}}");
        assertThat(spent.items()).hasSizeBetween(20, 40);
        assertThat(spent.cut()).isTrue();

        assertThat(error(FixedPage.html("<p>" + "x".repeat(500_001)), "'p'"))
                .contains("'500001 characters' is not valid: at most 500000 characters in a field");
        assertThat(error(FixedPage.html("<i>x</i>".repeat(10_001)), "{'css': 'i', 'list': true}"))
                .contains("'10001 values' is not valid: at most 10000 values in a field");
        assertThat(error(FixedPage.html("<i>x</i>".repeat(20_001)), "{'xpath': '//i'}"))
                .contains("a page of at most 20000 elements for XPath");
        ExtractedItems failing = FixedPage.html(many).extract(
                "{'type': 't', 'each': 'i', 'fields': {'x': {'css': 'i', 'type': 'number', 'required': true}}}");
        assertThat(failing.errors()).hasSize(101).last()
                .isEqualTo("900 further items of this page were left out for such reasons");
    }

    @Test
    void markdownHasAbsoluteLinksAndNoneOfWhatGivesNoText() {
        FixedPage page = FixedPage
                .html("""
                        <main><h2 id=x>Coffee <em>beans</em></h2><p>See <a href="../q?a=b#c" onclick=x>this</a>, <a href="javascript:x()">that</a>
                        and <a name=top>here</a>.<script>bad()</script><img src=x.png alt="a [b]"><img src="data:image/png;base64,AAAA"></p>
                        <ul><li>one<ul><li>two</ul></ul><pre><code class="language-java">int a;</code></pre>
                        <table><tr><th>A<th>B<tr><td colspan=2000000000>1|2<td>3</table><p><s>old</s> <kbd>k</kbd> H<sub>2</sub>O</p><button>Buy</button></main>""");
        assertThat(x(page, "{'css': 'main', 'type': 'markdown'}")).contains(
                """
                        ## Coffee *beans*

                        See [this](https://shop.example.org/q?a=b#c), that and here.![a \\[b\\]](https://shop.example.org/p/x.png)

                        - one
                          - two

                        ```java
                        int a;
                        ```

                        | A | B |
                        |---|---|
                        | 1\\|2 | 3 |

                        ~~old~~ `k` H<sub>2</sub>O""");
        assertThat(x(page, "{'css': 'h2', 'type': 'markdown', 'transform': [{'replace': ['#', '']}, 'trim']}"))
                .contains("Coffee *beans*");
        assertThat(x(page, "{'page': 'text', 'type': 'markdown'}")).get().asString().startsWith("## Coffee");
        assertThat(x(FixedPage.json("{'html': '<p>a <b>b</b></p>'}".replace('\'', '"')),
                "{'json': '/html', 'type': 'markdown'}")).contains("a **b**");
    }

    @Test
    void theLanguageIsTheOneThatThePageDeclaresFirst() {
        String field = "{'page': 'language'}";
        assertThat(x(SHOP, field)).contains("en");
        FixedPage social = new FixedPage("https://example.org/", "text/html",
                "<html><head><meta property=og:locale content=de_AT></head></html>",
                Map.of("content-language", "fr_CA, en"));
        assertThat(Extraction.of(Rules.field(field)).extract(social.source(Map.of()), 1).items().getFirst().fields())
                .containsEntry("x", "fr-CA");
        assertThat(
                Extraction.of(Rules.field(field))
                        .extract(new FixedPage(social.url(), social.contentType(), social.text(), Map.of())
                                .source(Map.of("lang", "??")), 1)
                        .items().getFirst().fields())
                .containsEntry("x", "de-AT");
    }

    @Test
    void aRuleIsWrittenAsItWasReadAndKeepsTheOrderOfItsFields() {
        List<ItemRule> rules = Rules.of("""
                {'type': 't', 'fields': {'z': 'b', 'a': {'css': 'a', 'type': 'money', 'list': true, 'default': [],
                 'transform': ['trim', {'replace': ['a', 'b']}, {'split': ','}]}, 'm': {'fields': {'q': 'i'}}}}""");
        List<ItemRule> again = List.of(Json.readBounded(Json.bytes(rules), ItemRule[].class));
        assertThat(again).isEqualTo(rules);
        assertThat(again.getFirst().fields().keySet()).containsExactly("z", "a", "m");
    }
}
