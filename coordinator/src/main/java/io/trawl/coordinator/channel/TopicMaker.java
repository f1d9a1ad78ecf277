package io.trawl.coordinator.channel;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TopicSpec;
import io.trawl.channel.TopicSpec.Retention;
import io.trawl.control.Channels;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the missing topics of a deployment from the table {@link TopicSpec}, and aligns the configuration of the
 * existing ones. Several coordinators may do this at the same time.
 *
 * @param admin lent
 */
public record TopicMaker(Settings settings, TopicNames topicNames, Admin admin, Time time) {
    private static final Logger LOG = LoggerFactory.getLogger(TopicMaker.class);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
    /** Every broker knows a topic by then, unless it is deleted again. */
    private static final Duration KNOWN = Duration.ofSeconds(30);

    /**
     * Checks the broker and creates the missing topics.
     *
     * @throws InvalidValueException if the broker creates topics automatically (a deleted topic would be recreated), or
     * the number of levels or partitions is not valid
     * @throws InvalidReplicationFactorException if there are fewer brokers than replicas, which may be temporary
     * @throws BrokerNotAvailableException if no broker is ready, which is temporary
     */
    public void prepare() throws InterruptedException {
        int levels = settings.topics().levels();
        if (levels < 1 || levels > 10) {
            throw new InvalidValueException("TRAWL_TOPICS_LEVELS", Integer.toString(levels), "1 to 10");
        }
        new BrokerConfigs(admin).check();
        Set<String> existing = BrokerCall.get(() -> admin.listTopics().names().get());
        List<TopicSpec> specs = TopicSpec.all(topicNames, settings.topics(), requests(existing));
        List<TopicSpec> missing = specs.stream().filter(spec -> !existing.contains(spec.name())).toList();
        // `control` is created last: if it exists, so do all others.
        Set<String> created = create(missing.stream().filter(spec -> !spec.name().equals(topicNames.control()))
                .map(this::newTopic).toList());
        created.addAll(create(missing.stream().filter(spec -> spec.name().equals(topicNames.control()))
                .map(this::newTopic).toList()));
        awaitVisible(specs.stream().map(TopicSpec::name).toList());
        align(specs.stream().filter(spec -> !created.contains(spec.name())).toList());
    }

    /**
     * Creates those of these topics that do not exist, for sinks: as many partitions as items, the largest records, and
     * the retention that the broker gives, or the newest record of each key for a sink that upserts.
     *
     * @param sinks all are topics
     * @throws KafkaException with the reason, if one cannot be created
     */
    public void makeForSinks(Collection<SinkDefinition> sinks) throws InterruptedException {
        Set<String> existing = BrokerCall.get(() -> admin.listTopics().names().get());
        Map<String, NewTopic> missing = new LinkedHashMap<>();
        for (SinkDefinition sink : sinks) {
            sink.topic().filter(name -> !existing.contains(name))
                    .ifPresent(name -> missing.putIfAbsent(name, forSink(name, sink)));
        }
        if (!missing.isEmpty()) {
            create(List.copyOf(missing.values()));
            awaitVisible(List.copyOf(missing.keySet()));
        }
    }

    private NewTopic forSink(String name, SinkDefinition sink) {
        Map<String, String> configs = new HashMap<>(sink.upserts() ? Map.of("cleanup.policy", "compact") : Map.of());
        configs.put(TopicSpec.RECORD_SIZE, Integer.toString(KafkaClients.largestRecord(settings)));
        configs.put(TopicSpec.TIMESTAMPS, TopicSpec.BROKER_TIME);
        return newTopic(name, settings.topics().itemPartitions(), configs);
    }

    /** Request topics are created once, before `control`: later ones belong to another generation. */
    private Collection<String> requests(Set<String> existing) {
        if (existing.contains(topicNames.control())) {
            return existing.stream().filter(topicNames::isRequests).toList();
        }
        return IntStream.range(0, settings.topics().levels())
                .mapToObj(priority -> topicNames.requests(Channels.FIRST_GENERATION, priority)).toList();
    }

    /**
     * Creates the topics that somebody has deleted, with the partitions that {@code control} names.
     *
     * @return their names; not that of one which only the asked broker did not know yet
     */
    public List<String> restore(Channels channels) throws InterruptedException {
        Set<String> existing = BrokerCall.get(() -> admin.listTopics().names().get());
        Map<String, Integer> counts = Map.of(topicNames.responses(), channels.readResponses(), topicNames.items(),
                channels.readItems(), topicNames.ledger(), channels.readLedger());
        List<TopicSpec> missing = Stream
                .concat(TopicSpec.all(topicNames, settings.topics(), List.of()).stream()
                        .map(spec -> new TopicSpec(spec.name(), counts.getOrDefault(spec.name(), spec.partitions()),
                                spec.retention(), spec.bodies())),
                        channels.waiting().stream().flatMap(of -> TopicSpec.requests(topicNames, of).stream()))
                .filter(spec -> !existing.contains(spec.name())).toList();
        return List.copyOf(make(missing));
    }

    /** Creates these topics, as far as they do not exist, and waits until they are visible. @return what it created */
    Set<String> make(List<TopicSpec> specs) throws InterruptedException {
        Set<String> created = create(specs.stream().map(this::newTopic).toList());
        awaitVisible(specs.stream().map(TopicSpec::name).toList());
        return created;
    }

