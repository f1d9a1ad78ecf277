package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.api.CrawlSummary;
import io.trawl.embedded.EmbeddedServers;
import io.trawl.model.CrawlerError;
import io.trawl.model.InvalidValue;
import io.trawl.model.MID;
import io.trawl.model.OutcomeKind;
import io.trawl.model.PolitenessKey;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.module.Counts;
import io.trawl.module.Registration;
import io.trawl.redis.RedisStore;
import io.trawl.time.Time;
import io.trawl.settings.SettingsReader;
import io.trawl.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Coordinators on a real broker and a real redis-server; the other stages are played by hand. */
class CoordinatorIT {
    private static final Duration SOON = Duration.ofSeconds(15);
    private final Fleet fleet = new Fleet();

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Test
    void aDefinitionIsWrittenItsSeedsAdmittedAndTheCrawlStarted() throws Exception {
        Worker coordinator = leading();
        Fleet.Answer answer = fleet.put(coordinator, "docs", "?start=true",
                Fleet.definition("https://a.example.org/x", "http://127.0.0.1:8080/"));
        assertThat(answer.status()).isEqualTo(201);
        CrawlSummary summary = answer.summary();
        assertThat(summary.state()).isEqualTo(CrawlState.STARTED);
        assertThat(summary.domains()).containsExactly("127.0.0.1", "example.org");
        await().atMost(SOON).untilAsserted(() -> assertThat(fleet.requests()).extracting(Request::url)
                .containsExactlyInAnyOrder("https://a.example.org/x", "http://127.0.0.1:8080/"));
        assertThat(fleet.requests()).allMatch(r -> r.seed() && r.depth() == 0 && r.priority() == 1 && r.domains() == 1);
        await().atMost(SOON).untilAsserted(() -> assertThat(fleet.crawl(coordinator, "docs").totals().waiting()).isEqualTo(2));
        assertThat(states("docs")).containsExactly(CrawlState.INITIALIZING, CrawlState.INITIALIZED, CrawlState.STARTING,
                CrawlState.STARTED);
    }

