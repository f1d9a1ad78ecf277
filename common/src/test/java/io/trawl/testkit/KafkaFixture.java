package io.trawl.testkit;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A namespace of its own on the test JVM's real broker and redis-server, with methods that create topics and read their
 * records. Every fixture is independent of every other.
 */
public final class KafkaFixture {
    private final Admin admin;
    private final TopicNames topicNames;
    private final Settings settings;
    private final KafkaClients kafka;

    /** A fresh namespace. */
    public KafkaFixture() {
        this(Map.of());
    }

    /** A fresh namespace with more settings, with names such as {@code trawl.downloader.concurrency}. */
    public KafkaFixture(Map<String, String> more) {
        this(TestServers.shared(), more);
    }

    /** A fresh namespace on these servers. */
    public KafkaFixture(TestServers servers, Map<String, String> more) {
        this(servers, new TopicNames("t" + UUID.randomUUID().toString().substring(0, 8) + "."), more);
        if (admin.equals(servers.admin())) {
            ConservationLaw.holdsFor(this);
        }
    }

    private KafkaFixture(TestServers servers, TopicNames topicNames, Map<String, String> more) {
        this.topicNames = topicNames;
        Map<String, String> all = new HashMap<>(Map.of("trawl.kafka.bootstrap-servers", servers.bootstrapServers(),
                "trawl.redis.url", servers.redisUrl(), "trawl.namespace", topicNames.namespace()));
        all.putAll(more);
        settings = SettingsReader.from(all);
        kafka = new KafkaClients(settings);
        String bootstrapServers = settings.kafka().bootstrapServers();
        // A test may have a broker of its own.
        admin = bootstrapServers.equals(servers.bootstrapServers())
                ? servers.admin()
                : TestServers.admin(bootstrapServers);
    }

    /** The same namespace for a process with other settings. */
    public KafkaFixture with(Map<String, String> other) {
        return new KafkaFixture(TestServers.shared(), topicNames, other);
    }

    /** Asks the broker; it is never closed. */
    Admin admin() {
        return admin;
    }

    /** The names of topics and groups in this namespace. */
    public TopicNames topics() {
        return topicNames;
    }

    /** The settings of a process in this namespace. */
    public Settings settings() {
        return settings;
    }

    /** Creates clients of the broker. */
    public KafkaClients kafka() {
        return kafka;
    }

    /**
     * Creates a topic with these configuration values and returns its name. Waits while the broker is not ready: on a
     * busy machine its heartbeats are late, and the controller fences it for a moment; and until all partitions can be
     * written: a producer whose first batch is refused and whose second one is not waits in vain.
     */
    public String create(String topic, int partitions, Map<String, String> config) {
        NewTopic wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(config);
        await().until(() -> {
            try {
                admin.createTopics(List.of(wanted)).all().get();
                return true;
            } catch (ExecutionException e) {
                if (e.getCause() instanceof InvalidReplicationFactorException) {
                    return false;
                }
                throw new IllegalStateException("cannot create " + topic + ": " + e.getCause(), e);
            }
        });
        highWaterMarks(IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList());
        return topic;
    }

    /** Creates a topic and returns its name. */
    public String create(String topic, int partitions) {
        return create(topic, partitions, Map.of());
    }

    /** Changes configuration values of a topic. */
    public void configure(String topic, Map<String, String> config) {
        List<AlterConfigOp> changes = config.entrySet().stream()
                .map(e -> new AlterConfigOp(new ConfigEntry(e.getKey(), e.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        try {
            admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), changes)).all()
                    .get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("cannot configure " + topic, e);
        }
    }

    /** The configuration values of a topic. */
    public Map<String, String> configuration(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            return requireNonNull(admin.describeConfigs(List.of(resource)).all().get().get(resource)).entries().stream()
                    .collect(Collectors.toMap(ConfigEntry::name, e -> Optional.ofNullable(e.value()).orElse("")));
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("no configuration of " + topic, e);
        }
    }

    /**
     * A producer for what a test writes by itself. It gives up later than those of the product, whose writers try
     * again: a busy machine may keep the broker from answering for ten seconds. Its {@code flush} fails for a record
     * that was not written.
     */
    public Producer<byte[], byte[]> producer() {
        int limit = 60_000;
        return new CheckedProducer(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.kafka().bootstrapServers(),
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, limit, ProducerConfig.MAX_BLOCK_MS_CONFIG, limit,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG, KafkaClients.largestRecord(settings),
                ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4"));
    }

    private static final class CheckedProducer extends KafkaProducer<byte[], byte[]> {
        private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

        CheckedProducer(Map<String, Object> config) {
            super(config, new ByteArraySerializer(), new ByteArraySerializer());
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> sent) {
            return send(sent, (where, failure) -> {
                if (failure != null) {
                    failures.add(failure);
                }
            });
        }

        @Override
        public void flush() {
            super.flush();
            if (!failures.isEmpty()) {
                throw new IllegalStateException("not written: " + failures);
            }
        }
    }

    /** Writes texts to a topic, each with its number as key, and waits until they are acknowledged. */
    public void produce(String topic, List<String> values) {
        try (Producer<byte[], byte[]> producer = producer()) {
            for (int i = 0; i < values.size(); i++) {
                producer.send(new ProducerRecord<>(topic, bytes(Integer.toString(i)), bytes(values.get(i))));
            }
            producer.flush();
        }
    }

    /**
     * All committed records of a topic, partition by partition. Waits for transactions that are decided but whose
     * markers are not yet written: a commit returns before its markers are written, and until then a reader of
     * committed records does not see it.
     */
    public List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        try (Consumer<byte[], byte[]> reader = kafka.seeker("fixture")) {
            List<TopicPartition> partitions = reader.partitionsFor(topic).stream()
                    .map(p -> new TopicPartition(topic, p.partition())).toList();
            reader.assign(partitions);
            reader.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = highWaterMarks(partitions);
            List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
            Instant last = Instant.now().plus(TestTimeouts.LIMIT);
            while (partitions.stream().anyMatch(p -> reader.position(p) < requireNonNull(ends.get(p)))) {
                if (Instant.now().isAfter(last)) {
                    throw new IllegalStateException("a transaction is still open in " + topic);
                }
                reader.poll(Duration.ofMillis(50)).forEach(found::add);
            }
            return found;
        }
    }

    /** The high-water marks of partitions; asks again while the broker cannot answer. */
    public Map<TopicPartition, Long> highWaterMarks(List<TopicPartition> partitions) {
        Instant last = Instant.now().plus(TestTimeouts.LIMIT);
        while (true) {
            try {
                return admin
                        .listOffsets(partitions.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest())))
                        .all().get().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
            } catch (ExecutionException | InterruptedException e) {
                if (!(e.getCause() instanceof RetriableException) || Instant.now().isAfter(last)) {
                    throw new IllegalStateException("no ends of " + partitions + ": " + e.getCause(), e);
                }
            }
        }
    }

    /** The values of all committed records of a topic as texts. */
    public List<String> values(String topic) {
        return records(topic).stream().map(r -> new String(r.value(), StandardCharsets.UTF_8)).toList();
    }

    /** The committed offset of a group for a partition. */
    public Optional<OffsetAndMetadata> committed(String group, TopicPartition partition) {
        return Optional.ofNullable(committed(group).get(partition));
    }

    /** The committed offsets of a group; partitions without a commit are missing. */
    public Map<TopicPartition, OffsetAndMetadata> committed(String group) {
        try {
            return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("no offsets of " + group, e);
        }
    }

    /** UTF-8. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
