package io.trawl.coordinator.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JavaType;
import io.trawl.model.CrawlId;
import io.trawl.coordinator.lifecycle.RefreshPlan;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.api.Counts;
import io.trawl.codec.Json;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.probe.Explanation;
import io.trawl.coordinator.probe.Preview;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetCrawls;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.FleetSummary.MissingKind;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.coordinator.summary.ItemTotals;
import io.trawl.coordinator.summary.Totals;
import io.trawl.coordinator.view.HostCalls.HostList;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The text of summaries in JSON, as the command line gets them. */
class SummaryTextTest {
    private static final String CRAWL = """
            {"crawl":"docs","epoch":2,"state":"STARTED","elapsed":"65s","totals":{"emitted":12345,"pages":10000,"repeats":0,"redirects":300,
            "httpErrors":40,"failures":5,"refused":0,"duplicates":2000,"waiting":0,"bytes":2500000},"waitingByPriority":{"0":3,"2":7},
            "errorsByKind":{"HTTP_ERROR 404":40,"FAILURE TIMEOUT":5},"refusals":{"DOMAIN":9,"ROBOTS":1},"domains":["a.example"]%s}""";
    private static final String RATES = """
            {"pages1m":56.31,"pages5m":40.0,"errors1m":0.1,"errors5m":0.2,"bytes1m":12345.6,"bytes5m":9876.5,
            "requests1m":60.5,"requests5m":50.5}""";
    private static final String MODULE = """
            {"mid":"%s","score":7,"counts":{"called":1000,"accepted":900,"completed":800,"failed":60,"handling":40},
            "since":"2026-01-02T03:04:05Z","state":{"phase":"running"},"deals":{"stop/docs":3},"waiting":12}""";

