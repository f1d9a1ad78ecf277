package io.trawl.coordinator;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.Topics;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.model.InvalidValue;
import io.trawl.time.Time;
import io.trawl.settings.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the topics of a deployment, once; those that exist stay as they are, but for a larger limit of record sizes. Several coordinators may do it at
 * the same time.
 */
final class TopicMaker {
    /** The generation of the request topics that a deployment begins with. */
    static final int FIRST_GENERATION = 1;
    private static final Logger LOG = LoggerFactory.getLogger(TopicMaker.class);
    private static final String AUTO_CREATE = "auto.create.topics.enable";
    private static final String SESSION = "group.consumer.session.timeout.ms";
    private static final String RECORD_SIZE = "max.message.bytes";
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
    private static final long SLOW_SESSION = 45_000;
    private static final Map<String, String> KEPT = Map.of("retention.ms", "-1", "retention.bytes", "-1", "cleanup.policy",
            "delete");
    private static final Map<String, String> BOUNDED = Map.of("retention.ms", Long.toString(Duration.ofDays(7).toMillis()),
            "retention.bytes",
            Long.toString(256L << 20), "cleanup.policy", "delete");
    private static final Map<String, String> COMPACTED = Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.1",
            "segment.ms",
            Long.toString(Duration.ofHours(1).toMillis()), "delete.retention.ms", Long.toString(Duration.ofDays(1).toMillis()));
    private final Settings settings;
    private final Topics topics;
    private final Admin admin;
    private final Time time;

    /** @param admin lent */
    TopicMaker(Settings settings, Topics topics, Admin admin, Time time) {
        this.settings = settings;
        this.topics = topics;
        this.admin = admin;
        this.time = time;
    }

    /**
     * Looks at the broker and makes what is missing.
     *
     * @throws InvalidValue if the broker makes topics by itself (a deleted topic would come back without anybody reading it), or a number of levels or
     *         partitions breaks its rule
     * @throws InvalidReplicationFactorException if there are fewer brokers than copies, which may change
     */
    void prepare() throws InterruptedException {
        int levels = settings.topics().levels();
        if (levels < 1 || levels > 10) {
            throw new InvalidValue("TRAWL_TOPICS_LEVELS", Integer.toString(levels), "1 to 10");
        }
        lookAtBroker();
        List<NewTopic> wanted = wanted();
        // `control` comes last: where it exists, all others do.
        Set<String> created = create(wanted.subList(0, wanted.size() - 1));
        created.addAll(create(wanted.subList(wanted.size() - 1, wanted.size())));
        for (NewTopic topic : wanted) {
            if (!created.contains(topic.name()) && topic.configs().containsKey(RECORD_SIZE)) {
                raiseRecordSize(topic.name());
            }
        }
        awaitVisible(wanted.stream().map(NewTopic::name).toList());
    }

    private void lookAtBroker() throws InterruptedException {
        Map<String, String> broker;
        try {
            int node = get(() -> admin.describeCluster().nodes().get()).iterator().next().id();
            broker = configOf(new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(node)));
        } catch (AuthorizationException e) {
            LOG.warn("the broker's settings may not be read: make sure that {} is false", AUTO_CREATE);
            return;
        }
        if ("true".equals(broker.get(AUTO_CREATE))) {
            throw new InvalidValue(AUTO_CREATE, "true",
                    "false on every broker: a topic that was deleted must not come back by itself");
        }
        String session = broker.getOrDefault(SESSION, "0");
        if (Long.parseLong(session) >= SLOW_SESSION) {
            LOG.warn(
                    "the broker has {}={}: after a crash it takes that long until others go on; 6000 is better (see README, Kafka settings)",
                    SESSION,
                    session);
        }
    }

    private List<NewTopic> wanted() throws InterruptedException {
        List<NewTopic> wanted = new ArrayList<>();
        // Request topics are made once: later ones are another generation.
        wanted.add(topic(topics.seeds(), 1, KEPT));
        Channels channels = new Channels(1, FIRST_GENERATION, settings.topics().levels(), settings.topics().requestPartitions());
        if (!exists(topics.control())) {
            topics.requests(channels).forEach(name -> wanted.add(topic(name, channels.partitions(), KEPT)));
        }
        Map<String, String> large = new HashMap<>(KEPT);
        large.put(RECORD_SIZE, Integer.toString(KafkaClients.largestRecord(settings)));
        wanted.add(topic(topics.responses(), settings.topics().responsePartitions(), large));
        wanted.add(topic(topics.items(), settings.topics().itemPartitions(), large));
        wanted.add(topic(topics.ledger(), settings.topics().ledgerPartitions(), KEPT));
        wanted.add(topic(topics.errors(), 1, BOUNDED));
        wanted.add(topic(topics.events(), 1, BOUNDED));
        wanted.add(topic(topics.control(), 1, COMPACTED));
        return wanted;
    }

    private NewTopic topic(String name, int partitions, Map<String, String> configuration) {
        short replication = settings.topics().replication();
        Map<String, String> all = new HashMap<>(configuration);
        if (replication >= 3) {
            all.put("min.insync.replicas", "2");
        }
        all.put("unclean.leader.election.enable", "false");
        return new NewTopic(name, Optional.of(partitions), replication < 1 ? Optional.empty() : Optional.of(replication))
                .configs(all);
    }

    private boolean exists(String topic) throws InterruptedException {
        return get(() -> admin.listTopics().names().get()).contains(topic);
    }

    /** @return those that did not exist */
    private Set<String> create(List<NewTopic> wanted) throws InterruptedException {
        Map<String, KafkaFuture<Void>> answers = admin.createTopics(wanted).values();
        Set<String> created = new HashSet<>();
        for (NewTopic topic : wanted) {
            try {
                get(() -> answers.get(topic.name()).get());
                created.add(topic.name());
                LOG.info("topic {} with {} partitions", topic.name(), topic.numPartitions());
            } catch (TopicExistsException e) {
                LOG.debug("topic {} exists", topic.name());
            } catch (InvalidReplicationFactorException e) {
                // Fewer brokers than copies: the others may be about to start. It is an InvalidConfigurationException by its type alone.
                throw e;
            } catch (InvalidConfigurationException e) {
                throw new InvalidValue("topic " + topic.name(), topic.configs().toString(),
                        "settings that the broker takes: " + e.getMessage());
            }
        }
        return created;
    }

    /** A topic is known to its controller a moment before each broker knows it. */
    private void awaitVisible(List<String> names) throws InterruptedException {
        while (true) {
            try {
                get(() -> admin.describeTopics(names).allTopicNames().get());
                return;
            } catch (UnknownTopicOrPartitionException e) {
                time.pause(LOOK_AGAIN);
            }
        }
    }

    /** A body limit that was raised since must not make a topic refuse what fits the limit. */
    private void raiseRecordSize(String topic) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        int needed = KafkaClients.largestRecord(settings);
        if (Long.parseLong(configOf(resource).getOrDefault(RECORD_SIZE, "0")) < needed) {
            AlterConfigOp larger = new AlterConfigOp(new ConfigEntry(RECORD_SIZE, Integer.toString(needed)),
                    AlterConfigOp.OpType.SET);
            get(() -> admin.incrementalAlterConfigs(Map.of(resource, Set.of(larger))).all().get());
        }
    }

    private Map<String, String> configOf(ConfigResource resource) throws InterruptedException {
        Config config = get(() -> admin.describeConfigs(List.of(resource)).all().get()).get(resource);
        Map<String, String> values = new HashMap<>();
        config.entries().stream().filter(e -> e.value() != null).forEach(e -> values.put(e.name(), e.value()));
        return values;
    }

    private interface Call<T> {
        T run() throws ExecutionException, InterruptedException;
    }

    private static <T> T get(Call<T> call) throws InterruptedException {
        try {
            return call.run();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
        }
    }
}
