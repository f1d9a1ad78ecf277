package io.trawl.downloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trawl.downloader.fetch.budget.SlotLimit;
import io.trawl.codec.Codec;
import io.trawl.codec.SalvagedHeader;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.control.ControlRecord.MoveOrder;
import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
import io.trawl.control.CrawlState;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LogPartition;

import io.trawl.module.Deal.Oldest;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.pattern.UrlPattern;
import io.trawl.redis.RedisStore;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.SendInterceptor;
import io.trawl.testkit.ServerOutage;
import io.trawl.testkit.TestServers;
import io.trawl.worker.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class DownloaderIT {
    private static final Logger LOG = LoggerFactory.getLogger(DownloaderIT.class);

    @Test
    void everyRequestIsAnsweredOnceInEveryCase() throws Exception {
        try (FakeWeb web = FakeWeb.start(2); Fleet fleet = new Fleet(Map.of())) {
            FakeHost a = web.host(0).robots("User-agent: *\nDisallow: /private\n").page("/", "<p>hello</p>")
                    .redirect("/old", "/").route("/missing", Behaviours.notFound())
                    .route("/broken", Behaviours.serverError()).page("/private/x", "secret").route("/later",
                            Behaviours.tooManyRequests(1, Duration.ofSeconds(1), Behaviours.page("in the end")));
            FakeHost b = web.host(1).page("/", "other");
            Map<RequestId, OutcomeKind> expected = new java.util.HashMap<>();
            expected.put(fleet.submit(1, a.url("/")).id(), OutcomeKind.PAGE);
            expected.put(fleet.submit(1, a.url("/old")).id(), OutcomeKind.REDIRECT);
            expected.put(fleet.submit(0, a.url("/missing")).id(), OutcomeKind.HTTP_ERROR);
            expected.put(fleet.submit(2, a.url("/broken")).id(), OutcomeKind.HTTP_ERROR);
            expected.put(fleet.submit(2, a.url("/private/x")).id(), OutcomeKind.REFUSED);
            expected.put(fleet.submit(2, a.url("/later")).id(), OutcomeKind.PAGE);
            expected.put(fleet.submit(0, b.url("/")).id(), OutcomeKind.PAGE);
            expected.put(
                    fleet.submit(1, fleet.request(new CrawlRun(new CrawlId("no-such-crawl"), 1), b.url("/x"))).id(),
                    OutcomeKind.REFUSED);
            expected.put(fleet.submit(1, "http://127.0.0.1:1/").id(), OutcomeKind.FAILURE);
            expected.put(fleet.submit(1, fleet.request(b.url("/o"), "opera")).id(), OutcomeKind.FAILURE);
            fleet.submit(1, "x", KafkaFixture.bytes("{broken"));
            fleet.flush();
            Request again = fleet.request(Fleet.RUN, a.url("/"));
            Worker worker = fleet.start();
            await().until(() -> fleet.responses().size() == expected.size());
            fleet.submit(2, again);
            fleet.flush();
            expected.put(again.id(), OutcomeKind.DUPLICATE);
            await().until(() -> fleet.responses().size() == expected.size() && fleet.uncommitted() == 0);

            List<Response> responses = fleet.responses();
            assertThat(responses.stream().collect(Collectors.toMap(r -> r.request().id(), r -> r.outcome().kind())))
                    .isEqualTo(expected);
            assertThat(responses).allMatch(r -> r.mid().equals(worker.mid()));
            assertThat(find(responses, b.url("/")).body().bytes()).asString().isEqualTo("other");
            assertThat(find(responses, a.url("/broken")).attempts()).isEqualTo(3);
            assertThat(find(responses, b.url("/x")).outcome()).isInstanceOfSatisfying(Outcome.Refused.class,
                    refused -> assertThat(refused.reason()).isEqualTo(RefusalReason.UNKNOWN_CRAWL));
            assertThat(find(responses, b.url("/o")).outcome()).isEqualTo(
                    new Outcome.Failure(FailureReason.OTHER, "this downloader has no fetcher 'opera', only http"));
            assertThat(web.count(a.url("/"))).isOne();
            assertThat(web.count(a.url("/robots.txt"))).isOne();
            assertThat(web.count(a.url("/private/x"))).isZero();
            await().until(() -> !fleet.fixture().records(fleet.fixture().topics().errors()).isEmpty());
            List<CrawlerError> errors = fleet.fixture().records(fleet.fixture().topics().errors()).stream()
                    .map(r -> Codec.error(r.value())).toList();
            assertThat(errors).singleElement().satisfies(
                    e -> assertThat(e.source()).containsEntry("topic", fleet.fixture().topics().requests(1, 1)));
            var counts = worker.summary().counts();
            assertThat(counts.called()).as("the broken record too").isEqualTo(expected.size() + 1);
            assertThat(counts.accepted()).isEqualTo(counts.completed() + counts.failed());
            assertThat(worker.summary().extra()).containsEntry("partitions", 2)
                    .containsEntry("fetchers", List.of("http")).containsEntry("slots",
                            Map.of("total", SlotLimit.of(fleet.fixture().settings().downloader()).slots(), "used", 0));
        }
    }

    @Test
    void aRequestMayNameTheBrowser() throws Exception {
        Path chromium = Path.of(Optional.ofNullable(System.getenv("CHROMIUM_PATH")).orElse("/usr/bin/chromium"));
        assumeTrue("true".equals(System.getenv("UI_TESTS_REQUIRED")) || Files.isExecutable(chromium), "no Chromium");
        try (FakeWeb web = FakeWeb.start(1);
                Fleet fleet = new Fleet(Map.of("trawl.downloader.browser", chromium.toString(),
                        "trawl.downloader.browser-arguments", "--no-sandbox"))) {
            String url = web.host(0).page("/", "<p id=a></p><script>a.textContent = 'by script'</script>").url("/");
            fleet.submit(1, fleet.request(url, "browser"));
            fleet.flush();
            fleet.start();
            await().until(() -> fleet.responses().size() == 1);
            assertThat(find(fleet.responses(), url).body().bytes()).asString().contains("<p id=\"a\">by script</p>");
        }
    }

    @Test
    void marksOfDeletedRequestsAreDeleted() throws Exception {
        try (Fleet fleet = new Fleet(Map.of())) {
            Worker worker = fleet.start();
            await().until(() -> worker.stage().state() == Phase.RUNNING);
            KafkaFixture fixture = fleet.fixture();
            String topic = fixture.topics().requests(1, 0);
            try (RedisStore store = fleet.redis()) {
                AnsweredMarks marks = store.marks();
                LogPartition log = new LogPartition(topic, fleet.topicId(topic), 1);
                marks.mark(log, List.of(3L, 4L, 65_536L + 5));
                assertThat(marks.answered(log, 0, 10).stream().toArray()).containsExactly(3, 4);
                worker.stage().trimmed(topic, 1, 65_536 + 1);
                assertThat(marks.answered(log, 0, 10).isEmpty()).isTrue();
                assertThat(marks.answered(log, 65_536, 10).stream().toArray()).containsExactly(5);
            }
        }
    }

    @Test
    void anUnreadableRequestIsAnsweredIfItsHeaderIsReadableAndAffectsNoOther() throws Exception {
        try (FakeWeb web = FakeWeb.start(1); Fleet fleet = new Fleet(Map.of())) {
            FakeHost a = web.host(0).page("/", "sound");
            String own = "{\"id\":\"00000000000000ff\",\"run\":\"" + Fleet.RUN + "\",\"url\":\"" + a.url("/lost");
            fleet.submit(1, a.name(), KafkaFixture.bytes(own));
            fleet.submit(1, a.name(),
                    KafkaFixture.bytes(own.replace(Fleet.RUN.toString(), Fleet.RUN.crawl() + "/999")));
            fleet.submit(1, a.name(), KafkaFixture.bytes("nothing of ours"));
            fleet.submit(1, a.url("/"));
            fleet.flush();
            Worker worker = fleet.start();
            await().until(() -> fleet.responses().size() == 1 && fleet.uncommitted() == 0);

            List<LedgerRecord> ledger = fleet.fixture().records(fleet.fixture().topics().ledger()).stream()
                    .map(r -> Codec.ledger(r.value())).toList();
            assertThat(ledger).as("only of a run that there is")
                    .containsExactly(new SalvagedHeader(Fleet.RUN, new RequestId(255)).answer());
            assertThat(worker.summary().extra()).containsEntry("unreadable", 3L);
            await().until(() -> fleet.fixture().records(fleet.fixture().topics().errors()).size() == 3);
            List<CrawlerError> errors = fleet.fixture().records(fleet.fixture().topics().errors()).stream()
                    .map(r -> Codec.error(r.value())).toList();
            assertThat(errors).allMatch(e -> e.kind().equals("MALFORMED")).extracting(e -> e.source().get("offset"))
                    .doesNotHaveDuplicates();
            assertThat(errors).filteredOn(e -> e.cause().contains("cannot be read either")).singleElement()
                    .satisfies(e -> assertThat(e.crawl()).isEmpty());
        }
    }

    @Test
    void aHostThatMovesToAnotherDownloaderIsNotAskedForItsRobotsAgain() throws Exception {
        try (FakeWeb web = FakeWeb.start(1); Fleet fleet = new Fleet(Map.of())) {
            FakeHost host = web.host(0).robots("User-agent: *\nDisallow: /private\n").page("/1", "x").page("/2", "x")
                    .page("/private/3", "secret");
            fleet.submit(1, host.url("/1"));
            fleet.flush();
            Worker first = fleet.start();
            await().until(() -> fleet.responses().size() == 1 && fleet.uncommitted() == 0);
            first.stop(Duration.ofSeconds(5));
            fleet.submit(1, host.url("/2"));
            fleet.submit(1, host.url("/private/3"));
            fleet.flush();
            fleet.start();
            await().until(() -> fleet.responses().size() == 3);
            assertThat(web.count(host.url("/robots.txt"))).isOne();
            assertThat(find(fleet.responses(), host.url("/private/3")).outcome()).isInstanceOf(Outcome.Refused.class);
        }
    }

    private static Response find(List<Response> responses, String url) {
        return responses.stream().filter(r -> r.url().equals(url)).findFirst().orElseThrow();
    }

    @Test
    void aStopSignIsDealtWithAndAStoppedCrawlResumesWhereItStopped() throws Exception {
        try (FakeWeb web = FakeWeb.start(1); Fleet fleet = new Fleet(Map.of())) {
            CountDownLatch opens = new CountDownLatch(1);
            FakeHost a = web.host(0).route("/slow", Behaviours.slow(opens, Behaviours.page("slow"))).page("/next",
                    "next");
            fleet.submit(1, a.url("/slow"));
            fleet.submit(1, a.url("/next"));
            fleet.flush();
            Worker worker = fleet.start();
            await().until(() -> web.count(a.url("/slow")) == 1);
            StopSign sign = new StopSign(Optional.of(Fleet.RUN.crawl()), 1, true, Instant.EPOCH);
            fleet.command(sign);
            fleet.crawl(CrawlState.STOPPING);
            await().during(Duration.ofMillis(300))
                    .until(() -> worker.stage().deals().stream().noneMatch(deal -> deal.took().isPresent()));
            assertThat(worker.stage().deals()).singleElement()
                    .satisfies(deal -> assertThat(deal.oldest()).map(Oldest::url).contains(a.url("/slow")));
            opens.countDown();
            await().until(() -> worker.stage().deals().stream()
                    .anyMatch(deal -> deal.sign().equals(sign.key()) && deal.took().isPresent()));
            assertThat(fleet.responses()).hasSize(1);
            assertThat(web.count(a.url("/next"))).isZero();
            assertThat(worker.summary().extra()).containsEntry("parked", 1);
            fleet.command(new StopSign(sign.crawl(), 2, false, Instant.EPOCH));
            fleet.crawl(CrawlState.STARTED);
            await().until(() -> fleet.responses().size() == 2 && fleet.uncommitted() == 0);
            assertThat(worker.stage().deals()).isEmpty();
        }
    }

    /** The broker refuses all responses, as for a user without rights, or while their partitions have no leader. */
    @Test
    void aDownloaderThatCannotWriteForAsLongAsALeaseGivesItsPartitionsToAnotherUntilItCan() throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        try (FakeWeb web = FakeWeb.start(1); Fleet fleet = new Fleet(Map.of("trawl.lease", "2s"))) {
            List<Worker> workers = List.of(fleet.start(), fleet.start());
            await().until(() -> workers.stream().allMatch(worker -> partitions(worker) == 1));
            String responses = fleet.fixture().topics().responses();
            fleet.fixture().configure(responses, Map.of("max.message.bytes", "10"));
            // The other one is still at work when it asks for the page.
            fleet.submit(1, web.host(0).route("/",
                    Behaviours.atFirst(1, Behaviours.page("page"), Behaviours.slow(written, Behaviours.page("page"))))
                    .url("/"));
            fleet.flush();
            Worker failing = await().until(() -> workers.stream().filter(worker -> partitions(worker) == 0).findFirst(),
                    Optional::isPresent).orElseThrow();
            await().until(() -> Map.of("held", 0, "awaited", 0).equals(failing.stage().extra().get("leases")));
            assertThat(failing.summary().state()).isInstanceOfSatisfying(WaitingFor.class,
                    waiting -> assertThat(waiting.dependency()).isEqualTo(Dependency.KAFKA));
            await().until(() -> workers.stream().mapToInt(DownloaderIT::partitions).sum() == 2);
            fleet.fixture().configure(responses, Map.of("max.message.bytes", "1000000"));
            await().until(() -> workers.stream().allMatch(worker -> partitions(worker) == 1));
            await().until(() -> !fleet.responses().isEmpty());
            written.countDown();
            await().until(() -> fleet.uncommitted() == 0);
        }
    }

    @Test
    void theStopSignOfADownloaderMovesItsPartitionsToAnotherUntilItIsReset() throws Exception {
        try (FakeWeb web = FakeWeb.start(8); Fleet fleet = new Fleet(Map.of())) {
            Worker first = fleet.start();
            Worker second = fleet.start();
            await().until(() -> partitions(first) > 0 && partitions(second) > 0);
            StopSign sign = new StopSign(SignScope.of(first.mid()), 1, true, Instant.EPOCH);
            fleet.command(sign);
            await().until(() -> first.stage().deals().stream()
                    .anyMatch(deal -> deal.sign().equals(sign.key()) && deal.took().isPresent()));
            assertThat(partitions(first)).isZero();
            assertThat(first.summary().state().text()).isEqualTo("holding for stop sign");
            assertThat(second.stage().deals()).as("the sign of another").isEmpty();
            IntStream.range(0, 8).forEach(i -> fleet.submit(1, web.host(i).page("/", "page").url("/")));
            fleet.flush();
            await().until(() -> fleet.responses().size() == 8 && fleet.uncommitted() == 0);
            assertThat(first.summary().counts().called()).isZero();
            fleet.command(new StopSign(SignScope.of(first.mid()), 2, false, Instant.EPOCH));
            await().until(() -> partitions(first) > 0 && partitions(second) > 0);
            assertThat(first.stage().deals()).isEmpty();
        }
    }

    private static int partitions(Worker downloader) {
        return downloader.summary().extra().get("partitions") instanceof Integer n ? n : 0;
    }

    @Test
    void aStoppedCrawlWithMoreRequestsThanFitInMemoryResumesWithEachOnce() throws Exception {
        int pages = 1000;
        try (FakeWeb web = FakeWeb.start(4); Fleet fleet = new Fleet(Map.of("trawl.downloader.pending", "100"))) {
            fleet.crawl(CrawlState.STOPPED);
            for (int i = 0; i < pages; i++) {
                fleet.submit(1, web.host(i % 4).page("/" + i, "page").url("/" + i));
                if (i == pages / 2) {
                    fleet.submit(1, "x", KafkaFixture.bytes("{broken"));
                }
            }
            fleet.flush();
            Worker worker = fleet.start();
            await().untilAsserted(() -> assertThat(worker.summary().extra()).containsEntry("parked", pages));
            for (int i = 0; i < 3; i++) {
                int before = fleet.responses().size();
                fleet.crawl(CrawlState.STARTED);
                await().until(() -> fleet.responses().size() > before || before == pages);
                fleet.crawl(CrawlState.STOPPED);
            }
            fleet.crawl(CrawlState.STARTED);
            await().until(() -> fleet.responses().size() >= pages && fleet.uncommitted() == 0);
            assertThat(fleet.responses()).hasSize(pages);
            assertThat(worker.summary().counts().called()).as("the broken record too").isEqualTo(pages + 1);
            assertThat(fleet.fixture().records(fleet.fixture().topics().errors())).as("the broken record, once")
                    .hasSize(1);
        }
    }

    @Test
    void anOrderMovesWhatWaitsInAStoppedCrawlAndIsCountedAfterAKillBetweenCopyAndMarkToo() throws Exception {
        int pages = 60;
        try (FakeWeb web = FakeWeb.start(1); Fleet fleet = new Fleet(Map.of())) {
            fleet.crawl(CrawlState.STOPPED);
            FakeHost host = web.host(0);
            List<Request> requests = IntStream.range(0, pages)
                    .mapToObj(i -> fleet.submit(0, host.page("/" + i, "page").url("/" + i))).toList();
            // What a process leaves that was killed before it had marked the originals.
            requests.stream().limit(20).forEach(request -> fleet.submit(2, request));
            fleet.flush();
            int partition = fleet.fixture().records(fleet.fixture().topics().requests(1, 0)).getFirst().partition();
            List<Long> ends = IntStream.range(0, 2).mapToObj(k -> k == partition ? pages : 0L).toList();
            MoveOrder move = new MoveOrder(1, UrlPattern.parse("/**"), 2, 1,
                    List.of(ends, List.of(0L, 0L), List.of(0L, 0L)), Instant.EPOCH);
            QueueMoves order = new QueueMoves(Fleet.RUN, 1, List.of(move));
            fleet.command(order);
            Worker worker = fleet.start();
            await().until(() -> moved(fleet).size() == pages);
            assertThat(moved(fleet)).isEqualTo(requests.stream().map(Request::id).collect(Collectors.toSet()));
            assertThat(web.count(host.url("/0"))).as("the crawl is stopped").isZero();
            fleet.crawl(CrawlState.STARTED);
            await().until(() -> fleet.uncommitted() == 0);
            List<Response> responses = fleet.responses();
            assertThat(responses).as("a copy that is met twice is a duplicate").hasSize(pages + 20)
                    .allSatisfy(response -> assertThat(response.request().priority()).isEqualTo(2));
            assertThat(responses.stream().filter(response -> response.outcome().kind() == OutcomeKind.PAGE)
                    .map(response -> response.request().id()).toList()).hasSize(pages).doesNotHaveDuplicates();
            assertThat(worker.stage().deals())
                    .anyMatch(deal -> deal.sign().equals(order.key()) && deal.took().isPresent());
        }
    }

    private static Set<RequestId> moved(Fleet fleet) {
        return fleet.fixture().records(fleet.fixture().topics().ledger()).stream()
                .map(record -> Codec.ledger(record.value())).flatMap(ledger -> ledger.moved().stream())
                .map(LedgerRecord.MovedRequest::id).collect(Collectors.toSet());
    }

    @Test
    void afterARestartFarAboveTheCommittedOffsetNoAnsweredRequestIsRepeated() throws Exception {
        try (FakeWeb web = FakeWeb.start(2); Fleet fleet = new Fleet(Map.of())) {
            CountDownLatch opens = new CountDownLatch(1);
            FakeHost slow = web.host(0).route("/slow", Behaviours.slow(opens, Behaviours.page("slow")));
            FakeHost fast = web.host(1);
            // One open request per partition and priority holds the low-water marks.
            fleet.submit(1, slow.url("/slow"));
            IntStream.range(0, 300).forEach(i -> fleet.submit(1, fast.page("/" + i, "page " + i).url("/" + i)));
            fleet.flush();
            Worker first = fleet.start();
            await().until(() -> fleet.responses().size() == 300);
            first.stop(Duration.ZERO);
            opens.countDown();
            Worker second = fleet.start();
            await().until(() -> fleet.uncommitted() == 0);
            assertThat(fleet.responses()).hasSize(301).noneMatch(r -> r.outcome() instanceof Outcome.Duplicate);
            assertThat(IntStream.range(0, 300)).allMatch(i -> web.count(fast.url("/" + i)) == 1);
            assertThat(second.summary().counts().called()).isLessThan(300);
        }
    }

    @Test
    void whatWaitsForLongHoldsNeitherTheCommittedOffsetNorTheLogOnTheBrokerAndIsFetchedOnceAfterARestart()
            throws Exception {
        try (FakeWeb web = FakeWeb.start(2);
                Fleet fleet = new Fleet(Map.of("trawl.downloader.straggler-age", "500ms",
                        "trawl.downloader.straggler-records", "200", "trawl.topics.trim-interval", "200ms"), 1)) {
            CountDownLatch opens = new CountDownLatch(1);
            FakeHost slow = web.host(0).route("/slow", Behaviours.slow(opens, Behaviours.page("slow")));
            // In another log than those that wait for their host until this one is answered.
            fleet.submit(0, slow.url("/slow"));
            fleet.flush();
            Worker first = fleet.start();
            await().until(() -> web.count(slow.url("/slow")) == 1);
            IntStream.range(0, 5).forEach(i -> fleet.submit(1, slow.page("/" + i, "page").url("/" + i)));
            IntStream.range(0, 300).forEach(i -> fleet.submit(1, web.host(1).page("/" + i, "page").url("/" + i)));
            fleet.flush();
            await().until(() -> fleet.records(1) == 5);
            assertThat(fleet.responses()).as("what waits is in the log still, behind all that is answered")
                    .hasSize(300);
            first.stop(Duration.ZERO);
            fleet.start();
            opens.countDown();
            await().until(() -> fleet.uncommitted() == 0);
            assertThat(fleet.responses()).hasSize(306)
                    .allMatch(response -> response.outcome() instanceof Outcome.Success);
            assertThat(IntStream.range(0, 5)).allMatch(i -> web.count(slow.url("/" + i)) == 1);
        }
    }

    @Test
    void aBacklogLargerThanItsMemoryIsFetchedInTheOrderOfPrioritiesAlsoAcrossARestart() throws Exception {
        int pages = 1500;
        try (FakeWeb web = FakeWeb.start(3);
                Fleet fleet = new Fleet(
                        Map.of("trawl.downloader.pending-bytes", "5000", "trawl.downloader.concurrency", "2"))) {
            for (int i = 0; i < pages; i++) {
                fleet.submit(i % 3,
                        web.host(i % 7 % 3).page("/p" + i % 3 + "/" + i, "page").url("/p" + i % 3 + "/" + i));
            }
            fleet.flush();
            Worker first = fleet.start();
            await().until(() -> fleet.responses().size() > pages / 4);
            first.stop(Duration.ofSeconds(10));
            fleet.start();
            await().until(() -> fleet.uncommitted() == 0);
            assertThat(fleet.responses()).hasSize(pages).allMatch(r -> r.outcome() instanceof Outcome.Success);
            for (int h = 0; h < 3; h++) {
                List<Character> order = web.visits(web.host(h)).stream().map(v -> v.path())
                        .filter(path -> path.startsWith("/p")).map(path -> path.charAt(2)).toList();
                // The first records after a start may have any priority; the others are ordered.
                assertThat(order.subList(0, order.size() / 4)).filteredOn(c -> c == '0').hasSizeLessThan(5);
            }
        }
    }

    @Test
    void aKilledProcessLosesNothingAndRepeatsOnlyRequestsInFlight() throws Exception {
        int concurrency = 4;
        int beforeTheKill = 200;
        try (FakeWeb web = FakeWeb.start(8);
                Fleet fleet = new Fleet(Map.of("trawl.downloader.concurrency", Integer.toString(concurrency)))) {
            fleet.keepCookies();
            AtomicInteger guests = new AtomicInteger();
            AtomicInteger arrived = new AtomicInteger();
            CountDownLatch killed = new CountDownLatch(1);
            List<String> urls = IntStream.range(0, 800).mapToObj(i -> web.host(i % 8).route("/" + i, exchange -> {
                if (arrived.incrementAndGet() > beforeTheKill) {
                    killed.await();
                }
                guests.addAndGet(exchange.getRequestHeaders().containsKey("Cookie") ? 0 : 1);
                exchange.getResponseHeaders().add("Set-Cookie", "last=" + i + "; Path=/");
                exchange.sendResponseHeaders(200, -1);
            }).url("/" + i)).toList();
            urls.forEach(url -> fleet.submit(1, url));
            fleet.flush();
            Process process = fleet.process("killed-downloader");
            try {
                await().until(() -> fleet.responses().size() > beforeTheKill / 2);
            } finally {
                process.destroyForcibly().waitFor();
                killed.countDown();
            }
            assertThat(process.exitValue()).isNotZero();
            Set<String> marked = fleet.marked(1);
            LOG.info("killed after {} responses, {} marked", fleet.responses().size(), marked.size());
            fleet.start();
            await().until(() -> fleet.uncommitted() == 0);
            List<Response> responses = fleet.responses();
            assertThat(responses.stream().filter(r -> r.outcome() instanceof Outcome.Success).map(Response::url)
                    .collect(Collectors.toSet())).containsExactlyInAnyOrderElementsOf(urls);
            Set<String> repeated = urls.stream().filter(url -> web.count(url) > 1).collect(Collectors.toSet());
            LOG.info("{} of {} URLs were fetched twice", repeated.size(), urls.size());
            assertThat(marked).as("answered before the kill").isNotEmpty().doesNotContainAnyElementsOf(repeated);
            assertThat(repeated).hasSizeLessThanOrEqualTo(beforeTheKill + concurrency - marked.size());
            assertThat(guests).as("requests without a cookie of their host").hasValue(8);
        }
    }

    @Test
    void severalDownloadersShareTheWorkWhileTheyComeAndGo() throws Exception {
        try (FakeWeb web = FakeWeb.start(8); Fleet fleet = new Fleet(Map.of())) {
            List<String> urls = IntStream.range(0, 2000)
                    .mapToObj(i -> web.host(i % 8).page("/" + i, "page " + i).url("/" + i)).toList();
            urls.forEach(url -> fleet.submit(url.hashCode() & 1, url));
            fleet.flush();
            Worker first = fleet.start();
            await().until(() -> fleet.responses().size() > 200);
            fleet.start();
            await().until(() -> fleet.responses().size() > 600);
            first.stop(Duration.ofSeconds(10));
            await().until(() -> fleet.uncommitted() == 0);
            assertThat(fleet.responses().stream().filter(r -> r.outcome() instanceof Outcome.Success).map(Response::url)
                    .collect(Collectors.toSet())).hasSize(urls.size());
        }
    }

    @Test
    void oneHostWithoutDelayIsFetchedWithoutIdleTime() throws Exception {
        int pages = 2000;
        try (FakeWeb web = FakeWeb.start(1); Fleet fleet = new Fleet(Map.of())) {
            FakeHost a = web.host(0);
            IntStream.range(0, pages).forEach(i -> fleet.submit(1, a.page("/" + i, "page " + i).url("/" + i)));
            fleet.flush();
            fleet.start();
            await().pollInterval(Duration.ofMillis(200)).until(() -> fleet.uncommitted() == 0);
            assertThat(fleet.responses()).hasSize(pages);
            var visits = web.visits(a);
            double seconds = (visits.getLast().arrived() - visits.getFirst().arrived()) / 1e9;
            LOG.info("{} pages of one host in {} s: {} per second", pages, seconds, Math.round(pages / seconds));
        }
    }

    @Test
    void aDownloaderThatHandlesNothingForTenSecondsWhileRequestsWaitSaysSo(@TempDir Path folder) throws Exception {
        try (FakeWeb web = FakeWeb.start(1);
                Fleet fleet = new Fleet(SendInterceptor.watching(HangingPoll.class, folder, Map.of()))) {
            Worker worker = fleet.start();
            await().until(() -> worker.stage().state() == Phase.RUNNING && partitions(worker) == 2);
            fleet.submit(1, web.host(0).page("/", "page").url("/"));
            fleet.flush();
            await().until(() -> worker.stage().state() instanceof WaitingFor(Dependency missing, var _)
                    && missing == Dependency.ANSWER);
            HangingPoll.END.countDown();
            await().until(() -> worker.stage().state() == Phase.RUNNING && fleet.responses().size() == 1);
        }
    }

    /** Hangs in the poll that brings requests. */
    public static final class HangingPoll extends SendInterceptor {
        private static final CountDownLatch END = new CountDownLatch(1);

        @Override
        protected void beforeSend(ProducerRecord<byte[], byte[]> record) {
            // What it writes goes on.
        }

        @Override
        protected void afterPoll(ConsumerRecords<byte[], byte[]> records) {
            if (records.partitions().stream().anyMatch(partition -> partition.topic().contains(".requests."))) {
                try {
                    END.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Test
    void theDownloaderWaitsForRedisAndLosesNothing() throws Exception {
        whileAway(Dependency.REDIS, TestServers.shared().ofRedis());
    }

    @Test
    void theDownloaderWaitsForKafkaAndLosesNothing() throws Exception {
        whileAway(Dependency.KAFKA, TestServers.shared().ofKafka());
    }

    private static void whileAway(Dependency missing, ServerOutage outage) throws Exception {
        try (FakeWeb web = FakeWeb.start(4); Fleet fleet = new Fleet(Map.of())) {
            List<String> urls = IntStream.range(0, 3000)
                    .mapToObj(i -> web.host(i % 4).page("/" + i, "page " + i).url("/" + i)).toList();
            urls.forEach(url -> fleet.submit(1, url));
            fleet.flush();
            Worker worker = fleet.start();
            await().until(() -> worker.summary().counts().completed() > 200);
            outage.begin().run();
            try {
                await().until(() -> worker.stage().state() instanceof WaitingFor(var dependency, var _)
                        && dependency == missing);
            } finally {
                outage.end().run();
            }
            await().until(() -> worker.stage().state() == Phase.RUNNING);
            await().ignoreExceptions().until(() -> fleet.uncommitted() == 0);
            // At least one each: an answer that the producer reported as failed may have been written, and is then
            // written twice.
            assertThat(fleet.responses().stream().filter(r -> r.outcome() instanceof Outcome.Success).map(Response::url)
                    .collect(Collectors.toSet())).containsExactlyInAnyOrderElementsOf(urls);
        }
    }
}
