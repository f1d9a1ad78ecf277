package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Codec;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.Consumer;
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

    @Test
    void theReaderWaitsForATopicThatTheBrokerDoesNotKnowYet() throws Exception {
        try (Tally tally = tally(this::reader)) {
            tally.start(() -> {});
            time.awaitPausing(1);
            countsOne(tally);
        }
    }

    @Test
    void readingContinuesAfterAnyException() throws Exception {
        troubles.add(new IllegalStateException("a bug"));
        try (Tally tally = tally(() -> {
            if (!troubles.isEmpty()) {
                throw troubles.removeFirst();
            }
            return reader();
        })) {
            tally.start(() -> {});
            time.awaitPausing(1);
            countsOne(tally);
        }
    }

    @Test
    void anErrorIsReportedAsFatal() throws Exception {
        OutOfMemoryError error = new OutOfMemoryError("all is full");
        try (Tally tally = tally(() -> {
            throw error;
        })) {
            tally.start(() -> {});
            assertThat(fatal.poll(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)).isSameAs(error);
        }
    }

    @Test
    void partitionsThatAreAddedLaterAreReadFromTheirFirstRecordOn() throws Exception {
        try (Tally tally = tally(this::reader)) {
            tally.start(() -> {});
            countsOne(tally);
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
                return tally.snapshot(later).totals().emitted() == 1;
            });
            assertThat(tally.snapshot(RUN).totals().emitted()).as("what was counted before counts once").isEqualTo(1);
        }
    }

    private void countsOne(Tally tally) {
        String ledger = fixture.create(fixture.topics().ledger(), 2);
        LedgerRecord emitted = new LedgerRecord(RUN, List.of(new EmittedRequest(new RequestId(7), 0, 0)), List.of(),
                Map.of(), List.of(), 0);
        fixture.produce(ledger, List.of(new String(Codec.encode(emitted), StandardCharsets.UTF_8)));
        await().until(() -> {
            time.advance(Duration.ofSeconds(2));
            return tally.snapshot(RUN).totals().emitted() == 1;
        });
        Map<TopicPartition, Long> begin = Map.of(new TopicPartition(ledger, 0), 0L, new TopicPartition(ledger, 1), 0L);
        assertThat(tally.reached(begin)).isTrue();
        assertThat(fatal).isEmpty();
    }

    private Tally tally(Supplier<Consumer<byte[], byte[]>> readers) {
        return new Tally(readers, fixture.topics().ledger(), () -> OptionalInt.of(count.get()), time, time,
                (explanation, cause) -> fatal.add(cause));
    }

    private Consumer<byte[], byte[]> reader() {
        return fixture.kafka().reader("tally");
    }
}
