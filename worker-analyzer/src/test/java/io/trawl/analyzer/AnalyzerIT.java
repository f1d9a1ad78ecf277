package io.trawl.analyzer;

import static io.trawl.testkit.KafkaFixture.bytes;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import io.trawl.channel.offset.LayoutHeader;
import io.trawl.channel.PartitionCounts;
import io.trawl.model.PolitenessKey;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.channel.HostPartitioner;
import io.trawl.channel.ResponseHeaders;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.StopSign;
import io.trawl.control.CrawlState;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.Body;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.model.TraceContext;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.SendInterceptor;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Analyzers with a real broker and a real Redis. The test acts as coordinator and downloader over a generated graph of
 * numbered pages.
 */
class AnalyzerIT {
    private static final int PAGES = 240;
    private static final int DEPTH = 4;
    private static final CrawlRun RUN = Fixtures.RUN;
    private static final Channels CHANNELS = ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(4)
            .politeness(PolitenessKey.HOST).responses(3).items(2).ledger(2).build();
    private final KafkaFixture fixture = new KafkaFixture(Map.of("trawl.analyzer.batch", "7", "trawl.lease", "3s"));
    private final TopicNames topicNames = fixture.topics();
    private final List<Worker> workers = new ArrayList<>();
    private static final int HOSTS = 6;
    private final AtomicInteger answers = new AtomicInteger();
    private Optional<Thread> downloader = Optional.empty();
    /** The last two that downloaders have read of. */
    private volatile List<Channels> laid = List.of(CHANNELS);

    @BeforeEach
    void channels() {
        fixture.create(topicNames.positions(), 1, Map.of("cleanup.policy", "compact"));
        fixture.create(topicNames.control(), 1, Map.of("cleanup.policy", "compact"));
        fixture.create(topicNames.responses(), 3);
        fixture.create(topicNames.items(), 2);
        fixture.create(topicNames.ledger(), 2);
        fixture.create(topicNames.errors(), 1);
        for (int p = 0; p < 3; p++) {
            fixture.create(topicNames.requests(1, p), 4);
        }
        command(CHANNELS);
        command(CrawlStatus.of(RUN, 1, Fixtures.definition("{\"limits\":{\"depth\":" + DEPTH + "}}"),
                CrawlState.STARTED));
        command(new Domains(RUN, 3, Set.of("example.org")));
    }

    @AfterEach
    void stop() throws InterruptedException {
        workers.forEach(w -> w.stop(Duration.ofSeconds(10)));
        if (downloader.isPresent()) {
            downloader.get().interrupt();
            downloader.get().join();
        }
    }

    private void command(ControlRecord record) {
        send(List.of(new ProducerRecord<>(topicNames.control(), bytes(record.key()), Codec.encode(record))));
    }

    private void send(List<ProducerRecord<byte[], byte[]>> records) {
        try (Producer<byte[], byte[]> producer = fixture.producer()) {
            records.forEach(producer::send);
            producer.flush();
        }
    }

    private Worker analyzer() throws InterruptedException {
        return analyzer(fixture);
    }

    private Worker analyzer(KafkaFixture servers) throws InterruptedException {
        Worker worker = Worker.start(servers.settings(), Analyzer.factory(), Time.system());
        workers.add(worker);
        return worker;
    }

    private static String url(int n) {
        return "http://" + (n % 3 == 0 ? "" : "w" + n % 3 + ".") + "example.org/" + n;
    }

    private static int number(String url) {
        return Integer.parseInt(url.substring(url.lastIndexOf('/') + 1));
    }

    private static OutcomeKind kind(int n) {
        return n > 0 && n % 17 == 0
                ? OutcomeKind.REDIRECT
                : n > 0 && n % 19 == 0 ? OutcomeKind.HTTP_ERROR : OutcomeKind.PAGE;
    }

    private static List<Integer> links(int n) {
        return kind(n) == OutcomeKind.HTTP_ERROR
                ? List.of()
                : kind(n) == OutcomeKind.REDIRECT
                        ? List.of((n + 5) % PAGES)
                        : List.of(n * 2 % PAGES, (n * 3 + 1) % PAGES, (n + 7) % PAGES, n);
    }

    /** The pages that a breadth-first traversal within the depth reaches. */
    private static Set<Integer> expected() {
        Map<Integer, Integer> depths = new HashMap<>(Map.of(0, 0));
        Deque<Integer> queue = new ArrayDeque<>(List.of(0));
        while (!queue.isEmpty()) {
            int n = queue.poll();
            int next = requireNonNull(depths.get(n)) + (kind(n) == OutcomeKind.REDIRECT ? 0 : 1);
            for (int link : links(n)) {
                if (next <= DEPTH && next < depths.getOrDefault(link, Integer.MAX_VALUE)) {
                    depths.put(link, next);
                    queue.add(link);
                }
            }
        }
        return depths.keySet();
    }

