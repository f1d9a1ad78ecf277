package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import com.sun.net.httpserver.HttpExchange;
import io.trawl.api.Item;
import io.trawl.api.FetchAnswer;
import io.trawl.api.FetchTask;
import io.trawl.api.Page;
import io.trawl.api.PageFetcher;
import io.trawl.api.Parsed;
import io.trawl.api.render.Rendering;
import io.trawl.api.render.Rendering.RefusedRequest;
import io.trawl.api.ResponseParser;
import io.trawl.api.render.SubrequestRefusal;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.ExtractRules;
import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.ItemTotals;
import io.trawl.extract.ItemSchema;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.ledger.RenderCounts;
import io.trawl.testkit.Output;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a crawl stores is as the published schemas say, and these name every field. */
class ItemSchemaIT {
    private static final CrawlId CRAWL = new CrawlId("all-kinds");
    private static final String DEFINITION = """
            {"seeds": [{"url": "%1$s", "metadata": {"batch": "7"}, "fetcher": "rendered"},
                       {"url": "%1$s", "method": "POST", "body": "q=1"}], "fetch": {"delay": "0ms", "ignoreRobots": ["127.0.0.1"], "contact": "me@example.org"},
             "process": {"processors": [{"similar": "text"}]}, "refresh": {},
             "extract": {"anchors": true, "markdown": true, "language": true, "page": true, "items": [
               {"type": "step", "match": "/there", "each": "li", "fields": {
                 "title": {"css": "b", "required": true}, "price": {"css": "i", "type": "money"}, "links": {"css": "a", "type": "url"}}}]}}""";
    private final SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
    @TempDir
    private Path folder;

    @Test
    void everyLineAndEveryRecordIsAsItsSchemaSays() throws Exception {
        try (FakeWeb web = FakeWeb.start(1);
                OneJvmFleet fleet = new OneJvmFleet(folder.resolve("pages"),
                        Map.of("trawl.topics.trim-interval", "1h", "trawl.plugins",
                                PluginJar.write(folder.resolve("plugins"),
                                        Map.of(ResponseParser.class, Parts.class, PageFetcher.class, AsRendered.class))
                                        .toString()))) {
            String site = site(web.host(0));
            CrawlSummary end = crawl(fleet, site, NewRun.NONE);
            Output output = new Output(fleet.out(), CRAWL + "-1");
            List<JsonNode> lines = new ArrayList<>(output.items());
            lines.addAll(output.errors().values());
            List<JsonNode> records = fleet.fixture().records(fleet.fixture().topics().items()).stream()
                    .map(record -> Json.read(record.value(), JsonNode.class)).toList();

            assertThat(lines).hasSize(15).hasSameSizeAs(records);
            ObjectNode item = read("item");
            ObjectNode record = read("items-record");
            ((ObjectNode) record.path("properties")).set("fields", fields(item));
            assertValid(complete(item), lines.stream().filter(line -> !line.has("type")).toList());
            assertValid(complete(record), records.stream().filter(each -> !each.path("fields").has("type")).toList());
            typed(lines, end);
            assertThat(explanation(fleet, site)).contains(
                    "Its time was over before the page came to rest, so it may lack a part: the browser took 5ms, with 1 request to the server; 1 that the page made were refused, among them http://cdn/ (SERVER).");
            web.host(0).page("/noindex", "<p>It has changed");
            web.host(0).page("/there", "<p>There<ul><li><b>One</b><i>6 €</i><a href=#>l</a></ul>");
            web.host(0).redirect("/other-twin", "/twin");
            lines.addAll(refreshed(fleet, 2, site, "/noindex page changed", "/there page changed",
                    "/there step changed", "/there step gone"));
            lines.addAll(refreshed(fleet, 3, site, "/other-twin page moved"));
            assertThat(names(lines)).as("every field of the schema occurs").containsAll(fieldNames(item));
            assertThat(end.totals().render()).contains(new RenderCounts(1, 1, 5, 1, Map.of("SERVER", 1L)));
            assertThat(end.notes()).singleElement().asString().contains("robots.txt is not read on 127.0.0.1");
            assertThat(web.visits()).noneMatch(visit -> visit.path().equals("/robots.txt"))
                    .allMatch(visit -> visit.userAgent().equals("Trawl/0.1 (+me@example.org)"));
        }
    }

