package io.trawl.standalone.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.standalone.print.Screen;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TextsTest {
    private static final String CRAWL = """
            {"run":"docs/2","state":"STARTED","elapsed":"65s","totals":{"emitted":12345,"pages":10000,"repeats":0,"redirects":300,
            "httpErrors":40,"failures":5,"refused":0,"duplicates":2000,"waiting":0,"bytes":2500000},"waitingByPriority":{"0":3,"2":7},
            "errorsByKind":{"HTTP_ERROR 404":40,"FAILURE TIMEOUT":5},"refusals":{"DOMAIN":9,"ROBOTS":1},"domains":["a.example"]%s}""";

    private static JsonNode json(String text) {
        try {
            return Json.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode crawl(String more) {
        return json(CRAWL.formatted(more));
    }

    @Test
    void aCrawlShowsWhereItsRequestsHaveGone() {
        String rates = ",\"rates\":{\"pages1m\":56.31,\"pages5m\":40.0,\"errors1m\":0.1,\"errors5m\":0.2,\"bytes1m\":12345.6},\"remaining\":\"PT2M4S\",\"idle\":false";
        assertThat(CrawlText.of(new CrawlView(crawl(rates)), Screen.FILE)).containsExactly(
                "docs/2: started after 1m 05s, about 2m 04s left",
                "12,345 emitted = 10,000 pages + 300 redirects + 40 HTTP errors + 5 failures + 2,000 duplicates + 0 waiting",
                "  pages     10,000  2.5 MB",
                "  errors        45  HTTP_ERROR 404 40, FAILURE TIMEOUT 5",
                "  refusals      10  DOMAIN 9, ROBOTS 1",
                "  waiting        0  p2 7, p0 3",
                "  pages/s     56.3  over 1 minute; over 5 minutes 40.0",
                "  errors/s     0.1  over 1 minute; over 5 minutes 0.2",
                "  bytes/s   12,346  over 1 minute; over 5 minutes –",
                "  domains        1  a.example");
    }

    @Test
    void aCoordinatorThatSaysLessIsShownAsFarAsItGoes() {
        assertThat(CrawlsText.of(json("[" + CRAWL.formatted("") + "]"), Screen.FILE)).containsExactly(
                "CRAWL   STATE      DONE  OF KNOWN          PAGES  ERRORS  PAGES/S  REMAINING",
                "docs/2  started  12,345    12,345  100 %  10,000      45        –          –");
        assertThat(FleetText.atAGlance(json("{}"), Optional.empty(), Screen.FILE)).first().asString()
                .isEqualTo("0 crawls, – pages; no coordinator leads");
    }

    @Test
    void aCrawlThatHasEndedSaysWhy() {
        assertThat(state("\"STOPPED\",\"end\":{\"reason\":\"FINISHED\"}")).isEqualTo("finished");
        assertThat(state("\"STOPPED\",\"end\":{\"reason\":\"PAGE_LIMIT\"}")).isEqualTo("page limit");
        assertThat(state("\"STOPPED\",\"end\":{\"reason\":\"ASKED\"}")).isEqualTo("stopped");
        assertThat(state("\"STOPPING\"")).isEqualTo("stopping");
    }

    private static String state(String state) {
        return new CrawlView(json("{\"state\":" + state + "}")).state();
    }

    @Test
    void aKindOfModuleOfWhichThereIsNoneIsNamed() {
        assertThat(ModulesText.inShort(
                json("[{\"mid\":\"D1|a:1\"},{\"mid\":\"D2|a:2\"},{\"mid\":\"C1|a:3\"},{\"mid\":\"P1|a:4\"}]"), Screen.FILE))
                .containsExactly("modules: 2 downloaders, 0 analyzers, 1 pipeline, 1 coordinator",
                        "no analyzer is running: nothing that is fetched is analysed");
    }

    @Test
    void aStopSignNamesWhoHasDealtAndWhoIsWaitedFor() {
        JsonNode sign = json(
                """
                        {"version":3,"signed":true,"at":"2026-01-02T03:04:05Z","dealTotal":2,"deals":{"D1|a:1":2},"waiting":["D2|a:2"],"complete":false}""");
        assertThat(SignText.of(sign, Screen.FILE)).containsExactly(
                "stop sign of the fleet: stands since 2026-01-02T03:04:05Z, 1 of 2 modules have dealt with it, waiting for D2|a:2",
                "",
                "MID     STOP SIGN   DEALS",
                "D1|a:1  dealt with      2",
                "D2|a:2  waited for");
        assertThat(SignText.line(json("{\"crawl\":\"docs\",\"signed\":false}"), Screen.FILE))
                .isEqualTo("stop sign of docs: none");
    }

    @Test
    void queuesShowHowFullTheyAre() {
        assertThat(QueueText.of(
                json("""
                        {"status":"started","line":"status: started","levels":[{"priority":1,"capacity":100,"backlog":80,"pushed":1000,"popped":900,
                        "waiting":90,"abandoned":10}],"pushed":1000,"popped":900,"responses":{"backlog":5,"limit":20000},"items":{"backlog":7},
                        "refused":{"CHANNEL_FULL":3},"refusedCalls":{"CHANNEL_FULL":0}}"""),
                Screen.FILE)).containsExactly(
                        "CHANNEL      BACKLOG   CAPACITY  FULL  PUSHED  POPPED  WAITING  ABANDONED",
                        "requests p1       80        100  80 %   1,000     900       90         10",
                        "responses          5     20,000   0 %",
                        "items              7  unlimited",
                        "refused in the topic: CHANNEL_FULL 3",
                        "",
                        "pushed 1,000, popped 900",
                        "status: started");
    }

    @Test
    void anErrorOfAHostilePageIsOnlyText() {
        assertThat(ErrorsText.line(
                "{\"at\":\"2026-01-02T03:04:05.678Z\",\"crawl\":\"docs\",\"kind\":\"PARSE\",\"mid\":\"A1|a:1\",\"url\":\"http://x/\",\"cause\":\"\\u001b[2J\\nnext\"}",
                Screen.FILE)).isEqualTo("2026-01-02T03:04:05Z  docs  PARSE  A1|a:1  http://x/  \ufffd[2J next");
    }
}
