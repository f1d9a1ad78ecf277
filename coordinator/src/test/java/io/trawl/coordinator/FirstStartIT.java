package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A coordinator whose broker does not meet its needs. */
class FirstStartIT {
    private final ManualTime time = ManualTime.standing();

    @Test
    void aCoordinatorWaitsUntilThereAreAsManyBrokersAsReplicas() throws Exception {
        KafkaFixture fixture = new KafkaFixture(Map.of("trawl.topics.replication", "3"));
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread preparing = preparing(fixture, ended);
        try {
            await().until(() -> time.pausing() == 1 || ended.isDone());
            time.advance(Duration.ofSeconds(1));
            await().until(() -> time.pauses().size() == 2 || ended.isDone());
            assertThat(ended).isNotDone();
        } finally {
            preparing.interrupt();
            preparing.join();
        }
    }

    private Thread preparing(KafkaFixture fixture, CompletableFuture<Void> ended) {
        return Thread.ofVirtual().start(() -> {
            try {
                Coordinator.factory().prepare(fixture.settings(), fixture.topics(), fixture.kafka(), time);
                ended.complete(null);
            } catch (RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
    }
}
