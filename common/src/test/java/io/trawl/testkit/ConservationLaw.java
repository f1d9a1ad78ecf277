package io.trawl.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.model.Body;
import io.trawl.api.Counts;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After every test, the conservation law holds in every deployment of its class whose ledger the test has changed:
 * {@code emitted = answered +
 * waiting}, read from Kafka and not from the coordinator's sums. An id is answered only after it was emitted. Every
 * request in the log was emitted. Where downloaders run, every request that waits is in the log, as a request or as a
 * response. Of a finished crawl, none waits. Not where a test has the leader delete records of the ledger.
 *
 * <p>
 * JUnit finds it by itself (META-INF/services), so that no test can forget it. It runs before the methods that clean
 * up, and does nothing for a class without a {@link KafkaFixture}, with more than {@value #MOST_REQUESTS} requests, or
 * with a namespace in which no coordinator has made the topics: there a test writes the records of other modules by
 * hand.
 */
public final class ConservationLaw implements AfterTestExecutionCallback, AfterAllCallback {
    /** Reading more than this takes longer than the test itself. */
    private static final long MOST_REQUESTS = 20_000;
    /** The namespaces of the class that runs, with the end of the ledger at the last check. */
    private static final Map<KafkaFixture, Long> CHECKED = new ConcurrentHashMap<>();

    /** Checks this namespace from now on, until the class has ended. */
    static void holdsFor(KafkaFixture fixture) {
        CHECKED.put(fixture, 0L);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) throws Exception {
        if (CHECKED.isEmpty()) {
            return;
        }
        Admin admin = CHECKED.keySet().iterator().next().admin();
        Set<String> topics = admin.listTopics().names().get();
        List<KafkaFixture> deployments = CHECKED.keySet().stream()
                .filter(each -> topics
                        .containsAll(List.of(each.topics().ledger(), each.topics().seeds(), each.topics().control())))
                .toList();
        Map<String, Long> ends = ends(admin, deployments.stream().map(each -> each.topics().ledger()).toList());
        for (KafkaFixture fixture : deployments) {
            TopicNames names = fixture.topics();
            Long end = requireNonNull(ends.get(names.ledger()));
            if (!end.equals(CHECKED.put(fixture, end)) && requests(admin, names) <= MOST_REQUESTS) {
                await().pollDelay(Duration.ZERO).untilAsserted(() -> check(fixture));
            }
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        CHECKED.clear();
    }

    /** The number of offsets in topics of requests, of which the leader may delete some meanwhile. */
    private static long requests(Admin admin, TopicNames names) {
        return await().pollDelay(Duration.ZERO)
                .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
                .until(() -> ends(admin, admin.listTopics().names().get().stream().filter(names::isRequests).toList())
                        .values().stream().mapToLong(Long::longValue).sum(), _ -> true);
    }

    /** By topic, the number of its offsets. */
    private static Map<String, Long> ends(Admin admin, List<String> topics)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> partitions = admin.describeTopics(topics).allTopicNames().get().values()
                .stream().flatMap(t -> t.partitions().stream().map(p -> new TopicPartition(t.name(), p.partition())))
                .collect(Collectors.toMap(Function.identity(), p -> OffsetSpec.latest()));
        return admin.listOffsets(partitions).all().get().entrySet().stream().collect(Collectors
                .groupingBy(end -> end.getKey().topic(), Collectors.summingLong(end -> end.getValue().offset())));
    }

    /**
     * The counts of a module add up: {@code accepted = completed + failed + returned + handling}. Fixtures call it when
     * they close.
     */
    public static void ofCounts(Worker worker) {
        Counts counts = worker.summary().counts();
        assertThat(counts.completed() + counts.failed() + counts.returned() + counts.handling())
                .as("%s: %s", worker.mid(), counts).isEqualTo(counts.accepted());
    }

    private static void check(KafkaFixture fixture) throws ExecutionException, InterruptedException {
        TopicNames names = fixture.topics();
        boolean downloaders = !fixture.committed(names.downloaderGroup()).isEmpty();
        Set<RequestOfRun> emitted = new HashSet<>();
        Set<RequestOfRun> answered = new HashSet<>();
        if (deletes(fixture, names.ledger())) {
            return;
        }
        for (LedgerRecord ledger : read(fixture, names.ledger(), r -> Codec.ledger(r.value()))) {
            ledger.emitted().stream().map(EmittedRequest::id)
                    .forEach(id -> emitted.add(new RequestOfRun(ledger.run(), id)));
            for (AnsweredRequest each : ledger.answered()) {
                RequestOfRun request = new RequestOfRun(ledger.run(), each.id());
                assertThat(emitted.contains(request)).as("%s is answered and was emitted before", each).isTrue();
                answered.add(request);
            }
        }
        Set<RequestOfRun> waiting = new HashSet<>(emitted);
        waiting.removeAll(answered);

        Set<RequestOfRun> requests = fixture.admin().listTopics().names().get().stream().filter(names::isRequests)
                .flatMap(topic -> read(fixture, topic, r -> RequestOfRun.of(Codec.request(r.value()))).stream())
                .collect(Collectors.toSet());
        Set<RequestOfRun> unknown = new HashSet<>(requests);
        unknown.removeAll(emitted);
        assertThat(unknown).as("requests in the log that were not emitted").isEmpty();

        Map<String, CrawlStatus> crawls = new HashMap<>();
        read(fixture, names.control(), r -> Codec.control(r.value())).stream()
                .flatMap(r -> r instanceof CrawlStatus status ? Stream.of(status) : Stream.empty())
                .forEach(status -> crawls.put(status.key(), status));
        Set<CrawlRun> finished = crawls.values().stream().filter(CrawlStatus::finished).map(CrawlStatus::run)
                .collect(Collectors.toSet());
        assertThat(waiting).as("waiting, of finished crawls").noneMatch(request -> finished.contains(request.run()));
        if (downloaders) {
            requests.addAll(read(fixture, names.responses(),
                    r -> RequestOfRun.of(Codec.response(description(r), Body.EMPTY).request())));
            Set<CrawlRun> present = crawls.values().stream().map(CrawlStatus::run).collect(Collectors.toSet());
            waiting.removeIf(request -> !present.contains(request.run()));
            assertThat(requests).as("in the log, for every request that waits").containsAll(waiting);
        }
    }

    /** Whether its first records are gone: the leader has counted them in snapshots. */
    private static boolean deletes(KafkaFixture fixture, String topic) {
        return fixture.records(topic).stream()
                .collect(Collectors.groupingBy(ConsumerRecord::partition,
                        Collectors.minBy(Comparator.comparingLong(ConsumerRecord::offset))))
                .values().stream().flatMap(Optional::stream).anyMatch(first -> first.offset() > 0);
    }

    /** What can be read of a topic: tests write records that no process of Trawl would write. */
    private static <T> List<T> read(KafkaFixture fixture, String topic,
            Function<ConsumerRecord<byte[], byte[]>, T> codec) {
        List<T> found = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> each : fixture.records(topic)) {
            decoded(each, codec).ifPresent(found::add);
        }
        return found;
    }

    private static byte[] description(ConsumerRecord<byte[], byte[]> response) {
        return Optional.ofNullable(response.headers().lastHeader(Codec.RESPONSE_HEADER)).map(Header::value)
                .orElseThrow(() -> new MalformedRecordException("a response without its description"));
    }

    private static <T> Optional<T> decoded(ConsumerRecord<byte[], byte[]> each,
            Function<ConsumerRecord<byte[], byte[]>, T> codec) {
        try {
            return each.value() == null ? Optional.empty() : Optional.of(codec.apply(each));
        } catch (MalformedRecordException e) {
            return Optional.empty();
        }
    }

    private record RequestOfRun(CrawlRun run, RequestId id) {
        static RequestOfRun of(Request request) {
            return new RequestOfRun(request.run(), request.id());
        }
    }
}
