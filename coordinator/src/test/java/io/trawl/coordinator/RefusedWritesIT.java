package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.Counts;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.text.FleetText;
import io.trawl.coordinator.text.Screen;
import io.trawl.embedded.EmbeddedRedis;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.testkit.TestServers;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What processes cannot tell, since Redis takes no more writes or is away, and what they tell. */
class RefusedWritesIT {
    private static final String FULL = "Redis refuses writes: memory is full \\([0-9.]+ MB used, limit 0\\.0 MB\\)";
    @TempDir
    private Path folder;

    @Test
    void aFullRedisIsNamedInTheSummaryInHealthAndInErrorsAndNoProcessIsCalledMissing() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start(folder, 0);
                Fleet fleet = new Fleet(Map.of("trawl.redis.url", redis.url(), "trawl.lease", "3s"))) {
            Worker coordinator = fleet.leader();
            assertThat(fleet.ask(coordinator, "GET", "/health/ready", "").status()).isEqualTo(200);
            set(redis, "maxmemory 1");
            await().until(() -> fleet.ask(coordinator, "GET", "/health/ready", "").status() == 503);
            JsonNode ready = Json.read(
                    fleet.ask(coordinator, "GET", "/health/ready", "").body().getBytes(StandardCharsets.UTF_8),
                    JsonNode.class);
            assertThat(ready.at("/state/detail").asText()).matches(FULL);
            // Also when the last registration has expired.
            await().until(() -> summary(fleet, coordinator).modules().isEmpty());
            FleetSummary full = summary(fleet, coordinator);
            assertThat(status(full)).anyMatch(line -> line.matches(FULL + "\\. .*"));
            assertThat(full.missing()).isEmpty();
            assertThat(full.leader()).contains(coordinator.mid());
            await().until(
                    () -> fleet.ask(coordinator, "GET", "/api/v1/errors", "").body().contains("REDIS_REFUSES_WRITES"));
            set(redis, "maxmemory 0");
            await().until(() -> summary(fleet, coordinator).notes().isEmpty());
            assertThat(summary(fleet, coordinator).modules()).hasSize(1);
            assertThat(fleet.ask(coordinator, "GET", "/health/ready", "").status()).isEqualTo(200);
        }
    }

    @Test
    void aTopicThatIsDeletedWhileRedisIsFullIsMadeAgainAndItsLossIsOnRecordOnce() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start(folder, 0);
                Fleet fleet = new Fleet(Map.of("trawl.redis.url", redis.url(), "trawl.lease", "3s"))) {
            Worker coordinator = fleet.leader();
            fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
            fleet.theRequest();
            set(redis, "maxmemory 1");
            await().until(() -> fleet.ask(coordinator, "GET", "/health/ready", "").status() == 503);
            fleet.deleteAndAwait(fleet.kafka.topics().requests(1, 1));
            set(redis, "maxmemory 0");
            KafkaLoss loss = await().until(() -> fleet.control().stream().filter(KafkaLoss.class::isInstance)
                    .map(KafkaLoss.class::cast).filter(KafkaLoss::repaired).findFirst(), Optional::isPresent)
                    .orElseThrow();
            assertThat(loss.cuts()).hasSize(1);
        }
    }

    @Test
    void aLeaderWhoseRedisIsAwayIsNotReadyAndSaysSo() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start(folder, 0);
                Fleet fleet = new Fleet(Map.of("trawl.redis.url", redis.url(), "trawl.lease", "3s"))) {
            Worker coordinator = fleet.leader();
            redis.kill();
            await().until(() -> fleet.ask(coordinator, "GET", "/health/ready", ""),
                    answer -> answer.status() == 503 && answer.body().contains("it has not answered for "));
            redis.start();
            await().until(() -> fleet.ask(coordinator, "GET", "/health/ready", "").status() == 200);
        }
    }

    @Test
    void whatProcessesNoteOfThemselvesIsANoteOfTheFleetAndOneLineForAllThatSayTheSame() throws Exception {
        try (Fleet fleet = new Fleet();
                RedisModuleStore modules = RedisModuleStore.connect(RedisServers.at(TestServers.shared().redisUrl()),
                        fleet.kafka.topics().namespace(), Time.system())) {
            Worker coordinator = fleet.leader();
            for (String mid : List.of("D1|127.0.0.1:9", "D2|127.0.0.1:9")) {
                modules.registrar().register(
                        new Registration(MID.parse(mid), 0, new Counts(0, 0, 0, 0, 0, 0), Instant.EPOCH, Map.of(),
                                Phase.RUNNING).noting(List.of("its clock is 2h ahead of that of Kafka"), Map.of()),
                        Duration.ofMinutes(5));
            }
            assertThat(status(summary(fleet, coordinator)))
                    .containsOnlyOnce("D1|127.0.0.1:9, D2|127.0.0.1:9: its clock is 2h ahead of that of Kafka");
        }
    }

    /** What {@code ./trawl status} prints. */
    private static List<String> status(FleetSummary fleet) {
        return FleetText.atAGlance(fleet, Optional.empty(), Screen.FILE);
    }

    private static FleetSummary summary(Fleet fleet, Worker coordinator) throws Exception {
        return Json.read(fleet.ask(coordinator, "GET", "/api/v1/summary", "").body().getBytes(StandardCharsets.UTF_8),
                FleetSummary.class);
    }

    private static void set(EmbeddedRedis redis, String setting) throws IOException {
        URI url = URI.create(redis.operatorUrl());
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.getOutputStream().write(
                    ("AUTH " + url.getUserInfo().replace(':', ' ') + "\r\nCONFIG SET " + setting + "\r\nQUIT\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("+OK\r\n+OK\r\n");
        }
    }
}
