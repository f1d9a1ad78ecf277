package io.trawl.channel;

import io.trawl.channel.offset.TopicBacklog;
import io.trawl.channel.offset.TopicOffsets;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.trawl.channel.TopicSpec.Retention;
import io.trawl.model.ModuleKind;
import io.trawl.testkit.KafkaFixture;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;

class TopicTrimmerIT {
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private final KafkaFixture fixture = new KafkaFixture();
    private final String group = fixture.topics().analyzerGroup();
    private final Retention handled = new Retention.UntilHandled(group, ModuleKind.ANALYZER);
    private final Queue<String> deleted = new ConcurrentLinkedQueue<>();

    private TopicPartition topic(String name) {
        TopicPartition partition = new TopicPartition(fixture.create(fixture.topics().namespace() + name, 1), 0);
        fixture.produce(partition.topic(), List.of("a", "b", "c", "d"));
        return partition;
    }

    private static TopicSpec spec(TopicPartition partition, Retention retention) {
        return new TopicSpec(partition.topic(), 1, retention, false);
    }

    private void commit(TopicPartition partition, OffsetAndMetadata offset) throws InterruptedException {
        commit(group, partition, offset);
    }

    private void commit(String reader, TopicPartition partition, OffsetAndMetadata offset) throws InterruptedException {
        try (TopicOffsets offsets = new TopicOffsets(fixture.kafka().admin())) {
            offsets.commit(reader, Map.of(partition, offset));
        }
    }

    private long start(TopicPartition partition) {
        try (Consumer<byte[], byte[]> reader = fixture.kafka().reader("starts")) {
            return requireNonNull(reader.beginningOffsets(List.of(partition)).get(partition));
        }
    }

    private TopicTrimmer trimmer(TopicTrimmer.DeletionListener listener, TopicSpec... topics) {
        return new TopicTrimmer(fixture.kafka(), () -> List.of(topics), INTERVAL, TopicTrimmer.OtherReaders.NONE,
                listener, Time.system());
    }

    @Test
    void committedRecordsAreDeletedThenTheListenerIsCalledAndOtherTopicsAreUntouched() throws Exception {
        TopicPartition one = topic("one");
        TopicPartition other = topic("other");
        commit(one, new OffsetAndMetadata(2));
        commit(other, new OffsetAndMetadata(4));
        try (TopicTrimmer trimmer = trimmer(
                (topic, partition, below) -> deleted.add(topic + partition + "<" + below + " of " + start(one)),
                spec(one, handled), spec(other, new Retention.UntilUnneeded("a test")))) {
            await().until(() -> start(one) == 2);
            commit(one, new OffsetAndMetadata(3));
            await().until(() -> deleted.size() == 2);
        }
        assertThat(deleted).containsExactly(one.topic() + "0<2 of 2", one.topic() + "0<3 of 3");
        assertThat(start(other)).isZero();
        assertThat(fixture.values(one.topic())).containsExactly("d");
    }

    /** If Kafka loses its last seconds, what they came from is still there. */
    @Test
    void whatIsHandledIsDeletedAtTheNextLook() {
        TopicPartition one = topic("one");
        AtomicInteger looks = new AtomicInteger();
        try (TopicTrimmer trimmer = new TopicTrimmer(fixture.kafka(), () -> {
            commitAt(one, looks.incrementAndGet());
            return List.of(spec(one, handled));
        }, INTERVAL, TopicTrimmer.OtherReaders.NONE,
                (topic, partition, below) -> deleted.add(below + " at look " + looks), Time.system())) {
            await().until(() -> deleted.size() >= 2);
        }
        assertThat(deleted).startsWith("1 at look 2", "2 at look 3");
    }

