package io.trawl.downloader;

import io.trawl.channel.Topics;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.downloader.frontier.Lane;
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
 * The request topics of one generation: which partition of which topic is which lane. Immutable.
 *
 * @param names by priority
 * @param ids what Kafka calls them, by name
 */
record RequestTopics(List<String> names, Map<String, String> ids) {
    /** @param described what the broker says about them */
    static RequestTopics of(Topics topics, Channels channels, Map<String, TopicDescription> described) {
        Map<String, String> ids = new HashMap<>();
        described.forEach((name, description) -> ids.put(name, description.topicId().toString()));
        return new RequestTopics(topics.requests(channels), Map.copyOf(ids));
    }

    Lane lane(TopicPartition partition) {
        return new Lane(names.indexOf(partition.topic()), partition.partition());
    }

    TopicPartition partition(Lane lane) {
        return new TopicPartition(names.get(lane.priority()), lane.partition());
    }

    LogPartition log(TopicPartition partition) {
        return new LogPartition(partition.topic(), ids.getOrDefault(partition.topic(), ""), partition.partition());
    }

    /** That partition of every priority. */
    List<TopicPartition> all(int partition) {
        return names.stream().map(name -> new TopicPartition(name, partition)).toList();
    }

    /** The partition numbers that are assigned in every priority. */
    Set<Integer> complete(Collection<TopicPartition> assigned) {
        Set<TopicPartition> held = new HashSet<>(assigned);
        Set<Integer> numbers = held.stream().map(TopicPartition::partition).collect(Collectors.toSet());
        numbers.removeIf(k -> !held.containsAll(all(k)));
        return numbers;
    }

}