    /** What a refresh has stored. @param expected path, maker and change of each line */
    private List<JsonNode> refreshed(OneJvmFleet fleet, int epoch, String site, String... expected) throws IOException {
        CrawlSummary end = crawl(fleet, site, NewRun.REFRESH);
        Output output = new Output(fleet.out(), CRAWL + "-" + epoch);
        List<JsonNode> lines = new ArrayList<>(output.items());
        lines.addAll(output.errors().values());
        lines.removeIf(line -> !line.has("change"));
        assertThat(lines).extracting(line -> "/" + line.path("url").asText().substring(site.length()) + " "
                + line.path("type").asText(line.path("parser").asText("page")) + " " + line.path("change").asText())
                .containsExactlyInAnyOrder(expected);
        assertValid(complete(read("item")), lines.stream().filter(line -> !line.has("type")).toList());
        ExtractRules rules = end.definition().extract();
        assertValid(
                registry.getSchema(Json.mapper().readTree(ItemSchema.of("all-kinds", rules.items(), rules.pageItem()))),
                lines);
        return lines;
    }

    /**
     * Of three elements two are items, and the third is an error that is counted; the schema of the definition
     * describes them.
     */
    private void typed(List<JsonNode> lines, CrawlSummary end) throws IOException {
        ExtractRules rules = end.definition().extract();
        String schema = ItemSchema.of("all-kinds", rules.items(), rules.pageItem());
        assertValid(registry.getSchema(Json.mapper().readTree(schema)), lines);
        List<JsonNode> steps = lines.stream().filter(line -> line.has("type")).toList();
        assertThat(steps).extracting(line -> line.path("ordinal") + " " + line.path("title") + " " + line.path("price"))
                .containsExactlyInAnyOrder("1 \"One\" {\"amount\":5,\"currency\":\"EUR\"}", "3 \"Three\" ");
        assertThat(steps).extracting(line -> line.path("id").asText()).doesNotHaveDuplicates();
        assertThat(end.errorsByKind()).containsEntry("EXTRACT", 1L);
        assertThat(end.totals().items()).isEqualTo(new ItemTotals(lines.size(), lines.size(), 0, 0, 0));
    }

    /** Says of a page what the browser says. */
    public static final class AsRendered implements PageFetcher {
        @Override
        public String name() {
            return "rendered";
        }

        @Override
        public FetchAnswer fetch(FetchTask task) throws IOException, InterruptedException {
            FetchAnswer page = task.get(task.url());
            Rendering how = new Rendering(5, task.requests(),
                    List.of(new RefusedRequest("http://cdn/", SubrequestRefusal.SERVER)),
                    Map.of(SubrequestRefusal.SERVER, 1), true);
            return new FetchAnswer(page.status(), page.headers(), page.body(), false, Optional.of(how));
        }
    }

    /** Makes a second item of one page. */
    public static final class Parts implements ResponseParser {
        @Override
        public String name() {
            return "parts";
        }

        @Override
        public boolean handles(Page page) {
            return page.url().endsWith("/there");
        }

        @Override
        public Parsed parse(Page page) {
            return Parsed.fields(Map.of()).withItems(List.of(Map.of("text", "part")));
        }
    }

