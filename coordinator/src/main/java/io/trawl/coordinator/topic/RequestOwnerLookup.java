package io.trawl.coordinator.topic;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.HostPartitioner;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.control.Channels;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the downloader that owns a host, from Kafka's description of the consumer group. Thread-safe.
 *
 * @param admin the caller closes it
 */
public record RequestOwnerLookup(Admin admin, TopicNames topicNames) {
    private static final int LIMIT_MILLIS = 3000;

    /**
     * The downloader that is assigned the partition of a server's requests. The answer may be out of date a moment
     * later.
     *
     * @param live the live downloaders to search
     * @return empty if none of them owns it, or Kafka does not answer within three seconds
     */
    public Optional<MID> owner(HostKey server, Channels channels, Collection<MID> live) throws InterruptedException {
        TopicPartition partition = new TopicPartition(topicNames.requests(channels.generation(), 0),
                HostPartitioner.of(server, channels));
        Optional<String> client = client(partition);
        return client.flatMap(
                name -> live.stream().filter(mid -> KafkaClients.clientName(mid.toString()).equals(name)).findFirst());
    }

    private Optional<String> client(TopicPartition partition) throws InterruptedException {
        String group = topicNames.downloaderGroup();
        try {
            ConsumerGroupDescription described = requireNonNull(admin.describeConsumerGroups(java.util.List.of(group),
                    new DescribeConsumerGroupsOptions().timeoutMs(LIMIT_MILLIS)).describedGroups().get(group))
                    .get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
            return described.members().stream().filter(m -> m.assignment().topicPartitions().contains(partition))
                    .map(MemberDescription::clientId).findFirst();
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            return Optional.empty();
        }
    }
}
