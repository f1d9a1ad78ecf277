package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlRecord.KafkaLoss.Cut;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.definition.RefreshRules;
import io.trawl.control.RunVisits;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.VisitChoice;
import io.trawl.coordinator.definition.DefinitionChanges;
import io.trawl.coordinator.definition.DefinitionChanges.DueChange;
import io.trawl.coordinator.leader.SeedCall.SubmittedSeeds;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.lifecycle.RefreshPlan;
import io.trawl.coordinator.summary.VisitSummary;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.FirstItemStore.JudgedItem;
import io.trawl.ledger.FirstItemStore.ContentOfItem;
import io.trawl.ledger.ItemId;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.model.ArchivedBody;
import io.trawl.model.ChangeRate;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.scope.LinkFacts;
import io.trawl.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The life of a run that visits the pages of another one; coordinators are real, the test acts for the other stages.
 */
class RefreshIT {
    private static final String NIGHTLY = "{\"seeds\":[\"https://example.org/\"],\"refresh\":{},\"schedule\":{\"cron\":\"0 3 * * *\"}}";
    private static final int PAGES = 40;
    private static final String START = "?start=true&refresh=true";
    private final JumpingTime time = new JumpingTime();
    private final Fleet fleet = new Fleet();

    @AfterEach
    void stop() {
        fleet.close();
    }

    private static CrawlDefinition definition() {
        return Fleet.definition("https://example.org/");
    }

    /** Acts for the analyzer: the next visits of the pages of a run, among which is the seed. */
    private List<Request> visits(Request seed, int pages) {
        return visits(seed, pages, _ -> UnaryOperator.identity());
    }

    private List<Request> visits(Request seed, int pages, IntFunction<UnaryOperator<VisitBuilder>> known) {
        List<Request> visits = IntStream.range(0, pages)
                .mapToObj(i -> (i == 0 ? seed : Fleet.found(seed, "https://example.org/" + i, 0))
                        .with(copy -> copy.id(new RequestId(seed.run().epoch() * 1000L + i))
                                .visit(Optional.of(known.apply(i)
                                        .apply(VisitBuilder.builder().number(1).state(PageState.STORED)
                                                .etag(Optional.of("\"" + i + "\""))
                                                .archived(Optional.of(new ArchivedBody("A".repeat(43), i))))
                                        .build()))))
                .toList();
        write(visits);
        return visits;
    }

    private void write(List<Request> visits) {
        fleet.kafka.produce(fleet.kafka.topics().visits(),
                visits.stream().map(visit -> new String(Codec.encode(visit), StandardCharsets.UTF_8)).toList());
    }

    private CrawlSummary finished(Worker coordinator, List<Request> requests, OutcomeKind outcome) throws Exception {
        for (Request request : requests) {
            fleet.answer(request, outcome, "200");
        }
        return await().until(() -> fleet.crawl(coordinator, "docs"), crawl -> crawl.end().isPresent());
    }

    private List<Request> requests(int epoch) {
        return fleet.requests().stream().filter(request -> request.run().epoch() == epoch).toList();
    }

    private long firstOffset() throws Exception {
        TopicPartition visits = new TopicPartition(fleet.kafka.topics().visits(), 0);
        try (Admin admin = fleet.kafka.kafka().admin()) {
            return admin.listOffsets(Map.of(visits, OffsetSpec.earliest())).partitionResult(visits).get().offset();
        }
    }

