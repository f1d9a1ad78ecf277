package io.trawl.channel;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.protocol.Errors;

/**
 * A member that joins a group, gets its share of the partitions, and is never heard of again: a broker that does not
 * count its session keeps it for ever, this one for a minute. Its client is called {@code eviction}.
 */
public final class SilentMember {
    private SilentMember() {}

    /** Joins a group that exists. */
    public static void join(Settings settings, String group, String topic)
            throws InterruptedException, ExecutionException {
        try (Admin admin = new KafkaClients(settings).admin()) {
            admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.GROUP, group),
                    List.of(new AlterConfigOp(new ConfigEntry("consumer.session.timeout.ms", "60000"),
                            AlterConfigOp.OpType.SET))))
                    .all().get();
            Errors answer = new MemberEviction(Map.of("bootstrap.servers", settings.kafka().bootstrapServers())).send(
                    new ConsumerGroupHeartbeatRequestData().setGroupId(group).setMemberId(Uuid.randomUuid().toString())
                            .setMemberEpoch(0).setRebalanceTimeoutMs(60_000).setSubscribedTopicNames(List.of(topic))
                            .setServerAssignor("range").setTopicPartitions(List.of()),
                    requireNonNull(admin.describeConsumerGroups(List.of(group)).all().get().get(group)).coordinator());
            assertThat(answer).isEqualTo(Errors.NONE);
        }
    }
}
