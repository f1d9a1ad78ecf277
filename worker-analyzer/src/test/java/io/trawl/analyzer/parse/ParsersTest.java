package io.trawl.analyzer.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.extract.HtmlParser;
import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValue;
import io.trawl.model.Outcome;
import io.trawl.plugin.Plugins;
import io.trawl.model.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Several parsers on one page (S12). */
class ParsersTest {
    private static final String HTML = "<title>Title</title><a href=/one>1</a>";

    /** A parser as a plug-in would be. */
    private record Plugin(String name, Function function) implements ResponseParser {
        interface Function {
            Parsed apply(Page page) throws Exception;
        }

        @Override
        public boolean handles(Response response) {
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

    private static Analyzed parse(ResponseParser... parsers) {
        return new Parsers(List.of(parsers), 100).parse(Fixtures.html("http://example.org/", HTML));
    }

    @Test
    void eachParserReadsTheWholeBodyWithItsOwnReader() {
        Plugin.Function whole = page -> Parsed.fields(
                Map.of("size" + page.reader().hashCode(), new String(page.reader().readAllBytes(), StandardCharsets.UTF_8)));
        List<Integer> lengths = new ArrayList<>();
        Plugin.Function count = page -> {
            try (var in = page.reader()) {
                lengths.add(in.readAllBytes().length);
                assertThat(in.read()).isEqualTo(-1);
            }
            return Parsed.fields(Map.of());
        };
        Analyzed analyzed = parse(new Plugin("a", count), new Plugin("b", count), new Plugin("c", whole), new HtmlParser());
        assertThat(lengths).containsExactly(HTML.length(), HTML.length());
        assertThat(analyzed.fields()).containsEntry("title", "Title").containsValue(HTML);
    }

    @Test
    void resultsAreMergedInOrder() {
        Analyzed analyzed = parse(
                new Plugin("b", p -> Parsed.of(Map.of("title", "Better"), List.of(Link.to("/two"), Link.to("/one")))),
                new Plugin("a", p -> Parsed.fields(Map.of("price", 3))), new HtmlParser());
        assertThat(analyzed.fields()).containsEntry("title", "Better").containsEntry("price", 3);
        assertThat(analyzed.links().orElseThrow()).extracting(l -> l.url().text()).containsExactly("http://example.org/one",
                "http://example.org/two");
    }

    @Test
    void aParserThatFailsHidesNothingOfTheOthers() {
        Analyzed analyzed = parse(throwing("bad", () -> new java.io.IOException("broken")),
                throwing("deep", StackOverflowError::new),
                throwing("large", OutOfMemoryError::new), throwing("old", NoSuchMethodError::new), new HtmlParser());
        assertThat(analyzed.failed()).isFalse();
        assertThat(analyzed.fields()).containsEntry("title", "Title");
        assertThat(analyzed.errors()).hasSize(4).anySatisfy(e -> assertThat(e).contains("'bad'").contains("broken"));
    }

    @Test
    void aPageThatNoParserSurvivesHasFailed() {
        assertThat(parse(throwing("bad", () -> new IllegalStateException("x"))).failed()).isTrue();
    }

    @Test
    void aRequestMayNameItsParser() {
        FetchOptions only = new FetchOptions(Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("b"),
                Map.of());
        Page page = page(only);
        Parsers parsers = new Parsers(List.of(new HtmlParser(), new Plugin("b", p -> Parsed.fields(Map.of("b", 1)))), 100);
        assertThat(parsers.parse(page).fields()).containsExactly(Map.entry("b", 1));
        assertThat(parsers.parse(page).links()).isEmpty();
    }

    @Test
    void aNameThatNoParserHasIsAnErrorOfThatPage() {
        FetchOptions only = new FetchOptions(Map.of(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("none"),
                Map.of());
        Analyzed analyzed = new Parsers(List.of(new HtmlParser()), 100).parse(page(only));
        assertThat(analyzed.failed()).isTrue();
        assertThat(analyzed.errors()).singleElement().asString().contains("'none'").contains("html");
    }

    @Test
    void twoParsersOfOneNameAreRefusedAtTheStart() {
        assertThatThrownBy(() -> new Parsers(List.of(new HtmlParser(), new HtmlParser()), 1)).isInstanceOf(InvalidValue.class)
                .hasMessageContaining("html");
    }

    @Test
    void theBuiltInParserIsFoundByTheServiceLoader() {
        assertThat(Parsers.among(Plugins.in(Optional.empty()), 1).names()).containsExactly("html");
    }

    private static Page page(FetchOptions options) {
        return new Page(Fixtures.response(Fixtures.request("http://example.org/", 0, options), new Outcome.Page(200, false),
                Map.of("content-type", "text/html"),
                HTML.getBytes(StandardCharsets.UTF_8)), Fixtures.definition("{}"));
    }
}
