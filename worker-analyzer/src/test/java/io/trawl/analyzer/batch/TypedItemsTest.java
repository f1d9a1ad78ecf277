package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.page;
import static io.trawl.analyzer.batch.Bench.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.api.Item;
import io.trawl.api.render.Rendering;
import io.trawl.api.render.Rendering.RefusedRequest;
import io.trawl.api.render.SubrequestRefusal;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.MapLedger;
import io.trawl.ledger.RenderCounts;
import io.trawl.model.CrawlerError;
import io.trawl.model.Response;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What extraction rules make of a page, from the response to the records. */
class TypedItemsTest {
    private static final String RULE = """
            {"type": "row", "each": "li", "fields": {"name": {"css": "b", "required": true}, "n": {"css": "i", "type": "number"},
             "about": {"page": "text"}}}""";
    private static final String HTML = "<title>T</title><main><p>Main.</p><ul><li><b>a</b><i>1</i><li><i>2</i><li><b>c</b><i>x</i>"
            + "<li><b>d</b></ul><a href=/b>b</a></main>";

    private static Bench bench(String extract) {
        Bench bench = new Bench(new MapLedger(), 100_000);
        bench.control.read(Fixtures.started(Fixtures.RUN, "{\"extract\":" + extract + "}"));
        return bench;
    }

    @Test
    void rulesMakeItemsWithTypeAndOrdinalInThePlaceOfThePageAndEachFaultCostsOneItemAndIsCounted() {
        try (Bench bench = bench("{\"text\": false, \"items\": [" + RULE + "]}")) {
            Written w = bench.commit(page(1, request(A, 1), HTML));
            assertThat(w.urls()).as("links are followed").containsExactly(B);
            assertThat(w.items())
                    .extracting(i -> i.fields().get("type"), i -> i.fields().get("ordinal"),
                            i -> i.fields().get("name"))
                    .containsExactly(org.assertj.core.groups.Tuple.tuple("row", 1, "a"),
                            org.assertj.core.groups.Tuple.tuple("row", 3, "c"),
                            org.assertj.core.groups.Tuple.tuple("row", 4, "d"));
            assertThat(w.items().getFirst().fields()).containsEntry("n", 1).containsEntry("status", 200)
                    .containsKeys("fetchedAt", "sha256", "bytes", "about")
                    .doesNotContainKeys("parser", "text", "links");
            assertThat(w.ledger().items())
                    .contains(ItemCounts.written(3, Map.of("EXTRACT", 1L, "FIELD extract.items[0].fields.n", 1L)));
            assertThat(bench.errors).extracting(CrawlerError::kind).containsExactly("EXTRACT");
            assertThat(bench.errors).extracting(e -> e.url().orElseThrow() + " " + e.cause()).containsExactly(A
                    + " extract.items[0].fields.name: '' is not valid: it is required, and the page has none; row 2 of this page was"
                    + " left out");
        }
    }

    @Test
    void eachValueThatIsLeftOutIsCounted() {
        try (Bench bench = bench("{\"items\": [" + RULE + "]}")) {
            Written w = bench.commit(page(1, request(A, 1), "<li><b>a</b><i>x</i>".repeat(3)));
            assertThat(w.items()).hasSize(3);
            assertThat(w.ledger().items())
                    .contains(ItemCounts.written(3, Map.of("FIELD extract.items[0].fields.n", 3L)));
            assertThat(bench.errors).isEmpty();
        }
    }

    @Test
    void theItemOfARenderedPageSaysHowAndNamesWhatWasRefusedThoseOfRulesCountIt() {
        Rendering rendering = new Rendering(1200, 3,
                List.of(new RefusedRequest("http://cdn/a.js", SubrequestRefusal.SERVER)),
                Map.of(SubrequestRefusal.SERVER, 1, SubrequestRefusal.TYPE, 7), true);
        Response page = Fixtures.page(A, Map.of("content-type", "text/html"), HTML.getBytes(StandardCharsets.UTF_8));
        Response rendered = page.withRender(Optional.of(rendering));
        Map<String, Object> counted = Map.of("ms", 1200, "requests", 3, "partial", true, "refusedByReason",
                Map.of("SERVER", 1, "TYPE", 7));
        Map<String, Object> named = new HashMap<>(counted);
        named.put("refused", List.of(Map.of("url", "http://cdn/a.js", "reason", "SERVER")));
        try (Bench bench = bench("{\"page\": true, \"items\": [" + RULE + "]}")) {
            Written w = bench.commit(record(0, 1, rendered), record(0, 2, rendered));
            assertThat(w.items()).extracting(item -> item.fields().get("render")).containsExactly(named, counted,
                    counted, counted);
            assertThat(w.ledger().render()).as("of two answers one is stored")
                    .contains(new RenderCounts(1, 1, 1200, 3, Map.of("SERVER", 1L, "TYPE", 7L)));
        }
    }