    /** A site with everything that an item can say. */
    private static String site(FakeHost host) {
        host.robots("User-agent: *\nDisallow: /");
        host.route("/", exchange -> answer(exchange, "text/html",
                Map.of("etag", "\"1\"", "last-modified", "Fri, 02 Jan 2026 03:04:05 GMT"),
                """
                        <html lang=en><title>Title</title><meta name=description content=d><link rel=canonical href=/>
                        <script type="application/ld+json">{"@type": "NewsArticle", "author": {"name": "Ann"}, "image": "/ann.png",
                         "datePublished": "2026-01-02", "dateModified": "2026-01-03T04:05:06Z"}</script><meta property=og:site_name content=News>
                        <main><h2 id=part>Part</h2><p>Text</p><a href=/moved rel=next>moved</a><a href=/plain>p</a><a href=/pdf>f</a><a href=/feed>f</a>
                        <a href=/none>n</a><a href=/long>l</a><a href=/noindex>n</a><a href=/broken>b</a><a href=/twin>t</a><a href=/other-twin>t</a></main>"""));
        host.redirect("/moved", "/moved-again");
        host.redirect("/moved-again", "/there");
        host.page("/there", "<p>There<ul><li><b>One</b><i>5 €</i><a href=#>l</a><li><i>none</i><li><b>Three</b></ul>");
        host.route("/plain", exchange -> answer(exchange, "text/plain", Map.of(), "plain text"));
        String twins = IntStream.range(0, 60).mapToObj(n -> "word" + n).collect(Collectors.joining(" "));
        host.route("/twin", exchange -> answer(exchange, "text/plain", Map.of(), twins));
        host.route("/other-twin", exchange -> answer(exchange, "text/plain", Map.of(), twins));
        host.route("/pdf", exchange -> answer(exchange, "application/pdf", Map.of(), "%PDF-1.7"));
        host.route("/feed", exchange -> answer(exchange, "application/rss+xml", Map.of(),
                "<rss><channel><title>News</title></channel></rss>"));
        host.route("/long", exchange -> answer(exchange, "text/plain", Map.of(), "long ".repeat(2_000_000)));
        host.page("/noindex", "<meta name=robots content=noindex><p>No");
        host.route("/broken", exchange -> {
            throw new IOException("for a test");
        });
        return host.url("/");
    }

    private static void answer(HttpExchange exchange, String type, Map<String, String> headers, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("content-type", type);
        headers.forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static CrawlSummary crawl(RunningFleet fleet, String seed, NewRun newRun) {
        CrawlDefinition definition = Json.read(DEFINITION.formatted(seed).getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
        await().ignoreExceptionsInstanceOf(CoordinatorUnavailableException.class)
                .until(() -> fleet.client().define(CRAWL, definition, newRun) != null);
        return await().ignoreExceptionsInstanceOf(CoordinatorUnavailableException.class)
                .until(() -> fleet.client().crawl(CRAWL).orElseThrow(), crawl -> crawl.end().isPresent());
    }

    /** As long as the response is there. */
    private static String explanation(OneJvmFleet fleet, String url) throws InterruptedException {
        try (Api api = new Api(fleet.address())) {
            return api.get("/api/v1/explain?crawl=" + CRAWL + "&url=" + ProbeFleet.encoded(url)).as(JsonNode.class)
                    .path("story").toString();
        }
    }

    /** A schema in the jar of the API. */
    private static ObjectNode read(String name) throws IOException {
        try (InputStream in = Item.class.getResourceAsStream(name + ".schema.json")) {
            return (ObjectNode) Json.mapper().readTree(in);
        }
    }

    private static ObjectNode fields(ObjectNode item) {
        return (ObjectNode) item.at("/$defs/fields").deepCopy();
    }

    /** The schema without permission for fields that it does not name; plug-ins may add some, Trawl does not. */
    private Schema complete(ObjectNode schema) {
        ObjectNode strict = schema.deepCopy();
        strict.put("unevaluatedProperties", false);
        if (strict.path("properties").path("fields") instanceof ObjectNode fields) {
            fields.put("unevaluatedProperties", false);
        }
        return registry.getSchema(strict);
    }

    private static void assertValid(Schema schema, List<JsonNode> documents) {
        for (JsonNode document : documents) {
            assertThat(schema.validate(document)).as(document.toString()).isEmpty();
        }
    }

    private static Set<String> names(List<JsonNode> documents) {
        Set<String> names = new TreeSet<>();
        documents.forEach(document -> document.fieldNames().forEachRemaining(names::add));
        return names;
    }

    private static Set<String> fieldNames(ObjectNode item) {
        Set<String> names = new TreeSet<>();
        fields(item).path("properties").fieldNames().forEachRemaining(names::add);
        fields(item).at("/allOf/0/then/properties").fieldNames().forEachRemaining(names::add);
        return names;
    }
}
