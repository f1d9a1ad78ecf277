package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.channel.offset.StoredPosition;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlRecord.KafkaLoss.Cut;
import io.trawl.model.CrawlId;
import io.trawl.testkit.KafkaFixture;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class StageProgressIT {
    private static final CrawlId CRAWL = new CrawlId("docs");
    private final KafkaFixture fixture = new KafkaFixture();
    private final String group = fixture.topics().pipelineGroup();
    private final TopicPartition partition = new TopicPartition(fixture.create(fixture.topics().items(), 1), 0);
    private final Map<TopicPartition, Long> ends = Map.of(partition, 3L);
    private Optional<KafkaLoss> loss = Optional.empty();

    private void commit(OffsetAndMetadata position) throws InterruptedException {
        try (TopicOffsets offsets = new TopicOffsets(fixture.kafka().admin())) {
            offsets.commit(group, Map.of(partition, position));
        }
    }

    /** Kafka has lost the last records of a log, and not the positions of its readers. */
    @Test
    void aPositionBeyondItsLogIsNeverHandled() throws Exception {
        fixture.produce(partition.topic(), List.of("a", "b", "c"));
        try (StageProgress progress = new StageProgress(fixture.kafka().admin(), all -> true, () -> loss)) {
            commit(StoredPosition.of(5).commit());
            assertThat(progress.handled(group, ends)).isFalse();
            assertThat(progress.stored(group, CRAWL, ends)).isFalse();
            commit(StoredPosition.of(3).commit());
            assertThat(progress.handled(group, ends)).isTrue();
            assertThat(progress.stored(group, CRAWL, ends)).isTrue();
        }
    }

    /** The log may have grown beyond it since, by other records. */
    @Test
    void aPositionOfBeforeALossInKafkaIsNotStored() throws Exception {
        fixture.produce(partition.topic(), List.of("a", "b", "c"));
        loss = Optional.of(KafkaLoss.after(loss, new Cut(7, Map.of()), List.of(partition.topic()), Instant.now()));
        try (StageProgress progress = new StageProgress(fixture.kafka().admin(), all -> true, () -> loss)) {
            commit(StoredPosition.of(3).commit());
            assertThat(progress.stored(group, CRAWL, ends)).isFalse();
            commit(StoredPosition.of(3).commit("7"));
            assertThat(progress.stored(group, CRAWL, ends)).isTrue();
        }
    }
}
