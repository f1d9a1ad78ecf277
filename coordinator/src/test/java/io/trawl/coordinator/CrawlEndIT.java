package io.trawl.coordinator;

import static io.trawl.coordinator.Fleet.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.api.Counts;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.StopSign;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import java.util.List;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.model.MID;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.testkit.TestServers;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * When a crawl ends, by itself, by its limit or by a command, and how it resumes; the test acts for the other stages.
 */
class CrawlEndIT {
    private final Fleet fleet = new Fleet();

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Test
    void aCrawlIsFinishedWhenAllIsAnsweredAndStoredAndNotBefore() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        Request seed = fleet.theRequest();
        fleet.write(fleet.kafka.topics().items());
        Request link = Fleet.found(seed, "https://example.org/a", 42);
        fleet.answer(seed, OutcomeKind.PAGE, "200", link);
        staysIn(coordinator, CrawlState.STARTED);
        assertThat(fleet.control()).noneMatch(ItemEnds.class::isInstance);
        fleet.answer(link, OutcomeKind.HTTP_ERROR, "404");
        await().until(() -> fleet.control().stream().anyMatch(ItemEnds.class::isInstance));
        staysIn(coordinator, CrawlState.STARTED);
        fleet.commitAll(fleet.kafka.topics().pipelineGroup(), fleet.kafka.topics().items(), "part-0.jsonl");
        staysIn(coordinator, CrawlState.STARTED);
        fleet.commitAll(fleet.kafka.topics().pipelineGroup(), fleet.kafka.topics().items(), "");
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        CrawlSummary summary = fleet.crawl(coordinator, "docs");
        assertThat(summary.end().orElseThrow().reason()).isEqualTo(EndReason.FINISHED);
        assertThat(summary.totals().pages()).isEqualTo(1);
        assertThat(summary.errorsByKind()).containsExactly(Map.entry("HTTP_ERROR 404", 1L));
        CrawlSummary attached = fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"))
                .summary();
        assertThat(attached.state()).isEqualTo(CrawlState.STOPPED);
        assertThat(attached.end()).isEqualTo(summary.end());
    }

    @Test
    void aCrawlWithAnArchiveIsNotFinishedBeforeItIsComplete() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/").withSinks(
                List.of(SinkDefinition.files(SinkDefinition.WARC, Optional.empty(), Optional.empty(), List.of()))));
        Request seed = fleet.theRequest();
        fleet.write(fleet.kafka.topics().responses());
        fleet.answer(seed, OutcomeKind.PAGE, "200");
        await().until(() -> fleet.control().stream().anyMatch(ItemEnds.class::isInstance));
        staysIn(coordinator, CrawlState.STARTED);
        fleet.commitAll(fleet.kafka.topics().archiveGroup(), fleet.kafka.topics().responses(), "part-0.warc.gz");
        staysIn(coordinator, CrawlState.STARTED);
        fleet.commitAll(fleet.kafka.topics().archiveGroup(), fleet.kafka.topics().responses(), "");
        await().until(() -> fleet.crawl(coordinator, "docs").end().isPresent());
    }

    @Test
    void aCrawlWhoseSeedsAreAllRefusedIsFinished() throws Exception {
        Worker coordinator = fleet.leader();
        CrawlDefinition nothingAccepted = io.trawl.codec.Json
                .read("{\"seeds\":[{\"url\":\"https://example.org/\"}],\"scope\":{\"domains\":[\"other.net\"]}}"
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8), CrawlDefinition.class);
        fleet.put(coordinator, "docs", "?start=true", nothingAccepted);
        await().until(() -> fleet.crawl(coordinator, "docs").end().isPresent());
        assertThat(fleet.crawl(coordinator, "docs").refusals()).containsEntry(RefusalReason.DOMAIN, 1L);
    }

    @Test
    void aRunThatLosesMostPagesToErrorsFailsAndTheNextOneIsComparedWithTheOneBefore() throws Exception {
        CrawlDefinition four = Fleet.definition("https://a.org/1", "https://a.org/2", "https://a.org/3",
                "https://a.org/4");
        Worker first = fleet.leader();
        CrawlSummary good = night(first, four, OutcomeKind.PAGE, "200");
        assertThat(good.end().orElseThrow().failed()).isFalse();
        assertThat(good.notes()).noneMatch(note -> note.contains("has failed"));
        first.stop(Duration.ofSeconds(5));
        Worker second = fleet.leader();
        for (String status : List.of("503", "429")) {
            CrawlSummary bad = night(second, four, OutcomeKind.HTTP_ERROR, status);
            assertThat(bad.end().orElseThrow().failed()).as(status).isTrue();
            assertThat(bad.notes()).contains(bad.run() + " has failed: it has 1 of the 4 pages of the last run, and 3"
                    + " requests failed; it gets no _SUCCESS, and older runs stay");
        }
        await().untilAsserted(() -> assertThat(fleet.ask(second, "GET", "/api/v1/events?crawl=docs&limit=1", "").body())
                .contains("crawl.finished", "\"epoch\":3", "\"failed\":true"));
        CrawlSummary gone = night(second, four, OutcomeKind.HTTP_ERROR, "404");
        assertThat(gone.end().orElseThrow().failed()).as("pages that are gone").isFalse();
        assertThat(night(second, four, OutcomeKind.FAILURE, "TIMEOUT").end().orElseThrow().failed())
                .as("compared with a page").isFalse();
    }

    @Test
    void aRunIsNotComparedWithOneOfAnotherScope() throws Exception {
        Worker coordinator = fleet.leader();
        night(coordinator, Fleet.definition("https://a.org/1", "https://a.org/2", "https://a.org/3"), OutcomeKind.PAGE,
                "200");
        CrawlDefinition fewer = Fleet.definition("https://a.org/1", "https://a.org/2");
        assertThat(night(coordinator, fewer, OutcomeKind.FAILURE, "TIMEOUT").end().orElseThrow().failed()).isFalse();
        assertThat(night(coordinator, fewer.withKeep(7), OutcomeKind.FAILURE, "TIMEOUT").end().orElseThrow().failed())
                .as("a page again").isFalse();
    }

    /** A fresh run whose first seed is a page, and whose others have this answer. */
    private CrawlSummary night(Worker coordinator, CrawlDefinition definition, OutcomeKind others, String detail)
            throws Exception {
        int epoch = fleet.put(coordinator, "docs", "?start=true&fresh=true", definition).summary().epoch();
        await().until(() -> seeds(epoch).size() == definition.seeds().size());
        for (Request seed : seeds(epoch)) {
            boolean page = seed.url().endsWith("1");
            fleet.answer(seed, page ? OutcomeKind.PAGE : others, page ? "200" : detail);
        }
        return await().until(() -> fleet.crawl(coordinator, "docs"),
                now -> now.epoch() == epoch && now.end().isPresent());
    }

    private List<Request> seeds(int epoch) {
        return fleet.requests().stream().filter(request -> request.run().epoch() == epoch).toList();
    }

    @Test
    void aSeedStartsAFinishedCrawlAgain() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        fleet.answer(fleet.theRequest(), OutcomeKind.PAGE, "200");
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/seeds", "[{\"url\":\"https://example.org/more\"}]");
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STARTED);
        assertThat(fleet.crawl(coordinator, "docs").end()).isEmpty();
        fleet.answer(fleet.requests().stream().filter(r -> r.url().endsWith("more")).findFirst().orElseThrow(),
                OutcomeKind.PAGE, "200");
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        assertThat(fleet.crawl(coordinator, "docs").totals().pages()).isEqualTo(2);
    }

    private static CrawlDefinition limited(CrawlDefinition definition, long pages) {
        return definition.withLimits(definition.limits().withMaxPages(Optional.of(pages)));
    }

    @Test
    void atThePageLimitTheCrawlStopsWhenAllThatWasDownloadedIsStored() throws Exception {
        Worker coordinator = fleet.leader();
        CrawlDefinition definition = Fleet.definition("https://example.org/", "https://example.org/2");
        try (RedisStore redis = redis()) {
            MID downloader = MID.parse("D1|127.0.0.1:9");
            deals(redis, downloader, Map.of());
            fleet.put(coordinator, "docs", "?start=true", limited(definition, 1));
            await().until(() -> fleet.requests().size() == 2);
            fleet.answer(fleet.requests().getFirst(), OutcomeKind.PAGE, "200");
            await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPING);
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
            await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
            assertThat(fleet.crawl(coordinator, "docs").end().orElseThrow().reason()).isEqualTo(EndReason.PAGE_LIMIT);
            assertThat(fleet.crawl(coordinator, "docs").totals().waiting()).isEqualTo(1);
            problem(fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/start", ""), 409, "higher limits.maxPages");
            assertThat(fleet.put(coordinator, "docs", "?start=true", limited(definition, 1)).summary().state())
                    .isEqualTo(CrawlState.STOPPED);
            assertThat(fleet.put(coordinator, "docs", "?start=true", limited(definition, 2)).summary().state())
                    .isEqualTo(CrawlState.STARTED);
            assertThat(sign().signed()).isFalse();
        }
    }

    @Test
    void stopAndStartAndAFreshRunWithAnEmptyLedger() throws Exception {
        Worker coordinator = fleet.leader();
        CrawlDefinition definition = Fleet.definition("https://example.org/");
        fleet.put(coordinator, "docs", "?start=true", definition);
        fleet.theRequest();
        assertThat(fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/stop", "").summary().state())
                .isEqualTo(CrawlState.STOPPING);
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        assertThat(fleet.crawl(coordinator, "docs").end().orElseThrow().reason()).isEqualTo(EndReason.ASKED);
        assertThat(fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/start", "").summary().state())
                .isEqualTo(CrawlState.STARTED);
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/stop", "");
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        CrawlSummary fresh = fleet.put(coordinator, "docs", "?start=true&fresh=true",
                definition.withLimits(definition.limits().withDepth(1))).summary();
        assertThat(fresh.run().epoch()).isEqualTo(2);
        await().untilAsserted(
                () -> assertThat(fleet.requests()).extracting(r -> r.run().epoch()).containsExactlyInAnyOrder(1, 2));
        await().untilAsserted(() -> assertThat(fleet.crawl(coordinator, "docs").totals().emitted()).isEqualTo(1));
    }

    private void staysIn(Worker coordinator, CrawlState state) {
        await().during(Duration.ofMillis(500)).until(() -> fleet.crawl(coordinator, "docs").state() == state);
    }

    private StopSign sign() {
        return fleet.control().stream().filter(StopSign.class::isInstance).map(StopSign.class::cast).reduce((a, b) -> b)
                .orElseThrow();
    }

    private RedisStore redis() {
        return RedisStore.connect(RedisServers.at(TestServers.shared().redisUrl()), fleet.kafka.topics().namespace(),
                "any", "any", Time.system());
    }

    private static void deals(RedisStore redis, MID mid, Map<String, Long> deals) {
        redis.registrar().register(
                new Registration(mid, 0, new Counts(0, 0, 0, 0, 0, 0), Instant.EPOCH, deals, Phase.RUNNING),
                Duration.ofMinutes(1));
    }
}
