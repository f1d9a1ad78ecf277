package io.trawl.channel;

import static io.trawl.testkit.KafkaFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.channel.TransactionalWriter.CommitResult;
import io.trawl.testkit.KafkaFixture;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionalWriterIT {
    private final KafkaFixture fixture = fixture();
    private final String in = fixture.topics().namespace() + "in";
    private final String out = fixture.topics().namespace() + "out";
    private final String group = fixture.topics().namespace() + "group";

    KafkaFixture fixture() {
        return new KafkaFixture();
    }

    @BeforeEach
    void topics() {
        fixture.create(in, 1);
        fixture.create(out, 1, Map.of("max.message.bytes", "400000"));
        fixture.produce(in, List.of("a", "b", "c"));
    }

    private TransactionalWriter writer(String id) {
        TransactionalWriter writer = new TransactionalWriter(
                () -> fixture.kafka().transactionalProducer(fixture.topics().namespace() + id), Time.system());
        writer.open();
        return writer;
    }

    private ProducerRecord<byte[], byte[]> record(String value) {
        return new ProducerRecord<>(out, bytes("k"), bytes(value));
    }

    /** Incompressible bytes. */
    private static byte[] noise(int length) {
        byte[] noise = new byte[length];
        new java.util.Random(1).nextBytes(noise);
        return noise;
    }

    private static Consumer<byte[], byte[]> joined(KafkaFixture fixture, String group, String topic) {
        Consumer<byte[], byte[]> consumer = fixture.kafka().groupConsumer(group, "test", 100);
        consumer.subscribe(List.of(topic), new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(java.util.Collection<TopicPartition> partitions) {}

            @Override
            public void onPartitionsAssigned(java.util.Collection<TopicPartition> partitions) {}
        });
        while (consumer.poll(Duration.ofMillis(100)).isEmpty()) {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
        return consumer;
    }

    @Test
    void recordsAndOffsetsAppearTogether() {
        TopicPartition partition = new TopicPartition(in, 0);
        try (TransactionalWriter writer = writer("w"); Consumer<byte[], byte[]> consumer = joined(fixture, group, in)) {
            CommitResult commitResult = writer.write(List.of(record("x")), Map.of(partition, new OffsetAndMetadata(3)),
                    consumer.groupMetadata());

            assertThat(commitResult).isEqualTo(CommitResult.COMMITTED);
            assertThat(fixture.values(out)).containsExactly("x");
            assertThat(fixture.committed(group, partition)).map(OffsetAndMetadata::offset).contains(3L);
        }
    }

    @Test
    void aMemberThatHasLeftTheGroupCommitsNothing() {
        TopicPartition partition = new TopicPartition(in, 0);
        try (TransactionalWriter writer = writer("w"); Consumer<byte[], byte[]> consumer = joined(fixture, group, in)) {
            ConsumerGroupMetadata captured = consumer.groupMetadata();
            consumer.unsubscribe();

            assertThat(writer.write(List.of(record("x")), Map.of(partition, new OffsetAndMetadata(3)), captured))
                    .isEqualTo(CommitResult.ABORTED);
            assertThat(writer.write(List.of(record("y")), Map.of(partition, new OffsetAndMetadata(3)),
                    consumer.groupMetadata())).as("metadata without a member, which a broker would accept")
                    .isEqualTo(CommitResult.ABORTED);
            assertThat(fixture.values(out)).isEmpty();
            assertThat(fixture.committed(group, partition)).isEmpty();
        }
    }

    @Test
    void aNewWriterWithTheSameIdFencesTheOldOne() {
        try (TransactionalWriter old = writer("leader"); TransactionalWriter successor = writer("leader")) {
            assertThatThrownBy(() -> old.write(List.of(record("late")))).isInstanceOf(WriterFencedException.class);
            assertThat(successor.write(List.of(record("new")))).isEqualTo(CommitResult.COMMITTED);
            assertThat(fixture.values(out)).containsExactly("new");
        }
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {500_000, 20_000_000})
    void aTooLargeRecordAbortsTheTransactionAndTheWriterStaysUsable(int size) {
        try (TransactionalWriter writer = writer("w")) {
            assertThat(writer.write(List.of(record("small"), new ProducerRecord<>(out, bytes("k"), noise(size)))))
                    .isEqualTo(CommitResult.ABORTED);
            assertThat(writer.tooLarge()).isTrue();
            assertThat(writer.write(List.of(record("next")))).isEqualTo(CommitResult.COMMITTED);
            assertThat(writer.tooLarge()).isFalse();
            assertThat(fixture.values(out)).containsExactly("next");
        }
    }
}
