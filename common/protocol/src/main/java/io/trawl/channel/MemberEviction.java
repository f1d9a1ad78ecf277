package io.trawl.channel;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.clients.NetworkClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatResponse;
import org.apache.kafka.common.utils.LogContext;
import org.apache.kafka.common.utils.Time;

/**
 * Leaves a group in the name of a member whose process has ended, so that the group gives its partitions to others. No
 * public call of Kafka's clients does so for groups of KIP-848, therefore this sends the request of a member that
 * leaves. A member that lives after all learns of it with its next heartbeat, and joins again. Thread-safe.
 */
public final class MemberEviction {
    private static final int ANSWER_MILLIS = 5_000;
    private final Map<String, Object> config;

    /** @param common the addresses of brokers, and how to connect to them */
    MemberEviction(Map<String, Object> common) {
        this.config = Map.copyOf(common);
    }

    /**
     * Takes a member out of a group; does nothing if there is no such member.
     *
     * @param coordinator of the group
     * @throws KafkaException if the broker does not answer within five seconds, or refuses
     */
    public void evict(String group, String member, Node coordinator) {
        Errors error = send(new ConsumerGroupHeartbeatRequestData().setGroupId(group).setMemberId(member)
                .setMemberEpoch(ConsumerGroupHeartbeatRequest.LEAVE_GROUP_MEMBER_EPOCH), coordinator);
        if (error != Errors.UNKNOWN_MEMBER_ID && error != Errors.GROUP_ID_NOT_FOUND) {
            error.maybeThrow();
        }
    }

    /** Sends what a member would. */
    Errors send(ConsumerGroupHeartbeatRequestData heartbeat, Node coordinator) {
        try (Metrics metrics = new Metrics(); NetworkClient client = client(metrics, coordinator)) {
            if (!NetworkClientUtils.awaitReady(client, coordinator, Time.SYSTEM, ANSWER_MILLIS)) {
                throw new TimeoutException("no connection to " + coordinator);
            }
            ClientRequest request = client.newClientRequest(coordinator.idString(),
                    new ConsumerGroupHeartbeatRequest.Builder(heartbeat), Time.SYSTEM.milliseconds(), true);
            return Errors.forCode(((ConsumerGroupHeartbeatResponse) NetworkClientUtils
                    .sendAndReceive(client, request, Time.SYSTEM).responseBody()).data().errorCode());
        } catch (IOException e) {
            throw new KafkaException("no answer from " + coordinator + ": " + e.getMessage(), e);
        }
    }

    private NetworkClient client(Metrics metrics, Node coordinator) {
        return ClientUtils.createNetworkClient(new AdminClientConfig(config), "eviction", metrics, "eviction",
                new LogContext(), new ApiVersions(), Time.SYSTEM, 1, ANSWER_MILLIS,
                new ManualMetadataUpdater(List.of(coordinator)), new DefaultHostResolver());
    }
}
