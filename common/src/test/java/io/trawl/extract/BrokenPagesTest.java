package io.trawl.extract;

import io.trawl.extract.rule.ItemRule;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Json;
import io.trawl.extract.Extraction.ExtractedItems;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class BrokenPagesTest {
    private static final List<String> SOURCES = List.of("'css': 'a'",
            "'css': 'div:has(> p) + *, :root > *:nth-child(2n)'", "'xpath': '//a/@href'", "'xpath': 'string(.)'",
            "'xpath': './/p[last()] | //comment()'", "'xpath': 'sum(//a)'", "'json': '/a'", "'json': '$..a'",
            "'json': '$.a[?(@.b > 1)]'", "'json': ''", "'jsonld': '$..*'", "'jsonld': '/a'",
            "'css': 'script', 'json': '$.*'", "'meta': 'a'", "'openGraph': 'a'", "'microdata': 'a'", "'header': 'a'",
            "'page': 'text'", "'page': 'author'", "'page': 'language'", "'page': 'date'", "'regex': '(a)|b'",
            "'css': 'p', 'regex': '.'", "'css': 'a', 'attribute': 'href'",
            "'css': '*', 'fields': {'y': 'a', 'z': {'xpath': '.', 'list': true}}");
    private static final List<String> OPTIONS = List.of("", ", 'list': true",
            ", 'transform': ['trim', {'split': 'a'}, {'join': 'b'}]",
            ", 'transform': [{'replace': ['re:[a-c]*', 'x']}, 'upper']");
    private static final List<String> TYPES = List.of("text", "html", "markdown", "number", "date", "money", "url");
    private static final List<String> PIECES = List.of("<a href=", "<p", ">", "</p>", "<div itemprop=a itemscope>",
            "</", "<!--", "-->", "<script type=application/ld+json>", "</script>", "{\"a\":", "[1,", "\"b\"", "}", "]",
            "null", "1e400", "<meta property=og:a content=", "<base href=\"http://[\">", "\u0000", "\uD800",
            "x".repeat(50), "<table><tr><td>", "<svg:a xmlns:b=c b:d=e>", "2026-02-30", "€ 1,2.3", "<?xml", "<![CDATA[",
            "&#x110000;", "a", "b", " ");

    @Provide
    Arbitrary<String> pages() {
        return Arbitraries.of(PIECES).list().ofMaxSize(40).map(pieces -> pieces.stream().collect(Collectors.joining()));
    }

    @Provide
    Arbitrary<String> rules() {
        return Combinators
                .combine(Arbitraries.of(SOURCES), Arbitraries.of(OPTIONS), Arbitraries.of(TYPES),
                        Arbitraries.of("", "'each': '*', ", "'each': 'xpath://*', ", "'each': 'json:$..*', "))
                .as((source, option, type, each) -> "{'type': 't', " + each + "'fields': {'x': {" + source
                        + (source.contains("'fields'")
                                ? option.contains("transform") ? "" : option
                                : option + ", 'type': '" + type + "'")
                        + "}}}");
    }

    @Property(tries = 2_000)
    void aValidRuleReadsAnyPageWithoutAnException(@ForAll("rules") String rule, @ForAll("pages") String body,
            @ForAll("types") String type) {
        List<ItemRule> rules = Rules.of(rule);
        assertThat(Extraction.faults(rules)).isEmpty();
        ExtractedItems extracted = new FixedPage("https://example.org/a", type, body, java.util.Map.of("a", "b"))
                .extract(rules);
        assertThat(extracted.items()).allSatisfy(item -> assertThat(Json.bytes(item.fields())).isNotEmpty());
    }

    @Provide
    Arbitrary<String> types() {
        return Arbitraries.of("text/html", "application/json", "application/rss+xml", "text/plain", "image/png");
    }
}