    /** Adds partitions to a topic, unless it has so many, and waits until they are visible. */
    void grow(String topic, int partitions) throws InterruptedException {
        int before = partitions(topic);
        if (before >= partitions) {
            return;
        }
        LOG.info("adding partitions to topic {}: it will have {}", topic, partitions);
        try {
            BrokerCall
                    .get(() -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions))).all().get());
        } catch (InvalidPartitionsException e) {
            LOG.debug("another process has added partitions to topic {}: {}", topic, e.getMessage());
        }
        known(() -> {
            if (partitions(topic) < partitions) {
                throw new UnknownTopicOrPartitionException("topic " + topic + " lacks the added partitions");
            }
            return topic;
        });
        awaitLeaders(partitions(topic, before, partitions));
    }

    private int partitions(String topic) throws InterruptedException {
        return requireNonNull(
                BrokerCall.get(() -> admin.describeTopics(List.of(topic)).allTopicNames().get()).get(topic))
                .partitions().size();
    }

    private NewTopic newTopic(TopicSpec spec) {
        return newTopic(spec.name(), spec.partitions(), spec.configs(settings));
    }

    private NewTopic newTopic(String name, int partitions, Map<String, String> more) {
        short replication = settings.topics().replication();
        Map<String, String> configs = new HashMap<>(more);
        if (replication >= 3) {
            configs.put("min.insync.replicas", "2");
        }
        configs.put("unclean.leader.election.enable", "false");
        return new NewTopic(name, Optional.of(partitions),
                replication < 1 ? Optional.empty() : Optional.of(replication)).configs(configs);
    }

    /** @return the topics that this call created */
    private Set<String> create(List<NewTopic> wanted) throws InterruptedException {
        Map<String, KafkaFuture<Void>> answers = admin.createTopics(wanted).values();
        Set<String> created = new HashSet<>();
        for (NewTopic topic : wanted) {
            try {
                BrokerCall.get(() -> requireNonNull(answers.get(topic.name())).get());
                created.add(topic.name());
                LOG.info("topic {} with {} partitions", topic.name(), topic.numPartitions());
            } catch (TopicExistsException e) {
                LOG.debug("topic {} exists", topic.name());
            } catch (InvalidReplicationFactorException e) {
                // Fewer brokers than replicas: the others may be starting. It extends InvalidConfigurationException,
                // but is temporary.
                throw e;
            } catch (InvalidConfigurationException e) {
                throw new InvalidValueException("topic " + topic.name(), topic.configs().toString(),
                        "settings that the broker accepts: " + e.getMessage());
            }
        }
        awaitLeaders(wanted, created);
        return created;
    }

    /**
     * Sets the configuration of the table on existing topics: too short a retention loses pages, segments that are too
     * large are never deleted, and after the body limit was raised, a topic must accept records of that size. The
     * maximum size of records is only raised. Topics of bounded retention keep the operator's settings.
     */
    private void align(List<TopicSpec> existing) throws InterruptedException {
        Map<ConfigResource, TopicSpec> specs = existing.stream()
                .filter(spec -> !(spec.retention() instanceof Retention.Bounded)).collect(Collectors
                        .toMap(spec -> new ConfigResource(ConfigResource.Type.TOPIC, spec.name()), spec -> spec));
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
        new BrokerConfigs(admin).of(specs.keySet()).forEach((resource, actual) -> {
            Map<String, String> wanted = requireNonNull(specs.get(resource)).configs(settings);
            wanted.entrySet().removeIf(config -> suffices(config.getKey(), config.getValue(), actual));
            if (!wanted.isEmpty()) {
                LOG.info("topic {}: setting {}", resource.name(), wanted);
                changes.put(resource,
                        wanted.entrySet().stream()
                                .map(config -> new AlterConfigOp(new ConfigEntry(config.getKey(), config.getValue()),
                                        AlterConfigOp.OpType.SET))
                                .toList());
            }
        });
        BrokerCall.get(() -> admin.incrementalAlterConfigs(changes).all().get());
    }

    private static boolean suffices(String key, String wanted, Map<String, String> actual) {
        String value = actual.getOrDefault(key, "");
        return value.equals(wanted) || key.equals(TopicSpec.RECORD_SIZE) && !value.isEmpty()
                && Long.parseLong(value) >= Long.parseLong(wanted);
    }

    private void awaitVisible(List<String> names) throws InterruptedException {
        known(() -> admin.describeTopics(names).allTopicNames().get());
    }

    /**
     * A broker knows that it leads a new partition before it can write to it. If it refuses the first batch of a
     * producer and accepts the second one, it refuses the first one until the producer gives up, since that is out of
     * order. The end of a log is known when the partition can be written.
     */
    private void awaitLeaders(Stream<TopicPartition> made) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = made
                .collect(Collectors.toMap(partition -> partition, _ -> OffsetSpec.latest()));
        if (!ends.isEmpty()) {
            known(() -> admin.listOffsets(ends).all().get());
        }
    }

    /**
     * The controller knows a topic shortly before every broker does, and one broker before another one.
     *
     * @throws UnknownTopicOrPartitionException if a broker does not know it after some time
     */
    private void known(BrokerCall<?> call) throws InterruptedException {
        for (long since = time.nanos();; time.pause(LOOK_AGAIN)) {
            try {
                BrokerCall.get(call);
                return;
            } catch (UnknownTopicOrPartitionException e) {
                if (time.nanos() - since >= KNOWN.toNanos()) {
                    throw e;
                }
            }
        }
    }

    private void awaitLeaders(Collection<NewTopic> topics, Set<String> created) throws InterruptedException {
        awaitVisible(List.copyOf(created));
        awaitLeaders(topics.stream().filter(topic -> created.contains(topic.name()))
                .flatMap(topic -> partitions(topic.name(), 0, topic.numPartitions())));
    }

    private static Stream<TopicPartition> partitions(String topic, int from, int to) {
        return IntStream.range(from, to).mapToObj(partition -> new TopicPartition(topic, partition));
    }
}