    @Test
    void aSecondPutAttachesChangesOptionsAndRefusesAnotherIdentity() throws Exception {
        Worker coordinator = leading();
        CrawlDefinition definition = Fleet.definition("https://example.org/", "https://example.org/b");
        fleet.put(coordinator, "docs", "", definition);
        Fleet.Answer again = fleet.put(coordinator, "docs", "?start=true",
                Fleet.limited(Fleet.definition("https://example.org/b", "https://EXAMPLE.org/#f"), 7));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.summary().definition().maxPages()).contains(7L);
        assertThat(again.summary().state()).isEqualTo(CrawlState.STARTED);
        Fleet.Answer other = fleet.put(coordinator, "docs", "", Fleet.withDepth(definition, 9));
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.type()).isEqualTo("application/problem+json");
        assertThat(other.body()).contains("another depth");
    }

    @Test
    void everyErrorIsAProblemDocument() throws Exception {
        Worker coordinator = leading();
        problem(fleet.ask(coordinator, "GET", "/api/crawls/none", ""), 404, "there is no crawl none");
        problem(fleet.ask(coordinator, "POST", "/api/crawls/none/start", ""), 404, "there is no crawl none");
        problem(fleet.ask(coordinator, "GET", "/nowhere", ""), 404, "nowhere");
        problem(fleet.ask(coordinator, "POST", "/api/crawls", ""), 405, "api/crawls");
        problem(fleet.ask(coordinator, "PUT", "/api/crawls/docs", "{nonsense"), 400, "cannot be read");
        problem(fleet.ask(coordinator, "PUT", "/api/crawls/DOCS", "{}"), 400, "crawl");
        problem(fleet.ask(coordinator, "PUT", "/api/crawls/docs?start=yes", "{}"), 400, "true or false");
        Fleet.Answer faults = fleet.ask(coordinator, "PUT", "/api/crawls/docs",
                "{\"seeds\":[{\"url\":\"ftp://x/\"},{}],\"depth\":-2,\"maxPages\":0,\"delay\":\"2h\",\"priority\":3,\"userAgent\":\" \",\"domains\":[\"http://x/\"]}");
        problem(faults, 400, "faults");
        assertThat(faults.body()).contains("seeds[0].url", "seeds[1].url", "\"depth\"", "\"maxPages\"", "\"delay\"",
                "\"priority\"", "\"userAgent\"",
                "domains[0]");
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        problem(fleet.ask(coordinator, "POST", "/api/crawls/docs/start", ""), 409,
                "crawl docs is started: it can be started only while it is not started");
        problem(fleet.put(coordinator, "docs", "?fresh=true", Fleet.definition("https://example.org/")), 409,
                "only while it is not started");
    }

    @Test
    void whatIsWrongWithASeedIsReportedOnceAndGoodOnesBecomeRequests() throws Exception {
        Worker coordinator = leading();
        fleet.put(coordinator, "docs", "", Fleet.definition("https://example.org/"));
        fleet.writeSeeds("{broken", "{\"crawl\":\"docs\"}", "{\"crawl\":\"none\",\"url\":\"https://example.org/1\"}",
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/2\",\"priority\":3}",
                "{\"crawl\":\"docs\",\"url\":\"https://other.net/\"}",
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/\"}",
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/3\",\"headers\":{\"X\":\"a\\r\\nb\"}}",
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/good\",\"priority\":2}",
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/good\"}");
        await().atMost(SOON).untilAsserted(() -> assertThat(fleet.requests()).extracting(Request::url)
                .containsExactlyInAnyOrder("https://example.org/", "https://example.org/good"));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(fleet.errors()).extracting(CrawlerError::kind).containsExactlyInAnyOrder(
                        "MALFORMED", "NO_URL",
                        "UNKNOWN_CRAWL", "PRIORITY_OUT_OF_INDEX", "DOMAIN", "MALFORMED"));
        assertThat(fleet.errors())
                .allMatch(e -> e.source().get("topic").equals(fleet.kafka.topics().seeds()) && e.source().containsKey("offset"));
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(fleet.crawl(coordinator, "docs").refusals()).containsExactlyInAnyOrderEntriesOf(
                        Map.of(RefusalReason.NO_URL, 1L, RefusalReason.PRIORITY_OUT_OF_INDEX, 1L, RefusalReason.DOMAIN, 1L,
                                RefusalReason.SEEN, 2L,
                                RefusalReason.MALFORMED, 1L)));
    }

    @Test
    void aSeedThatIsTooLargeForKafkaHoldsNobodyUp() throws Exception {
        Worker coordinator = leading();
        fleet.put(coordinator, "docs", "", Fleet.definition("https://example.org/"));
        await().atMost(SOON).until(() -> fleet.requests().size() == 1);
        fleet.kafka.configure(fleet.kafka.topics().requests(1, 1), Map.of("max.message.bytes", "8000"));
        fleet.writeSeeds(Fleet.seedWithMetadata("docs", "https://example.org/before", 10),
                Fleet.seedWithMetadata("docs", "https://example.org/large", 30_000),
                Fleet.seedWithMetadata("docs", "https://example.org/huge", 990_000),
                Fleet.seedWithMetadata("docs", "https://example.org/after", 10));
        await().atMost(SOON).untilAsserted(() -> assertThat(fleet.requests()).extracting(Request::url).containsExactlyInAnyOrder(
                "https://example.org/", "https://example.org/before", "https://example.org/after"));
        await().atMost(SOON).untilAsserted(() -> assertThat(fleet.errors()).extracting(CrawlerError::kind)
                .containsExactly("MALFORMED", "MALFORMED"));
        await().atMost(SOON).untilAsserted(() -> assertThat(fleet.crawl(coordinator, "docs").refusals())
                .containsEntry(RefusalReason.MALFORMED, 2L));
    }

    @Test
    void theFirstSeedOfACrawlWithoutAnyBringsItsDomain() throws Exception {
        Worker coordinator = leading();
        fleet.put(coordinator, "open", "?start=true", Fleet.definition());
        Fleet.Answer answer = fleet.ask(coordinator, "POST", "/api/crawls/open/seeds",
                "[{\"url\":\"https://a.example.org/\"},{\"url\":\"https://other.net/\"}]");
        assertThat(answer.status()).isEqualTo(202);
        await().atMost(SOON).untilAsserted(
                () -> assertThat(fleet.requests()).extracting(Request::url).containsExactly("https://a.example.org/"));
        assertThat(fleet.crawl(coordinator, "open").domains()).containsExactly("example.org");
        assertThat(fleet.crawl(coordinator, "open").state()).isEqualTo(CrawlState.STARTED);
        problem(fleet.ask(coordinator, "POST", "/api/crawls/open/seeds", "[{\"url\":\"nonsense\"}]"), 400, "seeds[0].url");
        problem(fleet.ask(coordinator, "POST", "/api/crawls/open/seeds", "{}"), 400, "list of seeds");
    }

    @Test
    void aCrawlIsFinishedWhenAllIsAnsweredAndStoredAndNotBefore() throws Exception {
        Worker coordinator = leading();
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        Request seed = theRequest();
        fleet.write(fleet.kafka.topics().items());
        Request link = Fleet.found(seed, "https://example.org/a", 42);
        fleet.answer(seed, OutcomeKind.PAGE, "200", link);
        staysStarted(coordinator);
        assertThat(fleet.control()).noneMatch(ItemEnds.class::isInstance);
        fleet.answer(link, OutcomeKind.HTTP_ERROR, "404");
        await().atMost(SOON).until(() -> fleet.control().stream().anyMatch(ItemEnds.class::isInstance));
        staysStarted(coordinator);
        fleet.commitAll(fleet.kafka.topics().pipelineGroup(), fleet.kafka.topics().items(), "part-0.jsonl");
        staysStarted(coordinator);
        fleet.commitAll(fleet.kafka.topics().pipelineGroup(), fleet.kafka.topics().items(), "");
        await().atMost(Duration.ofSeconds(1)).until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        CrawlSummary summary = fleet.crawl(coordinator, "docs");
        assertThat(summary.end().orElseThrow().reason()).isEqualTo(EndReason.FINISHED);
        assertThat(summary.totals().pages()).isEqualTo(1);
        assertThat(summary.errorsByKind()).containsExactly(Map.entry("HTTP_ERROR 404", 1L));
        CrawlSummary attached = fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/")).summary();
        assertThat(attached.state()).isEqualTo(CrawlState.STOPPED);
        assertThat(attached.end()).isEqualTo(summary.end());
    }

    @Test
    void aCrawlWhoseSeedsAreAllRefusedIsFinished() throws Exception {
        Worker coordinator = leading();
        CrawlDefinition nothingAccepted = io.trawl.codec.Json.read(
                "{\"seeds\":[{\"url\":\"https://example.org/\"}],\"domains\":[\"other.net\"]}"
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8),
                CrawlDefinition.class);
        fleet.put(coordinator, "docs", "?start=true", nothingAccepted);
        await().atMost(SOON).until(() -> fleet.crawl(coordinator, "docs").end().isPresent());
        assertThat(fleet.crawl(coordinator, "docs").refusals()).containsEntry(RefusalReason.DOMAIN, 1L);
    }

    @Test
    void aSeedStartsAFinishedCrawlAgain() throws Exception {
        Worker coordinator = leading();
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        fleet.answer(theRequest(), OutcomeKind.PAGE, "200");
        await().atMost(SOON).until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        fleet.ask(coordinator, "POST", "/api/crawls/docs/seeds", "[{\"url\":\"https://example.org/more\"}]");
        await().atMost(SOON).until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STARTED);
        assertThat(fleet.crawl(coordinator, "docs").end()).isEmpty();
        fleet.answer(fleet.requests().stream().filter(r -> r.url().endsWith("more")).findFirst().orElseThrow(), OutcomeKind.PAGE,
                "200");
        await().atMost(SOON).until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        assertThat(fleet.crawl(coordinator, "docs").totals().pages()).isEqualTo(2);
    }

    @Test
    void atThePageLimitTheCrawlStopsWhenAllThatWasDownloadedIsStored() throws Exception {
        Worker coordinator = leading();
        CrawlDefinition definition = Fleet.definition("https://example.org/", "https://example.org/2");
        try (RedisStore redis = redis()) {
            MID downloader = MID.parse("D1|127.0.0.1:9");
            deals(redis, downloader, Map.of());
            fleet.put(coordinator, "docs", "?start=true", Fleet.limited(definition, 1));
            await().atMost(SOON).until(() -> fleet.requests().size() == 2);
            fleet.answer(fleet.requests().getFirst(), OutcomeKind.PAGE, "200");
            await().atMost(SOON).until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPING);
            StopSign sign = sign();
            assertThat(sign.signed()).isTrue();
            fleet.write(fleet.kafka.topics().responses());
            staysIn(coordinator, CrawlState.STOPPING);
            deals(redis, downloader, Map.of(sign.key(), sign.version()));
            staysIn(coordinator, CrawlState.STOPPING);
            fleet.write(fleet.kafka.topics().items());
            fleet.commitAll(fleet.kafka.topics().analyzerGroup(), fleet.kafka.topics().responses(), "");
            staysIn(coordinator, CrawlState.STOPPING);
            fleet.commitAll(fleet.kafka.topics().pipelineGroup(), fleet.kafka.topics().items(), "");
            await().atMost(SOON).until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
            assertThat(fleet.crawl(coordinator, "docs").end().orElseThrow().reason()).isEqualTo(EndReason.PAGE_LIMIT);
            assertThat(fleet.crawl(coordinator, "docs").totals().waiting()).isEqualTo(1);
            problem(fleet.ask(coordinator, "POST", "/api/crawls/docs/start", ""), 409, "higher maxPages");
            assertThat(fleet.put(coordinator, "docs", "?start=true", Fleet.limited(definition, 1)).summary().state())
                    .isEqualTo(CrawlState.STOPPED);
            assertThat(fleet.put(coordinator, "docs", "?start=true", Fleet.limited(definition, 2)).summary().state())
                    .isEqualTo(CrawlState.STARTED);
            assertThat(sign().signed()).isFalse();
        }
    }

    @Test
    void stopAndStartAndAFreshRunWithAnEmptyLedger() throws Exception {
        Worker coordinator = leading();
        CrawlDefinition definition = Fleet.definition("https://example.org/");
        fleet.put(coordinator, "docs", "?start=true", definition);
        theRequest();
        assertThat(fleet.ask(coordinator, "POST", "/api/crawls/docs/stop", "").summary().state()).isEqualTo(CrawlState.STOPPING);
        await().atMost(SOON).until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        assertThat(fleet.crawl(coordinator, "docs").end().orElseThrow().reason()).isEqualTo(EndReason.ASKED);
        assertThat(fleet.ask(coordinator, "POST", "/api/crawls/docs/start", "").summary().state()).isEqualTo(CrawlState.STARTED);
        fleet.ask(coordinator, "POST", "/api/crawls/docs/stop", "");
        await().atMost(SOON).until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        CrawlSummary fresh = fleet.put(coordinator, "docs", "?start=true&fresh=true", Fleet.withDepth(definition, 1)).summary();
        assertThat(fresh.run().epoch()).isEqualTo(2);
        await().atMost(SOON).untilAsserted(
                () -> assertThat(fleet.requests()).extracting(r -> r.run().epoch()).containsExactlyInAnyOrder(1, 2));
        await().atMost(SOON).untilAsserted(() -> assertThat(fleet.crawl(coordinator, "docs").totals().emitted()).isEqualTo(1));
    }

    @Test
    void aFollowerPassesOnAndTakesOverWhenTheLeaderStops() throws Exception {
        Worker one = leading();
        Worker other = fleet.startCoordinator();
        fleet.awaitMembers(one, other);
        Worker first = Fleet.leads(one) ? one : other;
        Worker second = first == one ? other : one;
        assertThat(fleet.put(second, "docs", "?start=true", Fleet.definition("https://example.org/")).status()).isEqualTo(201);
        assertThat(fleet.crawl(second, "docs")).usingRecursiveComparison()
                .ignoringFields("elapsed", "totals", "waitingByPriority", "idle", "rates", "remaining")
                .isEqualTo(fleet.crawl(first, "docs"));
        problem(fleet.ask(second, "POST", "/api/crawls/docs/start", ""), 409, "crawl docs is started");
        theRequest();
        first.stop(Duration.ofSeconds(5));
        await().atMost(SOON).until(() -> second.stage().state().equals("leading"));
        fleet.answer(theRequest(), OutcomeKind.PAGE, "200");
        await().atMost(SOON).until(() -> fleet.crawl(second, "docs").end().isPresent());
        fleet.ask(second, "POST", "/api/crawls/docs/seeds", "[{\"url\":\"https://example.org/more\"}]");
        await().atMost(SOON).untilAsserted(() -> assertThat(fleet.requests()).hasSize(2));
    }

    @Test
    void aNewLeaderGoesOnWithWhatTheOldOneLeftHalfWay() throws Exception {
        Worker before = leading();
        before.stop(Duration.ofSeconds(5));
        CrawlDefinition definition = Fleet.definition("https://example.org/");
        for (CrawlState left : List.of(CrawlState.INITIALIZING, CrawlState.STARTING, CrawlState.STOPPING)) {
            var run = fleet.run(left.name().toLowerCase(java.util.Locale.ROOT));
            fleet.writeControl(new CrawlStatus(run, 1, definition, left, 0, Optional.empty(), Optional.empty()),
                    new Domains(run, 1, Set.of("example.org")));
        }
        Worker after = leading();
        await().atMost(SOON).until(() -> fleet.crawl(after, "initializing").state() == CrawlState.INITIALIZED);
        await().atMost(SOON).until(() -> fleet.crawl(after, "starting").startedAt().isPresent());
        await().atMost(SOON).until(() -> fleet.crawl(after, "stopping").state() == CrawlState.STOPPED);
    }

    @Test
    void aLeaderWhoseIdIsTakenStepsDownAndLeadsOnlyAfterJoiningAgain() throws Exception {
        Worker coordinator = leading();
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        theRequest();
        try (Producer<byte[], byte[]> other = fleet.kafka.kafka()
                .transactionalProducer(fleet.kafka.topics().coordinatorTransactions())) {
            other.initTransactions();
            problem(fleet.ask(coordinator, "POST", "/api/crawls/docs/stop", ""), 503, "no coordinator leads");
            assertThat(states("docs")).endsWith(CrawlState.STARTED);
        }
        await().atMost(SOON).until(() -> fleet.ask(coordinator, "POST", "/api/crawls/docs/stop", "").status() == 200);
        await().atMost(SOON).until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        assertThat(fleet.requests()).hasSize(1);
    }

    @Test
    void callersAtTheSameTimeGetOneCrawlAndOneStop() throws Exception {
        Worker first = leading();
        Worker second = fleet.startCoordinator();
        fleet.awaitMembers(first, second);
        List<Integer> puts = atOnce(8,
                i -> fleet.put(i % 2 == 0 ? first : second, "docs", "?start=true", Fleet.definition("https://example.org/")));
        assertThat(puts).containsExactlyInAnyOrder(201, 200, 200, 200, 200, 200, 200, 200);
        List<Integer> stops = atOnce(6, i -> fleet.ask(i % 2 == 0 ? first : second, "POST", "/api/crawls/docs/stop", ""));
        assertThat(stops).containsExactlyInAnyOrder(200, 409, 409, 409, 409, 409);
        assertThat(states("docs").stream().filter(CrawlState::passing)).containsExactly(CrawlState.INITIALIZING,
                CrawlState.STARTING, CrawlState.STOPPING);
        assertThat(theRequest().run().epoch()).isEqualTo(1);
    }

    private interface Call {
        Fleet.Answer make(int number) throws Exception;
    }

    private static List<Integer> atOnce(int callers, Call call) throws Exception {
        List<Future<Integer>> answers = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < callers; i++) {
                int number = i;
                answers.add(threads.submit(() -> call.make(number).status()));
            }
        }
        return answers.stream().map(Future::resultNow).toList();
    }

    @Test
    void withoutALeaderAChangeIsRefusedForNow() throws Exception {
        Worker only = leading();
        only.stage().stop(Duration.ofSeconds(5));
        Fleet.Answer answer = fleet.put(only, "docs", "", Fleet.definition("https://example.org/"));
        problem(answer, 503, "no coordinator leads");
    }

    @Test
    void topicsAreMadeOnceAndAPortThatIsTakenIsNamed() throws Exception {
        Worker coordinator = leading();
        assertThat(fleet.ask(coordinator, "GET", "/", "").body()).contains("api/crawls");
        assertThat(fleet.ask(coordinator, "GET", "/summary", "").body()).contains("\"leading\":true");
        assertThat(fleet.ask(coordinator, "GET", "/metrics", "").body()).contains("trawl_coordinator_leading 1");
        assertThat(fleet.ask(coordinator, "GET", "/health/ready", "").status()).isEqualTo(200);
        assertThat(fleet.ask(coordinator, "GET", "/api/summary", "").body()).contains("\"leader\":\"" + coordinator.mid());

        // From here on the lead may move to the second one.
        fleet.startCoordinator();
        assertThat(fleet.control().stream().filter(Channels.class::isInstance)).containsExactly(new Channels(1, 1, 3, 8));
        Map<String, String> taken = Map.of("trawl.http.port", Integer.toString(coordinator.mid().port()));
        assertThatThrownBy(() -> Coordinator.factory().endpoint(SettingsReader.from(taken))).isInstanceOf(InvalidValue.class)
                .hasMessageContaining("TRAWL_HTTP_PORT");
    }

    @Test
    void whatDelaysHoldForStaysAsTheFirstCoordinatorWasTold() throws Exception {
        try (Fleet byDomain = new Fleet(Map.of("trawl.politeness-key", "domain"))) {
            Worker first = byDomain.startCoordinator();
            await().atMost(SOON).until(() -> Fleet.leads(first));
            first.stop(Duration.ofSeconds(5));
            Worker second = byDomain.startCoordinator(Map.of("trawl.politeness-key", "host"));
            await().atMost(SOON).until(() -> Fleet.leads(second));
            byDomain.put(second, "docs", "?start=true", Fleet.definition("https://a.example.org/x"));
            await().atMost(SOON).untilAsserted(() -> assertThat(byDomain.kafka.records(byDomain.kafka.topics().requests(1, 1)))
                    .singleElement().satisfies(r -> assertThat(r.key()).asString().isEqualTo("example.org")));
            assertThat(byDomain.control().stream().filter(Channels.class::isInstance))
                    .containsExactly(new Channels(1, 1, 3, 8, PolitenessKey.DOMAIN));
        }
    }

    private Worker leading() throws InterruptedException {
        Worker coordinator = fleet.startCoordinator();
        await().atMost(SOON).until(() -> coordinator.stage().state().equals("leading"));
        return coordinator;
    }

    private Request theRequest() {
        await().atMost(SOON).until(() -> fleet.requests().size() == 1);
        return fleet.requests().getFirst();
    }

    private void staysStarted(Worker coordinator) {
        staysIn(coordinator, CrawlState.STARTED);
    }

    private void staysIn(Worker coordinator, CrawlState state) {
        await().during(Duration.ofMillis(500)).atMost(SOON).until(() -> fleet.crawl(coordinator, "docs").state() == state);
    }

    private List<CrawlState> states(String crawl) {
        return fleet.control().stream().filter(CrawlStatus.class::isInstance).map(CrawlStatus.class::cast)
                .filter(c -> c.run().crawl().value().equals(crawl)).map(CrawlStatus::state).toList();
    }

    private StopSign sign() {
        return fleet.control().stream().filter(StopSign.class::isInstance).map(StopSign.class::cast).reduce((a, b) -> b)
                .orElseThrow();
    }

    private RedisStore redis() {
        return RedisStore.connect(EmbeddedServers.shared().redis().url(), fleet.kafka.topics().namespace(), "any", "any",
                Time.system());
    }

    private static void deals(RedisStore redis, MID mid, Map<String, Long> deals) {
        redis.registrar().register(new Registration(mid, 0, new Counts(0, 0, 0, 0, 0), Instant.EPOCH, deals, "running"),
                Duration.ofMinutes(1));
    }

    private static void problem(Fleet.Answer answer, int status, String part) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.type()).isEqualTo("application/problem+json");
        assertThat(answer.body()).contains(part).contains("\"status\":" + status);
    }
}
