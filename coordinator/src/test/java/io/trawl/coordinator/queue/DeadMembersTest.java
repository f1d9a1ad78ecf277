package io.trawl.coordinator.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.coordinator.queue.DeadMembers.Evicted;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadMembersTest {
    private static final Evicted ONCE = new Evicted("a1-host-80", "trawl.analyzer", Instant.EPOCH);
    private static final Evicted FIRST = new Evicted("d1-host-80", "trawl.downloader", Instant.EPOCH);
    private static final Evicted AGAIN = new Evicted("d1-host-80", "trawl.downloader", Instant.EPOCH.plusSeconds(30));

    @Test
    void aMemberThatComesBackIsSaidToLiveAndToUseAnotherRedis() {
        assertThat(DeadMembers.texts(List.of(FIRST, ONCE))).allMatch(text -> text.contains("its process has ended"));
        assertThat(DeadMembers.texts(List.of(FIRST, ONCE, AGAIN))).hasSize(2)
                .anyMatch(text -> text.startsWith("d1-host-80 joins") && text.contains("TRAWL_REDIS_URL"))
                .anyMatch(text -> text.startsWith("Kafka kept a1-host-80"));
    }
}
