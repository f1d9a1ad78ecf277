package io.trawl.coordinator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.coordinator.queue.QueueWatch.BacklogReading;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueueWatchTest {
    private static final BacklogReading READING = new BacklogReading(Instant.EPOCH, List.of(1004L, 3L), List.of(), 40,
            6, 9, 5);

    @Test
    void whatWaitsIsNotMoreThanTheRequestsWithoutAnAnswer() {
        assertThat(READING.byChannel((priority, _) -> Optional.of(priority == 0 ? 970L : 12L)))
                .isEqualTo(Map.of("requests.p0", 970L, "requests.p1", 3L, "responses", 40L, "items", 6L));
    }

    @Test
    void whileTheLedgerIsCountedTheOffsetsStand() {
        assertThat(READING.byChannel((_, _) -> Optional.empty())).containsEntry("requests.p0", 1004L);
    }
}
