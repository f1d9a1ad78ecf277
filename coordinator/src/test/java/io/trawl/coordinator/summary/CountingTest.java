package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.Answered;
import io.trawl.ledger.LedgerRecord.Emitted;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.OutcomeKind;
import io.trawl.model.RequestId;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class CountingTest {
    private static final TopicPartition PARTITION = new TopicPartition("t.ledger", 3);
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    private final Counting counting = new Counting(InstantSource.system());

    @Test
    void whatIsDeliveredAgainCountsOnce() {
        List<ConsumerRecord<byte[], byte[]>> records = List.of(record(0, emitted()), record(1, answered()));
        counting.begin(PARTITION, 0);
        IntStream.range(0, 3).forEach(i -> records.forEach(counting::add));
        assertThat(counting.standing(RUN).totals().emitted()).isEqualTo(1);
        assertThat(counting.standing(RUN).totals().pages()).isEqualTo(1);
        assertThat(counting.standing(RUN).totals().waiting()).isZero();
        assertThat(counting.standing(RUN).totals().bytes()).isEqualTo(10);
    }

    @Test
    void aReaderThatFailedBetweenARecordAndItsPositionGoesOnAfterTheRecord() {
        counting.begin(PARTITION, 0);
        counting.add(record(0, emitted()));
        assertThat(counting.position(PARTITION)).contains(1L);
    }

    @Test
    void positionsMoveOverMarkersAndNeverGoBack() {
        counting.begin(PARTITION, 0);
        counting.add(record(5, emitted()));
        counting.moved(Map.of(PARTITION, new OffsetAndMetadata(7)));
        assertThat(counting.position(PARTITION)).contains(7L);
        counting.moved(Map.of(PARTITION, new OffsetAndMetadata(6)));
        counting.begin(PARTITION, 0);
        assertThat(counting.position(PARTITION)).contains(7L);
    }

    @Test
    void aRecordThatCannotBeReadIsPassedOver() {
        counting.add(new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), 0, new byte[0], new byte[]{'x'}));
        counting.add(record(1, emitted()));
        assertThat(counting.standing(RUN).totals().emitted()).isEqualTo(1);
        assertThat(counting.position(PARTITION)).contains(2L);
    }

    private static LedgerRecord emitted() {
        return new LedgerRecord(RUN, List.of(new Emitted(new RequestId(7), 0, 0)), List.of(), Map.of(), List.of(), 0);
    }

    private static LedgerRecord answered() {
        return new LedgerRecord(RUN, List.of(), List.of(new Answered(new RequestId(7), OutcomeKind.PAGE, "200", true)), Map.of(),
                List.of(), 10);
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset, LedgerRecord ledger) {
        return new ConsumerRecord<>(PARTITION.topic(), PARTITION.partition(), offset, new byte[0], Codec.encode(ledger));
    }
}
