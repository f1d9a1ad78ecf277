package io.trawl.coordinator;

import io.trawl.coordinator.summary.Totals;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Request;
import io.trawl.testkit.ManualTime;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.IntStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.Admin;
import io.trawl.channel.SilentMember;
import java.nio.charset.StandardCharsets;
import io.trawl.coordinator.summary.FleetSummary;
import static io.trawl.coordinator.Fleet.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One coordinator leads; the others forward calls and take over. */
class LeadershipIT {
    private final Fleet fleet = new Fleet();

    @AfterEach
    void stop() {
        fleet.close();
    }

    private record Pair(Worker leader, Worker follower) {}

    private Pair pair() throws InterruptedException {
        Worker one = fleet.leader();
        Worker other = fleet.startCoordinator();
        fleet.awaitMembers(one, other);
        return Fleet.leads(one) ? new Pair(one, other) : new Pair(other, one);
    }

    @Test
    void aFollowerPassesOnAndTakesOverWhenTheLeaderStops() throws Exception {
        Pair coordinators = pair();
        Worker first = coordinators.leader();
        Worker second = coordinators.follower();
        assertThat(fleet.put(second, "docs", "?start=true", Fleet.definition("https://example.org/")).status())
                .isEqualTo(201);
        assertThat(fleet.crawl(second, "docs")).usingRecursiveComparison()
                .ignoringFields("elapsed", "totals", "waitingByPriority", "idle", "rates", "remaining")
                .isEqualTo(fleet.crawl(first, "docs"));
        problem(fleet.ask(second, "POST", "/api/v1/crawls/docs/start", ""), 409, "crawl docs is started");
        fleet.theRequest();
        first.stop(Duration.ofSeconds(5));
        await().until(() -> second.stage().state() == Phase.LEADING);
        fleet.answer(fleet.theRequest(), OutcomeKind.PAGE, "200");
        await().until(() -> fleet.crawl(second, "docs").end().isPresent());
        fleet.ask(second, "POST", "/api/v1/crawls/docs/seeds", "[{\"url\":\"https://example.org/more\"}]");
        await().untilAsserted(() -> assertThat(fleet.requests()).hasSize(2));
    }

    @Test
    void aCoordinatorWithAStopSignGivesItsTermToAnotherAndJoinsAgainAfterTheReset() throws Exception {
        Pair coordinators = pair();
        Worker drained = coordinators.leader();
        Worker left = coordinators.follower();
        fleet.put(drained, "docs", "?start=true", Fleet.definition("https://example.org/"));
        String sign = "/api/v1/stop-sign?module=" + drained.mid().instance();
        assertThat(fleet.ask(drained, "POST", sign, "").status()).isEqualTo(200);
        await().until(() -> Fleet.leads(left) && drained.stage().state() instanceof HoldingFor);
        await().until(() -> fleet.ask(left, "GET", sign, "").body().contains("\"complete\":true"));
        problem(fleet.ask(left, "POST", "/api/v1/stop-sign?module=" + left.mid().instance(), ""), 409,
                "only coordinator");
        await().until(() -> fleet.ask(drained, "POST", "/api/v1/crawls/docs/stop", "").status() == 200);
        assertThat(drained.stage().state()).as("it passes calls on").isInstanceOf(HoldingFor.class);
        assertThat(fleet.ask(left, "DELETE", sign, "").status()).isEqualTo(200);
        fleet.awaitMembers(drained, left);
    }

    @Test
    void aLeaderDeletesWhatTwoSnapshotsHaveCountedAndTheNextOneHasTheSameTotals() throws Exception {
        try (Fleet small = new Fleet(Map.of("trawl.topics.ledger-snapshot", "1024"))) {
            ManualTime time = ManualTime.flowing();
            Worker first = small.leader(time);
            small.put(first, "docs", "?start=true", Fleet.definition("https://example.org/"));
            Request seed = small.theRequest();
            for (int id = 1; ledgerBegin(small) == 0; id++) {
                small.writeLedger(new LedgerRecord(seed.run(),
                        LongStream.range(id * 1000L, id * 1000L + 200)
                                .mapToObj(each -> new EmittedRequest(new RequestId(each), 0, 0)).toList(),
                        List.of(), Map.of(), List.of(), 0));
                time.advance(Duration.ofSeconds(5));
            }
            Totals before = small.crawl(first, "docs").totals();
            first.stop(Duration.ofSeconds(5));
            Worker second = small.leader(time);
            assertThat(small.crawl(second, "docs").totals()).isEqualTo(before);
        }
    }

    private static long ledgerBegin(Fleet fleet) throws Exception {
        try (Admin admin = fleet.kafka.kafka().admin()) {
            Map<TopicPartition, OffsetSpec> partitions = IntStream.range(0, 4).boxed().collect(Collectors
                    .toMap(i -> new TopicPartition(fleet.kafka.topics().ledger(), i), _ -> OffsetSpec.earliest()));
            return admin.listOffsets(partitions).all().get().values().stream().mapToLong(ListOffsetsResultInfo::offset)
                    .max().orElseThrow();
        }
    }

