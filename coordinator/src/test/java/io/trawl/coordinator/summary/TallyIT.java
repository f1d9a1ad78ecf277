package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.coordinator.summary.LedgerFollower.LedgerSource;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlRecord.KafkaLoss.Cut;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request.RequestId;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.ManualTime;
import io.trawl.testkit.TestTimeouts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TallyIT {
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    private final KafkaFixture fixture = new KafkaFixture();
    private final AtomicInteger count = new AtomicInteger(2);
    private final ManualTime time = ManualTime.standing();
    private final BlockingQueue<Throwable> fatal = new LinkedBlockingQueue<>();
    private final List<RuntimeException> troubles = new ArrayList<>();
    private Optional<KafkaLoss> loss = Optional.empty();
    private volatile String explanation = "";

    @Test
    void theReaderWaitsForATopicThatTheBrokerDoesNotKnowYet() throws Exception {
        try (LedgerFollower follower = follower(this::reader)) {
            follower.start(() -> {});
            time.awaitPausing(1);
            countsOne(follower);
        }
    }

    @Test
    void readingContinuesAfterAnyException() throws Exception {
        troubles.add(new IllegalStateException("a bug"));
        try (LedgerFollower follower = follower(() -> {
            if (!troubles.isEmpty()) {
                throw troubles.removeFirst();
            }
            return reader();
        })) {
            follower.start(() -> {});
            time.awaitPausing(1);
            countsOne(follower);
        }
    }

    @Test
    void anErrorIsReportedAsFatal() throws Exception {
        OutOfMemoryError error = new OutOfMemoryError("all is full");
        try (LedgerFollower follower = follower(() -> {
            throw error;
        })) {
            follower.start(() -> {});
            assertThat(fatal.poll(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)).isSameAs(error);
        }
    }

    @Test
    void partitionsThatAreAddedLaterAreReadFromTheirFirstRecordOn() throws Exception {
        try (LedgerFollower follower = follower(this::reader)) {
            follower.start(() -> {});
            countsOne(follower);
            CrawlRun later = new CrawlRun(RUN.crawl(), RUN.epoch() + 1);
            try (Admin admin = fixture.kafka().admin()) {
                admin.createPartitions(Map.of(fixture.topics().ledger(), NewPartitions.increaseTo(4))).all().get();
            }
            LedgerRecord emitted = new LedgerRecord(later, List.of(new EmittedRequest(new RequestId(8), 0, 0)),
                    List.of(), Map.of(), List.of(), 0);
            try (Producer<byte[], byte[]> producer = fixture.producer()) {
                producer.send(new ProducerRecord<>(fixture.topics().ledger(), 3, new byte[0], Codec.encode(emitted)))
                        .get();
            }
            count.set(4);

            await().until(() -> {
                time.advance(Duration.ofSeconds(2));
                return follower.tally().snapshot(later).totals().emitted() == 1;
            });
            assertThat(follower.tally().snapshot(RUN).totals().emitted()).as("what was counted before counts once")
                    .isEqualTo(1);
        }
    }

    @Test
    void aCoordinatorThatStartsTakesTheLastSnapshotAndReadsWhatCameAfterIt() throws Exception {
        ledgerOfThree();
        try (LedgerFollower next = follower(this::reader)) {
            next.start(() -> {});
            awaitEmitted(next, 3);
            assertThat(next.save(_ -> {})).as("counted by the second")
                    .isEqualTo(Map.of(partition(0), 2L, partition(1), 0L));
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void theSnapshotBeforeTakesThePlaceOfADamagedOne() throws Exception {
        ledgerOfThree();
        try (Producer<byte[], byte[]> producer = fixture.producer()) {
            ConsumerRecord<byte[], byte[]> second = fixture.records(fixture.topics().snapshots()).getLast();
            byte[] damaged = second.value().clone();
            damaged[20]++;
            producer.send(new ProducerRecord<>(second.topic(), 0, second.key(), damaged, second.headers())).get();
            producer.send(new ProducerRecord<>(second.topic(), 0, second.key(), damaged)).get();
        }
        try (LedgerFollower next = follower(this::reader)) {
            next.start(() -> {});
            awaitEmitted(next, 3);
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void aSnapshotThatHasCountedWhatKafkaHasLostIsLeftOut() throws Exception {
        ledgerOfThree();
        // Another record has the offset of the second since.
        loss = Optional.of(KafkaLoss.after(Optional.empty(), new Cut(7, Map.of(fixture.topics().ledger() + "-0", 1L)),
                List.of(), Instant.EPOCH));
        try (LedgerFollower next = follower(this::reader)) {
            next.start(() -> {});
            awaitEmitted(next, 3);
            assertThat(next.save(_ -> {})).as("counted by the first")
                    .isEqualTo(Map.of(partition(0), 1L, partition(1), 0L));
        }
    }

    @Test
    void withoutAUsableSnapshotOfWhatIsDeletedTheProcessEndsAndSaysSo() throws Exception {
        ledgerOfThree();
        try (Admin admin = fixture.kafka().admin()) {
            admin.deleteTopics(List.of(fixture.topics().snapshots())).all().get();
        }
        try (LedgerFollower next = follower(this::reader)) {
            next.start(() -> {});
            assertThat(fatal.poll(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)).isNotNull();
            assertThat(explanation).contains(fixture.topics().ledger() + "-0 below offset 1 ", "no snapshot");
        }
    }

    @Test
    void aReaderWhoseNextRecordIsDeletedGoesOnWithTheSnapshot() throws Exception {
        fixture.create(fixture.topics().ledger(), 2);
        fixture.create(fixture.topics().snapshots(), 1);
        // Never started.
        LedgerFollower slow = follower(this::reader);
        try (LedgerFollower leader = follower(this::reader)) {
            slow.begins(Map.of(partition(0), 0L, partition(1), 0L));
            slow.add(new ConsumerRecord<>(partition(1).topic(), 1, 0, new byte[0], Codec.encode(emitted(9))));
            // One that does not know of the second partition yet.
            count.set(1);
            ledgerOfThree(leader);
            slow.begins(Map.of(partition(0), 1L, partition(1), 0L));
            assertThat(slow.begin(partition(0), 1, 3)).as("what the last snapshot has counted").isEqualTo(2);
            assertThat(slow.begin(partition(1), 0, 1)).as("not what was counted before").isZero();
            assertThat(slow.tally().snapshot(RUN).totals().emitted()).isEqualTo(2);
        }
    }

    private TopicPartition partition(int number) {
        return new TopicPartition(fixture.topics().ledger(), number);
    }

    private void ledgerOfThree() throws Exception {
        fixture.create(fixture.topics().ledger(), 2);
        fixture.create(fixture.topics().snapshots(), 1);
        try (LedgerFollower follower = follower(this::reader)) {
            ledgerOfThree(follower);
        }
    }

    /** Snapshots of one and of two records; the first record is deleted. */
    private void ledgerOfThree(LedgerFollower follower) throws Exception {
        try (Producer<byte[], byte[]> producer = fixture.producer(); Admin admin = fixture.kafka().admin()) {
            follower.start(() -> {});
            for (int id = 1; id <= 3; id++) {
                producer.send(
                        new ProducerRecord<>(fixture.topics().ledger(), 0, new byte[0], Codec.encode(emitted(id))))
                        .get();
                awaitEmitted(follower, id);
                if (id < 3) {
                    Map<TopicPartition, Long> counted = follower
                            .save(records -> records.forEach(record -> producer.send(record)));
                    producer.flush();
                    admin.deleteRecords(counted.entrySet().stream().collect(
                            Collectors.toMap(Map.Entry::getKey, end -> RecordsToDelete.beforeOffset(end.getValue()))))
                            .all().get();
                }
            }
        }
    }

    private static LedgerRecord emitted(long id) {
        return new LedgerRecord(RUN, List.of(new EmittedRequest(new RequestId(id), 0, 0)), List.of(), Map.of(),
                List.of(), 0);
    }

    private void awaitEmitted(LedgerFollower follower, int emitted) {
        await().until(() -> {
            time.advance(Duration.ofSeconds(2));
            return follower.tally().snapshot(RUN).totals().emitted() == emitted;
        });
    }

    private void countsOne(LedgerFollower follower) {
        String ledger = fixture.create(fixture.topics().ledger(), 2);
        LedgerRecord emitted = new LedgerRecord(RUN, List.of(new EmittedRequest(new RequestId(7), 0, 0)), List.of(),
                Map.of(), List.of(), 0);
        fixture.produce(ledger, List.of(new String(Codec.encode(emitted), StandardCharsets.UTF_8)));
        await().until(() -> {
            time.advance(Duration.ofSeconds(2));
            return follower.tally().snapshot(RUN).totals().emitted() == 1;
        });
        Map<TopicPartition, Long> begin = Map.of(new TopicPartition(ledger, 0), 0L, new TopicPartition(ledger, 1), 0L);
        assertThat(follower.tally().reached(begin)).isTrue();
        assertThat(fatal).isEmpty();
    }

    private LedgerFollower follower(Supplier<Consumer<byte[], byte[]>> readers) {
        return new LedgerFollower(
                new LedgerSource(readers, fixture.topics().ledger(), () -> OptionalInt.of(count.get()),
                        new SnapshotTopic(() -> fixture.kafka().seeker("snapshots"), fixture.topics(), () -> loss)),
                time, time, (text, cause) -> {
                    explanation = text;
                    fatal.add(cause);
                });
    }

    private Consumer<byte[], byte[]> reader() {
        return fixture.kafka().completeReader("tally");
    }
}