    private static Response answer(Request request) {
        int n = number(request.url());
        StringBuilder html = new StringBuilder("<title>" + n + "</title><a href=http://elsewhere.net/>out</a>");
        links(n).forEach(link -> html.append("<a href='").append(url(link)).append("#f'>").append(link).append("</a>"));
        Outcome outcome = switch (kind(n)) {
            case REDIRECT -> new Outcome.Redirect(302, url(links(n).getFirst()));
            case HTTP_ERROR -> new Outcome.HttpError(404);
            default -> new Outcome.Success(200, false);
        };
        Body body = new Body(
                kind(n) == OutcomeKind.PAGE ? html.toString().getBytes(StandardCharsets.UTF_8) : new byte[0]);
        return new Response(request, outcome, Fixtures.DOWNLOADER, Fixtures.THEN, Duration.ofMillis(1), 1,
                Map.of("content-type", "text/html"), body);
    }

    /** Answers every request, and some of them twice, as after a crash. */
    private void download() {
        try (Consumer<byte[], byte[]> requests = fixture.kafka().groupConsumer(topicNames.downloaderGroup(),
                "test-downloader", 20); Producer<byte[], byte[]> producer = fixture.producer()) {
            requests.subscribe(IntStream.range(0, 3).mapToObj(p -> topicNames.requests(1, p)).toList());
            while (!Thread.currentThread().isInterrupted()) {
                requests.poll(Duration.ofMillis(50)).forEach(record -> {
                    Request request = Codec.request(record.value());
                    assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo(request.host().value());
                    for (int times = 0; times < (answers.incrementAndGet() % 10 == 0 ? 2 : 1); times++) {
                        producer.send(respond(answer(request)));
                    }
                });
            }
        } catch (InterruptException | WakeupException e) {
            // The test has ended.
        }
    }

    private ProducerRecord<byte[], byte[]> respond(Response response) {
        // A downloader that sleeps between its look at control and the write is late.
        Channels known = answers.get() % 3 == 0 ? laid.getFirst() : laid.getLast();
        return PartitionCounts.fixed(topicNames, known).response(bytes(response.request().host().value()),
                response.body().bytes(), ResponseHeaders.of(response), false);
    }

    private void seed() {
        Request seed = RequestBuilder.builder().id(new RequestId(42)).run(RUN).url(url(0))
                .host(new io.trawl.model.HostKey("example.org:80")).priority(1).seed(true).domains(1).build();
        LedgerRecord ledger = new LedgerRecord(RUN, List.of(new LedgerRecord.EmittedRequest(seed.id(), 1, 0)),
                List.of(), Map.of(), List.of(), 0);
        send(List.of(HostPartitioner.record(topicNames, CHANNELS, seed, TraceContext.NONE),
                new ProducerRecord<>(topicNames.ledger(), bytes(RUN.crawl().value()), Codec.encode(ledger))));
    }

    private List<LedgerRecord> ledger() {
        return fixture.records(topicNames.ledger()).stream().map(r -> Codec.ledger(r.value())).toList();
    }

    private boolean finished() {
        Set<RequestId> open = new HashSet<>();
        ledger().forEach(record -> {
            record.emitted().forEach(e -> open.add(e.id()));
            record.answered().forEach(a -> open.remove(a.id()));
        });
        return open.isEmpty();
    }

    private void awaitFinish() {
        await().pollInterval(Duration.ofMillis(300)).until(this::finished);
    }

    private Set<Integer> stored(ItemKind kind) {
        List<Item> items = fixture.records(topicNames.items()).stream().map(r -> Codec.item(r.value()))
                .filter(i -> i.kind() == kind).toList();
        Set<Integer> numbers = new HashSet<>();
        items.forEach(item -> assertThat(numbers.add(number(item.url()))).as("%s is stored once", item.url()).isTrue());
        return numbers;
    }

    private static Set<Integer> only(Predicate<Integer> which) {
        Set<Integer> some = new HashSet<>(expected());
        some.removeIf(which.negate());
        return some;
    }

    private void assertExactOutput() {
        assertThat(stored(ItemKind.PAGE)).isEqualTo(only(n -> kind(n) == OutcomeKind.PAGE));
        assertThat(stored(ItemKind.ERROR)).isEqualTo(only(n -> kind(n) == OutcomeKind.HTTP_ERROR));
    }