    @Test
    void thePageItemIsHadBesideThemAndWithoutTheTextThatOnlyRulesRead() {
        try (Bench bench = bench("{\"text\": false, \"page\": true, \"items\": [" + RULE + "]}")) {
            Written w = bench.commit(page(1, request(A, 1), HTML));
            assertThat(w.items()).hasSize(4);
            assertThat(w.items().getFirst().fields()).containsEntry("title", "T").doesNotContainKeys("type", "ordinal",
                    "text");
        }
        try (Bench bench = bench("{\"page\": false}")) {
            assertThat(bench.commit(page(1, request(A, 1), HTML)).items()).as("neither").isEmpty();
        }
    }

    @Test
    void theSamePageHasTheSameIdsAndAnotherTypeHasOthers() {
        List<String> first;
        try (Bench bench = bench("{\"items\": [" + RULE + "]}")) {
            first = bench.commit(page(1, request(A, 1), HTML)).items().stream().map(Item::id).toList();
        }
        try (Bench bench = bench(
                "{\"items\": [{\"type\": \"other\", \"each\": \"li\", \"fields\": {\"t\": \"b\"}}, " + RULE + "]}")) {
            List<Item> again = bench.commit(page(1, request(A, 1), HTML)).items();
            assertThat(again).extracting(Item::id).doesNotHaveDuplicates();
            assertThat(again.stream().filter(i -> "row".equals(i.fields().get("type"))).map(Item::id)).isEqualTo(first);
        }
    }

    @Test
    void aPageThatMustNotBeInAnIndexGivesNoItemsOfRules() {
        try (Bench bench = bench("{\"items\": [" + RULE + "]}")) {
            assertThat(bench.commit(page(1, request(A, 1), "<meta name=robots content=noindex>" + HTML)).items())
                    .isEmpty();
        }
    }

    @Test
    void aFaultOfARuleIsNoneOfAPageThatNoParserReads() {
        try (Bench bench = bench(
                "{\"page\": true, \"items\": [{\"type\": \"t\", \"fields\": {\"x\": {\"json\": \"/a\", \"required\": true}}}]}")) {
            Written w = bench.commit(page(1, request(A, 1), "{}", "content-type", "application/json"));
            assertThat(w.items()).singleElement()
                    .satisfies(item -> assertThat(item.fields()).doesNotContainKeys("kind", "type"));
            assertThat(w.ledger().items()).contains(ItemCounts.written(1, Map.of("EXTRACT", 1L)));
        }
    }

    @Test
    void aPageIsParsedOnceForItsParserAndForTheRules() {
        var page = Fixtures.html(A, HTML);
        var parser = new io.trawl.analyzer.extract.HtmlParser(1_000);
        assertThat(parser.document(page)).isSameAs(parser.document(page));
    }

    @Test
    void rulesRunWhicheverParsersDo() {
        try (Bench bench = bench(
                "{\"parsers\": [\"failing\"], \"items\": [{\"type\": \"t\", \"fields\": {\"x\": \"b\"}}]}")) {
            assertThat(bench.commit(page(1, request(A, 1), HTML)).items()).singleElement()
                    .satisfies(item -> assertThat(item.fields()).containsEntry("x", "a"));
        }
    }

    @Test
    void rulesOfADefinitionThatThisVersionCannotReadAreAnErrorOfEachPage() {
        try (Bench bench = bench("{\"items\": [{\"type\": \"t\", \"fields\": {\"x\": \"b[\"}}]}")) {
            assertThat(bench.commit(page(1, request(A, 1), HTML)).items()).isEmpty();
            assertThat(bench.errors).singleElement().extracting(CrawlerError::cause).asString()
                    .startsWith("extract.items[0].fields.x.css: 'b[' is not valid: a CSS selector");
        }
    }
}
