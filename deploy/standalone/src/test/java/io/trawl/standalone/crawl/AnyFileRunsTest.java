package io.trawl.standalone.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.trawl.admission.Admission;
import io.trawl.admission.HostKeyFactory;
import io.trawl.analyzer.SingleAnalyzer;
import io.trawl.api.Item;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.definition.CrawlVariables;
import io.trawl.coordinator.definition.CronSchedule;
import io.trawl.coordinator.definition.DefinitionRules;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.http.RequestHeaders;
import io.trawl.extract.Extraction;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;

import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.model.Seed;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.plugin.Plugins;
import io.trawl.scope.LinkFacts;
import io.trawl.scope.PagesRule;
import io.trawl.scope.PriorityRule;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.AfterContainer;

/** Whatever {@code validate} accepts, a coordinator accepts, and the workers can do. */
class AnyFileRunsTest {
    private static final CrawlId CRAWL = new CrawlId("any");
    private static final CrawlRun RUN = new CrawlRun(CRAWL, 1);
    private static final CrawlVariables VARIABLES = new CrawlVariables(
            Map.of("TRAWL_VALUE_NUMBER", "1", "TRAWL_VALUE_TEXT", "text", "TRAWL_SECRET_A", "http://secret:80"));
    private static final DefinitionRules OF_COORDINATOR = new DefinitionRules(new Admission(2048), 10);
    private static final int MOST_REPAIRS = 30;
    private static final List<String> URLS = List.of("https://example.org/p/7", "https://example.org/list?page=3",
            "http://docs.example.org:8080/a/b.zip");
    private static final Map<String, String> BODIES = Map.of("text/html",
            """
                    <html lang=en><head><title>One</title><meta name=author content=me><meta property='og:title' content=o>
                    <script type='application/ld+json'>{"name":"n","offers":{"price":"7"}}</script></head><body><main><h1>One 1</h1>
                    <li class=offer><a href='/p/8'>x</a> <span class=price itemprop=price>1.234,50 €</span></li></main></body></html>""",
            "application/json", "{\"a\":{\"b\":[\"x\",2]},\"items\":[{\"name\":\"y\"}]}", "text/plain",
            "One https://example.org/p/9", "application/xml",
            "<urlset><url><loc>https://example.org/p/9</loc></url></urlset>");
    private static final int MOST_FILES = 5_000;
    private static final Plugins PLUGINS = Plugins.in(LocalSettings.withoutServers(List.of(), Map.of()).plugins());
    private static final SingleAnalyzer ANALYZER = new SingleAnalyzer(LocalSettings.withoutServers(List.of(), Map.of()),
            PLUGINS, Time.system());

    @AfterContainer
    static void close() {
        ANALYZER.close();
        PLUGINS.close();
    }

    @Property(tries = 150)
    void aFileThatValidatesIsAcceptedAndEveryWorkerCanDoWhatItSays(@ForAll long seed) throws Exception {
        ObjectNode file = new RandomCrawlFile(new Random(seed)).next();
        WrittenDefinition written = valid(file);
        CrawlDefinition definition = accepted(written);
        run(definition);
    }

    /** Otherwise a part of the fields would never be tried. */
    @Example
    void everyFieldOfTheSchemaIsInSomeOfTheseFiles() throws IOException {
        Set<String> missing = new TreeSet<>(RandomCrawlFile.fields());
        for (int seed = 0; seed < MOST_FILES && !missing.isEmpty(); seed++) {
            ObjectNode file = new RandomCrawlFile(new Random(seed)).next();
            valid(file);
            names("", file, missing);
        }
        assertThat(missing).as("fields without a valid value in RandomCrawlFile").isEmpty();
    }

    /** What {@code validate} and {@code --file} do, after all that is not valid has been taken out. */
    private static WrittenDefinition valid(ObjectNode file) throws IOException {
        for (int repairs = 0; repairs < MOST_REPAIRS; repairs++) {
            WrittenDefinition written = WrittenDefinition
                    .read(DefinitionText.yaml(new YAMLMapper().writeValueAsBytes(file)), VARIABLES);
            try {
                written.check(CRAWL, written.definition(), DefinitionOptions.RULES);
                return written;
            } catch (InvalidDefinitionException e) {
                e.faults().forEach(fault -> remove(file, fault));
            }
        }
        throw new AssertionError("still not valid: " + file);
    }

