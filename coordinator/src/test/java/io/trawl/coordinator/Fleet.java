package io.trawl.coordinator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.channel.PartitionCounts;
import io.trawl.control.Channels;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Seed;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.testkit.ConservationLaw;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/** Real coordinators on a namespace of their own; the test acts for downloader, analyzer and pipeline. */
final class Fleet implements AutoCloseable {
    final KafkaFixture kafka;
    private final List<Worker> coordinators = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Producer<byte[], byte[]> producer;

    Fleet() {
        this(Map.of());
    }

    /** @param settings named as {@code trawl.topics.capacity} */
    Fleet(Map<String, String> settings) {
        kafka = new KafkaFixture(settings);
        producer = kafka.producer();
    }

    /** An HTTP answer. */
    record Answer(int status, String type, String retryAfter, String body) {
        CrawlSummary summary() {
            return Json.read(body.getBytes(StandardCharsets.UTF_8), CrawlSummary.class);
        }

        private boolean leaderless() {
            return status == 503 && body.contains("urn:trawl:problem:no-leader");
        }
    }

    Worker startCoordinator() throws InterruptedException {
        return startCoordinator(Time.system());
    }

    /** A coordinator with this clock. */
    Worker startCoordinator(Time time) throws InterruptedException {
        return start(kafka.settings(), time);
    }

    /** A coordinator of the same deployment with its own settings. */
    Worker startCoordinator(Map<String, String> settings) throws InterruptedException {
        Map<String, String> all = new HashMap<>(
                Map.of("trawl.kafka.bootstrap-servers", kafka.settings().kafka().bootstrapServers(), "trawl.redis.url",
                        kafka.settings().redis().url(), "trawl.namespace", kafka.settings().namespace()));
        all.putAll(settings);
        return start(SettingsReader.from(all), Time.system());
    }

    private Worker start(Settings settings, Time time) throws InterruptedException {
        Worker worker = Worker.start(settings, Coordinator.factory(), time);
        coordinators.add(worker);
        return worker;
    }

    /** Starts one and waits until it leads: only if there is no other. */
    Worker leader() throws InterruptedException {
        return leader(Time.system());
    }

    /** The same with this clock. */
    Worker leader(Time time) throws InterruptedException {
        Worker coordinator = startCoordinator(time);
        await().until(() -> leads(coordinator));
        return coordinator;
    }

    /** Deletes a topic, and waits until a coordinator has made it again. */
    void deleteAndAwait(String topic) throws Exception {
        Uuid deleted = topicId(topic);
        try (Admin admin = kafka.kafka().admin()) {
            admin.deleteTopics(List.of(topic)).all().get();
        }
        await().ignoreExceptions().until(() -> !topicId(topic).equals(deleted));
    }

