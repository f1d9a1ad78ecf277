package io.trawl.downloader.partition;

import io.trawl.channel.TopicNames;
import io.trawl.control.Channels;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.ledger.LogPartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * Maps the request topics of one generation to request partitions. Immutable.
 *
 * @param names by priority
 * @param ids Kafka's topic ids, by name
 * @param partitions of each topic that carry requests, by {@code control}; the broker may have more
 */
public record RequestTopics(List<String> names, Map<String, String> ids, int partitions) {
    /** @param described the broker's descriptions of the topics */
    public static RequestTopics of(TopicNames topicNames, Channels channels, Map<String, TopicDescription> described) {
        Map<String, String> ids = new HashMap<>();
        described.forEach((name, description) -> ids.put(name, description.topicId().toString()));
        return new RequestTopics(topicNames.requests(channels), Map.copyOf(ids), channels.partitions());
    }

    RequestPartition requestPartition(TopicPartition partition) {
        return new RequestPartition(names.indexOf(partition.topic()), partition.partition());
    }

    public TopicPartition partition(RequestPartition requestPartition) {
        return new TopicPartition(names.get(requestPartition.priority()), requestPartition.partition());
    }

    public LogPartition log(TopicPartition partition) {
        return new LogPartition(partition.topic(), ids.getOrDefault(partition.topic(), ""), partition.partition());
    }

    /** That partition of every priority. */
    List<TopicPartition> all(int partition) {
        return names.stream().map(name -> new TopicPartition(name, partition)).toList();
    }

    /** The partition numbers that carry requests and are assigned in every priority. */
    Set<Integer> complete(Collection<TopicPartition> assigned) {
        Set<TopicPartition> held = new HashSet<>(assigned);
        Set<Integer> numbers = held.stream().map(TopicPartition::partition).collect(Collectors.toSet());
        numbers.removeIf(k -> k >= partitions || !held.containsAll(all(k)));
        return numbers;
    }

}