    @Test
    void aRunVisitsThePagesOfTheOneBeforeAndNothingElseComesFirst() throws Exception {
        Worker coordinator = fleet.leader(time);
        assertThat(fleet.put(coordinator, "docs", START, definition()).summary().refreshes()).as("the first").isEmpty();
        Request seed = fleet.theRequest();
        fleet.kafka.produce(fleet.kafka.topics().visits(), List.of("no visit", "{\"schema\":1}"));
        List<Request> visits = visits(seed, PAGES);
        write(List.of(visits.getLast().with(of -> of.run(new CrawlRun(new CrawlId("other"), 1))),
                visits.getLast().with(of -> of.depth(0).visit(Optional.empty()))));
        assertThat(fleet.put(coordinator, "docs", START, definition()).summary().epoch()).as("it goes on").isEqualTo(1);
        finished(coordinator, List.of(seed), OutcomeKind.PAGE);

        CrawlSummary second = fleet.put(coordinator, "docs", START, definition()).summary();
        assertThat(second.epoch()).isEqualTo(2);
        assertThat(second.refreshes()).contains(1);
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STARTED);
        await().until(() -> fleet.crawl(coordinator, "docs").refusals().toString().contains("SEEN=1"));
        List<Request> requests = requests(2);
        assertThat(requests).extracting(Request::id).as("and no seed")
                .isEqualTo(visits.stream().map(Request::id).toList());
        assertThat(requests.getLast().depth()).as("that of its nearest answer").isZero();
        assertThat(requests.get(1).depth()).isEqualTo(1);
        assertThat(requests).allMatch(request -> request.definition() == 0 && request.visit().isPresent());
        assertThat(requests).as("how its items were made is not known")
                .allMatch(request -> request.visit().filter(Visit::plain).isPresent());
        assertThat(requests).as("what an archive holds of a run that had none")
                .allMatch(request -> request.visit().flatMap(Visit::archived).isEmpty());
        assertThat(fleet.crawl(coordinator, "docs").totals().waitingExempt()).isEqualTo(PAGES);

