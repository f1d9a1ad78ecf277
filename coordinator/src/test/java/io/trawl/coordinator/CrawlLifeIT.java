package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.FleetSummary.MissingKind;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Domains, deletion, limits and schedules through REST; coordinators are real, and the test acts for the other stages.
 */
class CrawlLifeIT {
    private static final String NIGHTLY = "{\"seeds\":[{\"url\":\"https://example.org/\"}],\"schedule\":{\"cron\":\"0 3 * * *\"}}";
    private final JumpingTime time = new JumpingTime();
    private final Fleet fleet = new Fleet();

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Test
    void domainsAreListedAddedAndRemovedAndSeedsAreJudgedByThem() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        String domains = "/api/v1/crawls/docs/domains";
        assertThat(ask(coordinator, "GET", domains, 200))
                .isEqualTo(json("{\"version\":1,\"domains\":[\"example.org\"]}"));
        JsonNode both = json("{\"version\":2,\"domains\":[\"example.org\",\"other.net\"]}");
        assertThat(ask(coordinator, "PUT", domains + "/OTHER.net", 200)).isEqualTo(both);
        assertThat(ask(coordinator, "PUT", domains + "/other.net", 200)).as("again").isEqualTo(both);
        fleet.writeSeeds("{\"crawl\":\"docs\",\"url\":\"https://www.other.net/1\"}");
        await().until(() -> urls().contains("https://www.other.net/1"));
        assertThat(fleet.requests()).filteredOn(r -> r.url().endsWith("/1")).allMatch(r -> r.domains() == 2);

        assertThat(ask(coordinator, "DELETE", domains + "/other.net", 200))
                .isEqualTo(json("{\"version\":3,\"domains\":[\"example.org\"]}"));
        assertThat(ask(coordinator, "DELETE", domains + "/other.net", 200).get("version").asInt()).as("again")
                .isEqualTo(3);
        fleet.writeSeeds("{\"crawl\":\"docs\",\"url\":\"https://www.other.net/2\"}");
        await().untilAsserted(
                () -> assertThat(fleet.errors()).extracting(CrawlerError::kind).containsExactly("DOMAIN"));
        assertThat(urls()).doesNotContain("https://www.other.net/2");

