package io.trawl.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.render.Rendering;
import io.trawl.api.render.Rendering.RefusedRequest;
import io.trawl.api.render.SubrequestRefusal;
import io.trawl.control.ControlRecord;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.control.ChangedPartitions;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.FleetSettings;
import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
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
import io.trawl.model.Request.RedirectHop;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.model.Seed;
import io.trawl.model.TraceContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final MID MODULE = MID.parse("D3|10.0.0.7:8081");
    private static final Request REQUEST = RequestBuilder.builder().id(new RequestId(-5)).run(RUN)
            .url("https://example.org/a?b=%C3%A9").host(new HostKey("example.org:443")).depth(2).priority(1).domains(4)
            .parent(Optional.of("https://example.org/"))
            .options(FetchOptions.NONE.with().headers(Map.of("X-A", "b")).cookie(Optional.of("c=d"))
                    .waitTime(Optional.of(Duration.ofMillis(1500))).proxy(Optional.of("http://proxy:3128"))
                    .parser(Optional.of("html")).metadata(Map.of("batch", "7")).fetcher(Optional.of("browser")).build())
            .build();

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aRequestIsReadAsItWasWritten() {
        assertThat(Codec.request(Codec.encode(REQUEST))).isEqualTo(REQUEST);
        Request plain = RequestBuilder.builder().id(new RequestId(1)).run(RUN).url("http://x/")
                .host(new HostKey("x:80")).seed(true).build();
        assertThat(Codec.request(Codec.encode(plain))).isEqualTo(plain);
    }

    @Test
    void methodAndBodyOfARequestAndASeedAreReadAsTheyWereWritten() {
        FetchOptions post = FetchOptions.NONE.with().method(Optional.of("POST")).body(Optional.of("q=\"é\"\r\n"))
                .build();
        Request request = RequestBuilder.builder().id(new RequestId(1)).run(RUN).url("http://x/")
                .host(new HostKey("x:80")).seed(true).options(post).build();
        assertThat(Codec.request(Codec.encode(request))).isEqualTo(request);
        assertThat(Codec.seed(bytes("{\"crawl\":\"docs\",\"url\":\"http://x/\",\"method\":\"POST\",\"body\":\"q\"}"))
                .options().body()).contains("q");
        assertThat(new String(Codec.encode(REQUEST), StandardCharsets.UTF_8)).as("a GET is written as before")
                .doesNotContain("method", "body");
    }

    @Test
    void theRedirectsOfARequestAreReadAsTheyWereWrittenAndAreBounded() {
        List<RedirectHop> chain = Collections.nCopies(Request.LONGEST_CHAIN, new RedirectHop("http://x/", 301));
        Request redirected = RequestBuilder.builder().id(new RequestId(1)).run(RUN).url("http://x/y")
                .canonical(Optional.of("https://x/y")).host(new HostKey("x:80")).redirects(1).seed(true).definition(7)
                .chain(chain).build();
        byte[] json = Codec.encode(redirected);
        assertThat(Codec.request(json)).isEqualTo(redirected);
        assertThat(redirected.withoutOptions().chain()).isEmpty();
        String longer = new String(json, StandardCharsets.UTF_8).replace("\"chain\":[",
                "\"chain\":[{\"url\":\"http://x/\",\"status\":301},");
        assertThatThrownBy(() -> Codec.request(bytes(longer))).isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("chain");
        assertThatThrownBy(() -> Codec.request(bytes(new String(json, StandardCharsets.UTF_8).replace("301", "7"))))
                .isInstanceOf(MalformedRecordException.class).hasMessageContaining("status");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"capacity\":-1}", "{\"capacity\":null}", "{\"capacity\":\"many\"}", "[1]"})
    void sharedSettingsThatAreNoNumbersAreRefused(String values) {
        assertThatThrownBy(
                () -> Codec.control(bytes("{\"type\":\"settings\",\"version\":1,\"values\":" + values + "}")))
                .isInstanceOf(MalformedRecordException.class);
    }

    @ParameterizedTest
    @CsvSource({"2026-01-02T03:04:05Z, 2026-01-02T03:04:05.000Z", "2026-01-02T03:04:05.6789Z, 2026-01-02T03:04:05.678Z",
            "2026-01-02T03:04:00Z, 2026-01-02T03:04:00.000Z"})
    void timesAlwaysHaveThreeDigitsOfFraction(Instant time, String written) {
        assertThat(Json.text(Map.of("at", time))).isEqualTo("{\"at\":\"" + written + "\"}");
    }

    static Stream<Outcome> outcomes() {
        return Stream.of(new Outcome.Success(200, true), new Outcome.Redirect(301, "/x"), new Outcome.HttpError(503),
                new Outcome.Failure(FailureReason.TIMEOUT, "too late"),
                new Outcome.Refused(RefusalReason.ROBOTS, "forbidden"), new Outcome.Duplicate());
    }

    @ParameterizedTest
    @MethodSource("outcomes")
    void aResponseIsReadAsItWasWrittenAndItsBodyByteForByte(Outcome outcome) {
        byte[] body = {0, -1, 13, 10};
        Response response = new Response(REQUEST, outcome, MODULE, AT, Duration.ofMillis(12), 3,
                Map.of("content-type", "text/html"), new Body(body), Optional.empty(),
                Optional.of(new Rendering(5, 2, List.of(new RefusedRequest("http://cdn/", SubrequestRefusal.SERVER)),
                        Map.of(SubrequestRefusal.SERVER, 1), true)),
                Optional.of("of a robots.txt"));

        Response read = Codec.response(Codec.describe(response), new Body(body));

        assertThat(read).usingRecursiveComparison().isEqualTo(response);
        assertThat(read.outcome().kind().name()).isEqualTo(outcome.kind().name());
    }

    static Stream<ControlRecord> controlRecords() {
        CrawlDefinition definition = Json.read(bytes(
                "{\"seeds\":[{\"url\":\"http://x/\"}],\"limits\":{\"depth\":-1,\"maxPages\":7},\"fetch\":{\"delay\":\"250ms\"}}"),
                CrawlDefinition.class);
        return Stream.of(
                CrawlStatus.of(RUN, 3, definition, CrawlState.STOPPED).withStartedAt(Optional.of(AT))
                        .withEnd(Optional.of(new End(EndReason.FINISHED, AT))).withClosedAt(Optional.of(AT)),
                new Domains(RUN, 2, Set.of("a.example", "b.example")),
                new StopSign(Optional.of(new CrawlId("docs")), 1, true, AT),
                new StopSign(Optional.empty(), 2, false, AT),
                new StopSign(SignScope.ofHost("example.org:8080"), 2, true, AT),
                new StopSign(SignScope.of(MID.parse("D3|10.0.0.7:8081")), 3, true, AT),
                new ItemEnds(RUN, 1, Map.of(0, 5L, 3, 0L)),
                ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(8)
                        .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build(),
                new FleetSettings(2, Map.of("capacity", 7L)),
                ChannelsBuilder.builder().version(2).generation(1).levels(3).partitions(8)
                        .politeness(PolitenessKey.DOMAIN).responses(8).items(4).ledger(4).build(),
                ChannelsBuilder.builder().version(2).generation(1).levels(3).partitions(8)
                        .politeness(PolitenessKey.DOMAIN).responses(8).items(4).ledger(4).build().writingItemsTo(9)
                        .noting(new ChangedPartitions("items", 4, 9, AT, AT.plusMillis(7)))
                        .replacedBy(2, 5, 32, AT, List.of()),
                ChannelsBuilder.builder().version(2).generation(1).levels(3).partitions(8)
                        .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build()
                        .replacedBy(2, 5, 32, AT, List.of(1L, 2L, 3L)),
                ChannelsBuilder.builder().version(2).generation(1).levels(3).partitions(8)
                        .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build()
                        .replacedBy(2, 5, 32, AT, List.of()).open(AT),
                ChannelsBuilder.builder().version(2).generation(1).levels(3).partitions(8)
                        .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build()
                        .replacedBy(2, 5, 32, AT, List.of()).open(AT).replacementDone(7, AT));
    }

    @ParameterizedTest
    @MethodSource("controlRecords")
    void aControlRecordIsReadAsItWasWritten(ControlRecord control) {
        assertThat(Codec.control(Codec.encode(control))).isEqualTo(control);
    }

    @Test
    void aLedgerRecordIsReadAsItWasWrittenAndIsCompact() {
        LedgerRecord ledger = new LedgerRecord(RUN, List.of(new EmittedRequest(new RequestId(1), 2, 3)),
                List.of(new AnsweredRequest(new RequestId(255), OutcomeKind.PAGE, "200", true)),
                Map.of(RefusalReason.DOMAIN, 4), List.of(new StraySeed("http://a/", "http://b/", "b")), 99);

        assertThat(Codec.ledger(Codec.encode(ledger))).isEqualTo(ledger);
        assertThat(new String(Codec.encode(ledger), StandardCharsets.UTF_8)).contains("[\"0000000000000001\",2,3]",
                "[\"00000000000000ff\",\"PAGE\",\"200\",true]");
        LedgerRecord empty = new LedgerRecord(RUN, List.of(), List.of(), Map.of(), List.of(), 0);
        assertThat(Codec.ledger(Codec.encode(empty))).isEqualTo(empty);
    }

    @Test
    void itemsErrorsAndSeedsAreReadAsTheyWereWritten() {
        Item item = new Item("ab12", "kab12", RUN.toString(), ItemKind.PAGE, "http://x/", Map.of("title", "T"));
        CrawlerError error = CrawlerError
                .of(MODULE, Optional.of(RUN.crawl()), Optional.of("http://x/"), "TIMEOUT", "late", 3, AT)
                .from("seeds", 0, 17);
        Seed seed = Json.read(bytes(
                "{\"crawl\":\"docs\",\"url\":\"http://x/\",\"priority\":2,\"wait\":\"2s\",\"metadata\":{\"a\":\"b\"}}"),
                Seed.class);

        assertThat(Codec.item(Codec.encode(item))).isEqualTo(item);
        assertThat(Codec.error(Codec.encode(error))).isEqualTo(error);
        assertThat(Codec.seed(Codec.encode(seed))).isEqualTo(seed);
        assertThat(seed.options().waitTime()).contains(Duration.ofSeconds(2));
    }

    @Test
    void anItemWithAnInvalidRunIsMalformed() {
        byte[] item = bytes(
                "{\"id\":\"ab12\",\"key\":\"k\",\"run\":\"../etc/1\",\"kind\":\"PAGE\",\"url\":\"http://x/\",\"fields\":{}}");

        assertThatThrownBy(() -> Codec.item(item)).isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("../etc");
    }

    @Test
    void fieldsOfANewerVersionAreIgnored() {
        String newer = new String(Codec.encode(REQUEST), StandardCharsets.UTF_8).replaceFirst("\\{",
                "{\"schema\":2,\"new\":{\"x\":[1]},");

        assertThat(Codec.request(bytes(newer))).isEqualTo(REQUEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "null", "[]", "7", "{\"url\":\"http://x/\"}",
            "{\"id\":\"xyz\",\"run\":\"docs/1\"}",
            "{\"id\":\"0000000000000001\",\"run\":\"docs\",\"url\":\"http://x/\",\"host\":\"x:80\"}", "{}{}"})
    void anInvalidRequestIsRefusedInOneLineWithoutClassNames(String json) {
        assertThatThrownBy(() -> Codec.request(bytes(json))).isInstanceOf(MalformedRecordException.class)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n").doesNotContain("io.trawl")
                        .doesNotContain("com.fasterxml"));
    }

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aFaultInALongValueIsExplainedInLinearTime() {
        byte[] json = ("{\"limits\":{\"depth\":\"" + "a".repeat(1 << 19) + "\"}}").getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> Json.read(json, CrawlDefinition.class)).isInstanceOf(MalformedRecordException.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(2_000));
    }

    @Test
    void anUnknownFieldIsIgnoredInARecordAndRefusedInACall() {
        byte[] json = "[\"https://a.org/\",{\"url\":\"https://b.org/\",\"metod\":\"POST\"}]"
                .getBytes(StandardCharsets.UTF_8);
        assertThat(Json.read(json, Seed[].class)).hasSize(2);
        assertThatThrownBy(() -> Json.readBounded(json, Seed[].class)).isInstanceOf(MalformedRecordException.class)
                .hasMessage(
                        "[1].metod: 'POST' is not valid: one of the fields body, cookie, crawl, depth, fetcher, headers, "
                                + "metadata, method, parser, priority, proxy, url, wait; did you mean method?");
    }

    @Test
    void aRecordThatIsNestedTooDeeplyIsToldTheRuleOfRecordsAndACallThatOfCalls() {
        byte[] deep = ("[".repeat(1001) + "]".repeat(1001)).getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> Json.read(deep, Object.class)).isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("at most 1000 levels").hasMessageNotContaining("brackets");
        assertThatThrownBy(() -> Json.readBounded(deep, Object.class)).isInstanceOf(MalformedRecordException.class)
                .hasMessageContaining("at most 32 levels, 500000 names, values and brackets");
    }
}
