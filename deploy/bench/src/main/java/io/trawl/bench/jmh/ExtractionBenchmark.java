package io.trawl.bench.jmh;

import io.trawl.analyzer.extract.DocumentMemory;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.extract.Extraction;
import io.trawl.extract.Extraction.ExtractedItems;
import io.trawl.extract.PageSource;
import io.trawl.extract.rule.ItemRule;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.scope.ScopeRules;
import io.trawl.testkit.web.GeneratedSites;
import io.trawl.testkit.web.GeneratedSites.PageShape;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * What extraction rules cost on a page of 30 KB whose document is there: with ten fields by CSS, ten by XPath, and ten
 * by JSONPath in JSON of that size.
 */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ExtractionBenchmark extends PartBenchmark {
    private static final int PAGE = 7;
    private static final List<String> CSS = List.of("'title'", "'h1'", "{'css': 'main > p', 'required': true}",
            "{'css': 'nav a', 'type': 'url', 'list': true}",
            "{'css': 'code.name', 'list': true, 'transform': ['trim', 'upper']}",
            "{'css': 'ul li a', 'attribute': 'href'}", "'main > ul > li:nth-child(2)'",
            "{'css': 'h1', 'regex': '([0-9]+)', 'type': 'number'}", "'p:last-of-type'",
            "{'css': '.absent', 'default': 'none'}");
    private static final List<String> XPATH = List.of("//title", "//h1", "//main/p[1]", "//nav/a/@href",
            "//code[@class='name'][1]", "//ul/li/a/@href", "//main/ul/li[2]", "number(substring-after(//h1, ' '))",
            "//p[last()]", "//*[@class='absent']");
    private static final List<String> JSONPATH = List.of("$.items[0].name", "$.items[*].name",
            "$.items[?(@.price > 10)].name", "$..price", "$.total", "$.items[-1].name", "$.items[1:3].price",
            "$.items[5].tags[0]", "$.absent", "$.items[*].tags[*]");
    private final String html = html();
    private final String json = "{\"total\": 300, \"items\": [" + IntStream.range(0, 400)
            .mapToObj(i -> String.format(Locale.ROOT,
                    "{\"name\": \"Name of item %d\", \"price\": %d.5, \"tags\": [\"a%d\", \"b\"]}", i, i % 20, i))
            .collect(Collectors.joining(",")) + "]}";
    private final Document document = Jsoup.parse(html);
    private final List<String> links = document.select("a[href]").eachAttr("href").stream()
            .map(reference -> URI.create("https://example.org/p/7.html").resolve(reference).toString()).toList();
    private final ScopeRules scope = UrlBenchmark.rules();
    private final FetchedPage page = page("text/html", html);
    private final FetchedPage api = page("application/json", json);
    private final Extraction css = rules(CSS.stream().map(field -> field.replace('\'', '"')).toList());
    private final Extraction xpath = rules(XPATH.stream().map(x -> Json.text(Map.of("xpath", x))).toList());
    private final Extraction jsonPath = rules(
            JSONPATH.stream().map(x -> Json.text(Map.of("json", x, "list", true))).toList());
    private final Extraction pointer = rules(List.of(Json.text(Map.of("json", "/items/5/name"))));

    /** A generated page of 30 KB, without the head of its response. */
    private static String html() {
        byte[] response = new GeneratedSites(1, 1000, new PageShape(30, 55)).answer(0, GeneratedSites.path(PAGE))
                .bytes();
        String text = new String(response, StandardCharsets.UTF_8);
        return text.substring(text.indexOf("<!DOCTYPE"));
    }

    private static FetchedPage page(String type, String body) {
        Request request = RequestBuilder.builder().id(new RequestId(1)).run(new CrawlRun(new CrawlId("bench"), 1))
                .url("https://example.org/p/7.html").host(new HostKey("example.org:443")).depth(1).priority(1)
                .domains(3).parent(Optional.of("https://example.org/")).build();
        return new FetchedPage(
                new Response(request, new Outcome.Success(200, false), MID.parse("D1|127.0.0.1:8081"), Instant.EPOCH,
                        Duration.ZERO, 1, Map.of("content-type", type),
                        new Body(body.getBytes(StandardCharsets.UTF_8))),
                CrawlDefinition.of(List.of()), Extraction.NONE, DocumentMemory.USUAL);
    }

    /** @param fields in JSON */
    private static Extraction rules(List<String> fields) {
        String rules = "[{\"type\": \"page7\", \"match\": \"/p/**\", \"fields\": {" + IntStream.range(0, fields.size())
                .mapToObj(i -> "\"f" + i + "\": " + fields.get(i)).collect(Collectors.joining(",")) + "}}]";
        return Extraction.of(Arrays.asList(Json.readBounded(rules.getBytes(StandardCharsets.UTF_8), ItemRule[].class)));
    }

    /** Ten fields by CSS of a document that has been parsed for the links anyway. */
    @Benchmark
    public ExtractedItems tenFieldsByCss() {
        return css.extract(new PageSource(page, Optional.of(() -> document), Map.of(), Optional.empty()), 100);
    }

    /**
     * The same with thirty rules of a scope for every link of the page: all that a crawl file adds to the analysis of a
     * page.
     */
    @Benchmark
    public int thirtyRulesAndTenFieldsByCss() {
        return UrlBenchmark.judged(links, scope) + tenFieldsByCss().items().size();
    }

    /** Ten fields by XPath, with the conversion of the document. */
    @Benchmark
    public ExtractedItems tenFieldsByXPath() {
        return xpath.extract(new PageSource(page, Optional.of(() -> document), Map.of(), Optional.empty()), 100);
    }

    /** Ten fields by JSONPath, with the parsing of the JSON. */
    @Benchmark
    public ExtractedItems tenFieldsByJsonPath() {
        return jsonPath.extract(new PageSource(api, Optional.empty(), Map.of(), Optional.empty()), 100);
    }

    /** One field by JSON Pointer, with the parsing of the JSON. */
    @Benchmark
    public ExtractedItems oneFieldByJsonPointer() {
        return pointer.extract(new PageSource(api, Optional.empty(), Map.of(), Optional.empty()), 100);
    }

    /** For comparison: the parser that makes the document. */
    @Benchmark
    public Document parse() {
        return Jsoup.parse(html);
    }
}
