package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.api.Counts;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.coordinator.leader.QueueControl.QueueReport;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.coordinator.summary.QueueSummary.Level;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.MovedRequest;
import io.trawl.model.CrawlerError;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Capacities 100, 200 and 300 from the highest priority down, on a real broker; the test acts for the other stages. */
class QueueIT {
    private final Fleet fleet = new Fleet(Map.of("trawl.topics.capacity", "100"));

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Test
    void aCallOverTheCapacityIsRefusedAsAWholeAndAcceptedWhenThereIsRoom() throws Exception {
        Worker coordinator = fleet.leader();
        open(coordinator, "docs");
        assertThat(post(coordinator, "docs", 2, 0, 90).status()).isEqualTo(202);
        Fleet.Answer refused = post(coordinator, "docs", 2, 90, 11);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.retryAfter()).isEqualTo("5");
        assertThat(refused.type()).isEqualTo("application/problem+json");
        assertThat(refused.body()).contains("urn:trawl:problem:channel-full", "CHANNEL_FULL",
                "priority 2 has a capacity of 100", "not for 11");
        assertThat(post(coordinator, "docs", 1, 200, 150).status()).as("another priority").isEqualTo(202);
        await().until(() -> fleet.requests().size() == 240);
        assertThat(post(coordinator, "docs", 2, 90, 11).status()).as("still there after they were admitted")
                .isEqualTo(429);
        fleet.commitAll(fleet.kafka.topics().downloaderGroup(), fleet.kafka.topics().requests(1, 2), "");
        await().until(() -> post(coordinator, "docs", 2, 90, 11).status() == 202);
        await().until(() -> fleet.requests().size() == 251);
        assertThat(queue(coordinator).refusedCalls().get(RefusalReason.CHANNEL_FULL)).isGreaterThanOrEqualTo(22);
        assertThat(fleet.errors()).as("accepted seeds are not refused afterwards").isEmpty();
    }

    @Test
    void anOrderToMoveWhatWaitsNamesWhereTheLogEndsAndIsListedWithWhatTheLedgerCounts() throws Exception {
        Worker coordinator = fleet.leader();
        open(coordinator, "docs");
        assertThat(post(coordinator, "docs", 2, 0, 3).status()).isEqualTo(202);
        await().until(() -> fleet.requests().size() == 3);
        String path = "/api/v1/crawls/docs/moves";
        assertThat(fleet.ask(coordinator, "POST", path, "{\"host\":\"a\",\"to\":3}").body())
                .contains("to: '3' is not valid: 0 to 2");
        assertThat(fleet.ask(coordinator, "POST", path, "{\"to\":1}").status()).isEqualTo(400);
        Fleet.Answer given = fleet.ask(coordinator, "POST", path, "{\"host\":\"Example.org:443\",\"to\":1}");
        assertThat(given.status()).as(given.body()).isEqualTo(200);
        assertThat(Json.read(given.body().getBytes(StandardCharsets.UTF_8), QueueReport.class).moves()).singleElement()
                .satisfies(move -> {
                    assertThat(move.match()).isEqualTo("https://example.org");
                    assertThat(move.complete()).as("no downloader is there").isFalse();
                    assertThat(move.text())
                            .isEqualTo("moved 0 of https://example.org to priority 1 so far; no downloader is running");
                });
        await().until(() -> fleet.control().stream().anyMatch(QueueMoves.class::isInstance));
        QueueMoves moves = fleet.control().stream().filter(QueueMoves.class::isInstance).map(QueueMoves.class::cast)
                .findFirst().orElseThrow();
        assertThat(moves.moves().getFirst().until().get(2).stream().mapToLong(end -> end).sum()).as("with markers")
                .isGreaterThanOrEqualTo(3);
        Request moved = fleet.requests().getFirst();
        fleet.writeLedger(LedgerRecord.ofMoved(moved.run(), List.of(new MovedRequest(moved.id(), 1, 1))));
        await().until(() -> queue(coordinator).levels().stream().filter(level -> level.priority() == 1).findFirst()
                .orElseThrow().waiting() == 1);
        assertThat(fleet.ask(coordinator, "GET", path, "").body()).contains("\"moved\":1");
        anOrderIsCompleteWhenDownloadersOfAllPartitionsSaySo(coordinator, path, moves);
    }

    private void anOrderIsCompleteWhenDownloadersOfAllPartitionsSaySo(Worker coordinator, String path, QueueMoves moves)
            throws Exception {
        int all = moves.moves().getFirst().until().getFirst().size();
        try (RedisStore redis = redis()) {
            MID downloader = MID.parse("D7|127.0.0.1:1");
            registerDownloader(redis, downloader, moves, all - 1);
            assertThat(fleet.ask(coordinator, "GET", path, "").body()).contains("\"complete\":false",
                    "so far, 0 places of the log left, 1 partition without a downloader at the moment");
            registerDownloader(redis, downloader, moves, all);
            await().until(() -> fleet.ask(coordinator, "GET", path, "").body().contains("\"complete\":true"));
            redis.registrar().unregister(downloader);
        }
    }

    private static void registerDownloader(RedisStore redis, MID downloader, QueueMoves dealtWith, int partitions) {
        redis.registrar().register(new Registration(downloader, 0, new Counts(0, 0, 0, 0, 0, 0), Instant.EPOCH,
                Map.of(dealtWith.key(), dealtWith.version()), Phase.RUNNING, List.of(), Optional.empty(),
                Optional.of(partitions), Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Map.of()),
                Duration.ofMinutes(1));
    }

    private RedisStore redis() {
        return RedisStore.connect(RedisServers.at(TestServers.shared().redisUrl()), fleet.kafka.topics().namespace(),
                "any", "any", Time.system());
    }

    @Test
    void aRecordOnTheTopicOverTheCapacityIsInErrorsAndCounted() throws Exception {
        Worker coordinator = fleet.leader();
        open(coordinator, "docs");
        fleet.writeSeeds(IntStream.range(0, 130).mapToObj(i -> seed("docs", 2, i)).toArray(String[]::new));
        await().until(() -> fleet.errors().size() + fleet.requests().size() == 130);
        // The markers of its transactions count as well, so a little less than the capacity may fit.
        assertThat(fleet.requests().size()).isBetween(80, 100);
        List<CrawlerError> errors = fleet.errors();
        assertThat(errors).allMatch(e -> e.kind().equals("CHANNEL_FULL") && e.url().isPresent()
                && fleet.kafka.topics().seeds().equals(e.source().get("topic")));
        Set<String> offsets = errors.stream().map(e -> e.source().get("offset")).collect(Collectors.toSet());
        assertThat(offsets).as("each with its own coordinates").hasSize(errors.size());
        await().untilAsserted(() -> assertThat(fleet.crawl(coordinator, "docs").refusals())
                .isEqualTo(Map.of(RefusalReason.CHANNEL_FULL, (long) errors.size())));
        assertThat(queue(coordinator).refused()).isEqualTo(Map.of(RefusalReason.CHANNEL_FULL, (long) errors.size()));

        fleet.commitAll(fleet.kafka.topics().downloaderGroup(), fleet.kafka.topics().requests(1, 2), "");
        String again = errors.getFirst().url().orElseThrow();
        await().until(() -> {
            fleet.writeSeeds("{\"crawl\":\"docs\",\"url\":\"" + again + "\",\"priority\":2}");
            return fleet.requests().stream().filter(r -> r.url().equals(again)).count() == 1;
        });
    }

    @Test
    void aDefinitionWithTooManySeedsCreatesNoCrawl() throws Exception {
        Worker coordinator = fleet.leader();
        Fleet.Answer refused = fleet.put(coordinator, "docs", "?start=true", definition(201));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(fleet.ask(coordinator, "GET", "/api/v1/crawls/docs", "").status()).isEqualTo(404);
        assertThat(fleet.put(coordinator, "docs", "?start=true", definition(200)).status()).isEqualTo(201);
        assertThat(post(coordinator, "docs", 1, 1000, 1).status()).as("its seeds have reserved places from the start")
                .isEqualTo(429);
        await().until(() -> fleet.requests().size() == 200);
        assertThat(fleet.put(coordinator, "docs", "", definition(200)).status()).as("attaching needs no capacity")
                .isEqualTo(200);
        assertThat(fleet.errors()).isEmpty();
    }

    @Test
    void linksThatTheCrawlFindsAreNeverDroppedAndFillTheLevelForSeeds() throws Exception {
        Worker coordinator = fleet.leader();
        open(coordinator, "docs");
        fleet.kafka.produce(fleet.kafka.topics().requests(1, 2), IntStream.range(0, 500).mapToObj(i -> "{}").toList());
        await().until(() -> level(coordinator, 2).backlog().equals(Optional.of(500L)));
        assertThat(post(coordinator, "docs", 2, 0, 1).status()).isEqualTo(429);
        assertThat(post(coordinator, "docs", 1, 0, 1).status()).isEqualTo(202);
    }

    @Test
    void concurrentCallersNeverGetMorePlacesThanThereAre() throws Exception {
        Worker first = fleet.leader();
        Worker second = fleet.startCoordinator();
        fleet.awaitMembers(first, second);
        open(first, "docs");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Fleet.Answer>> calls = IntStream.range(0, 24).<Callable<Fleet.Answer>>mapToObj(
                    i -> () -> post(i % 2 == 0 ? first : second, "docs", 2, 10 * i, 10)).toList();
            List<Fleet.Answer> answers = threads.invokeAll(calls).stream().map(Future::resultNow).toList();
            assertThat(answers).allMatch(a -> a.status() == 202 || a.status() == 429);
            assertThat(answers).filteredOn(a -> a.status() == 429).as("also by a follower")
                    .allMatch(a -> a.retryAfter().equals("5"));
            int accepted = 10 * (int) answers.stream().filter(a -> a.status() == 202).count();
            assertThat(accepted).isBetween(60, 100);
            await().until(() -> fleet.requests().size() == accepted);
            assertThat(fleet.errors()).isEmpty();
        }
    }

    @Test
    void theStatisticsAgreeWithEachOtherAndOutliveACoordinator() throws Exception {
        Worker first = fleet.leader();
        open(first, "docs");
        post(first, "docs", 2, 0, 5);
        post(first, "docs", 0, 10, 7);
        fleet.writeSeeds(seed("docs", 3, 99), seed("docs", -1, 99));
        await().until(() -> fleet.requests().size() == 12);
        for (Request request : fleet.requests().stream().filter(r -> r.priority() == 2).limit(3).toList()) {
            fleet.answer(request, OutcomeKind.PAGE, "200");
        }
        fleet.write(fleet.kafka.topics().responses());
        fleet.write(fleet.kafka.topics().items());
        fleet.write(fleet.kafka.topics().items());
        await().untilAsserted(() -> agrees(first));
        whatAPipelineHasReadDoesNotWait(first);
        assertThat(fleet.ask(first, "GET", "/api/v1/summary", "").body())
                .contains("\"line\":\"status: started, requestChannel p2: ");
        assertThat(fleet.ask(first, "GET", "/metrics", "").body()).contains(
                "trawl_queue_backlog{channel=\"responses\"} 1.0", "trawl_queue_backlog{channel=\"requests.p0\"}");
        first.stop(Duration.ofSeconds(5));
        Worker next = fleet.leader();
        await().untilAsserted(() -> agrees(next));
        fleet.commitAll(fleet.kafka.topics().downloaderGroup(), fleet.kafka.topics().requests(1, 0), "");
        await().untilAsserted(() -> assertThat(level(next, 0).backlog()).contains(0L));
        assertThat(fleet
                .ask(next, "POST", "/api/v1/crawls/docs/seeds", "[{\"url\":\"https://example.org/\",\"priority\":7}]")
                .status()).isEqualTo(400);
        assertThat(queue(next).refusedCalls()).isEqualTo(Map.of(RefusalReason.PRIORITY_OUT_OF_INDEX, 1L));
    }

    /** Its committed offset moves later, when it has finished a file. */
    private void whatAPipelineHasReadDoesNotWait(Worker coordinator) throws Exception {
        try (RedisStore redis = redis()) {
            MID pipeline = MID.parse("P7|127.0.0.1:1");
            redis.registrar()
                    .register(new Registration(pipeline, 0, new Counts(2, 1, 1, 0, 0, 0), Instant.EPOCH, Map.of(),
                            Phase.RUNNING, List.of(), Optional.of(1L), Optional.empty(), Optional.empty(),
                            Optional.empty(), Optional.empty(), List.of(), Map.of()), Duration.ofMinutes(1));
            await().untilAsserted(() -> assertThat(queue(coordinator).items()).isEqualTo(
                    new QueueSummary.ChannelBacklog(Optional.of(1L), Optional.of(2L), Optional.of(1_000_000L))));
            assertThat(queue(coordinator).line()).contains("itemChannel: 1/1000000");
            redis.registrar().unregister(pipeline);
            await().until(() -> queue(coordinator).items().backlog().equals(Optional.of(2L)));
        }
    }

    private void agrees(Worker coordinator) throws Exception {
        QueueSummary queue = queue(coordinator);
        assertThat(queue.levels()).extracting(Level::priority).containsExactly(2, 1, 0);
        assertThat(queue.levels()).extracting(l -> l.capacity().orElseThrow()).containsExactly(100L, 200L, 300L);
        assertThat(queue.levels()).extracting(Level::pushed).containsExactly(5L, 0L, 7L);
        assertThat(queue.levels()).extracting(Level::popped).containsExactly(3L, 0L, 0L);
        assertThat(queue.levels()).allMatch(l -> l.pushed() == l.popped() + l.waiting() + l.abandoned());
        assertThat(queue.levels()).extracting(Level::backlog).doesNotContain(Optional.empty());
        assertThat(queue.levels())
                .as("without a downloader the backlog is all pushed records and at most a marker for each")
                .allMatch(l -> l.backlog().orElseThrow() >= l.pushed() && l.backlog().orElseThrow() <= 2 * l.pushed());
        assertThat(queue.pushed()).isEqualTo(fleet.crawl(coordinator, "docs").totals().emitted()).isEqualTo(12);
        assertThat(queue.popped()).isEqualTo(fleet.crawl(coordinator, "docs").totals().pages()).isEqualTo(3);
        assertThat(queue.responses())
                .isEqualTo(new QueueSummary.ChannelBacklog(Optional.of(1L), Optional.empty(), Optional.of(20_000L)));
        assertThat(queue.items().backlog()).contains(2L);
        assertThat(queue.refused()).isEqualTo(Map.of(RefusalReason.PRIORITY_OUT_OF_INDEX, 2L));
    }

    /** A crawl without seeds, running. */
    private void open(Worker coordinator, String crawl) throws Exception {
        Fleet.Answer answer = fleet.put(coordinator, crawl, "?start=true", Fleet.definition());
        assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    }

    private static CrawlDefinition definition(int seeds) {
        return Fleet
                .definition(IntStream.range(0, seeds).mapToObj(i -> "https://example.org/" + i).toArray(String[]::new));
    }

    private Fleet.Answer post(Worker at, String crawl, int priority, int from, int count) throws Exception {
        String seeds = IntStream.range(from, from + count).mapToObj(i -> seed(crawl, priority, i))
                .collect(Collectors.joining(","));
        return fleet.ask(at, "POST", "/api/v1/crawls/" + crawl + "/seeds", "[" + seeds + "]");
    }

    private static String seed(String crawl, int priority, int number) {
        return "{\"crawl\":\"%s\",\"url\":\"https://example.org/%d\",\"priority\":%d}".formatted(crawl, number,
                priority);
    }

    private QueueSummary queue(Worker at) throws Exception {
        Fleet.Answer answer = fleet.ask(at, "GET", "/api/v1/queue", "");
        assertThat(answer.status()).isEqualTo(200);
        return Json.read(answer.body().getBytes(StandardCharsets.UTF_8), QueueSummary.class);
    }

    private Level level(Worker at, int priority) throws Exception {
        return queue(at).levels().stream().filter(l -> l.priority() == priority).findFirst().orElseThrow();
    }
}
