package io.trawl.coordinator.leader;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.embedded.EmbeddedKafka;
import io.trawl.testkit.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HangingTransactionsIT {
    private static final TopicPartition LOG = new TopicPartition("items", 0);
    private static final TopicPartition WHOLE = new TopicPartition("ledger", 0);
    @TempDir
    private Path temp;

    /** As after an unclean election in one partition. */
    @Test
    void aTransactionThatHasLostItsEndInOneLogIsAbortedThereAndOneThatGoesOnIsNot() throws Exception {
        Path logs = temp.resolve("kafka");
        try (EmbeddedKafka broker = EmbeddedKafka.start(logs, 0)) {
            try (Producer<byte[], byte[]> producer = producer(broker, "over")) {
                try (Admin admin = admin(broker)) {
                    admin.createTopics(Stream.of(LOG, WHOLE)
                            .map(each -> new NewTopic(each.topic(), Optional.of(1), Optional.empty())).toList()).all()
                            .get();
                }
                producer.initTransactions();
                producer.beginTransaction();
                write(producer);
                broker.stop();
                Path open = log(logs);
                Folders.copy(open, temp.resolve("open"));
                broker.start();
                producer.commitTransaction();
                // Else the transaction's coordinator would write its end after the start.
                try (Admin admin = admin(broker)) {
                    for (TopicPartition each : List.of(LOG, WHOLE)) {
                        await().untilAsserted(() -> assertThat(stable(admin, each)).isEqualTo(2));
                    }
                }
                broker.stop();
                Folders.delete(open);
                Folders.copy(temp.resolve("open"), open);
                broker.start();
            }
            try (Admin admin = admin(broker); Producer<byte[], byte[]> other = producer(broker, "goes on")) {
                assertThat(stable(admin, LOG)).as("nobody reads the record").isZero();
                other.initTransactions();
                other.beginTransaction();
                write(other);

                new HangingTransactions(() -> admin(broker)).abort(List.of(LOG, WHOLE));

                await().untilAsserted(
                        () -> assertThat(stable(admin, LOG)).as("up to the record of the other one").isEqualTo(1));
                other.commitTransaction();
                await().untilAsserted(
                        () -> assertThat(stable(admin, LOG)).as("two records and their ends").isEqualTo(4));
                await().untilAsserted(() -> assertThat(stable(admin, WHOLE)).isEqualTo(4));
            }
        }
    }

    private static void write(Producer<byte[], byte[]> producer) {
        for (TopicPartition each : List.of(LOG, WHOLE)) {
            producer.send(new ProducerRecord<>(each.topic(), each.partition(), null, new byte[1]));
        }
        producer.flush();
    }

    private static long stable(Admin admin, TopicPartition log) throws Exception {
        return requireNonNull(admin
                .listOffsets(Map.of(log, OffsetSpec.latest()), new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .all().get().get(log)).offset();
    }

    private static Admin admin(EmbeddedKafka broker) {
        return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    private static Producer<byte[], byte[]> producer(EmbeddedKafka broker, String id) {
        return new KafkaProducer<>(Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", id),
                new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Path log(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> path.getFileName().toString().equals(LOG.toString())).findFirst().orElseThrow();
        }
    }
}