        CrawlSummary end = finished(coordinator, requests, OutcomeKind.UNCHANGED);
        assertThat(end.totals().unchanged()).isEqualTo(PAGES);
        assertThat(end.end().orElseThrow().failed()).as("they are there").isFalse();
        assertThat(firstOffset()).isZero();
        await("what no run needs any more is deleted a minute later").pollInterval(Duration.ofSeconds(1)).until(() -> {
            time.suspend(Duration.ofMinutes(1));
            return firstOffset() == PAGES + 4;
        });
    }

    @Test
    void aLeaderThatTakesOverPromotesAllOfThemAndCountsEachOnce() throws Exception {
        Worker first = fleet.leader(time);
        fleet.put(first, "docs", START, definition());
        Request seed = fleet.theRequest();
        List<Request> visits = visits(seed, PAGES);
        finished(first, List.of(seed), OutcomeKind.PAGE);
        CrawlStatus over = status();
        first.stop(Duration.ofSeconds(5));

        // What a leader leaves that dies when it has promoted the half.
        CrawlRun run = new CrawlRun(new CrawlId("docs"), 2);
        fleet.writeControl(promoting(run, over));
        List<Request> half = visits.subList(0, PAGES / 2).stream().map(visit -> visit.withRun(run)).toList();
        fleet.kafka.produce(fleet.kafka.topics().requests(1, seed.priority()),
                half.stream().map(visit -> new String(Codec.encode(visit), StandardCharsets.UTF_8)).toList());
        fleet.writeLedger(LedgerRecord.ofVisits(run,
                half.stream().map(visit -> new EmittedRequest(visit.id(), visit.priority(), visit.depth())).toList()));

        Worker next = fleet.leader(time);
        await().until(() -> fleet.crawl(next, "docs").state() == CrawlState.STARTED);
        assertThat(requests(2).stream().map(Request::id).distinct()).hasSize(PAGES);
        assertThat(fleet.crawl(next, "docs").totals().emitted()).isEqualTo(PAGES);
        assertThat(finished(next, requests(2).stream().distinct().toList(), OutcomeKind.UNCHANGED).totals().unchanged())
                .isEqualTo(PAGES);
    }

    /** A run whose visits, those of all pages of the run before, are to become its requests. */
    private static CrawlStatus promoting(CrawlRun run, CrawlStatus over) {
        return CrawlStatus.of(run, over.version() + 1, over.definition(), CrawlState.INITIALIZING)
                .withVisits(Optional.of(new RunVisits(PAGES, Optional.of(VisitSource.of(1,
                        new RunVisits(0, Optional.empty(), Optional.empty()), PAGES, true, VisitChoice.ALL)),
                        Optional.empty())));
    }

    @Test
    void aCrawlThatIsClosedWhileItsVisitsArePromotedStaysClosed() throws Exception {
        Worker first = fleet.leader(time);
        fleet.put(first, "docs", START, definition());
        Request seed = fleet.theRequest();
        visits(seed, PAGES);
        finished(first, List.of(seed), OutcomeKind.PAGE);
        CrawlStatus over = status();
        first.stop(Duration.ofSeconds(5));

        fleet.writeControl(promoting(new CrawlRun(new CrawlId("docs"), 2), over)
                .withClosedAt(Optional.of(time.now().truncatedTo(ChronoUnit.SECONDS))));
        Worker next = fleet.leader(time);
        await().until(() -> fleet.crawl(next, "docs").state() == CrawlState.STARTED);
        assertThat(fleet.crawl(next, "docs").closedAt()).isPresent();
    }

    @Test
    void whatARefreshDoesNotVisitTheNextOneDoes() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.put(coordinator, "docs", START, definition());
        Request seed = fleet.theRequest();
        List<Request> visits = visits(seed, PAGES);
        finished(coordinator, List.of(seed), OutcomeKind.PAGE);

        Fleet.problem(fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/refresh?match=re:%28", ""), 400, "RE2");
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/refresh?match=/%7B7,8%7D", "");
        List<Request> two = await().until(() -> requests(2), list -> list.size() == 2);
        assertThat(two).extracting(Request::url).containsExactly("https://example.org/7", "https://example.org/8");
        CrawlSummary second = finished(coordinator, two, OutcomeKind.UNCHANGED);
        assertThat(second.totals().emitted()).as("and its seed is known").isEqualTo(2);
        CrawlStatus over = status();
        assertThat(over.visits().flatMap(RunVisits::source).flatMap(VisitSource::promoted))
                .contains(new PromotedVisits(2, PAGES - 2, 0));
        // What the analyzer writes of the two, and what a promotion has carried that was not the last one.
        write(two.stream().map(of -> of.withId(new RequestId(of.id().value() + 1_000_000))).toList());
        write(visits.subList(20, 30).stream().map(of -> of.with(copy -> copy.run(over.run())
                .id(new RequestId(of.id().value() + 2_000_000)).visit(of.visit().map(visit -> visit.withCarried(1)))))
                .toList());

        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/refresh", "");
        List<Request> all = await().until(() -> requests(3), list -> list.size() >= PAGES);
        assertThat(all).extracting(Request::url).doesNotHaveDuplicates().hasSize(PAGES);
        assertThat(all).extracting(Request::id).as("carried ones keep theirs").contains(visits.getLast().id());
        assertThat(finished(coordinator, all, OutcomeKind.UNCHANGED).totals().unchanged()).isEqualTo(PAGES);
    }

    @Test
    void whatARefreshHasCarriedOverItCarriesAgainWhenKafkaHasLostRecords() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.put(coordinator, "docs", START, definition());
        Request seed = fleet.theRequest();
        visits(seed, PAGES);
        finished(coordinator, List.of(seed), OutcomeKind.PAGE);
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/refresh?match=/%7B7,8%7D", "");
        await().until(() -> requests(2), list -> list.size() == 2);
        CrawlStatus started = await().until(this::status, crawl -> crawl.state() == CrawlState.STARTED);

        // As if the topic had been cut where what was carried begins.
        long cut = started.visits().orElseThrow().promotion();
        KafkaLoss loss = KafkaLoss.after(Optional.empty(),
                new Cut(7, Map.of(fleet.kafka.topics().visits() + "-0", cut)), List.of("visits"), time.now());
        coordinator.stop(Duration.ofSeconds(5));
        fleet.writeControl(loss, started.with(copy -> copy.version(started.version() + 1)
                .visits(started.visits().map(visits -> visits.promoted(cut + 1, new PromotedVisits(0, 0, 0))))));
        Worker next = fleet.leader(time);
        Fleet.problem(fleet.ask(next, "POST", "/api/v1/crawls/docs/refresh", ""), 409, "ended by itself");
        await().until(() -> fleet.liveControl().stream().filter(KafkaLoss.class::isInstance).map(KafkaLoss.class::cast)
                .anyMatch(KafkaLoss::repaired));
        finished(next, requests(2).stream().distinct().toList(), OutcomeKind.UNCHANGED);

        fleet.ask(next, "POST", "/api/v1/crawls/docs/refresh", "");
        List<Request> all = await().until(() -> requests(3), list -> list.size() >= PAGES - 2);
        assertThat(all).extracting(Request::url).doesNotHaveDuplicates().hasSize(PAGES - 2)
                .doesNotContain("https://example.org/7");
    }

    private String explained(Worker coordinator, int page) throws Exception {
        return fleet.ask(coordinator, "GET", "/api/v1/explain?crawl=docs&url=https://example.org/" + page, "").body();
    }

    /** The requests of a run that takes seeds. */
    private List<Request> started(Worker coordinator, int epoch) {
        await().until(() -> fleet.crawl(coordinator, "docs"),
                crawl -> crawl.epoch() == epoch && crawl.state() == CrawlState.STARTED);
        return requests(epoch);
    }

    @Test
    void aSeedMakesAKnownPageDueUntilItIsVisitedWhateverItsIntervalIs() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true",
                "{\"seeds\":[\"https://example.org/\"],\"refresh\":{\"least\":\"1h\"}}");
        Request first = fleet.theRequest();
        long begin = time.now().getEpochSecond();
        List<Request> visits = visits(first, 8,
                _ -> known -> known.visited(begin).rate(Optional.of(new ChangeRate(1_000_000, 1))));
        finished(coordinator, List.of(first), OutcomeKind.PAGE);
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/refresh?match=/1", "");
        List<Request> one = started(coordinator, 2);
        assertThat(read(coordinator, "POST", "/api/v1/crawls/docs/seeds", "[\"https://example.org/3\"]", 202,
                SubmittedSeeds.class)).as("while a run goes on").isEqualTo(new SubmittedSeeds(1, Map.of(), 1, 0));
        finished(coordinator, one, OutcomeKind.UNCHANGED);
        assertThat(explained(coordinator, 3)).contains("A seed has asked for it at ", ", so it is due at once.",
                "The next visit is due at " + Instant.ofEpochSecond(begin));
        assertThat(explained(coordinator, 4)).doesNotContain("A seed has asked");
        write(List.of(visits.get(4)
                .with(copy -> copy.run(new CrawlRun(new CrawlId("docs"), 2)).visit(Optional.empty())
                        .parent(Optional.of("https://example.org/feed")).options(FetchOptions.NONE.withMetadata(
                                Map.of(LinkFacts.LASTMOD, Instant.ofEpochSecond(begin + 9).toString()))))));
        assertThat(explained(coordinator, 4)).contains("https://example.org/feed says that it has changed at ",
                "The next visit is due at " + Instant.ofEpochSecond(begin + 3600));
        assertThat(planned(coordinator, "due=true").visits()).as("and not the seed of the definition")
                .isEqualTo(new PromotedVisits(1, 6, 0));

        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/refresh?match=/2", "");
        List<Request> other = started(coordinator, 3);
        assertThat(read(coordinator, "POST", "/api/v1/crawls/docs/seeds", "[\"https://example.org/5\"]", 202,
                SubmittedSeeds.class).due()).isOne();
        finished(coordinator, other, OutcomeKind.UNCHANGED);
        assertThat(explained(coordinator, 3)).as("a run that did not visit it").contains("A seed has asked for it at ");
        coordinator.stop(Duration.ofSeconds(5));
        Worker next = fleet.leader(time);
        fleet.ask(next, "POST", "/api/v1/crawls/docs/refresh?due=true", "");
        assertThat(await().until(() -> requests(4), list -> list.size() >= 2)).extracting(Request::url)
                .containsExactlyInAnyOrder("https://example.org/3", "https://example.org/5");
        started(next, 4);
        assertThat(explained(next, 5)).as("while its visit waits").contains("A seed has asked for it at ");
    }

    private static ContentOfItem item(Request request, String content) {
        return new ContentOfItem(Optional.of(Fingerprint.of(content)),
                new JudgedItem(request.url(), Optional.of(ItemId.key(request.run().crawl(), request.pageIdentity()))));
    }

    @Test
    void whatIsKnownOfItemsIsKnownInTheRefreshAndAPageWhoseContentNoOtherHasAnyMoreIsToldAgain() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true",
                "{\"seeds\":[\"https://example.org/\"],\"refresh\":{},"
                        + "\"process\":{\"processors\":[{\"unique\":[\"text\"]}]}}");
        Request seed = fleet.theRequest();
        List<Request> visits = visits(seed, 5, i -> known -> i == 2 ? known.state(PageState.MISSING) : known);
        finished(coordinator, List.of(seed), OutcomeKind.PAGE);
        try (RedisStore store = RedisStore.connect(RedisServers.of(fleet.kafka.settings().redis()),
                fleet.kafka.topics().namespace(), coordinator.kafka().cluster(), coordinator.kafka().responses(),
                time)) {
            assertThat(store.firstItems()
                    .learn(seed.run(), List.of(item(visits.get(2), "x"), item(visits.get(1), "x"),
                            item(visits.get(3), "y"), item(visits.get(4), "y"))))
                    .containsExactly(true, false, true, false);
            fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/refresh", "");
            List<Request> requests = started(coordinator, 2);
            assertThat(requests.stream().map(request -> request.visit().orElseThrow().state())).containsExactly(
                    PageState.STORED, PageState.UNKNOWN, PageState.MISSING, PageState.STORED, PageState.STORED);
            assertThat(requests).extracting(request -> request.visit().flatMap(Visit::etag).isPresent())
                    .containsExactly(true, false, true, true, true);
            assertThat(store.firstItems().learn(requests.getFirst().run(),
                    List.of(item(requests.get(0), "y"), item(requests.get(1), "x")))).containsExactly(false, true);
        }
    }

    @Test
    void aRunThatWasForSomeTimeWithoutItsArchiveVouchesForNothingInIt() throws Exception {
        Worker coordinator = fleet.leader(time);
        List<Optional<Long>> archived = new ArrayList<>();
        for (boolean archives : List.of(true, false, true)) {
            fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true",
                    "{\"seeds\":[\"https://example.org/\"],\"refresh\":{},\"sinks\":[{\"type\":\"jsonl\"}"
                            + (archives ? ",{\"type\":\"warc\"}]}" : "]}"));
            archived.add(status().visits().flatMap(RunVisits::archived));
        }
        assertThat(archived).containsExactly(Optional.of(0L), Optional.empty(), Optional.empty());
    }

    private CrawlStatus status() {
        return fleet.liveControl().stream().filter(CrawlStatus.class::isInstance).map(CrawlStatus.class::cast)
                .findFirst().orElseThrow();
    }

    @Test
    void onlyARunThatKeepsAllItsVisitsIsRefreshed() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.put(coordinator, "docs", "?start=true", definition());
        finished(coordinator, List.of(fleet.theRequest()), OutcomeKind.PAGE);
        Fleet.problem(fleet.put(coordinator, "docs", START, definition()), 409,
                "docs/1 has kept nothing for a refresh");
        Fleet.problem(fleet.put(coordinator, "docs", START + "&fresh=true", definition()), 400,
                "left out with fresh=true");

        fleet.put(coordinator, "docs", "?start=true&fresh=true",
                definition().withRefresh(Optional.of(RefreshRules.DEFAULT)));
        Request seed = await().until(() -> requests(2), list -> list.size() == 1).getFirst();
        visits(seed, 2);
        finished(coordinator, List.of(seed), OutcomeKind.PAGE);
        CrawlDefinition other = Json.read("{\"seeds\":[\"https://example.org/\"],\"identity\":{\"ignoreWww\":true}}"
                .getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
        Fleet.problem(fleet.put(coordinator, "docs", START, other), 409, "the identity rules have changed");
        CrawlDefinition limited = definition().withLimits(definition().limits().withMaxBytes(Optional.of(5L)));
        fleet.put(coordinator, "docs", START, limited);
        List<Request> requests = await().until(() -> requests(3), list -> list.size() == 2);
        finished(coordinator, requests.subList(0, 1), OutcomeKind.UNCHANGED);
        Fleet.problem(fleet.put(coordinator, "docs", START, limited), 409, "has not visited all pages");
    }

    @Test
    void theScheduleBeginsAFreshRunIfTheLastOneHasFailed() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true", NIGHTLY);
        CrawlSummary failed = finished(coordinator, List.of(fleet.theRequest()), OutcomeKind.FAILURE);
        assertThat(failed.end().orElseThrow().failed()).isTrue();
        time.jump(Duration.ofDays(1));
        assertThat(await().until(() -> fleet.crawl(coordinator, "docs"), crawl -> crawl.epoch() == 2).refreshes())
                .isEmpty();
    }

    @Test
    void theScheduleOfACrawlThatIsRefreshedVisitsItsPages() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true", NIGHTLY);
        Request seed = fleet.theRequest();
        visits(seed, 3);
        finished(coordinator, List.of(seed), OutcomeKind.PAGE);
        time.jump(Duration.ofDays(1));
        Predicate<CrawlSummary> begun = crawl -> crawl.epoch() == 2 && crawl.state() == CrawlState.STARTED;
        assertThat(await().until(() -> fleet.crawl(coordinator, "docs"), begun).refreshes()).contains(1);
        List<Request> all = new ArrayList<>(await().until(() -> requests(2), list -> list.size() == 3));
        assertThat(finished(coordinator, all, OutcomeKind.UNCHANGED).epoch()).as("the firing is handled").isEqualTo(2);
    }

    /** Reads an answer, which must be as the OpenAPI document says. */
    private <T> T read(Worker coordinator, String method, String path, String body, Class<T> type) throws Exception {
        return read(coordinator, method, path, body, 200, type);
    }

    private <T> T read(Worker coordinator, String method, String path, String body, int status, Class<T> type)
            throws Exception {
        Fleet.Answer answer = fleet.ask(coordinator, method, path, body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        new ApiDocument().check(method, path, answer.status(), answer.type(), answer.body());
        return Json.read(answer.body().getBytes(StandardCharsets.UTF_8), type);
    }

    private RefreshPlan planned(Worker coordinator, String choice) throws Exception {
        return read(coordinator, "POST", "/api/v1/crawls/docs/refresh?dryRun=true&" + choice, "", RefreshPlan.class);
    }

    @Test
    void theScheduleOfACrawlWithIntervalsVisitsWhatIsDueUpToThePartOfTheDay() throws Exception {
        Worker coordinator = fleet.leader(time);
        fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true",
                "{\"seeds\":[\"https://example.org/\"],\"refresh\":{\"least\":\"1h\",\"visitsPerDay\":4},"
                        + "\"schedule\":{\"cron\":\"0 * * * *\"}}");
        Request seed = fleet.theRequest();
        long begin = time.now().getEpochSecond();
        visits(seed, 8, i -> known -> known.visited(begin)
                .rate(Optional.of(new ChangeRate(i < 4 ? 3600 + 1800 * i : 1_000_000, 1))));
        finished(coordinator, List.of(seed), OutcomeKind.PAGE);
        time.jump(Duration.ofHours(1));
        List<Request> due = await().until(() -> requests(2), list -> !list.isEmpty());
        assertThat(due).as("what gains most").extracting(Request::url).containsExactly("https://example.org/");
        await().until(() -> status().visits().flatMap(RunVisits::source).flatMap(VisitSource::promoted),
                Optional.of(new PromotedVisits(1, 7, 3))::equals);
        assertThat(fleet.ask(coordinator, "GET", "/api/v1/explain?crawl=docs&url=https://example.org/2", "").body())
                .contains("This run does not visit it", "It was visited once, last at ",
                        "the next visit asks for it as a whole.",
                        "It changes about once in 2h, by its last visit. The next visit is due at ");
        finished(coordinator, due, OutcomeKind.UNCHANGED);
        VisitSummary waiting = read(coordinator, "GET", "/api/v1/crawls/docs/visits", "", VisitSummary.class);
        assertThat(waiting.epoch()).isEqualTo(2);
        assertThat(waiting.pages()).as("the test has written no visit for the answer").isEqualTo(7);
        assertThat(waiting.due().now()).isEqualTo(3);
        assertThat(waiting.due().month()).isEqualTo(7);
        assertThat(planned(coordinator, "due=true"))
                .isEqualTo(new RefreshPlan(new CrawlId("docs"), 2, new PromotedVisits(1, 6, 2)));
        assertThat(planned(coordinator, "match=/3").visits()).isEqualTo(new PromotedVisits(1, 6, 0));
        assertThat(read(coordinator, "PUT", "/api/v1/crawls/docs?dryRun=true",
                "{\"seeds\":[\"https://example.org/\"],\"refresh\":{\"least\":\"3h\",\"most\":\"3h\"}}",
                DefinitionChanges.class).due()).contains(new DueChange(7, 3, 0));
        assertThat(status().run().epoch()).as("nothing has begun").isEqualTo(2);
        assertThat(fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/refresh?due=true", "").status()).isEqualTo(200);
        assertThat(await().until(() -> requests(3), list -> !list.isEmpty())).extracting(Request::url)
                .as("the seed, which has no visit, follows").first().isEqualTo("https://example.org/1");
    }
}
