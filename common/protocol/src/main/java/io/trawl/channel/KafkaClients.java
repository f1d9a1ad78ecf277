package io.trawl.channel;

import io.trawl.channel.PartitionCounts.CountedPartitioner;
import io.trawl.memory.HeapShares;
import io.trawl.settings.Settings;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Future;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Creates Kafka clients with the settings that the protocol needs. Keys and values are bytes everywhere; the codecs
 * give them meaning. Thread-safe. docs/adr/0011-consumer-settings.md gives the reasons for the numbers.
 */
public final class KafkaClients {
    private static final int REQUEST_HEADROOM = 1 << 20;
    private static final int SEEKER_FETCH = 128 << 10;
    private final Map<String, Object> common;
    private final int largestRecord;
    private final HeapShares shares;
    private final PartitionCounts counts;
    private final Optional<SharedAdmin> shared;

    /** @param settings the broker's address and the largest body */
    public KafkaClients(Settings settings) {
        this(settings, HeapShares.ofThisJvm());
    }

    private KafkaClients(KafkaClients other, PartitionCounts counts, Optional<SharedAdmin> shared) {
        this.common = other.common;
        this.largestRecord = other.largestRecord;
        this.shares = other.shares;
        this.counts = counts;
        this.shared = shared;
    }

    /** The same, but producers write only to the partitions that these counts have. */
    public KafkaClients counting(PartitionCounts partitionCounts) {
        return new KafkaClients(this, partitionCounts, shared);
    }

    /**
     * The same, but {@link #admin} is one client, which ends with {@link #close}: each client costs a thread and a
     * connection, and asks the broker by itself which brokers there are.
     */
    public KafkaClients sharingAdmin() {
        return new KafkaClients(this, counts, Optional.of(new SharedAdmin(adminSettings())));
    }

    /** Ends the shared client for topics, groups and offsets; does not wait for answers. */
    public void close() {
        shared.ifPresent(SharedAdmin::end);
    }

    /** It stays open when one of its users closes it. */
    private static final class SharedAdmin extends ForwardingAdmin {
        SharedAdmin(Map<String, Object> config) {
            super(config);
        }

        @Override
        public void close(Duration timeout) {
            // The others use it.
        }

        void end() {
            super.close(Duration.ZERO);
        }
    }

    /** @param shares bound what each client holds in memory */
    KafkaClients(Settings settings, HeapShares shares) {
        this.shares = shares;
        // By default each client registers its figures with JMX and asks the broker whether it wants them: time at
        // every start and end.
        Map<String, Object> base = new HashMap<>(Map.of(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "",
                CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false));
        settings.kafka().configFile().ifPresent(file -> base.putAll(fromFile(file)));
        base.put("bootstrap.servers", settings.kafka().bootstrapServers());
        base.put("reconnect.backoff.max.ms", 1000);
        this.common = Map.copyOf(base);
        this.largestRecord = largestRecord(settings);
        this.counts = PartitionCounts.unknown(new TopicNames(settings.namespace()));
        this.shared = Optional.empty();
    }

    /** The largest record that any topic must accept: a whole body and its description. */
    public static int largestRecord(Settings settings) {
        return settings.downloader().bodyLimit() + REQUEST_HEADROOM;
    }

    /** A client for topics, groups and offsets; its user closes it. */
    public Admin admin() {
        return shared.<Admin>map(admin -> admin).orElseGet(() -> Admin.create(adminSettings()));
    }

