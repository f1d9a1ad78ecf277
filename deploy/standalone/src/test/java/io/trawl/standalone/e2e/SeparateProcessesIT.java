package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.model.MID;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.KafkaFixture;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A coordinator and two of each worker, each a process of its own, started from the shipped jars; at the end each ends
 * with status 0 after SIGTERM.
 */
class SeparateProcessesIT extends CrawlContract {
    @Override
    RunningFleet start(Path folder) throws IOException {
        return new Fleet(folder.resolve("pages"), Files.createDirectories(folder.resolve("logs")));
    }

    static final class Fleet implements RunningFleet {
        private final KafkaFixture fixture = new KafkaFixture();
        private final Path out;
        private final Processes processes;
        private final List<Process> fleet = new ArrayList<>();
        private final URI address;
        private final CoordinatorClient client;

        Fleet(Path out, Path logs) throws IOException {
            this.out = out;
            this.processes = new Processes(logs);
            int port = FreePort.find();
            fleet.add(processes.start("coordinator", environment(Map.of("TRAWL_HTTP_PORT", Integer.toString(port)))));
            for (int i = 0; i < 2; i++) {
                fleet.add(processes.start("worker-downloader", environment(Map.of())));
                fleet.add(processes.start("worker-analyzer", environment(Map.of())));
                fleet.add(processes.start("worker-pipeline", environment(Map.of())));
            }
            address = URI.create("http://127.0.0.1:" + port);
            client = new CoordinatorClient(address);
        }

        private Map<String, String> environment(Map<String, String> more) {
            Map<String, String> environment = new HashMap<>(Map.of("TRAWL_KAFKA_BOOTSTRAP_SERVERS",
                    fixture.settings().kafka().bootstrapServers(), "TRAWL_REDIS_URL", fixture.settings().redis().url(),
                    "TRAWL_NAMESPACE", fixture.topics().namespace(), "TRAWL_OUT", out.toString(), "TRAWL_ALLOW_NETWORK",
                    "127.0.0.0/8", "TRAWL_DOWNLOADER_BACK_OFF", "50ms", "TRAWL_GRACE", "10s", "TRAWL_LOG_FORMAT",
                    "json"));
            environment.putAll(more);
            return environment;
        }

        @Override
        public CoordinatorClient client() {
            return client;
        }

        @Override
        public URI address() {
            return address;
        }

        @Override
        public KafkaFixture fixture() {
            return fixture;
        }

        @Override
        public Path out() {
            return out;
        }

        @Override
        public String printed() {
            return processes.printed();
        }

        @Override
        public void checkRunning() {
            fleet.forEach(processes::checkRunning);
        }

        @Override
        public void close() throws InterruptedException {
            client.close();
            try (processes) {
                checkRunning();
                for (Process process : fleet.reversed()) {
                    assertThat(processes.terminate(process)).as("exit status of a process after SIGTERM\n%s", printed())
                            .isZero();
                }
                everyLineSaysWhoItIsFrom();
            }
        }

        /** The log of every process names its MID, and the crawl that a line is about. */
        private void everyLineSaysWhoItIsFrom() {
            List<JsonNode> lines = processes.printed().lines().filter(line -> line.startsWith("{")).map(Fleet::json)
                    .toList();
            assertThat(lines).filteredOn(line -> line.at("/formattedMessage").asText().endsWith(" is running"))
                    .hasSameSizeAs(fleet).allSatisfy(line -> assertThat(line.at("/formattedMessage").asText())
                            .contains(MID.parse(line.at("/mid").asText()).toString()));
            assertThat(lines).filteredOn(line -> line.at("/formattedMessage").asText().matches("crawl .* is finished"))
                    .isNotEmpty().allSatisfy(line -> assertThat(line.at("/formattedMessage").asText())
                            .startsWith("crawl " + line.at("/crawl").asText() + "/"));
        }

        private static JsonNode json(String line) {
            try {
                return Json.mapper().readTree(line);
            } catch (JsonProcessingException e) {
                throw new AssertionError("no JSON: " + line, e);
            }
        }
    }
}
