package io.trawl.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trawl.embedded.EmbeddedServerException.DataFolderInUseException;
import io.trawl.embedded.EmbeddedServerException.PortTakenException;
import io.trawl.embedded.EmbeddedServers.EmbeddedOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.management.ObjectName;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

class EmbeddedServersIT {
    @TempDir
    private Path temp;

    @Test
    void keepTheDataInTheFolder() throws Exception {
        String cluster;
        try (EmbeddedServers servers = EmbeddedServers.start(temp)) {
            cluster = servers.kafka().clusterId();
            create(servers.kafka(), "t");
            write(servers.kafka(), "t", "one");
            try (Jedis redis = new Jedis(URI.create(servers.redis().url()))) {
                redis.set("a", "1");
            }
        }
        try (EmbeddedServers servers = EmbeddedServers.start(temp);
                Jedis redis = new Jedis(URI.create(servers.redis().url()))) {
            assertThat(servers.kafka().clusterId()).isEqualTo(cluster);
            assertThat(read(servers.kafka(), "t", 1)).containsExactly("one");
            assertThat(redis.get("a")).isEqualTo("1");
        }
    }

    @Test
    void startOnAnotherPortIfAProgramTakesTheFirstOneMeanwhile() throws Exception {
        Path ports = Files.createDirectories(temp.resolve("kafka")).resolve("ports.properties");
        CompletableFuture<ServerSocket> other = CompletableFuture.supplyAsync(() -> {
            await().pollInterval(Duration.ofMillis(1)).until(() -> new StablePorts(ports).known("controller") != 0);
            try {
                return new ServerSocket(new StablePorts(ports).known("kafka"), 1, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try (EmbeddedKafka kafka = EmbeddedKafka.start(temp.resolve("kafka"), 0); ServerSocket taken = other.join()) {
            assertThat(kafka.bootstrapServers()).doesNotEndWith(":" + taken.getLocalPort());
            create(kafka, "t");
            write(kafka, "t", "one");
            assertThat(read(kafka, "t", 1)).containsExactly("one");
        }
    }

    @Test
    void keepTheirAddressesAcrossARestart() throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(temp)) {
            String kafka = servers.kafka().bootstrapServers();
            create(servers.kafka(), "t");
            write(servers.kafka(), "t", "one");
            servers.kafka().restart();
            servers.redis().restart();
            assertThat(servers.kafka().bootstrapServers()).isEqualTo(kafka);
            write(servers.kafka(), "t", "two");
            assertThat(read(servers.kafka(), "t", 2)).containsExactly("one", "two");
        }
    }

    @Test
    void moveToOtherPortsIfTheirPortsAreInUse() throws Exception {
        Path kafkaFolder = temp.resolve("kafka");
        int port;
        int controller;
        try (EmbeddedKafka kafka = EmbeddedKafka.start(kafkaFolder, 0)) {
            create(kafka, "t");
            write(kafka, "t", "one");
            port = new StablePorts(kafkaFolder.resolve("ports.properties")).known("kafka");
            controller = new StablePorts(kafkaFolder.resolve("ports.properties")).known("controller");
        }
        try (ServerSocket first = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                ServerSocket second = new ServerSocket(controller, 1, InetAddress.getLoopbackAddress());
                EmbeddedKafka kafka = EmbeddedKafka.start(kafkaFolder, 0)) {
            assertThat(kafka.bootstrapServers()).doesNotEndWith(":" + first.getLocalPort())
                    .doesNotEndWith(":" + second.getLocalPort());
            assertThat(read(kafka, "t", 1)).containsExactly("one");
        }
    }

    @Test
    void haveARecordOnDiskBeforeItIsAcknowledged() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(temp.resolve("kafka"), 0)) {
            create(kafka, "t");
            write(kafka, "t", "one");
            long before = flushes();
            for (int i = 0; i < 5; i++) {
                write(kafka, "t", "more");
                assertThat(flushes()).isGreaterThan(before + i);
            }
        }
    }

    /** How often the broker has forced a log to disk. */
    private static long flushes() throws Exception {
        return (Long) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("kafka.log:type=LogFlushStats,name=LogFlushRateAndTimeMs"), "Count");
    }

    @Test
    void refuseAFolderInUse() {
        try (EmbeddedServers servers = EmbeddedServers.start(temp)) {
            assertThatThrownBy(() -> EmbeddedServers.start(servers.data()))
                    .isInstanceOf(DataFolderInUseException.class);
        }
    }

    @Test
    void refuseAPortInUse() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            EmbeddedOptions options = EmbeddedOptions.in(temp).forOthers(0, other.getLocalPort());
            assertThatThrownBy(() -> EmbeddedServers.start(options)).isInstanceOf(PortTakenException.class);
        }
        try (DataFolder free = DataFolder.open(temp)) {
            assertThat(free.path()).isDirectory();
        }
    }

    @Test
    void recoverFromAKilledRun() throws Exception {
        Path data = temp.resolve("data");
        Path ready = temp.resolve("ready");
        KilledProcess run = KilledProcess.start(HoldServers.class, data, ready);
        assertThatThrownBy(() -> EmbeddedServers.start(data)).isInstanceOf(DataFolderInUseException.class);
        ProcessHandle child = redisOf(data);
        run.kill();
        await().until(() -> !child.isAlive());

        try (EmbeddedServers servers = EmbeddedServers.start(data);
                Jedis redis = new Jedis(URI.create(servers.redis().url()))) {
            assertThat(redis.ping()).isEqualTo("PONG");
            write(servers.kafka(), "t", "after");
            // The open transaction, whose time-out is ten minutes, would block it.
            assertThat(read(servers.kafka(), "t", 2)).containsExactly("committed", "after");
        }
    }

    @Test
    void sayWhyTheBrokerEndsTheProcessAndLeaveNoChild() throws Exception {
        Path data = temp.resolve("data");
        KilledProcess run = KilledProcess.start(HoldServers.class, data, temp.resolve("ready"));
        ProcessHandle child = redisOf(data);
        Path log = data.toRealPath().resolve("kafka").resolve("log");
        Files.move(log, log.resolveSibling("gone"));
        assertThat(run.process().waitFor(KilledProcess.LIMIT)).isTrue();
        assertThat(run.process().exitValue()).isEqualTo(BrokerEnd.STATUS);
        assertThat(Files.readString(run.log()))
                .contains("the embedded Kafka broker has ended: nothing can be written to " + log
                        + " (it cannot be created there");
        await().until(() -> !child.isAlive());
    }

    /** The redis-server of a run in another process. */
    private static ProcessHandle redisOf(Path data) {
        return new PropertiesFile(data.resolve("redis").resolve("process.properties")).get("process")
                .flatMap(words -> ProcessHandle.of(Long.parseLong(words.split(" ")[0]))).orElseThrow();
    }

    private static void create(EmbeddedKafka kafka, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
    }

    private static void write(EmbeddedKafka kafka, String topic, String value) {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id",
                "writer");
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings, new StringSerializer(),
                new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, value));
            producer.commitTransaction();
        }
    }

    private static List<String> read(EmbeddedKafka kafka, String topic, int count) {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level",
                "read_committed");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings, new StringDeserializer(),
                new StringDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            await().until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(r -> values.add(r.value()));
                return values.size() >= count;
            });
        }
        return values;
    }
}