    private void commitAt(TopicPartition partition, long offset) {
        try {
            commit(partition, new OffsetAndMetadata(offset));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The group of another reader, which is an hour behind, finds everything. */
    @Test
    void handledRecordsStayAsLongAsTheirTopicKeepsThem() throws Exception {
        TopicPartition kept = topic("kept");
        TopicPartition other = topic("other");
        TopicPartition aged = new TopicPartition(fixture.create(fixture.topics().namespace() + "aged", 1), 0);
        Instant old = Time.system().now().minus(Duration.ofHours(2));
        try (Producer<byte[], byte[]> producer = fixture.producer()) {
            for (int i = 0; i < 3; i++) {
                producer.send(new ProducerRecord<>(aged.topic(), 0,
                        old.plus(Duration.ofMinutes(50L * i)).toEpochMilli(), null, new byte[]{(byte) ('a' + i)}))
                        .get();
            }
        }
        commit(aged, new OffsetAndMetadata(3));
        commit(kept, new OffsetAndMetadata(4));
        commit(other, new OffsetAndMetadata(4));
        Retention hour = new Retention.UntilHandled(group, ModuleKind.ANALYZER, Duration.ofHours(1));
        try (TopicTrimmer trimmer = trimmer((topic, number, below) -> deleted.add(topic + "<" + below),
                spec(kept, hour), spec(aged, hour), spec(other, handled))) {
            await().until(() -> deleted.size() >= 2);
        }
        assertThat(deleted).containsExactlyInAnyOrder(aged.topic() + "<2", other.topic() + "<4");
        assertThat(fixture.values(aged.topic())).containsExactly("c");
        assertThat(fixture.values(kept.topic())).containsExactly("a", "b", "c", "d");
    }

    @Test
    void whatAnotherReaderHasNotHandledStays() throws Exception {
        TopicPartition shared = topic("shared");
        TopicPartition unread = topic("unread");
        TopicPartition other = topic("other");
        String archive = fixture.topics().archiveGroup();
        for (TopicPartition partition : List.of(shared, unread, other)) {
            commit(group, partition, new OffsetAndMetadata(3));
        }
        commit(archive, shared, new OffsetAndMetadata(1));
        try (TopicTrimmer trimmer = new TopicTrimmer(fixture.kafka(),
                () -> List.of(spec(shared, handled), spec(unread, handled), spec(other, handled)), INTERVAL,
                topic -> topic.equals(other.topic()) ? List.of() : List.of(archive), (topic, partition, below) -> {},
                Time.system())) {
            await().until(() -> start(shared) == 1 && start(other) == 3);
            commit(archive, shared, new OffsetAndMetadata(2, "files to rename"));
            commit(archive, unread, new OffsetAndMetadata(4));
            await().until(() -> start(unread) == 3);
            assertThat(start(shared)).isEqualTo(1);
            commit(archive, shared, new OffsetAndMetadata(2));
            await().until(() -> start(shared) == 2);
        }
    }

    @Test
    void nothingIsDeletedWhereTheCommittedOffsetHasMetadata() throws Exception {
        TopicPartition pending = topic("pending");
        TopicPartition stored = topic("stored");
        commit(pending, new OffsetAndMetadata(3, "files to rename"));
        commit(stored, new OffsetAndMetadata(3));
        try (TopicTrimmer trimmer = trimmer((topic, partition, below) -> deleted.add(topic), spec(pending, handled),
                spec(stored, handled))) {
            await().until(() -> start(stored) == 3);
            assertThat(start(pending)).isZero();
            commit(pending, new OffsetAndMetadata(3));
            await().until(() -> start(pending) == 3);
        }
    }

    @Test
    void aFailingPartitionDoesNotBlockOthersAndIsRetried() throws Exception {
        TopicPartition one = topic("one");
        TopicPartition other = topic("other");
        commit(one, new OffsetAndMetadata(2));
        commit(other, new OffsetAndMetadata(2));
        AtomicInteger failures = new AtomicInteger(2);
        try (TopicTrimmer trimmer = trimmer((topic, partition, below) -> {
            if (topic.equals(one.topic()) && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("not now");
            }
            deleted.add(topic);
        }, spec(one, handled), spec(other, handled))) {
            await().until(() -> deleted.size() == 2);
        }
        assertThat(deleted).containsExactly(other.topic(), one.topic());
    }

    @Test
    void theEndsOfPartitionsThatCountAreKnownAsSoonAsTheyCount() throws Exception {
        String topic = topic("growing").topic();
        AtomicInteger count = new AtomicInteger(1);
        try (TopicOffsets offsets = new TopicOffsets(fixture.kafka().admin(), p -> p.partition() < count.get());
                Admin admin = fixture.kafka().admin()) {
            assertThat(offsets.ends(List.of(topic))).hasSize(1);
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(4))).all().get();
            assertThat(offsets.ends(List.of(topic))).hasSize(1);
            count.set(3);
            assertThat(offsets.ends(List.of(topic))).hasSize(3);
        }
    }

    @Test
    void aTopicThatIsDeletedIsSaidToBeGoneBeforeTheClientHasWaitedForIt() throws Exception {
        String topic = topic("gone").topic();
        try (Admin admin = fixture.kafka().admin(); TopicOffsets offsets = new TopicOffsets(fixture.kafka().admin())) {
            assertThat(offsets.ends(List.of(topic))).hasSize(1);
            admin.deleteTopics(List.of(topic)).all().get();
            // The broker may know it for a moment.
            Throwable first = await().until(() -> catchThrowable(() -> offsets.ends(List.of(topic))), Objects::nonNull);
            assertThat(first).isInstanceOf(UnknownTopicOrPartitionException.class);
        }
    }

    @Test
    void withoutCommittedOffsetsABacklogStartsAtTheLogStart() throws Exception {
        TopicPartition one = topic("one");
        commit(one, new OffsetAndMetadata(3));
        try (TopicTrimmer trimmer = trimmer((topic, partition, below) -> {}, spec(one, handled))) {
            await().until(() -> start(one) == 3);
        }
        try (TopicBacklog topicBacklog = new TopicBacklog(fixture.kafka().admin(), partition -> true)) {
            assertThat(topicBacklog.of("a group whose offsets have expired", one.topic())).isEqualTo(1);
        }
    }
}