    private Map<String, Object> adminSettings() {
        Map<String, Object> config = new HashMap<>(common);
        config.put(AdminClientConfig.RETRY_BACKOFF_MS_CONFIG, 10);
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 30_000);
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        return config;
    }

    /** Takes members out of groups whose processes have ended. */
    public MemberEviction eviction() {
        return new MemberEviction(common);
    }

    /**
     * A member of a group, by the new protocol with the {@code range} assignor, so that equal partition numbers of all
     * its topics go to one member. Reads only committed records, begins at the earliest record, has no automatic
     * commits.
     *
     * @param clientId for the broker's logs: the MID
     */
    public Consumer<byte[], byte[]> groupConsumer(String group, String clientId, int maxPollRecords) {
        return groupConsumer(group, clientId, maxPollRecords, Duration.ofMillis(500));
    }

    /**
     * The same.
     *
     * @param wait how long a fetch waits for records: for as long, the close waits, and a partition is not read that
     * comes, goes on after a pause, or has another position
     */
    public Consumer<byte[], byte[]> groupConsumer(String group, String clientId, int maxPollRecords, Duration wait) {
        Map<String, Object> config = reader(clientId, maxPollRecords);
        config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        config.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "consumer");
        config.put(ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG, "range");
        config.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 120_000);
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, Math.toIntExact(wait.toMillis()));
        return consumer(config);
    }

    /** A reader outside any group, for topics that every process reads whole. Reads only committed records. */
    public Consumer<byte[], byte[]> reader(String clientId) {
        return consumer(wholeTopics(clientId));
    }

    /**
     * The same for a topic of which no record may be missed: it throws
     * {@link org.apache.kafka.clients.consumer.OffsetOutOfRangeException} if the record at its position is deleted.
     */
    public Consumer<byte[], byte[]> completeReader(String clientId) {
        Map<String, Object> config = wholeTopics(clientId);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        return consumer(config);
    }

    private Map<String, Object> wholeTopics(String clientId) {
        Map<String, Object> config = reader(clientId, 500);
        config.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20_000);
        return config;
    }

    /**
     * A reader that reads whole logs as fast as it can, of the partitions that its user assigns. It does not join the
     * group, which it needs to commit offsets in transactions. Reads only committed records.
     */
    public Consumer<byte[], byte[]> bulkReader(String group, String clientId) {
        Map<String, Object> config = reader(clientId, 20_000);
        config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        config.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "consumer");
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 50);
        return consumer(config);
    }

    /**
     * A reader outside any group for single records at known offsets: it fetches little at a time, but at least one
     * batch. Reads only committed records.
     */
    public Consumer<byte[], byte[]> seeker(String clientId) {
        Map<String, Object> config = reader(clientId, 1000);
        config.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, SEEKER_FETCH);
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
        return consumer(config);
    }

    private Map<String, Object> reader(String clientId, int maxPollRecords) {
        Map<String, Object> config = new HashMap<>(common);
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, clientName(clientId));
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, maxPollRecords);
        config.put(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG, 10);
        config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, shares.fetch());
        return config;
    }

    private Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new BoundedConsumer(config, new PollBudget(shares.poll()));
    }

    /**
     * A producer whose records become visible together or not at all. {@code initTransactions} is not called yet.
     *
     * @param transactionalId a producer that initialises the same id fences this one
     */
    public Producer<byte[], byte[]> transactionalProducer(String transactionalId) {
        Map<String, Object> config = writer(transactionalId);
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        config.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 15_000);
        return new KafkaProducer<>(config);
    }

    /**
     * A record that a producer has taken. A caller that sends several stops at the first failure: the producer waits
     * for the metadata of the topic, or for memory, once for each record.
     *
     * @throws KafkaException if it has not
     */
    public static Future<RecordMetadata> taken(Future<RecordMetadata> sent) {
        if (sent.state() == Future.State.FAILED) {
            throw sent.exceptionNow() instanceof KafkaException kafka ? kafka : new KafkaException(sent.exceptionNow());
        }
        return sent;
    }

    /** A producer without transactions: every record is acknowledged by itself, by all in-sync replicas. */
    public Producer<byte[], byte[]> producer(String clientId) {
        return new KafkaProducer<>(writer(clientId));
    }

    private Map<String, Object> writer(String clientId) {
        Map<String, Object> config = new HashMap<>(common);
        config.put(ProducerConfig.CLIENT_ID_CONFIG, clientName(clientId));
        config.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        config.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        config.put(ProducerConfig.LINGER_MS_CONFIG, 20);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
        config.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 10);
        config.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, 15_000);
        config.put(ProducerConfig.METADATA_MAX_AGE_CONFIG, 30_000);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 8_000);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, largestRecord);
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, shares.unsent(largestRecord));
        config.put(ProducerConfig.PARTITIONER_CLASS_CONFIG, CountedPartitioner.class);
        config.put(CountedPartitioner.COUNTS, counts);
        return config;
    }

    /** The client id for an id of a process. */
    public static String clientName(String id) {
        return id.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9._-]", "-");
    }

    private static Map<String, Object> fromFile(Path file) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(in);
        } catch (IOException e) {
            throw new io.trawl.model.InvalidValueException("TRAWL_KAFKA_CONFIG_FILE", file.toString(),
                    "a readable properties file (" + e.getMessage() + ")");
        }
        Map<String, Object> map = new HashMap<>();
        properties.forEach((key, value) -> map.put(key.toString(), value));
        return map;
    }
}