    private Uuid topicId(String topic) throws Exception {
        try (Admin admin = kafka.kafka().admin()) {
            return requireNonNull(admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic)).topicId();
        }
    }

    static Seed seed(String url) {
        return Seed.of(new CrawlId("ignored"), url, Optional.empty());
    }

    static CrawlDefinition definition(String... urls) {
        List<Map<String, String>> seeds = java.util.Arrays.stream(urls).map(u -> Map.of("url", u)).toList();
        return Json.read(Json.bytes(Map.of("seeds", seeds, "fetch", Map.of("delay", "0ms"))), CrawlDefinition.class);
    }

    /**
     * Waits until both are members and one of them leads: Kafka may assign the one partition to a second member, which
     * then leads.
     */
    void awaitMembers(Worker first, Worker second) {
        awaitStable(first, second);
        await().until(() -> ask(second, "POST", "/api/v1/crawls/none/start", "").status() == 404
                && ask(first, "POST", "/api/v1/crawls/none/start", "").status() == 404);
    }

    /** The same for coordinators that require a token; the follower may not know the leader yet. */
    void awaitStable(Worker first, Worker second) {
        String group = kafka.topics().coordinatorGroup();
        try (Admin admin = kafka.kafka().admin()) {
            await().until(() -> {
                var described = requireNonNull(admin.describeConsumerGroups(List.of(group)).all().get().get(group));
                return described.members().size() == 2 && described.groupState() == GroupState.STABLE;
            });
        }
        await().until(() -> leads(first) != leads(second));
    }

    /** Whether a coordinator leads now. */
    static boolean leads(Worker coordinator) {
        return Boolean.TRUE.equals(coordinator.stage().extra().get("leading"));
    }

    /** Asserts that a response is a problem document (RFC 9457) with this status and this text. */
    static void problem(Answer answer, int status, String part) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.type()).isEqualTo("application/problem+json");
        assertThat(answer.body()).contains(part).contains("\"status\":" + status);
    }

    /**
     * What the coordinators answer; asks again while none leads, as the API says: a busy machine may part a leader from
     * its group, and such a call has changed nothing.
     */
    Answer ask(Worker at, String method, String path, String body) throws IOException, InterruptedException {
        Answer first = askOnce(at, method, path, body);
        return first.leaderless()
                ? await().until(() -> askOnce(at, method, path, body), answer -> !answer.leaderless())
                : first;
    }

    /** What this coordinator answers now. */
    Answer askOnce(Worker at, String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + at.mid().address() + path))
                .timeout(TestTimeouts.LIMIT).header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body)).build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.headers().firstValue("Content-Type").orElse(""),
                response.headers().firstValue("Retry-After").orElse(""), response.body());
    }

    Answer put(Worker at, String crawl, String query, CrawlDefinition definition)
            throws IOException, InterruptedException {
        return ask(at, "PUT", "/api/v1/crawls/" + crawl + query, Json.text(definition));
    }

    CrawlSummary crawl(Worker at, String crawl) throws IOException, InterruptedException {
        return ask(at, "GET", "/api/v1/crawls/" + crawl, "").summary();
    }

    void writeSeeds(String... json) {
        kafka.produce(kafka.topics().seeds(), List.of(json));
    }

    /** A seed that does not compress. */
    static String seedWithMetadata(String crawl, String url, int size) {
        byte[] noise = new byte[size / 4 * 3];
        new Random(size).nextBytes(noise);
        return "{\"crawl\":\"" + crawl + "\",\"url\":\"" + url + "\",\"metadata\":{\"m\":\""
                + Base64.getEncoder().encodeToString(noise) + "\"}}";
    }

    /** All requests that were ever written, of all priorities. */
    List<Request> requests() {
        return IntStream.range(0, 3).boxed().flatMap(p -> kafka.records(kafka.topics().requests(1, p)).stream())
                .map(r -> Codec.request(r.value())).toList();
    }

    /** The only request, as soon as it exists. */
    Request theRequest() {
        await().until(() -> requests().size() == 1);
        return requests().getFirst();
    }

    List<CrawlerError> errors() {
        return kafka.records(kafka.topics().errors()).stream().map(r -> Codec.error(r.value())).toList();
    }

    List<ControlRecord> control() {
        return kafka.records(kafka.topics().control()).stream().filter(r -> r.value() != null)
                .map(r -> Codec.control(r.value())).toList();
    }

    /** The latest record of each key of {@code control} that was not removed. */
    List<ControlRecord> liveControl() {
        Map<String, Optional<ControlRecord>> latest = new HashMap<>();
        kafka.records(kafka.topics().control()).forEach(r -> latest.put(new String(r.key(), StandardCharsets.UTF_8),
                Optional.ofNullable(r.value()).map(Codec::control)));
        return latest.values().stream().flatMap(Optional::stream).toList();
    }

    /** All states that were ever written of a crawl. */
    List<CrawlState> states(String crawl) {
        return control().stream().filter(CrawlStatus.class::isInstance).map(CrawlStatus.class::cast)
                .filter(c -> c.run().crawl().value().equals(crawl)).map(CrawlStatus::state).toList();
    }

    void writeLedger(LedgerRecord ledger) throws Exception {
        producer.send(counts().ledger(ledger)).get();
    }

    private PartitionCounts counts() {
        Optional<Channels> channels = liveControl().stream().filter(Channels.class::isInstance)
                .map(Channels.class::cast).findFirst();
        return new PartitionCounts(kafka.topics(), () -> channels);
    }

    void writeControl(ControlRecord... records) throws Exception {
        for (ControlRecord r : records) {
            producer.send(new ProducerRecord<>(kafka.topics().control(), KafkaFixture.bytes(r.key()), Codec.encode(r)))
                    .get();
        }
    }

    /** Acts for the analyzer: a request is answered, and others are found. */
    void answer(Request request, OutcomeKind outcome, String detail, Request... found) throws Exception {
        List<EmittedRequest> emittedRequest = java.util.Arrays.stream(found)
                .map(f -> new EmittedRequest(f.id(), f.priority(), f.depth())).toList();
        LedgerRecord ledger = new LedgerRecord(request.run(), emittedRequest,
                List.of(new AnsweredRequest(request.id(), outcome, detail, true)), Map.of(), List.of(), 10);
        producer.send(counts().ledger(ledger)).get();
    }

    /**
     * Acts for the analyzer: finds this many requests and stores a page for each, in one record per page; the request
     * itself still waits.
     */
    void answerMany(Request request, int pages) {
        PartitionCounts counts = counts();
        for (int i = 1; i <= pages; i++) {
            RequestId id = new RequestId(request.id().value() + i);
            LedgerRecord ledger = new LedgerRecord(request.run(),
                    List.of(new EmittedRequest(id, request.priority(), 1)),
                    List.of(new AnsweredRequest(id, OutcomeKind.PAGE, "200", true)), Map.of(), List.of(), 10);
            producer.send(counts.ledger(ledger));
        }
        producer.flush();
    }

    /** Acts for the analyzer, which writes an item, or the downloader, which writes a response. */
    void write(String topic) throws Exception {
        producer.send(new ProducerRecord<>(topic, KafkaFixture.bytes("k"), KafkaFixture.bytes("{}"))).get();
    }

    /** Another request of the same host. */
    static Request found(Request parent, String url, long id) {
        return RequestBuilder.builder().id(new RequestId(id)).run(parent.run()).url(url).host(parent.host())
                .depth(parent.depth() + 1).priority(parent.priority()).domains(parent.domains())
                .parent(Optional.of(parent.url())).options(parent.options()).build();
    }

    /** Acts for a group that has committed all of a topic and, with a note as metadata, has work left. */
    void commitAll(String group, String topic, String note) throws Exception {
        try (Admin admin = kafka.kafka().admin()) {
            int partitions = requireNonNull(admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic))
                    .partitions().size();
            Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
            IntStream.range(0, partitions).forEach(p -> asked.put(new TopicPartition(topic, p), OffsetSpec.latest()));
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            admin.listOffsets(asked).all().get()
                    .forEach((p, info) -> offsets.put(p, new OffsetAndMetadata(info.offset(), note)));
            admin.alterConsumerGroupOffsets(group, offsets).all().get();
        }
    }

    /** What a group has committed. */
    Map<TopicPartition, OffsetAndMetadata> committed(String group) throws Exception {
        try (Admin admin = kafka.kafka().admin()) {
            return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
        }
    }

    CrawlRun run(String crawl) {
        return new CrawlRun(new CrawlId(crawl), 1);
    }

    @Override
    public void close() {
        coordinators.forEach(c -> c.stop(Duration.ofSeconds(5)));
        coordinators.forEach(ConservationLaw::ofCounts);
        producer.close(Duration.ofSeconds(1));
        http.shutdownNow();
    }
}
