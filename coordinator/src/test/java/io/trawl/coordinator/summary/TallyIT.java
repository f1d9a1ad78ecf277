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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TallyIT {
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    private final KafkaFixture fixture = new KafkaFixture();
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

    private void countsOne(Tally tally) {
        String ledger = fixture.create(fixture.topics().ledger(), 2);
        LedgerRecord emitted = new LedgerRecord(RUN, List.of(new EmittedRequest(new RequestId(7), 0, 0)), List.of(), Map.of(),
                List.of(),
                0);
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
        return new Tally(readers, fixture.topics().ledger(), partition -> true, time, (explanation, cause) -> fatal.add(cause));
    }

    private Consumer<byte[], byte[]> reader() {
        return fixture.kafka().reader("tally");
    }
}
