package io.trawl.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.channel.GroupMember.PauseReason;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.ListedControl;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupMemberIT {
    private final KafkaFixture fixture = new KafkaFixture();
    private final String topic = fixture.topics().namespace() + "in";
    private final TopicPartition first = new TopicPartition(topic, 0);
    private final TopicPartition second = new TopicPartition(topic, 1);
    private final Consumer<byte[], byte[]> consumer = fixture.kafka()
            .groupConsumer(fixture.topics().namespace() + "group", "one", 50);
    private final GroupMember member = new GroupMember(consumer, List.of(topic), new ListedControl(), Time.system());
    private final List<String> told = new ArrayList<>();

    private final ConsumerRebalanceListener listener = new ConsumerRebalanceListener() {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            told.add("assigned " + partitions.size());
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            told.add("revoked " + partitions.size());
        }
    };

    @BeforeEach
    void topic() {
        fixture.create(topic, 2);
    }

    @AfterEach
    void close() {
        consumer.close();
    }

    private void joined() {
        member.join(listener);
        await().until(() -> {
            member.poll(true);
            return consumer.assignment().size() == 2;
        });
    }

    @Test
    void aPartitionIsReadWhenNoReasonIsLeftAndNothingHoldsAll() {
        joined();
        member.pause(List.of(first, second), PauseReason.NOT_TAKEN_OVER);
        member.pause(List.of(first), PauseReason.PRIORITY);
        member.resume(List.of(first, second), PauseReason.NOT_TAKEN_OVER);
        assertThat(consumer.paused()).containsExactly(first);
        member.hold(true);
        member.resume(List.of(first), PauseReason.PRIORITY);
        assertThat(consumer.paused()).containsExactlyInAnyOrder(first, second);
        member.pause(List.of(second), PauseReason.AT_LIMIT);
        member.hold(false);
        assertThat(consumer.paused()).containsExactly(second);
        assertThat(member.paused(PauseReason.AT_LIMIT)).containsExactly(second);
    }

    @Test
    void whoLeavesAndJoinsAgainHasNoReasonsOfBefore() {
        joined();
        member.join(listener);
        member.pause(List.of(first), PauseReason.AT_LIMIT);
        member.hold(true);
        member.leave();
        assertThat(member.away()).isTrue();
        assertThat(member.paused(PauseReason.AT_LIMIT)).isEmpty();
        joined();
        assertThat(member.away()).isFalse();
        assertThat(member.held()).isFalse();
        assertThat(consumer.paused()).isEmpty();
        assertThat(told).containsExactly("assigned 2", "revoked 2", "assigned 2");
    }

    @Test
    void aPartitionThatIsNotAssignedIsNeitherPausedNorRemembered() {
        joined();
        TopicPartition other = new TopicPartition(topic, 7);
        member.pause(List.of(other, first), PauseReason.NOT_SERVED);
        member.resume(List.of(other), PauseReason.NOT_SERVED);
        assertThat(member.paused(PauseReason.NOT_SERVED)).isEqualTo(Set.of(first));
        assertThat(consumer.paused()).containsExactly(first);
    }

    @Test
    void itGoesBackToWhatIsCommittedOrKeptOrToTheBeginning() {
        fixture.produce(topic, List.of("a", "b", "c", "d", "e", "f"));
        joined();
        consumer.commitSync(Map.of(first, new OffsetAndMetadata(1)));
        consumer.seek(first, 3);
        consumer.seek(second, 3);
        assertThat(member.seekCommitted(List.of(first, second), (group, forgotten) -> Map.of())).isEmpty();
        assertThat(consumer.position(first)).isEqualTo(1);
        assertThat(consumer.position(second)).isZero();

        Map<TopicPartition, OffsetAndMetadata> kept = Map.of(second, new OffsetAndMetadata(2));
        assertThat(member.seekCommitted(List.of(first, second), (group, forgotten) -> {
            assertThat(forgotten).containsExactly(second);
            return kept;
        })).isEqualTo(kept);
        assertThat(consumer.position(second)).isEqualTo(2);
    }
}
