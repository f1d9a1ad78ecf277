package io.trawl.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the broker while many transactions are being committed. With Kafka 4.3.0 to 4.4.0 this test fails within a few
 * rounds (KAFKA-20734).
 */
class KilledBrokerIT {
    private static final int ROUNDS = 2;
    @TempDir
    private Path temp;

    @Test
    void leavesNoTransactionThatBlocksConsumersForEver() throws Exception {
        Path data = temp.resolve("data");
        for (int round = 1; round <= ROUNDS; round++) {
            Path ready = temp.resolve("ready-" + round);
            KilledProcess run = KilledProcess.start(CommitForever.class, data, ready);
            await().pollDelay(Duration.ofMillis(800L + 130L * round)).until(() -> true);
            run.assertAlive();
            run.kill();
            try (EmbeddedServers servers = EmbeddedServers.start(data);
                    Admin admin = Admin.create(Map.of("bootstrap.servers", servers.kafka().bootstrapServers()))) {
                assertThat(ends(admin, IsolationLevel.READ_UNCOMMITTED).values())
                        .as("written before the kill in round " + round).allMatch(end -> end > 0);
                await().alias("round " + round)
                        .untilAsserted(() -> assertThat(ends(admin, IsolationLevel.READ_COMMITTED))
                                .isEqualTo(ends(admin, IsolationLevel.READ_UNCOMMITTED)));
            }
        }
    }

    private static Map<Integer, Long> ends(Admin admin, IsolationLevel isolation)
            throws ExecutionException, InterruptedException {
        List<TopicPartition> partitions = IntStream.range(0, CommitForever.PARTITIONS)
                .mapToObj(p -> new TopicPartition(CommitForever.TOPIC, p)).toList();
        Map<TopicPartition, ListOffsetsResultInfo> found = admin
                .listOffsets(partitions.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest())),
                        new ListOffsetsOptions(isolation))
                .all().get();
        Map<Integer, Long> ends = new HashMap<>();
        found.forEach((partition, end) -> ends.put(partition.partition(), end.offset()));
        return ends;
    }
}
