package io.trawl.downloader;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.channel.ResponseHeaders;
import io.trawl.channel.HostPartitioner;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.definition.url.CookieScope;
import io.trawl.ledger.LogPartition;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Durations;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.model.TraceContext;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.testkit.ConservationLaw;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.TestJvm;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plays the other stages for any number of downloaders: topics, control records and requests. */
final class Fleet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Fleet.class);
    static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    private static final int LEVELS = 3;
    private final int partitions;
    private final KafkaFixture fixture;
    private final Producer<byte[], byte[]> producer;
    private final Map<String, Long> versions = new HashMap<>();
    private final List<Worker> workers = new ArrayList<>();
    private final Map<ProducerRecord<byte[], byte[]>, Future<?>> sent = new IdentityHashMap<>();
    private final Channels channels;
    private final List<Runnable> endings = new ArrayList<>();

    Fleet(Map<String, String> settings) {
        this(settings, 2);
    }

    /** @param partitions of each request topic */
    Fleet(Map<String, String> settings, int partitions) {
        this.partitions = partitions;
        Map<String, String> all = new HashMap<>(
                Map.of("trawl.allow-network", "127.0.0.0/8", "trawl.topics.levels", "3", "trawl.downloader.back-off",
                        "100ms", "trawl.downloader.lease", "2s", "trawl.downloader.name-servers", "system"));
        all.putAll(settings);
        fixture = new KafkaFixture(all);
        TopicNames topicNames = fixture.topics();
        fixture.create(topicNames.control(), 1, Map.of("cleanup.policy", "compact"));
        fixture.create(topicNames.responses(), 2, Map.of("max.message.bytes", "12000000"));
        fixture.create(topicNames.errors(), 1);
        fixture.create(topicNames.ledger(), 1);
        channels = ChannelsBuilder.builder().version(1).generation(1).levels(LEVELS).partitions(partitions)
                .politeness(fixture.settings().politenessKey()).responses(2).items(1).ledger(1).build();
        topicNames.requests(channels).forEach(topic -> fixture.create(topic, partitions));
        producer = fixture.producer();
        command(channels);
        crawl(CrawlState.STARTED);
    }

    KafkaFixture fixture() {
        return fixture;
    }

    /** Writes a control record with this state of the crawl, without any delay. */
    void crawl(CrawlState state) {
        crawl(RUN, state, Duration.ZERO);
    }

    /** Starts the crawl with this delay. */
    void crawl(Duration delay) {
        crawl(RUN, CrawlState.STARTED, delay);
    }

    /** Starts a crawl with this delay. */
    void crawl(CrawlRun run, Duration delay) {
        crawl(run, CrawlState.STARTED, delay);
    }

    /** Starts the crawl without a delay, with the cookies that hosts set. */
    void keepCookies() {
        crawl(RUN, CrawlState.STARTED,
                CrawlDefinition.FetchRules.DEFAULT.withDelay(Duration.ZERO).withCookies(Optional.of(CookieScope.HOST)));
    }

    private void crawl(CrawlRun run, CrawlState state, Duration delay) {
        crawl(run, state, CrawlDefinition.FetchRules.DEFAULT.withDelay(delay));
    }

    private void crawl(CrawlRun run, CrawlState state, CrawlDefinition.FetchRules fetch) {
        CrawlDefinition definition = CrawlDefinition.of(List.of()).withFetch(fetch);
        command(CrawlStatus.of(run, versions.merge("crawl", 1L, Long::sum), definition, state));
    }

    void command(ControlRecord command) {
        producer.send(new ProducerRecord<>(fixture.topics().control(), KafkaFixture.bytes(command.key()),
                Codec.encode(command)));
        producer.flush();
    }

    /** Starts a downloader in this JVM. */
    Worker start() throws InterruptedException {
        Worker worker = Worker.start(fixture.settings(), Downloader.factory(), Time.system());
        workers.add(worker);
        return worker;
    }

    Request request(CrawlRun run, String url) {
        URI uri = URI.create(url);
        return RequestBuilder.builder().id(new RequestId(ThreadLocalRandom.current().nextLong())).run(run).url(url)
                .host(new HostKey(uri.getHost() + ":" + uri.getPort())).depth(1).domains(1).build();
    }

    /** A request that names its fetcher. */
    Request request(String url, String fetcher) {
        Request plain = request(RUN, url);
        return RequestBuilder.builder().id(plain.id()).run(RUN).url(url).host(plain.host()).depth(1).domains(1)
                .options(FetchOptions.NONE.withFetcher(Optional.of(fetcher))).build();
    }

    Request submit(int priority, String url) {
        return submit(priority, request(RUN, url));
    }

    Request submit(int priority, Request request) {
        Request prior = RequestBuilder.builder().id(request.id()).run(request.run()).url(request.url())
                .host(request.host()).depth(request.depth()).priority(priority).redirects(request.redirects())
                .seed(request.seed()).domains(request.domains()).parent(request.parent()).options(request.options())
                .build();
        send(HostPartitioner.record(fixture.topics(), channels, prior, TraceContext.NONE));
        return prior;
    }

    void submit(int priority, String key, byte[] value) {
        send(new ProducerRecord<>(fixture.topics().requests(1, priority), KafkaFixture.bytes(key), value));
    }

    private void send(ProducerRecord<byte[], byte[]> request) {
        sent.put(request, producer.send(request));
    }

    /**
     * Waits until all requests are in Kafka; writes a request again that the broker has rejected because its topic is
     * new.
     */
    void flush() {
        while (!sent.isEmpty()) {
            producer.flush();
            Map<ProducerRecord<byte[], byte[]>, Future<?>> last = new IdentityHashMap<>(sent);
            sent.clear();
            last.forEach((request, answer) -> {
                if (answer.state() == Future.State.FAILED) {
                    LOG.warn("written again: a request of {}", request.topic(), answer.exceptionNow());
                    send(request);
                }
            });
        }
    }

    List<Response> responses() {
        return fixture.records(fixture.topics().responses()).stream().map(ResponseHeaders::response).toList();
    }

    /** The URLs of a priority's requests that Redis has marks of. */
    Set<String> marked(int priority) throws Exception {
        String topic = fixture.topics().requests(1, priority);
        String id = topicId(topic);
        try (RedisStore redis = redis()) {
            return fixture.records(topic).stream().filter(
                    r -> redis.marks().answered(new LogPartition(topic, id, r.partition()), r.offset(), 1).get(0))
                    .map(r -> Codec.request(r.value()).url()).collect(Collectors.toSet());
        }
    }

    /** What the downloaders keep in Redis; to be closed. */
    RedisStore redis() throws Exception {
        try (Admin admin = fixture.kafka().admin()) {
            return RedisStore.connect(RedisServers.of(fixture.settings().redis()), fixture.topics().namespace(),
                    admin.describeCluster().clusterId().get(), topicId(fixture.topics().responses()), Time.system());
        }
    }

    String topicId(String topic) throws Exception {
        try (Admin admin = fixture.kafka().admin()) {
            return requireNonNull(admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic)).topicId()
                    .toString();
        }
    }

    /** The number of request offsets that are not committed as answered. */
    long uncommitted() {
        long open = 0;
        try (var reader = fixture.kafka().reader("fleet-ends")) {
            for (int p = 0; p < LEVELS; p++) {
                for (int k = 0; k < partitions; k++) {
                    TopicPartition partition = new TopicPartition(fixture.topics().requests(1, p), k);
                    long end = requireNonNull(reader.endOffsets(List.of(partition)).get(partition));
                    open += end - fixture.committed(fixture.topics().downloaderGroup(), partition)
                            .map(OffsetAndMetadata::offset).orElse(0L);
                }
            }
        }
        return open;
    }

    /** The number of requests of a priority that the broker keeps. */
    long records(int priority) {
        List<TopicPartition> logs = IntStream.range(0, partitions)
                .mapToObj(k -> new TopicPartition(fixture.topics().requests(1, priority), k)).toList();
        try (var reader = fixture.kafka().reader("fleet-starts")) {
            return sum(reader.endOffsets(logs)) - sum(reader.beginningOffsets(logs));
        }
    }

    private static long sum(Map<TopicPartition, Long> offsets) {
        return offsets.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Starts a downloader as a separate process; its output goes to {@code target/NAME.log}. */
    Process process(String name) throws IOException {
        ProcessBuilder builder = TestJvm.of(DownloaderMain.class, List.of(), List.of());
        builder.environment().putAll(environment());
        return builder.redirectOutput(new File("target/" + name + ".log")).start();
    }

    private Map<String, String> environment() {
        return Map.of("TRAWL_KAFKA_BOOTSTRAP_SERVERS", fixture.settings().kafka().bootstrapServers(), "TRAWL_REDIS_URL",
                fixture.settings().redis().url(), "TRAWL_NAMESPACE", fixture.topics().namespace(),
                "TRAWL_ALLOW_NETWORK", "127.0.0.0/8", "TRAWL_DOWNLOADER_CONCURRENCY",
                fixture.settings().downloader().concurrency().map(String::valueOf).orElse(""),
                "TRAWL_DOWNLOADER_PER_HOST", Integer.toString(fixture.settings().downloader().perHost()),
                "TRAWL_DOWNLOADER_NAME_SERVERS", "system", "TRAWL_DOWNLOADER_LEASE",
                Durations.format(fixture.settings().downloader().lease()));
    }

    /** Adds something to close with the fleet. */
    void onClose(Runnable ending) {
        endings.add(ending);
    }

    @Override
    public void close() {
        endings.forEach(Runnable::run);
        workers.forEach(worker -> worker.stop(Duration.ofSeconds(5)));
        workers.forEach(ConservationLaw::ofCounts);
        workers.forEach(worker -> assertThat(worker.end().join().trouble()).as("trouble of " + worker.mid()).isEmpty());
        producer.close();
    }
}
