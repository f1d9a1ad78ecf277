package io.trawl.channel;

import io.trawl.control.ControlRecord.Channels;
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

/** Which downloader has a host, by what Kafka says about the members of their group. Thread-safe. */
public final class RequestOwners {
    private static final int LIMIT_MILLIS = 3000;
    private final Admin admin;
    private final Topics topics;

    /** @param admin stays the caller's to close */
    public RequestOwners(Admin admin, Topics topics) {
        this.admin = admin;
        this.topics = topics;
    }

    /**
     * The downloader to which Kafka has given the partition of a server's requests. What it says may be out of date a moment later.
     *
     * @param live among whom it is sought
     * @return empty if it is none of them, or Kafka does not answer within some seconds
     */
    public Optional<MID> owner(HostKey server, Channels channels, Collection<MID> live) throws InterruptedException {
        TopicPartition partition = new TopicPartition(topics.requests(channels.generation(), 0),
                RequestPartitions.of(server, channels));
        Optional<String> client = client(partition);
        return client
                .flatMap(name -> live.stream().filter(mid -> KafkaClients.clientName(mid.toString()).equals(name)).findFirst());
    }

    private Optional<String> client(TopicPartition partition) throws InterruptedException {
        String group = topics.downloaderGroup();
        try {
            ConsumerGroupDescription described = admin
                    .describeConsumerGroups(java.util.List.of(group), new DescribeConsumerGroupsOptions().timeoutMs(LIMIT_MILLIS))
                    .describedGroups().get(group).get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
            return described.members().stream().filter(m -> m.assignment().topicPartitions().contains(partition))
                    .map(MemberDescription::clientId).findFirst();
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            return Optional.empty();
        }
    }
}
