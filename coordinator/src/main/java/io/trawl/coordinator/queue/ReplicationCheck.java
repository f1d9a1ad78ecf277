package io.trawl.coordinator.queue;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.internals.Topic;

/**
 * Finds settings with which a cluster may lose acknowledged records when one of its brokers fails. It reads those in
 * force for each topic of the deployment and for Kafka's topics of offsets and transactions, wherever they are set.
 * Thread-safe.
 *
 * @param admin lent
 */
record ReplicationCheck(Admin admin, String namespace) {
    private static final int NAMED = 3;
    private static final Set<String> OF_KAFKA = Set.of(Topic.GROUP_METADATA_TOPIC_NAME,
            Topic.TRANSACTION_STATE_TOPIC_NAME);
    private static final String ONE_REPLICA = "one replica, which is lost with its broker; give "
            + "the partitions three, and set TRAWL_TOPICS_REPLICATION=3 for topics to come";
    private static final List<UnsafeSetting> UNSAFE = List.of(
            new UnsafeSetting("min.insync.replicas", "1", "so one broker alone may have acknowledged records", "2"),
            new UnsafeSetting("unclean.leader.election.enable", "true",
                    "so a broker without the last acknowledged records may become leader", "false"));

    /** An unsafe value, and a safe one. */
    private record UnsafeSetting(String name, String value, String risk, String safe) {
        Optional<String> fault(Config topic) {
            return Optional.ofNullable(topic.get(name)).filter(entry -> value.equals(entry.value()))
                    .map(entry -> name + "=" + value + ", " + risk + "; set " + safe
                            + (entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG
                                    ? " there"
                                    : " on every broker"));
        }
    }

    /** One sentence for each fault, with the topics that have it; none with a single broker. */
    List<String> notes() throws InterruptedException, ExecutionException {
        if (admin.describeCluster().nodes().get().size() < 2) {
            return List.of();
        }
        Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get().stream()
                .filter(name -> name.startsWith(namespace) || OF_KAFKA.contains(name)).collect(Collectors.toSet());
        Map<String, KafkaFuture<TopicDescription>> descriptions = admin.describeTopics(topics).topicNameValues();
        Map<ConfigResource, KafkaFuture<Config>> configs = admin
                .describeConfigs(
                        topics.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList())
                .values();
        Map<String, Set<String>> topicsByFault = new TreeMap<>();
        for (String topic : topics) {
            faults(requireNonNull(descriptions.get(topic)),
                    requireNonNull(configs.get(new ConfigResource(ConfigResource.Type.TOPIC, topic))))
                    .forEach(fault -> topicsByFault.computeIfAbsent(fault, _ -> new TreeSet<>()).add(topic));
        }
        return topicsByFault.entrySet().stream().map(each -> named(each.getValue()) + " " + each.getKey()).toList();
    }

    /** Nothing is said about a topic of Kafka whose settings the user may not read. */
    private static Stream<String> faults(KafkaFuture<TopicDescription> description, KafkaFuture<Config> config)
            throws InterruptedException, ExecutionException {
        try {
            if (description.get().partitions().stream().anyMatch(partition -> partition.replicas().size() < 2)) {
                return Stream.of(ONE_REPLICA);
            }
            Config values = config.get();
            return UNSAFE.stream().flatMap(unsafe -> unsafe.fault(values).stream());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthorizationException) {
                return Stream.empty();
            }
            throw e;
        }
    }

    private static String named(Set<String> topics) {
        String first = topics.stream().limit(NAMED).collect(Collectors.joining(", "));
        int more = topics.size() - NAMED;
        return (topics.size() == 1
                ? "topic " + first + " has"
                : "topics " + first + (more > 0 ? " and " + more + " more" : "") + " have");
    }
}