    private static <T> T read(String json, Class<T> type) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), type);
    }

    private static <T> List<T> list(Class<T> type, String... entries) throws Exception {
        JavaType list = Json.mapper().getTypeFactory().constructCollectionType(List.class, type);
        return Json.mapper().readValue("[" + String.join(",", entries) + "]", list);
    }

    private static CrawlSummary crawl(String more) {
        return read(CRAWL.formatted(more), CrawlSummary.class);
    }

    @Test
    void aCrawlShowsHowItsRequestsWereAnswered() {
        assertThat(CrawlText.of(crawl(",\"rates\":" + RATES + ",\"remaining\":\"124s\",\"idle\":false"), Screen.FILE))
                .containsExactly("docs/2: started after 1m 05s, about 2m 04s left",
                        "12,345 emitted = 10,000 pages + 300 redirects + 40 HTTP errors + 5 failures + 2,000 duplicates + 0 waiting",
                        "  pages       10,000  2.5 MB", "  errors          45  HTTP_ERROR 404 40, FAILURE TIMEOUT 5",
                        "  refusals        10  DOMAIN 9, ROBOTS 1", "  waiting          0  p2 7, p0 3",
                        "  pages/s       56.3  over 1 minute; over 5 minutes 40.0",
                        "  errors/s       0.1  over 1 minute; over 5 minutes 0.2",
                        "  bytes/s     12,346  over 1 minute; over 5 minutes 9,877",
                        "  requests/s    60.5  over 1 minute; over 5 minutes 50.5", "  domains          1  a.example");
    }

    @Test
    void theDomainsOfAllSeedsAreNotCountedAsOne() {
        assertThat(CrawlText.of(crawl("").withDomains(List.of("example.org", "seeds")), Screen.FILE))
                .anyMatch(line -> line.matches("  domains +example.org, seeds"));
    }

    @Test
    void entriesThatAreDamagedAndFieldsThatAreEmptyAreTold() {
        assertThat(CrawlText.balance(
                read("{\"emitted\":3,\"pages\":1,\"sources\":2,\"waiting\":0,\"entriesNotTaken\":1200}", Totals.class)))
                .isEqualTo("3 emitted = 1 page + 2 sources + 0 waiting; 1,200 entries of sitemaps are damaged");
        assertThat(CrawlText.balance(read("{\"emitted\":1,\"sources\":1,\"entriesNotTaken\":1}", Totals.class)))
                .endsWith("; 1 entry of a sitemap is damaged");
        assertThat(CrawlText
                .balance(read("{\"written\":2,\"stored\":2,\"fieldErrors\":{\"extract.items[0].fields.price\":5}}",
                        ItemTotals.class)))
                .isEqualTo("2 items = 2 stored + 0 waiting; 5 fields left empty");
    }

    @Test
    void aRefreshNamesTheRunWhosePagesItVisitsAndCountsThoseThatAreUnchanged() throws Exception {
        CrawlSummary refresh = crawl(",\"refreshes\":1").withTotals(
                read("{\"emitted\":10,\"pages\":2,\"unchanged\":7,\"httpErrors\":1,\"bytes\":9}", Totals.class));
        assertThat(CrawlText.of(refresh, Screen.FILE)).startsWith("docs/2 (refreshes run 1): started after 1m 05s",
                "10 emitted = 2 pages + 7 unchanged + 1 HTTP error + 0 waiting", "  pages        2  9 bytes",
                "  unchanged    7");
        assertThat(CrawlText.inBrief(refresh)).isEqualTo("crawl docs/2 (refreshes run 1) is started");
        assertThat(CrawlText.planned(new RefreshPlan(new CrawlId("docs"), 1, new PromotedVisits(3, 4000, 12))))
                .isEqualTo("a refresh of docs would visit 3 pages of run 1, and leave 4,000 for the next one,"
                        + " 12 of them overdue");
        FleetSummary fleet = read("{\"totals\":{\"pages\":2,\"unchanged\":7}}", FleetSummary.class);
        assertThat(FleetText.atAGlance(fleet, Optional.empty(), Screen.FILE)).first().asString()
                .startsWith("0 crawls, 2 pages, 7 unchanged, ");
    }

    @Test
    void notesAboutTheDefinitionAreShown() {
        assertThat(CrawlText.of(crawl(",\"notes\":[\"robots.txt is not read on a\"]"), Screen.FILE))
                .endsWith("note: robots.txt is not read on a");
    }

    @Test
    void aSeedThatRedirectsAwayIsShownWithTheCommandThatAcceptsItsDomain() {
        String seed = "{\"url\":\"http://a.example/\\u001b[2J\",\"target\":\"http://b.example/\",\"domain\":\"b.example\"}";
        assertThat(CrawlText.of(crawl(",\"straySeeds\":[" + seed + "," + seed + "]"), Screen.FILE))
                .filteredOn(line -> line.contains("redirects to"))
                .containsExactly("http://a.example/\ufffd[2J redirects to "
                        + "http://b.example/, which is not in the accepted domains: trawl domains docs add b.example");
    }

    @Test
    void aSummaryWithMissingFieldsIsShownWithoutThem() throws Exception {
        assertThat(CrawlText.table(list(CrawlSummary.class, CRAWL.formatted(",\"later\":{}")), Screen.FILE))
                .containsExactly("CRAWL   STATE      DONE  OF KNOWN          PAGES  ERRORS  PAGES/S  REMAINING",
                        "docs/2  started  12,345    12,345  100 %  10,000      45        –          –");
        assertThat(CrawlText.of(read("{\"crawl\":\"docs\",\"epoch\":1,\"state\":\"STARTED\"}", CrawlSummary.class),
                Screen.FILE)).contains("docs/1: started", "0 emitted = 0 pages + 0 waiting",
                        "  pages/s     –  over 1 minute; over 5 minutes –");
        FleetSummary nothing = read("{}", FleetSummary.class);
        assertThat(FleetText.atAGlance(nothing, Optional.empty(), Screen.FILE)).startsWith(
                "0 crawls, 0 pages, – pages/s; no coordinator is registered, so the leader is not known", "",
                "no crawls; trawl submit defines one", "", "waiting: –; for analyzers –, for pipelines –");
        assertThat(FleetText.inFull(nothing, Instant.EPOCH, Screen.FILE)).contains("pushed 0, popped 0");
    }

    @Test
    void numbersThatAreStillCountedAreCalledSo() throws Exception {
        String counting = ",\"counting\":{\"counted\":3,\"known\":10}";
        FleetSummary fleet = read(
                "{\"totals\":{\"pages\":5},\"counts\":{\"all\":1,\"conditions\":{\"started\":1}},\"crawls\":["
                        + CRAWL.formatted(counting) + "]" + counting + "}",
                FleetSummary.class);
        List<String> lines = FleetText.atAGlance(fleet, Optional.empty(), Screen.FILE);
        assertThat(lines.getFirst()).startsWith("1 crawl (1 started), 5 pages counted so far, ");
        assertThat(lines).contains("counting the ledger, 30 % read: these totals are incomplete")
                .anyMatch(line -> line.startsWith("docs/2  started, counting  12,345"));
    }

    @Test
    void aCrawlThatHasEndedSaysWhy() {
        assertThat(state("\"STOPPED\",\"end\":{\"reason\":\"FINISHED\",\"at\":\"2026-01-02T03:04:05Z\"}"))
                .isEqualTo("finished");
        assertThat(state("\"STOPPED\",\"end\":{\"reason\":\"PAGE_LIMIT\",\"at\":\"2026-01-02T03:04:05Z\"}"))
                .isEqualTo("at its limit");
        assertThat(state("\"STOPPED\",\"end\":{\"reason\":\"ASKED\",\"at\":\"2026-01-02T03:04:05Z\"}"))
                .isEqualTo("stopped");
        assertThat(Json.mapper().valueToTree(crawl("")).path("condition").asText()).isEqualTo("started");
        assertThat(state("\"STOPPING\"")).isEqualTo("stopping");
    }

    private static String state(String state) {
        return CrawlText.state(read("{\"crawl\":\"docs\",\"epoch\":1,\"state\":" + state + "}", CrawlSummary.class))
                .text();
    }

    @Test
    void theFleetInFullHasItsSums() {
        FleetSummary fleet = read(
                """
                        {"leader":"C1|a:3","idle":true,"rates":%s,"totals":{"emitted":3,"pages":1,"redirects":1,"waiting":1,"bytes":2000},
                        "modules":[%s],"counts":{"all":1,"conditions":{"started":1}},"crawls":[%s],"channels":{"type":"channels","version":1,"generation":2,"levels":3,"partitions":8,"politeness":"host","responses":8,"items":4,"ledger":4},
                        "serials":{"DOWNLOADER":{"start":1,"largest":999,"next":4,"cycles":1}}}"""
                        .formatted(RATES, MODULE.formatted("C1|a:3"), CRAWL.formatted("")),
                FleetSummary.class);
        assertThat(FleetText.inFull(fleet, Instant.parse("2026-01-02T03:04:15Z"), Screen.FILE)).startsWith(
                "1 crawl (1 started), 1 page, 56.3 pages/s, idle; C1|a:3 leads",
                "3 emitted = 1 page + 1 redirect + 1 waiting", "  pages            1  2.0 kB",
                "  pages/s       56.3  over 1 minute; over 5 minutes 40.0",
                "  errors/s       0.1  over 1 minute; over 5 minutes 0.2",
                "  bytes/s     12,346  over 1 minute; over 5 minutes 9,877",
                "  requests/s    60.5  over 1 minute; over 5 minutes 50.5",
                "channels: generation 2, 3 priorities, 8 partitions each, politeness by host; 8 partitions of responses, 4 of items, 4 of the ledger",
                "serial numbers of downloaders: next 4 of 1 to 999, 1 cycle").contains(
                        "MID     KIND         STATE    SCORE  HANDLING  CALLED  ACCEPTED  COMPLETED    FAILED  UNREAD  STOP SIGNS, MOVES   UP",
                        "C1|a:3  coordinator  running      7        40   1,000       900        800  60 seeds      12  crawl docs         10s",
                        "docs/2: started after 1m 05s");
    }

    @Test
    void aKindOfModuleOfWhichThereIsNoneIsNamed() throws Exception {
        List<Registration> live = Stream.of("D1|a:1", "D2|a:2", "C1|a:3", "P1|a:4")
                .map(mid -> new Registration(MID.parse(mid), 0, new Counts(0, 0, 0, 0, 0, 0), Instant.EPOCH, Map.of(),
                        Phase.RUNNING))
                .toList();
        assertThat(ModulesText.inShort(List.of(), List.of(), Screen.FILE)).as("none can register")
                .containsExactly("modules: not known");
        assertThat(ModulesText.inShort(live, MissingKind.among(live), Screen.FILE)).containsExactly(
                "modules: 2 downloaders, 0 analyzers, 1 pipeline, 1 coordinator",
                "no analyzer is running: fetched pages are not analysed");
        FleetSummary fleet = FleetSummary.of(Optional.empty(), Optional.empty(), QueueSummary.UNKNOWN, live,
                FleetCrawls.NONE, Optional.empty(), List.of(),
                Map.of(ModuleKind.ANALYZER, Instant.parse("2026-01-02T03:04:05.6Z")), Map.of(), Optional.empty());
        assertThat(FleetText.atAGlance(fleet, Optional.empty(), Screen.FILE))
                .contains("no analyzer has been running since 2026-01-02T03:04:05Z: fetched pages are not analysed");
    }

    @Test
    void aModuleSaysWhatItHasFailedAt() {
        List<Registration> modules = Stream.of("D1|a:1", "A2|a:2", "P3|a:3")
                .map(mid -> read(MODULE.formatted(mid), Registration.class)).toList();
        assertThat(ModulesText.of(modules, List.of(), Instant.parse("2026-01-02T03:04:15Z"), Screen.FILE))
                .satisfiesExactly(head -> assertThat(head).contains("  FAILED  "),
                        downloader -> assertThat(downloader).contains("  60 unanswered requests  "),
                        analyzer -> assertThat(analyzer).contains("  60 unparsed pages  "),
                        pipeline -> assertThat(pipeline).contains("  60 rejected items  "));
    }

    @Test
    void hostsShowHowLongTheRequestInFlightTakesAndWhatHasFailed() {
        HostList hosts = read(
                """
                        {"matching":5,"hosts":[
                        {"host":"slow.example:80","mid":"D1|a:1","waiting":7,"inFlight":1,"answered":0,"errors":0,"inFlightFor":"9.5s",
                        "robots":"KNOWN","silence":{"failures":3,"givenUp":false,"until":"5s","lasts":"60s","last":"TIMEOUT: no \\u001b[2Janswer"}},
                        {"host":"quick.example:80","mid":"D1|a:1","waiting":1200,"inFlight":1,"answered":2500,"errors":4,"pause":"500ms",
                        "inFlightFor":"1.9s","robots":"KNOWN","silence":{"failures":1,"givenUp":false,"until":"5s","lasts":"1s","last":"CONNECT: refused"}},
                        {"host":"dead.example:80","mid":"D2|b:1","waiting":3,"inFlight":0,"answered":9,"errors":9,
                        "robots":"GIVEN_UP","silence":{"failures":5,"givenUp":true,"until":"60s","lasts":"90s","last":"DNS: not found"}},
                        {"host":"idle.example:80","mid":"D2|b:1","waiting":0,"inFlight":0,"answered":1,"errors":0,"robots":"NOT_ASKED"}],
                        "silent":["D3|c:1: refused"]}""",
                HostList.class);
        assertThat(HostsText.of(hosts, Screen.FILE)).containsExactly(
                "HOST              WAITING   DONE  ERRORS  PAUSE  NEXT           ROBOTS     MID     FAILED",
                "slow.example:80         7      0       0      –  now, for 9.5s  known      D1|a:1  3 in a row, the last: TIMEOUT: no \ufffd[2Janswer",
                "quick.example:80    1,200  2,500       4   0.5s  now            known      D1|a:1  CONNECT: refused",
                "dead.example:80         3      9       9      –  given up       given up   D2|b:1  5 in a row, the last: DNS: not found",
                "idle.example:80         0      1       0      –  –              not asked  D2|b:1", "and 1 host more",
                "no answer from D3|c:1: refused");
    }

    @Test
    void theStopSignsAndMovesOfAModuleAreInWordsAndOneThatItDealtWithBeforeIsListedOnce() {
        Registration module = read(
                """
                        {"mid":"D1|a:1","score":0,"counts":{"called":0,"accepted":0,"completed":0,"failed":0,"handling":0},
                        "since":"2026-01-02T03:04:05Z","deals":{"stop/*":4,"stop/module:D1|a:1":1,"stop/host:example.org:8080":2,"stop/docs":3,"moves/docs":2},
                        "state":{"phase":"running"},"draining":[{"sign":"stop/*","version":5,"inFlight":2}]}""",
                Registration.class);
        assertThat(ModulesText.of(List.of(module), List.of(), Instant.parse("2026-01-02T03:04:15Z"), Screen.FILE))
                .satisfiesExactly(head -> assertThat(head).contains("  STOP SIGNS, MOVES  "),
                        row -> assertThat(row).contains(
                                "moves of docs, crawl docs, host example.org:8080, this process, fleet (2 in flight)"));
    }

    @Test
    void aStopSignNamesTheModulesThatHaveDrainedAndThoseThatHaveNot() {
        StopSignSummary sign = read(
                """
                        {"version":3,"signed":true,"at":"2026-01-02T03:04:05Z","dealTotal":2,"deals":[
                        {"mid":"A1|a:3","live":false,"times":1,"at":"2026-01-02T03:04:06Z","took":"300ms","inFlight":4},
                        {"mid":"D1|a:1","live":true,"times":2}],
                        "waiting":[{"mid":"D2|a:2","inFlight":1,"oldest":{"url":"http://x/","age":"6s"}},{"mid":"P1|a:4"}],
                        "complete":false,"first":true,"history":[{"version":3,"signed":true,"at":"2026-01-02T03:04:05Z","deals":1,"slowest":"300ms"},
                        {"version":2,"signed":false,"at":"2026-01-02T03:04:04Z","deals":0}]}""",
                StopSignSummary.class);
        assertThat(StopSignText.of(sign, Screen.FILE)).containsExactly(
                "stop sign of the fleet: set at 2026-01-02T03:04:05Z, 2 of 4 modules have drained, waiting for "
                        + "D2|a:2 (1 in flight: http://x/, 6.0s), P1|a:4 (has not reported the sign)",
                "", "MID     STOP SIGN                              AT                    TOOK  IN FLIGHT  DEALS",
                "A1|a:3  drained, has left                      2026-01-02T03:04:06Z  0.3s          4      1",
                "D1|a:1  drained                                –                        –          –      2",
                "D2|a:2  waiting: 1 in flight: http://x/, 6.0s", "P1|a:4  waiting: has not reported the sign", "",
                "VERSION  WHAT   AT                    MODULES  SLOWEST",
                "3        set    2026-01-02T03:04:05Z        1     0.3s", "2        reset  2026-01-02T03:04:04Z");
        assertThat(StopSignText.line(read("{\"crawl\":\"docs\",\"signed\":false}", StopSignSummary.class), Screen.FILE))
                .isEqualTo("stop sign of docs: none");
    }

    @Test
    void queuesShowHowFullTheyAre() {
        QueueSummary queue = read(
                """
                        {"status":"started","line":"status: started","levels":[{"priority":1,"capacity":100,"backlog":80,"pushed":1000,
                        "popped":900,"waiting":90,"abandoned":10}],"pushed":1000,"popped":900,"responses":{"backlog":5,"limit":20000},
                        "items":{"backlog":7},"refused":{"CHANNEL_FULL":3},"refusedCalls":{"CHANNEL_FULL":0}}""",
                QueueSummary.class);
        assertThat(QueueText.of(queue, Screen.FILE)).containsExactly(
                "CHANNEL      BACKLOG   CAPACITY  FULL  PUSHED  POPPED  WAITING  ABANDONED",
                "requests p1       80        100  80 %   1,000     900       90         10",
                "responses          5     20,000   0 %", "items              7  unlimited",
                "errors             –    bounded", "refused in the topic: CHANNEL_FULL 3", "",
                "pushed 1,000, popped 900", "status: started");
        assertThat(QueueText.of(queue, new Screen(100, true))).element(1).asString().contains("\u001b[33m80\u001b[0m");
    }

    @Test
    void anErrorOfAHostilePageIsOnlyText() throws Exception {
        String json = "{\"at\":\"2026-01-02T03:04:05.678Z\",\"module\":\"ANALYZER\",\"crawl\":\"docs\",\"kind\":\"PARSE\","
                + "\"mid\":\"A1|a:1\",\"url\":\"http://x/\",\"cause\":\"\\u001b[2J\\nnext\"}";
        assertThat(ErrorsText.line(read(json, SeenError.class), Screen.FILE))
                .isEqualTo("2026-01-02T03:04:05Z  docs  PARSE  A1|a:1  http://x/  \ufffd[2J next");
        assertThat(ErrorsText.of(list(SeenError.class, json), Screen.FILE)).last().asString()
                .isEqualTo("2026-01-02T03:04:05Z  docs   PARSE  A1|a:1  http://x/  \ufffd[2J next");
        assertThat(ErrorsText.of(List.of(), Screen.FILE)).containsExactly("no errors");
    }

    @Test
    void anEventShowsWhyACrawlStoppedAndWhatIsLeft() throws Exception {
        assertThat(EventsText.of(
                list(CrawlEvent.class,
                        """
                                {"id":"1","at":"2026-01-02T03:04:05.6Z","type":"crawl.stopped","crawl":"docs","epoch":2,"state":"STOPPED",
                                "reason":"TIME_LIMIT","totals":{"emitted":9,"pages":1,"waiting":8}}"""),
                Screen.FILE)).last().asString().isEqualTo(
                        "2026-01-02T03:04:05Z  crawl.stopped  docs/2  at its limit (time limit), 1 page, 8 requests left");
        assertThat(EventsText.of(
                list(CrawlEvent.class,
                        """
                                {"id":"2","at":"2026-01-02T03:04:05.6Z","type":"crawl.finished","crawl":"docs","epoch":3,"state":"STOPPED",
                                "reason":"FINISHED","refreshes":2,"totals":{"emitted":9,"pages":1,"unchanged":8}}"""),
                Screen.FILE)).last().asString().endsWith("  docs/3  finished, refreshes run 2, 1 page, 8 unchanged");
        assertThat(EventsText.of(List.of(), Screen.FILE)).containsExactly("no events");
    }

    @Test
    void aCrawlAndAPreviewShowHowPagesWereRenderedAndAPreviewNamesWhatWasRefused() {
        String crawl = CRAWL.formatted(",\"rates\":" + RATES).replace("\"bytes\":2500000",
                "\"bytes\":2500000,\"render\":"
                        + "{\"pages\":3,\"partial\":1,\"ms\":4500,\"requests\":13,\"refused\":{\"SERVER\":4,\"METHOD\":1}}");
        assertThat(CrawlText.of(read(crawl, CrawlSummary.class), Screen.FILE))
                .contains("  rendered         3  1 partial, 13 requests, 1500ms a page, refused SERVER 4, METHOD 1");
        Preview preview = read(
                """
                        {"url":"http://a.example/","response":{"outcome":"PAGE","bytes":1500,"took":"3ms","truncated":false,"render":{
                        "ms":2000,"requests":3,"refused":[{"url":"http://cdn/\\u001ba.js","reason":"SERVER"}],
                        "refusedByReason":{"SERVER":1,"TYPE":60},"partial":true}},"links":[],"items":[],"errors":[]}""",
                Preview.class);
        assertThat(PreviewText.of(preview, Screen.FILE)).contains("  rendered   partial, in 2s, 3 requests, 61 refused",
                "requests of the page that were refused: 61", "  SERVER  http://cdn/\ufffda.js");
    }

    @Test
    void aPreviewShowsResponseLinksItemsAndErrors() {
        Preview preview = read(
                """
                        {"url":"http://a.example/","downloader":"D1|a:1","gate":"owner","analyzer":"A1|a:2","response":{"outcome":"PAGE",
                        "status":200,"contentType":"text/html","bytes":1500,"took":"3ms","truncated":false},"links":[
                        {"url":"http://a.example/b","verdict":"ADMITTED","nofollow":false},
                        {"url":"http://c.example/","verdict":"DOMAIN","cause":"no","nofollow":true}],"items":[{"id":"1","key":"k1","run":"preview/1",
                        "kind":"PAGE","url":"http://a.example/","fields":{"status":200,"title":"\\u001b[2J"}}],"errors":["broken"]}""",
                Preview.class);
        assertThat(PreviewText.of(preview, Screen.FILE)).containsExactly("http://a.example/", "  outcome       PAGE",
                "  status        200", "  content type  text/html", "  bytes         1.5 kB", "  took          3ms",
                "  truncated     false", "  downloader    D1|a:1 (owner)", "  analyzer      A1|a:2", "",
                "links: 2, of which 1 would be followed", "  ADMITTED  http://a.example/b",
                "  DOMAIN    http://c.example/   no, nofollow", "", "item 1", "id        1", "key       k1",
                "run       preview/1", "kind      PAGE", "url       http://a.example/", "fields", "  status  200",
                "  title   \ufffd[2J", "", "errors", "  broken");
    }

    @Test
    void aPreviewOnATerminalFitsOnTheScreenAndHasSomethingOfEachPart() {
        String link = "{\"url\":\"http://a.example/b\",\"verdict\":\"ADMITTED\",\"nofollow\":false}";
        Preview preview = read(
                """
                        {"url":"http://a.example/","response":{"outcome":"PAGE","bytes":1,"took":"3ms","truncated":false},
                        "links":[%s],"items":[{"id":"1","key":"k1","run":"preview/1","kind":"PAGE","url":"http://a.example/","fields":{}}],
                        "errors":["broken"]}"""
                        .formatted(String.join(",", Collections.nCopies(80, link))),
                Preview.class);
        Screen screen = new Screen(80, false);
        assertThat(PreviewText.inBrief(preview, screen, 24)).hasSize(24).contains(
                "links: 80, of which 80 would be followed", "  … 75 more lines, see --full", "item 1", "  broken");
        assertThat(PreviewText.inBrief(preview, screen, 200)).isEqualTo(PreviewText.of(preview, screen));
    }

    @Test
    void anExplanationIsItsSentences() {
        assertThat(ExplanationText.of(read("""
                {"verdict":"ADMITTED","rule":"","state":"ANSWERED","story":["It is known.","It was answered."]}""",
                Explanation.class))).containsExactly("It is known.", "It was answered.");
    }
}