    @Test
    void aNewLeaderCompletesWhatTheOldOneLeftIncomplete() throws Exception {
        Worker before = fleet.leader();
        before.stop(Duration.ofSeconds(5));
        CrawlDefinition definition = Fleet.definition("https://example.org/");
        for (CrawlState left : List.of(CrawlState.STARTING, CrawlState.STOPPING)) {
            var run = fleet.run(left.name().toLowerCase(java.util.Locale.ROOT));
            fleet.writeControl(CrawlStatus.of(run, 1, definition, left), new Domains(run, 1, Set.of("example.org")));
        }
        Worker after = fleet.leader();
        await().until(() -> fleet.crawl(after, "starting").startedAt().isPresent());
        await().until(() -> fleet.crawl(after, "stopping").state() == CrawlState.STOPPED);
    }

    @Test
    void aLeaderWhoseIdIsTakenStepsDownAndLeadsOnlyAfterJoiningAgain() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        fleet.theRequest();
        try (Producer<byte[], byte[]> other = fleet.kafka.kafka()
                .transactionalProducer(fleet.kafka.topics().coordinatorTransactions())) {
            other.initTransactions();
            problem(fleet.askOnce(coordinator, "POST", "/api/v1/crawls/docs/stop", ""), 503, "no coordinator leads");
            assertThat(fleet.states("docs")).endsWith(CrawlState.STARTED);
        }
        await().until(() -> fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/stop", "").status() == 200);
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        assertThat(fleet.requests()).hasSize(1);
    }

    /** The broker refuses what is larger than a definition, and not the marker of an aborted transaction. */
    @Test
    void aLeaderThatCannotWriteForALeaseSaysSoAndLetsAnotherOneLead() throws Exception {
        Pair coordinators = pair();
        String control = fleet.kafka.topics().control();
        fleet.kafka.configure(control, Map.of("max.message.bytes", "150"));
        problem(fleet.put(coordinators.leader(), "docs", "",
                Fleet.definition("https://example.org/" + UUID.randomUUID())), 503, "Kafka");
        Worker failing = await().until(
                () -> Stream.of(coordinators.leader(), coordinators.follower())
                        .filter(each -> each.stage().state() instanceof WaitingFor(var _, Optional<String> why)
                                && why.orElse("").startsWith("each transaction fails: "))
                        .findAny(),
                Optional::isPresent).orElseThrow();
        await().until(
                () -> Fleet.leads(failing == coordinators.leader() ? coordinators.follower() : coordinators.leader()));
        fleet.kafka.configure(control, Map.of("max.message.bytes", "1000000"));
        assertThat(fleet.put(failing, "docs", "?start=true", Fleet.definition("https://example.org/")).status())
                .isEqualTo(201);
        await().until(() -> failing.stage().state() == Phase.FOLLOWING);
    }

    /** As in a call to a server that does not return. */
    @Test
    void aLeaderThatHangsInADecisionForTenSecondsSaysSo() throws Exception {
        Coordinator leader = (Coordinator) fleet.leader().stage();
        CountDownLatch end = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.submit(() -> leader.services().election().decide(_ -> {
                end.await();
                return true;
            }));
            await().until(() -> leader.state() instanceof WaitingFor(Dependency missing, var _)
                    && missing == Dependency.ANSWER);
            end.countDown();
        }
        await().until(() -> leader.state() == Phase.LEADING);
    }

    @Test
    void concurrentCallersGetOneCrawlAndOneStop() throws Exception {
        Worker first = fleet.leader();
        Worker second = fleet.startCoordinator();
        fleet.awaitMembers(first, second);
        List<Integer> puts = atOnce(8, i -> fleet.put(i % 2 == 0 ? first : second, "docs", "?start=true",
                Fleet.definition("https://example.org/")));
        assertThat(puts).containsExactlyInAnyOrder(201, 200, 200, 200, 200, 200, 200, 200);
        List<Integer> stops = atOnce(6,
                i -> fleet.ask(i % 2 == 0 ? first : second, "POST", "/api/v1/crawls/docs/stop", ""));
        assertThat(stops).containsExactlyInAnyOrder(200, 409, 409, 409, 409, 409);
        assertThat(fleet.states("docs").stream().filter(CrawlState::passing)).containsExactly(CrawlState.INITIALIZING,
                CrawlState.STARTING, CrawlState.STOPPING);
        assertThat(fleet.theRequest().run().epoch()).isEqualTo(1);
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
    void withoutALeaderAChangeIsRefusedTemporarily() throws Exception {
        Worker only = fleet.leader();
        only.stage().stop(Duration.ofSeconds(5));
        Fleet.Answer answer = fleet.askOnce(only, "PUT", "/api/v1/crawls/docs",
                Json.text(Fleet.definition("https://example.org/")));
        problem(answer, 503, "no coordinator leads");
    }

    /** As a broker keeps members that it has read from its log, without a session that ends (ADR 0138). */
    @Test
    void aDeadMemberThatKafkaKeepsDoesNotKeepACoordinatorFromLeading() throws Exception {
        fleet.leader().stop(Duration.ofSeconds(5));
        String group = fleet.kafka.topics().coordinatorGroup();
        SilentMember.join(fleet.kafka.settings(), group, fleet.kafka.topics().seeds());
        Worker next = fleet.leader();
        assertThat(Json.read(fleet.ask(next, "GET", "/api/v1/summary", "").body().getBytes(StandardCharsets.UTF_8),
                FleetSummary.class).notes()).anyMatch(note -> note.startsWith("Kafka kept eviction as a member"));
    }
}
