package io.trawl.codec;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.control.ControlRecord;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.StopSign;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.PolitenessKey;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.model.Seed;
import io.trawl.model.SeedBuilder;
import io.trawl.testkit.DamagedRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the records in topics mean, in the files under {@code records/}. Fields that this code does not know are
 * ignored, and reasons that it does not know are counted.
 */
class RecordedTest {
    private static final CrawlRun RUN = CrawlRun.parse("docs/3");
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final MID MODULE = MID.parse("D3|10.0.0.7:8081");
    private static final byte[] BODY = {1, 2};
    private static final Set<String> MAPS = Set.of("headers", "metadata", "fields", "source", "refused", "ends");
    private static final FetchOptions OPTIONS = FetchOptions.NONE.with().headers(Map.of("X-A", "b"))
            .cookie(Optional.of("c=d")).waitTime(Optional.of(Duration.ofMillis(1500)))
            .proxy(Optional.of("http://proxy:3128")).parser(Optional.of("html")).metadata(Map.of("batch", "7")).build();
    private static final Request REQUEST = RequestBuilder.builder().id(new RequestId(-5)).run(RUN)
            .url("https://example.org/a?b=%C3%A9").host(new HostKey("example.org:443")).depth(2).priority(1)
            .redirects(1).seed(true).domains(4).parent(Optional.of("https://example.org/")).options(OPTIONS).build();
    private static final CrawlDefinition DEFINITION = Json.read(bytes("""
            {"seeds":[{"url":"http://x/"}],"scope":{"domains":["example.org"]},"limits":{"depth":-1,"maxPages":7},
             "fetch":{"delay":"250ms","userAgent":"Bot/1","profile":"browser","proxy":"http://proxy:3128"},
             "extract":{"text":false},"process":{"failFast":false},"priority":2}"""), CrawlDefinition.class);

    /** The value of every file. */
    private static final Map<String, Object> FULL = full();

    private static Map<String, Object> full() {
        Map<String, Object> full = new LinkedHashMap<>();
        full.put("request", REQUEST);
        full.put("response-page", response(new Outcome.Success(200, true)));
        full.put("response-redirect", response(new Outcome.Redirect(301, "/x")));
        full.put("response-http-error", response(new Outcome.HttpError(503)));
        full.put("response-failure", response(new Outcome.Failure(FailureReason.TIMEOUT, "too late")));
        full.put("response-refused", response(new Outcome.Refused(RefusalReason.ROBOTS, "forbidden")));
        full.put("response-duplicate", response(new Outcome.Duplicate()));
        full.put("item", new Item("ab12", "kab12", RUN.toString(), ItemKind.PAGE, "http://x/", Map.of("title", "T")));
        full.put("ledger",
                new LedgerRecord(RUN, List.of(new EmittedRequest(new RequestId(1), 2, 3)),
                        List.of(new AnsweredRequest(new RequestId(255), OutcomeKind.PAGE, "200", true)),
                        Map.of(RefusalReason.DOMAIN, 4), List.of(new StraySeed("http://a/", "http://b/", "b")), 99));
        full.put("seed",
                SeedBuilder.builder().crawl(Optional.of("docs")).url(Optional.of("http://x/")).priority(Optional.of(2))
                        .headers(OPTIONS.headers()).cookie(OPTIONS.cookie()).waitTime(OPTIONS.waitTime())
                        .proxy(OPTIONS.proxy()).parser(OPTIONS.parser()).metadata(OPTIONS.metadata()).build());
        full.put("error",
                CrawlerError.of(MODULE, Optional.of(RUN.crawl()), Optional.of("http://x/"), "TIMEOUT", "late", 3, AT)
                        .from("seeds", 0, 17));
        full.put("control-crawl", CrawlStatus.of(RUN, 3, DEFINITION, CrawlState.STOPPED).withStartedAt(Optional.of(AT))
                .withEnd(Optional.of(new End(EndReason.FINISHED, AT))));
        full.put("control-domains", new Domains(RUN, 2, Set.of("a.example")));
        full.put("control-stop-crawl", new StopSign(Optional.of(new CrawlId("docs")), 1, true, AT));
        full.put("control-stop-fleet", new StopSign(Optional.empty(), 2, false, AT));
        full.put("control-ends", new ItemEnds(RUN, 1, Map.of(0, 5L, 3, 0L)));
        full.put("control-channels", ChannelsBuilder.builder().version(2).generation(1).levels(3).partitions(8)
                .politeness(PolitenessKey.DOMAIN).responses(8).items(4).ledger(4).build());
        return full;
    }