        assertThat(ask(coordinator, "DELETE", domains + "/example.org", 400).get("detail").asText())
                .contains("not the only accepted domain");
        assertThat(ask(coordinator, "PUT", domains + "/co.uk", 400).get("faults").get(0).get("field").asText())
                .isEqualTo("domain");
        assertThat(ask(coordinator, "GET", "/api/v1/crawls/none/domains", 404).get("detail").asText()).contains("none");
        assertThat(fleet.crawl(coordinator, "docs").domains()).containsExactly("example.org");
    }

    @Test
    void aDeletedCrawlLeavesNothingToALaterCrawlOfItsId() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.put(coordinator, "docs", "?start=true",
                Fleet.definition("https://example.org/", "https://example.org/2"));
        await().until(() -> fleet.requests().size() == 2);
        Request old = fleet.requests().getFirst();
        assertThat(ask(coordinator, "DELETE", "/api/v1/crawls/docs", 409).get("detail").asText()).contains("started");
        stopped(coordinator, "docs");
        assertThat(fleet.ask(coordinator, "DELETE", "/api/v1/crawls/docs", "").status()).isEqualTo(204);
        for (String path : List.of("/api/v1/crawls/docs", "/api/v1/crawls/docs/domains",
                "/api/v1/crawls/docs/stop-sign")) {
            ask(coordinator, "GET", path, 404);
        }
        ask(coordinator, "DELETE", "/api/v1/crawls/docs", 404);
        assertThat(ask(coordinator, "GET", "/api/v1/crawls", 200)).isEmpty();
        assertThat(ask(coordinator, "GET", "/api/v1/stop-signs", 200)).as("that of the fleet").hasSize(1);

        CrawlSummary again = fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"))
                .summary();
        assertThat(again.run().epoch()).isEqualTo(2);
        await().until(() -> fleet.crawl(coordinator, "docs").totals().emitted() == 1);
        fleet.answer(old, OutcomeKind.PAGE, "200");
        fleet.answer(fleet.requests().getLast(), OutcomeKind.HTTP_ERROR, "404");
        await().until(() -> fleet.crawl(coordinator, "docs").totals().httpErrors() == 1);
        assertThat(fleet.crawl(coordinator, "docs").totals().pages()).isZero();
        JsonNode traffic = ask(coordinator, "GET", "/api/v1/queue", 200);
        assertThat(traffic.toString()).contains("\"abandoned\":2");
    }

    @Test
    void aRunKeepsItsPartitionOfTheLedgerAndTheNextRunHasOneOfTheNewCount() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        Request first = fleet.theRequest();
        assertThat(fleet.ask(coordinator, "POST", "/api/v1/queue/resize", "{\"ledger\":16}").status()).isEqualTo(202);
        fleet.answer(first, OutcomeKind.PAGE, "200");
        await().until(() -> fleet.crawl(coordinator, "docs").end().isPresent());
        assertThat(ledgerPartitions(1)).as("of the run that began before").hasSize(1);

        fleet.put(coordinator, "docs", "?fresh=true&start=true", Fleet.definition("https://example.org/"));
        await().until(() -> fleet.requests().size() == 2);
        fleet.answer(fleet.requests().stream().filter(r -> r.run().epoch() == 2).findFirst().orElseThrow(),
                OutcomeKind.HTTP_ERROR, "404");
        await().until(() -> fleet.crawl(coordinator, "docs").end().isPresent());
        assertThat(ledgerPartitions(2)).as("it closes the run before in its partition").hasSize(2)
                .containsAll(ledgerPartitions(1));
        coordinator.stop(Duration.ofSeconds(5));
        Worker next = fleet.leader(time);
        await("the next leader counts all of it").until(() -> fleet.crawl(next, "docs").totals().httpErrors() == 1);
        assertThat(ask(next, "GET", "/api/v1/queue", 200).path("pushed").asInt()).isEqualTo(2);
    }

    /** Kafka has lost what was on control, and the ledger or Redis still knows of the run. */
    @Test
    void aCrawlWhoseDefinitionIsLostBeginsAboveAllOfItsRuns() throws Exception {
        Worker before = fleet.leader();
        try (RedisStore store = RedisStore.connect(RedisServers.of(fleet.kafka.settings().redis()),
                fleet.kafka.topics().namespace(), before.kafka().cluster(), before.kafka().responses(),
                Time.system())) {
            store.logEnds().begun(CrawlRun.parse("noted/4"));
        }
        fleet.put(before, "deleted", "", Fleet.definition("https://example.org/"));
        assertThat(fleet.ask(before, "DELETE", "/api/v1/crawls/deleted", "").status()).isEqualTo(204);
        for (String run : List.of("counted/2", "deleted/2")) {
            fleet.writeLedger(new LedgerRecord(CrawlRun.parse(run), List.of(new EmittedRequest(new RequestId(7), 1, 0)),
                    List.of(), Map.of(), List.of(), 0));
        }
        before.stop(Duration.ofSeconds(5));
        Worker coordinator = fleet.leader();
        for (String next : List.of("counted/3", "deleted/3", "noted/5")) {
            CrawlRun run = CrawlRun.parse(next);
            assertThat(fleet.put(coordinator, run.crawl().value(), "", Fleet.definition("https://example.org/"))
                    .summary().run()).isEqualTo(run);
        }
    }

    private Set<Integer> ledgerPartitions(int epoch) {
        return fleet.kafka.records(fleet.kafka.topics().ledger()).stream()
                .filter(record -> Codec.ledger(record.value()).run().epoch() == epoch).map(ConsumerRecord::partition)
                .collect(Collectors.toSet());
    }

    @Test
    void aClosedCrawlTakesNoSeedFinishesWhatWaitsAndIsOpenedByItsStart() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        JsonNode closed = ask(coordinator, "POST", "/api/v1/crawls/docs/close", 200);
        assertThat(closed.get("state").asText()).isEqualTo("STARTED");
        assertThat(ask(coordinator, "POST", "/api/v1/crawls/docs/close", 200).get("closedAt")).as("again")
                .isEqualTo(closed.get("closedAt"));
        String seed = "{\"crawl\":\"docs\",\"url\":\"https://example.org/%d\"}";
        Fleet.Answer refused = fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/seeds", seed.formatted(1));
        Fleet.problem(refused, 409, "crawl docs is closed");
        assertThat(ask(coordinator, "GET", "/api/v1/queue", 200).at("/refusedCalls/CLOSED").asInt()).isOne();
        fleet.writeSeeds(seed.formatted(2));
        await().untilAsserted(
                () -> assertThat(fleet.errors()).extracting(CrawlerError::kind).containsExactly("CLOSED"));

        fleet.answer(fleet.theRequest(), OutcomeKind.PAGE, "200");
        await().until(() -> fleet.crawl(coordinator, "docs").end().isPresent());
        assertThat(fleet.crawl(coordinator, "docs").refusals()).containsExactly(Map.entry(RefusalReason.CLOSED, 1L));
        assertThat(ask(coordinator, "POST", "/api/v1/crawls/docs/start", 200).has("closedAt")).isFalse();
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/close", "");
        assertThat(ask(coordinator, "POST", "/api/v1/crawls/docs/start", 200).has("closedAt")).as("while it is started")
                .isFalse();
        fleet.writeSeeds(seed.formatted(3));
        await().until(() -> urls().contains("https://example.org/3"));
    }

    @Test
    void kindsOfModulesThatStayAwayFromAStartedCrawlAreInErrorsOnce() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        await().during(Duration.ofSeconds(2)).until(() -> fleet.errors().isEmpty());
        time.jump(MissingKind.GRACE);
        // The clock of the process, which has jumped, is reported, too.
        await().during(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(fleet.errors()).filteredOn(error -> error.kind().equals("NO_MODULE"))
                        .extracting(CrawlerError::kind, CrawlerError::cause)
                        .containsExactly(tuple("NO_MODULE", "no downloader is running: nothing is fetched"),
                                tuple("NO_MODULE", "no analyzer is running: fetched pages are not analysed"),
                                tuple("NO_MODULE", "no pipeline is running: no page is stored")));
    }

    @Test
    void theNextLeaderKnowsWhatWasDeleted() throws Exception {
        Worker first = fleet.leader(time);
        fleet.put(first, "docs", "", Fleet.definition("https://example.org/"));
        fleet.put(first, "docs", "?fresh=true", Fleet.definition("https://example.org/"));
        fleet.put(first, "other", "", Fleet.definition("https://example.org/"));
        assertThat(fleet.ask(first, "DELETE", "/api/v1/crawls/docs", "").status()).as("never started").isEqualTo(204);
        first.stop(Duration.ofSeconds(5));
        Worker second = fleet.leader(time);
        ask(second, "GET", "/api/v1/crawls/docs", 404);
        assertThat(fleet.liveControl()).filteredOn(r -> r.key().endsWith("/docs")).singleElement()
                .isInstanceOf(Deleted.class);
        assertThat(ask(second, "GET", "/api/v1/crawls", 200)).hasSize(1);
        assertThat(fleet.put(second, "docs", "", Fleet.definition("https://example.org/")).summary().run().epoch())
                .isEqualTo(3);
        assertThat(fleet.put(second, "other", "", Fleet.definition("https://example.org/")).summary().run().epoch())
                .isEqualTo(1);
    }

    @Test
    void aSeedBelongsToTheDefinitionItCameWith() throws Exception {
        Worker coordinator = fleet.leader(time);
        Set<CrawlRun> runs = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            String path = "/api/v1/crawls/docs" + i;
            FutureTask<Fleet.Answer> old = new FutureTask<>(
                    () -> fleet.ask(coordinator, "PUT", path, Json.text(Fleet.definition("https://example.org/old"))));
            Thread.ofVirtual().start(old);
            fleet.ask(coordinator, "PUT", path + "?fresh=true&start=true",
                    Json.text(Fleet.definition("https://example.org/new")));
            old.get();
            runs.add(fleet.crawl(coordinator, "docs" + i).run());
        }
        await().until(() -> fleet.requests().stream().map(Request::run).collect(Collectors.toSet()).containsAll(runs));
        assertThat(fleet.requests()).filteredOn(r -> runs.contains(r.run())).hasSameSizeAs(runs)
                .extracting(Request::url).containsOnly("https://example.org/new");
    }

    @ParameterizedTest(name = "{0} ends a crawl with {1}")
    @CsvSource({"maxBytes, BYTE_LIMIT, 10, 1000", "maxTime, TIME_LIMIT, '\"1s\"', '\"9h\"'"})
    void aLimitStopsACrawlAndAHigherLimitResumesIt(String field, EndReason reason, String low, String high)
            throws Exception {
        Worker coordinator = fleet.leader(time);
        String definition = "{\"seeds\":[{\"url\":\"https://example.org/\"},{\"url\":\"https://example.org/2\"}],\"limits\":{\""
                + field + "\":";
        fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true", definition + low + "}}");
        await().until(() -> fleet.requests().size() == 2);
        fleet.answer(fleet.requests().getFirst(), OutcomeKind.PAGE, "200");
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        assertThat(fleet.crawl(coordinator, "docs").end().orElseThrow().reason()).isEqualTo(reason);
        assertThat(ask(coordinator, "POST", "/api/v1/crawls/docs/start", 409).get("detail").asText())
                .contains("higher limits." + field);
        Fleet.Answer again = fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true", definition + high + "}}");
        assertThat(again.summary().state()).isEqualTo(CrawlState.STARTED);
    }

    @Test
    void aRunWhoseFactsAreGivenUpIsOverAndTheNextLeaderDeletesThem() throws Exception {
        Worker first = fleet.leader(time);
        String limited = "{\"seeds\":[{\"url\":\"https://example.org/\"},{\"url\":\"https://example.org/2\"}],\"limits\":{\"maxBytes\":%d}}";
        fleet.ask(first, "PUT", "/api/v1/crawls/docs?start=true", limited.formatted(10));
        fleet.put(first, "other", "?start=true", Fleet.definition("https://example.org/"));
        await().until(() -> fleet.requests().size() == 3);
        stopped(first, "other");
        fleet.answer(fleet.requests().stream().filter(r -> r.run().equals(fleet.run("docs"))).findFirst().orElseThrow(),
                OutcomeKind.PAGE, "200");
        await().until(() -> fleet.crawl(first, "docs").state() == CrawlState.STOPPED);
        time.jump(Duration.ofDays(8));
        time.suspend(Duration.ofMinutes(1));
        await().until(() -> !givenUp().isEmpty());
        first.stop(Duration.ofSeconds(5));
        Worker second = fleet.leader(time);
        try (RedisStore store = RedisStore.connect(RedisServers.of(fleet.kafka.settings().redis()),
                fleet.kafka.topics().namespace(), second.kafka().cluster(), second.kafka().responses(),
                Time.system())) {
            assertThat(known(store, "docs")).as("processes may not have read the record").isTrue();
            await().pollInterval(Duration.ofSeconds(1)).until(() -> {
                time.suspend(Duration.ofMinutes(1));
                return !known(store, "docs");
            });
            assertThat(known(store, "other")).as("of a run that was stopped").isTrue();
        }
        assertThat(givenUp()).containsExactly(fleet.run("docs"));
        refusesAllButAFreshRun(second, limited);
        ask(second, "POST", "/api/v1/crawls/other/start", 200);
    }

    private void refusesAllButAFreshRun(Worker coordinator, String limited) throws Exception {
        String why = "crawl docs is at its limit: the facts of docs/1 are gone since ";
        String seed = "{\"crawl\":\"docs\",\"url\":\"https://example.org/3\"}";
        for (Fleet.Answer refused : List.of(fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/start", ""),
                fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/seeds", seed),
                fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/retry", ""),
                fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true", limited.formatted(1000)))) {
            Fleet.problem(refused, 409, why);
            assertThat(refused.body()).contains("begin a fresh run").contains("urn:trawl:problem:illegal-move");
        }
        CrawlSummary same = fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true", limited.formatted(10))
                .summary();
        assertThat(same.state()).as("nothing would start").isEqualTo(CrawlState.STOPPED);
        assertThat(same.notes()).anyMatch(note -> note.startsWith("the facts of docs/1 are gone since "));
        fleet.writeSeeds(seed);
        await().until(() -> fleet.errors().stream().anyMatch(error -> error.kind().equals("CRAWL_OVER")));
        JsonNode explained = ask(coordinator, "GET", "/api/v1/explain?crawl=docs&url=https://example.org/", 200);
        assertThat(explained.path("story").toString()).contains("the facts of docs/1 are gone since ")
                .doesNotContain("not requested");
        assertThat(explained.has("known")).isFalse();
        CrawlSummary fresh = fleet
                .ask(coordinator, "PUT", "/api/v1/crawls/docs?fresh=true&start=true", limited.formatted(1000))
                .summary();
        assertThat(fresh.state()).isEqualTo(CrawlState.STARTED);
        assertThat(fresh.notes()).noneMatch(note -> note.contains("gone"));
        await().until(() -> fleet.crawl(coordinator, "docs").totals().emitted() == 2);
    }

    private List<CrawlRun> givenUp() {
        return fleet.control().stream().filter(CrawlStatus.class::isInstance).map(CrawlStatus.class::cast)
                .filter(status -> status.forgottenAt().isPresent()).map(CrawlStatus::run).distinct().toList();
    }

    private boolean known(RedisStore store, String crawl) {
        return !store.ledger().lookUp(fleet.run(crawl), List.of(Fingerprint.of("https://example.org/")))
                .equals(List.of(UrlFacts.NOTHING));
    }

    @Test
    void aRunThatHasEndedByItselfIsRefreshedAsTheCrawlIsNowAndItsEventsSaySo() throws Exception {
        Worker coordinator = fleet.leader(time);
        String refresh = "/api/v1/crawls/docs/refresh";
        String definition = "{\"seeds\":[\"https://example.org/\"]%s}";
        fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true", definition.formatted(""));
        Fleet.problem(fleet.ask(coordinator, "POST", refresh, ""), 409, "visited again when its run has ended");
        fleet.answer(fleet.theRequest(), OutcomeKind.PAGE, "200");
        await().until(() -> fleet.crawl(coordinator, "docs").end().isPresent());
        Fleet.problem(fleet.ask(coordinator, "POST", refresh, ""), 409, "docs/1 has kept nothing for a refresh");

        fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?fresh=true&start=true",
                definition.formatted(",\"refresh\":{}"));
        ask(coordinator, "PUT", "/api/v1/crawls/docs/domains/added.org", 200);
        answerRun(coordinator, 2);
        CrawlSummary begun = fleet.ask(coordinator, "POST", refresh, "").summary();
        assertThat(begun.run().epoch()).isEqualTo(3);
        assertThat(begun.refreshes()).contains(2);
        assertThat(begun.domains()).as("those that it has now").containsExactly("added.org", "example.org");
        answerRun(coordinator, 3);
        await().untilAsserted(() -> assertThat(ask(coordinator, "GET", "/api/v1/events?limit=3", 200))
                .as("an event is read back after it has been written").extracting(event -> event.path("type").asText())
                .containsExactly("crawl.finished", "crawl.started", "crawl.initialized"));
        assertThat(ask(coordinator, "GET", "/api/v1/events?limit=3", 200))
                .allMatch(event -> event.path("epoch").asInt() == 3 && event.path("refreshes").asInt() == 2);
    }

    /** Waits for the request for the seed of a run, answers it with a page, and waits for the end. */
    private void answerRun(Worker coordinator, int epoch) throws Exception {
        await().until(() -> fleet.requests().stream().anyMatch(request -> request.run().epoch() == epoch));
        fleet.answer(fleet.requests().getLast(), OutcomeKind.PAGE, "200");
        await().until(() -> fleet.crawl(coordinator, "docs").end().isPresent());
    }

    @Test
    void aScheduleStartsAFreshRunUnlessOneIsInProgress() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs", NIGHTLY);
        time.jump(Duration.ofDays(1));
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STARTED);
        assertThat(fleet.crawl(coordinator, "docs").run().epoch()).as("it had not started yet").isEqualTo(1);
        time.jump(Duration.ofDays(1));
        await().during(Duration.ofSeconds(1)).until(() -> fleet.crawl(coordinator, "docs").run().epoch() == 1);
        ask(coordinator, "PUT", "/api/v1/crawls/docs/domains/added.org", 200);
        stopped(coordinator, "docs");
        time.jump(Duration.ofDays(1));
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STARTED);
        assertThat(fleet.crawl(coordinator, "docs").run().epoch()).isEqualTo(2);
        assertThat(fleet.crawl(coordinator, "docs").domains()).contains("added.org");
    }

    @Test
    void firingsMissedWithoutALeaderAreOneFiring() throws Exception {
        Worker first = fleet.leader(time);
        fleet.ask(first, "PUT", "/api/v1/crawls/docs?start=true", NIGHTLY);
        stopped(first, "docs");
        first.stop(Duration.ofSeconds(5));
        time.jump(Duration.ofDays(3));
        Worker second = fleet.leader(time);
        await().until(() -> fleet.crawl(second, "docs").state() == CrawlState.STARTED);
        stopped(second, "docs");
        await().during(Duration.ofSeconds(1)).until(() -> fleet.crawl(second, "docs").state() == CrawlState.STOPPED);
        assertThat(fleet.crawl(second, "docs").run().epoch()).isEqualTo(2);
    }

    private void stopped(Worker coordinator, String crawl) throws Exception {
        fleet.ask(coordinator, "POST", "/api/v1/crawls/" + crawl + "/stop", "");
        await().until(() -> fleet.crawl(coordinator, crawl).state() == CrawlState.STOPPED);
    }

    private List<String> urls() {
        return fleet.requests().stream().map(Request::url).toList();
    }

    private JsonNode ask(Worker coordinator, String method, String path, int status) throws Exception {
        Fleet.Answer answer = fleet.ask(coordinator, method, path, "");
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        return json(answer.body());
    }

    private static JsonNode json(String text) throws Exception {
        return Json.mapper().readTree(text.getBytes(StandardCharsets.UTF_8));
    }
}
