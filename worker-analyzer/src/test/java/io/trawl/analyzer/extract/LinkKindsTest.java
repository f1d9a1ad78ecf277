package io.trawl.analyzer.extract;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.sitemap.SitemapParser;
import io.trawl.api.Link;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which references of a page are links, by the definition. */
class LinkKindsTest {
    private static final String PAGE = """
            <head><link rel="next" href=/next><link rel="PREV" href=/prev><link rel="alternate stylesheet" href=/alternate>
            <link rel=canonical href=/canonical><link rel=alternate type="application/rss+xml" href=/feed>
            <meta http-equiv=Refresh content="5; URL='/refresh'"><script src=/script></script></head>
            <body><header><a href=/top>t</a></header><main><a href=/a>a</a><map><area href=/area></map><iframe src=/frame></iframe>
            <div class=inner><a href=/inner>i</a></div>
            <img src=/image srcset="/small,1.png 1x, /large.png 2x"><picture><source srcset="/wide 800w,/narrow"></picture>
            </main><nav><a href=/nav>n</a></nav></body>""";

    private static List<Link> links(String discover) {
        FetchedPage page = new FetchedPage(Fixtures.page("http://a.org/", Map.of("content-type", "text/html"),
                PAGE.getBytes(StandardCharsets.UTF_8)), Fixtures.definition("{\"discover\":" + discover + "}"));
        return new HtmlParser(1000).parse(page).links().orElseThrow();
    }

    private static List<String> hrefs(String discover) {
        return links(discover).stream().map(Link::href).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', emptyValue = "", value = {"a|/top /a /inner /nav", "area|/area", "frame|/frame",
            "next|/next", "prev|/prev", "alternate|/alternate /feed", "canonical|/canonical", "refresh|/refresh",
            "text|''"})
    void eachKindHasItsLinksAndNoOthers(String kind, String expected) {
        assertThat(String.join(" ", hrefs("{\"links\":[\"" + kind + "\"]}"))).isEqualTo(expected);
    }

    @Test
    void requisitesAreNoLinksButNameTheirParser() {
        assertThat(links("{\"requisites\":[\"image\"]}").stream()
                .filter(link -> link.options().parser().equals(java.util.Optional.of("requisite"))).map(Link::href))
                .containsExactly("/image", "/small,1.png", "/large.png", "/wide", "/narrow");
    }

    @Test
    void linksOfDrawingsCountAsThoseOfThePage() {
        String svg = "<svg xmlns:xlink='http://www.w3.org/1999/xlink'><a xlink:href=/old>x</a><a xlink:href=/no href=/new>x</a>"
                + "<image xlink:href=/i1 /><image href=/i2 /><script xlink:href=/s1 /><script href=/s2></script></svg><a xlink:href=/html>x</a><image href=/html />";
        for (String type : List.of("text/html", "application/xhtml+xml")) {
            String page = type.equals("text/html")
                    ? svg
                    : "<html xmlns='http://www.w3.org/1999/xhtml'>"
                            + svg.replace("<svg", "<svg xmlns='http://www.w3.org/2000/svg'") + "</html>";
            FetchedPage fetched = new FetchedPage(
                    Fixtures.page("http://a.org/", Map.of("content-type", type), page.getBytes(StandardCharsets.UTF_8)),
                    Fixtures.definition("{\"discover\":{\"links\":[\"a\"],\"requisites\":[\"image\",\"script\"]}}"));
            assertThat(new HtmlParser(1000).parse(fetched).links().orElseThrow()).as(type).extracting(Link::href)
                    .containsExactly("/old", "/new", "/i1", "/i2", "/s1", "/s2");
        }
    }

    @Test
    void withoutAnOptionTheLinksAreThoseOfTheText() {
        assertThat(hrefs("{}")).containsExactly("/top", "/a", "/area", "/frame", "/inner", "/nav");
    }

    @Test
    void linksInTheTextCountOnlyWithinTheRegions() {
        assertThat(hrefs("{\"regions\":[\"nav\",\".inner\"]}")).containsExactly("/inner", "/nav");
        assertThat(hrefs("{\"regions\":[\"main\",\".inner\"]}")).as("a region within a region").containsExactly("/a",
                "/area", "/frame", "/inner");
        assertThat(hrefs("{\"regions\":[\"xpath://header | //nav\"]}")).containsExactly("/top", "/nav");
        assertThat(hrefs("{\"regions\":[\"nav\"],\"links\":[\"a\",\"next\",\"refresh\"]}"))
                .as("the head is in no region").containsExactly("/next", "/refresh", "/nav");
        assertThat(hrefs("{\"regions\":[\"#none\"]}")).isEmpty();
    }

    @Test
    void aFeedOfThePageIsASourceOfLinks() {
        assertThat(links("{\"feeds\":true}")).filteredOn(link -> link.href().equals("/feed")).singleElement()
                .isEqualTo(Link.to("/feed").with(SitemapParser.REQUEST));
        assertThat(hrefs("{\"feeds\":true,\"links\":[\"alternate\"]}")).containsExactly("/alternate", "/feed");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "text/plain|See http://a.org/x. (https://a.org/y_(z)), <http://a.org/w>|http://a.org/x https://a.org/y_(z) http://a.org/w",
            "text/plain|xhttp://a.org/no http:// https://a.org/?q=[1]!|https://a.org/?q=[1]",
            "application/json|{\"a\":\"https:\\/\\/a.org\\/p?x=1\\u0026y=2\",\"b\":[\"http://a.org/ä\"]}|https://a.org/p?x=1&y=2 http://a.org/ä",
            "text/markdown|[t](https://a.org/m) and https://a.org/n:|https://a.org/m https://a.org/n"})
    void urlsInTextAndJsonAreLinksIfTheCrawlWantsThem(String type, String text, String expected) {
        String whole = "{\"discover\":{\"links\":[\"text\"]}}";
        assertThat(text(type, text, whole).orElseThrow()).extracting(Link::href).containsExactly(expected.split(" "));
        assertThat(text(type, text, "{}")).isEmpty();
    }

    private static java.util.Optional<List<Link>> text(String type, String text, String definition) {
        return new TextParser(1000)
                .parse(new FetchedPage(Fixtures.page("http://a.org/", Map.of("content-type", type + "; charset=utf-8"),
                        text.getBytes(StandardCharsets.UTF_8)), Fixtures.definition(definition)))
                .links();
    }

    @Test
    void aMillionHalfUrlsTakeLinearTime() {
        assertThat(PlainUrls.in("http://x(".repeat(1_000_000), false)).isEmpty();
        assertThat(SourceSet.urls(",(".repeat(1_000_000))).hasSize(1);
    }
}