    private static Response response(Outcome outcome) {
        return new Response(REQUEST, outcome, MODULE, AT, Duration.ofMillis(12), 3, Map.of("content-type", "text/html"),
                new Body(BODY));
    }

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    private static Object read(Object like, byte[] json) {
        Function<byte[], Object> reader = switch (like) {
            case Request _ -> Codec::request;
            case Response _ -> description -> Codec.response(description, new Body(BODY));
            case Item _ -> Codec::item;
            case LedgerRecord _ -> Codec::ledger;
            case Seed _ -> Codec::seed;
            case CrawlerError _ -> Codec::error;
            case ControlRecord _ -> Codec::control;
            default -> throw new AssertionError(like);
        };
        return reader.apply(json);
    }

    private static byte[] written(Object value) {
        return switch (value) {
            case Request request -> Codec.encode(request);
            case Response response -> Codec.describe(response);
            case Item item -> Codec.encode(item);
            case LedgerRecord ledger -> Codec.encode(ledger);
            case Seed seed -> Codec.encode(seed);
            case CrawlerError error -> Codec.encode(error);
            case ControlRecord control -> Codec.encode(control);
            default -> throw new AssertionError(value);
        };
    }

    /**
     * A record of a hypothetical newer version: one more field at the start and the end of every object that is not a
     * map with users' keys.
     */
    private static byte[] newer(byte[] json) throws IOException {
        JsonNode tree = Json.mapper().readTree(json);
        grow(tree);
        return Json.bytes(tree);
    }

    private static void grow(JsonNode node) {
        if (!(node instanceof ObjectNode object)) {
            node.forEach(RecordedTest::grow);
            return;
        }
        object.properties().stream().filter(field -> !MAPS.contains(field.getKey()))
                .forEach(field -> grow(field.getValue()));
        ObjectNode old = object.deepCopy();
        object.removeAll();
        object.putObject("first").put("x", 1);
        object.setAll(old);
        object.putArray("last").add(1).addObject().put("y", true);
    }

    static Stream<String> names() {
        return FULL.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("names")
    void recordsAreRead(String name) {
        assertMeans(DamagedRecords.recorded(name), requireNonNull(FULL.get(name)));
    }

    @ParameterizedTest
    @MethodSource("names")
    void fieldsThatANewerVersionAddsAreIgnored(String name) throws IOException {
        assertMeans(newer(DamagedRecords.recorded(name)), requireNonNull(FULL.get(name)));
    }

    @ParameterizedTest
    @MethodSource("names")
    void writtenRecordsStartWithTheSchemaAndTolerateMoreFields(String name) throws IOException {
        byte[] now = written(requireNonNull(FULL.get(name)));
        assertThat(new String(now, StandardCharsets.UTF_8)).startsWith("{\"schema\":" + Codec.SCHEMA + ",");
        assertMeans(now, requireNonNull(FULL.get(name)));
        assertMeans(newer(now), requireNonNull(FULL.get(name)));
    }

    @Test
    void aLedgerRecordWithValuesOfANewerVersionStillCountsEveryId() {
        LedgerRecord ledger = Codec.ledger(
                bytes("""
                        {"schema":9,"run":"docs/3","emitted":[["0000000000000001",2,3,"more"]],
                         "answered":[["00000000000000ff","TELEPORTED","x",true,7],["00000000000000fe","REFUSED","MOOD",true]],"refused":{"MOOD":4}}"""));
        assertThat(ledger.emitted()).containsExactly(new EmittedRequest(new RequestId(1), 2, 3));
        assertThat(ledger.answered()).containsExactly(
                new AnsweredRequest(new RequestId(255), OutcomeKind.FAILURE, "x", true),
                new AnsweredRequest(new RequestId(254), OutcomeKind.REFUSED, "MOOD", true));
        assertThat(ledger.refused()).isEqualTo(Map.of(RefusalReason.OTHER, 4));
    }

    @Test
    void aSeedWithoutAnyFieldIsWrittenAndRead() {
        Seed nothing = Codec.seed(bytes("{}"));
        assertThat(new String(Codec.encode(nothing), StandardCharsets.UTF_8)).isEqualTo("{\"schema\":1}");
        assertThat(Codec.seed(Codec.encode(nothing))).isEqualTo(nothing);
    }

    private static void assertMeans(byte[] json, Object value) {
        assertThat(read(value, json)).as(new String(json, StandardCharsets.UTF_8)).usingRecursiveComparison()
                .isEqualTo(value);
    }
}
