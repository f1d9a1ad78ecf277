package io.trawl.coordinator;

import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.settings.SettingsReader;
import io.trawl.time.Time;
import io.trawl.worker.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * A coordinator in a JVM of its own that waits right before it writes that a crawl is in some state, as long as a file of that name is there. The code that
 * runs is the shipped one: what it writes to Kafka goes through an interceptor that waits.
 *
 * <p>Argument: settings as a JSON object.
 */
final class HeldCoordinator {
    /** In the place of a state: a crawl is deleted. */
    static final String DELETED = "DELETED";
    private static final String FOLDER = "held.folder";

    private HeldCoordinator() {}

    /** @param folder for the files, and for what the process prints */
    static Process start(Path folder, Map<String, String> properties) throws IOException {
        Path config = folder.resolve("held.properties");
        Files.writeString(config, "interceptor.classes=" + Watched.class.getName() + "\n");
        Map<String, String> all = new HashMap<>(properties);
        all.put("trawl.kafka.config-file", config.toString());
        List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx192m",
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
                "-D" + FOLDER + "=" + folder, "-cp", System.getProperty("java.class.path"), HeldCoordinator.class.getName(),
                Json.text(all));
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile())).start();
    }

    /** As long as this file is there, coordinators wait before they write that a crawl is in this state. */
    static Path hold(Path folder, String state) {
        return folder.resolve("hold-" + state);
    }

    /** Is there when one waits. */
    static Path held(Path folder, String state) {
        return folder.resolve("held-" + state);
    }

    public static void main(String[] args) throws IOException {
        Map<String, String> properties = new HashMap<>();
        Json.mapper().readTree(args[0]).properties().forEach(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
        WorkerMain.run(Coordinator.factory(), () -> SettingsReader.from(properties));
    }

    /** Sees every record before it is sent. Kafka makes it, for consumers too. */
    public static final class Watched
            implements
                ProducerInterceptor<byte[], byte[]>,
                ConsumerInterceptor<byte[], byte[]> {
        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            if (record.topic().endsWith("control") && record.value() != null) {
                state(Codec.control(record.value())).ifPresent(Watched::await);
            }
            return record;
        }

        private static Optional<String> state(ControlRecord record) {
            return switch (record) {
                case CrawlStatus status -> Optional.of(status.state().name());
                case Deleted deleted -> Optional.of(DELETED);
                default -> Optional.empty();
            };
        }

        private static void await(String state) {
            Path folder = Path.of(System.getProperty(FOLDER));
            try {
                if (Files.exists(hold(folder, state))) {
                    Files.createFile(held(folder, state));
                }
                while (Files.exists(hold(folder, state))) {
                    Time.system().pause(Duration.ofMillis(10));
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }
}