    @Test
    void everyPageWithinTheDepthIsStoredOnceAlthoughAnalyzersComeAndGo() throws InterruptedException {
        Worker first = analyzer();
        downloader = Optional.of(Thread.ofPlatform().start(this::download));
        seed();
        await().until(() -> answers.get() > 20);
        Worker second = analyzer();
        first.stop(Duration.ZERO);
        awaitFinish();
        assertExactOutput();
        assertThat(ledger().stream().flatMap(r -> r.refused().keySet().stream()).toList())
                .contains(RefusalReason.DOMAIN, RefusalReason.SEEN);
        // And those of plug-ins that other tests have on the class path.
        assertThat(second.summary().extra().get("parsers")).asInstanceOf(InstanceOfAssertFactories.LIST)
                .contains("html", "robots", "sitemap", "text");
        assertThat(second.summary().mid().kind().letter()).isEqualTo('A');
        assertThat(second.summary().counts().handling()).isZero();
    }

    @Test
    void everyPageIsStoredOnceWhileResponsesAreWrittenToOtherPartitionsAlsoThoseThatComeTooLate() throws Exception {
        Worker first = analyzer();
        downloader = Optional.of(Thread.ofPlatform().start(this::download));
        seed();
        Channels now = CHANNELS;
        for (int partitions : List.of(7, 2, 5)) {
            int before = answers.get();
            await().until(() -> answers.get() > before + 20 || finished());
            if (partitions == 2) {
                analyzer();
                first.stop(Duration.ZERO);
            }
            now = lay(now, partitions);
        }
        awaitFinish();
        assertExactOutput();
        assertThat(fixture.records(topicNames.responses()).stream().filter(r -> LayoutHeader.of(r.headers()).copy())
                .toList()).as("copies of what came too late").isNotEmpty();
    }

    /** What the leader does. */
    private Channels lay(Channels now, int partitions) throws InterruptedException, ExecutionException {
        if (partitions > now.readResponses()) {
            try (Admin admin = fixture.kafka().admin()) {
                admin.createPartitions(Map.of(topicNames.responses(), NewPartitions.increaseTo(partitions))).all()
                        .get();
            }
        }
        Channels closing = now.closingResponses(partitions, Fixtures.THEN);
        command(closing);
        List<TopicPartition> read = IntStream.range(0, now.readResponses())
                .mapToObj(p -> new TopicPartition(topicNames.responses(), p)).toList();
        Map<TopicPartition, Long> marks = fixture.highWaterMarks(read);
        List<Long> ends = read.stream().map(partition -> requireNonNull(marks.get(partition))).toList();
        Channels opened = closing.openingResponses(ends);
        command(opened);
        laid = List.of(now, opened);
        // One is surely too late: its writer does not know that the layout has closed.
        send(List.of(duplicate(now, 0)));
        send(IntStream.range(0, 40).mapToObj(i -> duplicate(opened, i)).toList());
        await().until(() -> {
            Map<TopicPartition, OffsetAndMetadata> committed = fixture.committed(topicNames.analyzerGroup());
            return read.stream().allMatch(partition -> requireNonNull(marks.get(partition)) == 0 || committed
                    .containsKey(partition)
                    && requireNonNull(committed.get(partition)).offset() >= requireNonNull(marks.get(partition)));
        });
        await("nothing beyond the ends before the leader has seen that all below is handled")
                .during(Duration.ofMillis(500)).until(() -> fixture.committed(topicNames.analyzerGroup()).entrySet()
                        .stream().allMatch(at -> at.getValue().offset() <= marks.getOrDefault(at.getKey(), 0L)));
        command(opened.responsesHandled());
        return opened.responsesHandled();
    }

    private ProducerRecord<byte[], byte[]> duplicate(Channels layout, int page) {
        Response duplicate = Fixtures.response(Fixtures.request(url(page), 1), new Outcome.Duplicate(), Map.of(),
                new byte[0]);
        return PartitionCounts.fixed(topicNames, layout).response(bytes("h" + duplicate.url()), new byte[0],
                ResponseHeaders.of(duplicate), false);
    }

    @Test
    void anActiveStopSignIsDealtWithAtOnceAndDownloadedResponsesAreStillAnalyzed() throws InterruptedException {
        Worker worker = analyzer();
        command(new StopSign(Optional.of(RUN.crawl()), 5, true, Fixtures.THEN));
        await().until(() -> worker.stage().deals().stream()
                .anyMatch(deal -> deal.sign().equals("stop/docs") && deal.version() == 5 && deal.took().isPresent()));
        send(List.of(respond(answer(Fixtures.request(url(1), 1)))));
        await().until(() -> stored(ItemKind.PAGE).contains(1));
    }

