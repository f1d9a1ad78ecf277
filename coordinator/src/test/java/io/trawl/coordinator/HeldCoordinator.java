package io.trawl.coordinator;

import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.settings.Settings;
import io.trawl.testkit.SendInterceptor;
import io.trawl.testkit.TestJvm;
import io.trawl.time.Time;
import io.trawl.worker.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A coordinator in a JVM of its own that waits right before it writes a certain state of a crawl, as long as a file of
 * that name exists. It runs the shipped code; an interceptor of its Kafka producers waits.
 *
 * <p>
 * Argument: settings as a JSON object.
 */
final class HeldCoordinator {
    /** Used like a state: the crawl is deleted. */
    static final String DELETED = "DELETED";
    private static final String FOLDER = "held.folder";

    private HeldCoordinator() {}

    /** @param folder for the files and the output of the process */
    static Process start(Path folder, Map<String, String> properties) throws IOException {
        Map<String, String> watched = SendInterceptor.watching(Watched.class, folder, properties);
        return TestJvm
                .of(HeldCoordinator.class, List.of("-D" + FOLDER + "=" + folder), List.of(TestJvm.argument(watched)))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile())).start();
    }

    /** As long as this file exists, coordinators wait before they write this state of a crawl. */
    static Path hold(Path folder, String state) {
        return folder.resolve("hold-" + state);
    }

    /** Exists when a coordinator waits. */
    static Path held(Path folder, String state) {
        return folder.resolve("held-" + state);
    }

    public static void main(String[] args) throws IOException {
        Settings settings = TestJvm.settings(args[0]);
        WorkerMain.run(Coordinator.factory(), () -> settings);
    }

    /** Waits before a state is written. */
    public static final class Watched extends SendInterceptor {
        @Override
        protected void beforeSend(ProducerRecord<byte[], byte[]> record) {
            if (record.topic().endsWith("control") && record.value() != null) {
                state(Codec.control(record.value())).ifPresent(Watched::await);
            }
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
    }
}