    /** Removes a field, or what is around it if it is not there. */
    private static void remove(ObjectNode file, Fault fault) {
        assertThat(fault.field()).as(fault.placed()).isNotEmpty();
        assertThat(fault.line()).as(fault.placed()).isPresent();
        String[] path = fault.field().replace("[", ".").replace("]", "").split("\\.");
        for (int length = path.length; length > 0; length--) {
            JsonNode parent = file;
            for (int i = 0; i < length - 1; i++) {
                parent = parent instanceof ArrayNode list ? list.path(Integer.parseInt(path[i])) : parent.path(path[i]);
            }
            String last = path[length - 1];
            if (parent instanceof ArrayNode list && last.matches("[0-9]+") && list.has(Integer.parseInt(last))) {
                list.remove(Integer.parseInt(last));
                return;
            }
            if (parent instanceof ObjectNode object && object.remove(last) != null) {
                return;
            }
        }
    }

    /** Removes the names of the fields of a file. */
    private static void names(String path, JsonNode tree, Set<String> missing) {
        if (tree.isArray()) {
            tree.forEach(element -> names(path, element, missing));
        }
        tree.properties().forEach(field -> {
            String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
            missing.remove(name);
            if (field.getKey().equals("fields")) {
                field.getValue().forEach(one -> names(name, one, missing));
            } else {
                names(name, field.getValue(), missing);
            }
        });
    }

    /** What {@code PUT} does, and what stands on the topic of definitions afterwards. */
    private static CrawlDefinition accepted(WrittenDefinition written) {
        CrawlDefinition definition = written.complete(CRAWL, OF_COORDINATOR, Optional.empty());
        OF_COORDINATOR.check(CRAWL, definition);
        definition.schedule().ifPresent(CronSchedule::of);
        CrawlStatus status = CrawlStatus.of(RUN, 1, definition, CrawlState.STARTED);
        CrawlDefinition read = ((CrawlStatus) Codec.control(Codec.encode(status))).definition();
        assertThat(read).isEqualTo(definition);
        return read;
    }

    private static void run(CrawlDefinition definition) throws Exception {
        assertThatCode(() -> Extraction.of(definition.extract().items())).doesNotThrowAnyException();
        FetchProfile profile = FetchProfile.of(definition.fetch(), VARIABLES)
                .withMediaTypes(definition.scope().wantedTypes());
        ProcessorChain chain = new ProcessorChain(List.of());
        List<FetchOptions> options = Stream
                .concat(Stream.of(FetchOptions.NONE), definition.starts().stream().map(Seed::options)).toList();
        for (String url : URLS) {
            definition.scopeRules().refusal(url, 1);
            definition.scopeRules().refusalOfSeed(url);
            definition.identity().canonical(url, FetchOptions.NONE);
            PagesRule.first(definition.scope().maxPages(), url);
            PriorityRule.first(definition.priorities(), new LinkFacts(url, 1, Map.of(), Optional.empty()));
            for (FetchOptions one : options) {
                Request request = request(url, one);
                assertThat(RequestHeaders.of(url, one, profile.through(request))).containsKey("User-Agent");
            }
            for (Map.Entry<String, String> body : BODIES.entrySet()) {
                AnalyzeAnswer answer = ANALYZER.analyze(
                        page(request(url, options.getLast()), body.getKey(), body.getValue()), definition,
                        Set.of("example.org"));
                assertThat(answer.errors()).noneMatch(error -> error.contains("Exception") || error.contains("Error"));
                for (Item item : answer.items()) {
                    // An item may lack what a processor needs; that fails for its value alone.
                    assertThat(chain.process(item, definition.process()).failures())
                            .noneMatch(failure -> failure.kind().contains("Exception")
                                    && !failure.kind().equals("InvalidValueException")
                                    || failure.kind().contains("Error") || failure.kind().equals("UNKNOWN_PROCESSOR")
                                            && !Set.of("word-count", "plug-in").contains(failure.processor()));
                }
            }
        }
    }

    private static Request request(String url, FetchOptions options) {
        return RequestBuilder.builder().id(new RequestId(1)).run(RUN).url(url).host(HostKeyFactory.of(url)).priority(1)
                .seed(true).options(options).build();
    }

    private static Response page(Request request, String type, String body) {
        return new Response(request, new Outcome.Success(200, false), MID.parse("D1|127.0.0.1:8081"), Instant.EPOCH,
                Duration.ZERO, 1, Map.of("content-type", type), new Body(body.getBytes(StandardCharsets.UTF_8)));
    }
}
