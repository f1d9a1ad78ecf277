package io.trawl.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.trawl.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.Metadata.LeaderAndEpoch;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.internals.AutoOffsetResetStrategy;
import org.apache.kafka.clients.consumer.internals.SubscriptionState;
import org.apache.kafka.clients.consumer.internals.SubscriptionState.FetchPosition;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.LogContext;
import org.junit.jupiter.api.Test;

/** The exceptions of Kafka's consumer for a partition that it does not own; this needs no broker. */
class GroupMembershipTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private final Consumer<byte[], byte[]> consumer = new KafkaClients(
            SettingsReader.from(Map.of("trawl.kafka.bootstrap-servers", "127.0.0.1:1"))).groupConsumer("g", "m", 1);

    @Test
    void aLostPartitionMeansExpelled() {
        try (consumer) {
            assertThat(GroupMembership.whileMember(() -> consumer.seek(PARTITION, 0))).isFalse();
            assertThat(GroupMembership.whileMember(() -> consumer.pause(List.of(PARTITION)))).isFalse();
            assertThat(GroupMembership.whileMember(() -> consumer.position(PARTITION, Duration.ZERO))).isFalse();
        }
    }

    /**
     * The client's own state of partitions, since only the client's thread can take one away in the middle of a poll.
     */
    @Test
    void aPartitionThatIsAssignedAgainInTheMiddleOfAPollMeansExpelled() {
        SubscriptionState state = new SubscriptionState(new LogContext(), AutoOffsetResetStrategy.NONE);
        state.assignFromUser(Set.of(PARTITION));
        FetchPosition next = new FetchPosition(1, Optional.empty(), LeaderAndEpoch.noLeaderOrEpoch());
        assertThat(GroupMembership.whileMember(() -> state.position(PARTITION, next))).isFalse();
    }

    @Test
    void aGroupThatTheBrokerHasForgottenIsKnownByAHeartbeatAndByACommit() {
        assertThat(GroupMembership.forgotten(new IllegalStateException(new GroupIdNotFoundException("not found"))))
                .isTrue();
        assertThat(GroupMembership
                .forgotten(new KafkaException("Unexpected error in commit: " + Errors.GROUP_ID_NOT_FOUND.message())))
                .isTrue();
        assertThat(GroupMembership
                .forgotten(new KafkaException("Unexpected error in commit: " + Errors.UNKNOWN_SERVER_ERROR.message())))
                .isFalse();
    }

    @Test
    void anyOtherMisuseOfTheConsumerIsThrown() {
        consumer.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> GroupMembership.whileMember(() -> consumer.seek(PARTITION, 0)))
                .withMessageContaining("closed");
    }
}
