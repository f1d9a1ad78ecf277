package io.trawl.analyzer.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.extract.HtmlParser;
import io.trawl.api.Link;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Outcome;
import io.trawl.plugin.Plugins;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several parsers on one page (S12). */
class ParsersTest {
    private static final String HTML = "<title>Title</title><a href=/one>1</a>";

    /** A parser like that of a plug-in. */
    private record Plugin(String name, Function function) implements ResponseParser {
        interface Function {
            Parsed apply(Page page) throws Exception;
        }

        @Override
        public boolean handles(Page page) {
            return true;
        }

        @Override
        public Parsed parse(Page page) throws Exception {
            return function.apply(page);
        }
    }

    private static Plugin throwing(String name, Callable<Throwable> what) {
        return new Plugin(name, page -> {
            Throwable e = what.call();
            if (e instanceof Error error) {
                throw error;
            }
            throw (Exception) e;
        });
    }

    private static ParsedPage parse(ResponseParser... parsers) {
        return new Parsers(List.of(parsers), 100).parse(Fixtures.html("http://example.org/", HTML));
    }

    @Test
    void shortReferencesToALongBaseMakeNoMoreThanEightCharactersPerByteOfThePage() {
        String base = "http://example.org/" + "x".repeat(1900) + "/";
        String page = "<base href='" + base + "'>"
                + IntStream.range(0, 10_000).mapToObj(i -> "<a href=" + i + ">a</a>").collect(Collectors.joining());
        ParsedPage parsedPage = new Parsers(List.of(new HtmlParser(1_000_000)), 10_000)
                .parse(Fixtures.html("http://example.org/", page));
        long characters = parsedPage.links().orElseThrow().stream().mapToLong(link -> link.url().text().length()).sum();
        assertThat(characters).isBetween(7L * page.length(), 8L * page.length() + 2048);
        assertThat(parsedPage.cuts()).containsExactly(PageBudget.LINKS);
    }

    @Test
    void eachParserReadsTheWholeBodyWithItsOwnReader() {
        Plugin.Function whole = page -> Parsed.fields(Map.of("size" + page.body().hashCode(),
                new String(page.body().readAllBytes(), StandardCharsets.UTF_8)));
        List<Integer> lengths = new ArrayList<>();
        Plugin.Function count = page -> {
            try (var in = page.body()) {
                lengths.add(in.readAllBytes().length);
                assertThat(in.read()).isEqualTo(-1);
            }
            return Parsed.fields(Map.of());
        };
        ParsedPage parsedPage = parse(new Plugin("a", count), new Plugin("b", count), new Plugin("c", whole),
                new HtmlParser(1_000_000));
        assertThat(lengths).containsExactly(HTML.length(), HTML.length());
        assertThat(parsedPage.fields()).containsEntry("title", "Title").containsValue(HTML);
    }

    @Test
    void resultsAreMergedInOrder() {
        ParsedPage parsedPage = parse(
                new Plugin("b", p -> Parsed.of(Map.of("title", "Better"), List.of(Link.to("/two"), Link.to("/one")))),
                new Plugin("a", p -> Parsed.fields(Map.of("price", 3))), new HtmlParser(1_000_000));
        assertThat(parsedPage.fields()).containsEntry("title", "Better").containsEntry("price", 3);
        assertThat(parsedPage.links().orElseThrow()).extracting(l -> l.url().text())
                .containsExactly("http://example.org/one", "http://example.org/two");
    }

    @Test
    void aParserThatFailsDoesNotAffectTheOthers() {
        ParsedPage parsedPage = parse(throwing("bad", () -> new java.io.IOException("broken")),
                throwing("deep", StackOverflowError::new), throwing("large", OutOfMemoryError::new),
                throwing("old", NoSuchMethodError::new), new HtmlParser(1_000_000));
        assertThat(parsedPage.failed()).isFalse();
        assertThat(parsedPage.fields()).containsEntry("title", "Title");
        assertThat(parsedPage.errors()).hasSize(4)
                .anySatisfy(e -> assertThat(e.cause()).contains("'bad'").contains("broken"));
    }

    @Test
    void aPageOnWhichAllParsersFailHasFailed() {
        assertThat(parse(throwing("bad", () -> new IllegalStateException("x"))).failed()).isTrue();
    }

    @Test
    void aRequestMayNameItsParser() {
        FetchOptions only = FetchOptions.NONE.withParser(Optional.of("b"));
        FetchedPage page = page(only);
        Parsers parsers = new Parsers(
                List.of(new HtmlParser(1_000_000), new Plugin("b", p -> Parsed.fields(Map.of("b", 1)))), 100);
        assertThat(parsers.parse(page).fields()).containsExactly(Map.entry("b", 1));
        assertThat(parsers.parse(page).links()).isEmpty();
    }

    @Test
    void aCrawlNamesItsParsersAndARequestReplacesThem() {
        Parsers parsers = new Parsers(
                List.of(new HtmlParser(1_000_000), new Plugin("a", p -> Parsed.fields(Map.of("a", 1))),
                        new Plugin("b", p -> Parsed.fields(Map.of("b", 1)))),
                100);
        String crawl = "{\"extract\":{\"parsers\":[\"b\",\"html\",\"none\"]}}";
        ParsedPage page = parsers.parse(page(FetchOptions.NONE, crawl));
        assertThat(page.fields()).containsKeys("title", "b").doesNotContainKey("a");
        assertThat(page.errors()).singleElement().asString().contains("'none'").contains("html, a, b");
        FetchOptions own = FetchOptions.NONE.withParser(Optional.of("a"));
        assertThat(parsers.parse(page(own, crawl)).fields()).containsExactly(Map.entry("a", 1));
    }

    @Test
    void anUnknownParserNameIsAnErrorOfThatPage() {
        FetchOptions only = FetchOptions.NONE.withParser(Optional.of("none"));
        ParsedPage parsedPage = new Parsers(List.of(new HtmlParser(1_000_000)), 100).parse(page(only));
        assertThat(parsedPage.failed()).isTrue();
        assertThat(parsedPage.errors()).singleElement().asString().contains("'none'").contains("html");
    }

    @Test
    void twoParsersWithTheSameNameAreRefusedAtTheStart() {
        assertThatThrownBy(() -> new Parsers(List.of(new HtmlParser(1_000_000), new HtmlParser(1_000_000)), 1))
                .isInstanceOf(InvalidValueException.class).hasMessageContaining("html");
    }

    @Test
    void theBuiltInParserNeedsNoPlugIn() {
        assertThat(Parsers.among(Plugins.in(Optional.empty()), 1, 1).names()).containsExactly("html", "requisite",
                "robots", "sitemap", "text");
    }

    private static FetchedPage page(FetchOptions options) {
        return page(options, "{}");
    }

    private static FetchedPage page(FetchOptions options, String definition) {
        return new FetchedPage(
                Fixtures.response(Fixtures.request("http://example.org/", 0, options), new Outcome.Success(200, false),
                        Map.of("content-type", "text/html"), HTML.getBytes(StandardCharsets.UTF_8)),
                Fixtures.definition(definition));
    }
}