    @Test
    void anAnalyzerInATransactionThatKafkaDoesNotAnswerWaitsForKafka(@TempDir Path folder) throws Exception {
        Worker worker = analyzer(
                fixture.with(SendInterceptor.watching(UnansweredCommit.class, folder, Map.of("trawl.lease", "3s"))));
        send(List.of(respond(answer(Fixtures.request(url(1), 1)))));
        await().until(() -> worker.summary().state() instanceof WaitingFor(Dependency missing, Optional<String> why)
                && missing == Dependency.KAFKA && why.isPresent());
        UnansweredCommit.END.countDown();
        await().until(() -> stored(ItemKind.PAGE).contains(1) && worker.summary().state() == Phase.RUNNING);
    }

    /** Lets the producer get no answer after that to its first record. */
    public static final class UnansweredCommit extends SendInterceptor {
        private static final CountDownLatch END = new CountDownLatch(1);

        @Override
        protected void beforeSend(ProducerRecord<byte[], byte[]> record) {
            // They are sent.
        }

        @Override
        protected void acknowledged(RecordMetadata where) {
            if (where.topic().endsWith("items")) {
                try {
                    END.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Test
    void aDomainThatIsAddedOrRemovedIsHonouredByEveryAnalyzer() throws InterruptedException {
        analyzer();
        analyzer();
        AtomicInteger round = new AtomicInteger();
        assertThat(requestsFromOneLinkOnEachOfManyHosts(round.incrementAndGet())).isZero();
        command(new Domains(RUN, 4, Set.of("example.org", "elsewhere.net")));
        await().until(() -> requestsFromOneLinkOnEachOfManyHosts(round.incrementAndGet()) == HOSTS);
        command(new Domains(RUN, 5, Set.of("example.org")));
        await().until(() -> requestsFromOneLinkOnEachOfManyHosts(round.incrementAndGet()) == 0);
    }

    /** The hosts belong to different partitions and so to different analyzers. */
    private int requestsFromOneLinkOnEachOfManyHosts(int round) {
        Set<RequestId> sent = new HashSet<>();
        List<ProducerRecord<byte[], byte[]>> pages = new ArrayList<>();
        for (int host = 0; host < HOSTS; host++) {
            String name = "h" + host + ".example.org";
            Request request = RequestBuilder.builder().id(new RequestId(1000L * round + host)).run(RUN)
                    .url("http://" + name + "/" + round).host(new io.trawl.model.HostKey(name + ":80")).depth(1)
                    .priority(1).domains(3).build();
            sent.add(request.id());
            String html = "<a href=http://elsewhere.net/" + round + "/" + host + ">out</a>";
            pages.add(respond(new Response(request, new Outcome.Success(200, false), Fixtures.DOWNLOADER, Fixtures.THEN,
                    Duration.ofMillis(1), 1, Map.of("content-type", "text/html"),
                    new Body(html.getBytes(StandardCharsets.UTF_8)))));
        }
        send(pages);
        await().until(() -> ledger().stream().flatMap(r -> r.answered().stream()).map(LedgerRecord.AnsweredRequest::id)
                .collect(java.util.stream.Collectors.toSet()).containsAll(sent));
        return (int) fixture.records(topicNames.requests(1, 1)).stream().map(r -> Codec.request(r.value()).url())
                .filter(url -> url.startsWith("http://elsewhere.net/" + round + "/")).count();
    }

    @Test
    void requestsOfOneHostUseTheSamePartitionOfAllPriorities() throws InterruptedException {
        analyzer();
        send(IntStream.range(0, 3).mapToObj(p -> {
            Request r = Fixtures.request(url(1), 1);
            CrawlRun run = new CrawlRun(new io.trawl.model.CrawlId("p" + p), 1);
            command(CrawlStatus.of(run, 1, Fixtures.definition("{}"), CrawlState.STARTED));
            command(new Domains(run, 1, Set.of("example.org")));
            return respond(answer(RequestBuilder.builder().id(r.id()).run(run).url(r.url()).host(r.host()).depth(1)
                    .priority(p).domains(1).options(r.options()).build()));
        }).toList());
        Map<String, Set<Integer>> partitions = new HashMap<>();
        await().until(() -> {
            for (int p = 0; p < 3; p++) {
                fixture.records(topicNames.requests(1, p)).forEach(
                        r -> partitions.computeIfAbsent(new String(r.key(), StandardCharsets.UTF_8) + " " + r.topic(),
                                k -> new HashSet<>()).add(r.partition()));
            }
            return partitions.size() >= 6;
        });
        Map<String, Set<Integer>> byHost = new HashMap<>();
        partitions.forEach((key, numbers) -> byHost
                .computeIfAbsent(key.substring(0, key.indexOf(' ')), k -> new HashSet<>()).addAll(numbers));
        assertThat(byHost.values()).allSatisfy(numbers -> assertThat(numbers).hasSize(1));
    }
}
