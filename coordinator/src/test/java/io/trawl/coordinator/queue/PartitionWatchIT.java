package io.trawl.coordinator.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.model.PolitenessKey;
import io.trawl.testkit.KafkaCluster;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionWatchIT {
    private final ManualTime time = ManualTime.standing();

    private static PartitionCounts topics(KafkaFixture fixture) {
        TopicNames names = fixture.topics();
        for (String topic : List.of(names.requests(1, 0), names.responses(), names.items(), names.ledger(),
                names.seeds())) {
            fixture.create(topic, 1);
        }
        return new PartitionCounts(names, () -> Optional.of(ChannelsBuilder.builder().version(1).generation(1).levels(1)
                .partitions(1).politeness(PolitenessKey.HOST).responses(1).items(1).ledger(1).build()));
    }

    @Test
    void addedPartitionsAndIdleMembersAreNamedWithinAMinute() throws Exception {
        KafkaFixture fixture = new KafkaFixture();
        PartitionCounts counts = topics(fixture);
        TopicNames names = fixture.topics();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (PartitionWatch watch = new PartitionWatch(fixture.kafka().admin(), counts, time, meters);
                Consumer<byte[], byte[]> one = fixture.kafka().groupConsumer(names.analyzerGroup(), "a-1", 10);
                Consumer<byte[], byte[]> two = fixture.kafka().groupConsumer(names.analyzerGroup(), "a-2", 10);
                Admin admin = fixture.kafka().admin()) {
            watch.start();
            time.awaitPausing(1);
            assertThat(watch.notes()).isEmpty();
            admin.createPartitions(Map.of(names.ledger(), NewPartitions.increaseTo(3))).all().get();
            // A producer that knows one partition writes all records to that one.
            await().until(() -> requireNonNull(
                    admin.describeTopics(List.of(names.ledger())).allTopicNames().get().get(names.ledger()))
                    .partitions().size() == 3);
            fixture.produce(names.ledger(), List.of("a", "b", "c", "d", "e", "f", "g", "h"));
            one.subscribe(List.of(names.responses()));
            two.subscribe(List.of(names.responses()));
            await().until(() -> {
                one.poll(Duration.ofMillis(100));
                two.poll(Duration.ofMillis(100));
                time.advance(Duration.ofMinutes(1));
                return watch.notes().size() == 2;
            });
            assertThat(watch.notes().getFirst())
                    .startsWith("topic " + names.ledger() + " has 3 partitions: 1 carry records")
                    .contains("another program");
            assertThat(watch.notes().getLast())
                    .containsPattern("^a-[12] stands idle: the group .* 2 members for 1 partitions$");
            assertThat(meters.get("trawl.queue.partitions.unused").gauge().value()).isEqualTo(2);
        }
    }

    @Test
    void settingsOfSeveralBrokersThatMayLoseRecordsAreNamedUntilTheyAreSafe(@TempDir Path folder) throws Exception {
        try (KafkaCluster cluster = new KafkaCluster(folder, 2, Map.of("default.replication.factor", "2",
                "min.insync.replicas", "1", "offsets.topic.replication.factor", "1"))) {
            KafkaFixture fixture = new KafkaFixture(
                    Map.of("trawl.kafka.bootstrap-servers", cluster.bootstrapServers()));
            PartitionCounts counts = topics(fixture);
            TopicNames names = fixture.topics();
            fixture.configure(names.items(), Map.of("unclean.leader.election.enable", "true"));
            try (PartitionWatch watch = new PartitionWatch(fixture.kafka().admin(), counts, time,
                    new SimpleMeterRegistry());
                    Consumer<byte[], byte[]> member = fixture.kafka().groupConsumer(names.analyzerGroup(), "a-1", 10)) {
                member.subscribe(List.of(names.responses()));
                await().until(() -> !member.poll(Duration.ofMillis(100)).isEmpty() || !member.assignment().isEmpty());
                watch.start();
                time.awaitPausing(1);
                String shared = "topics " + names.items() + ", " + names.ledger() + ", " + names.requests(1, 0)
                        + " and 2 more have ";
                assertThat(watch.notes()).containsExactly(shared
                        + "min.insync.replicas=1, so one broker alone may have acknowledged records; set 2 on every broker",
                        "topic __consumer_offsets has one replica, which is lost with its broker; give the partitions "
                                + "three, and set TRAWL_TOPICS_REPLICATION=3 for topics to come",
                        "topic " + names.items()
                                + " has unclean.leader.election.enable=true, so a broker without the last "
                                + "acknowledged records may become leader; set false there");
                fixture.configure(names.items(), Map.of("unclean.leader.election.enable", "false"));
                await().until(() -> {
                    time.advance(Duration.ofMinutes(1));
                    return watch.notes().size() == 2;
                });
            }
        }
    }
}
