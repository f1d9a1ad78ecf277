package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeaderThreadTest {
    private final AtomicInteger wakes = new AtomicInteger();
    private final LeaderThread leader = new LeaderThread(wakes::incrementAndGet);

    @Test
    void aCallWakesTheThreadWhenItIsQueued() {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(leader.call(() -> 7));
            } catch (InterruptedException e) {
                answer.completeExceptionally(e);
            }
        });
        await().until(() -> wakes.get() == 1);
        assertThat(leader.called()).isTrue();
        leader.runQueued();
        assertThat(answer.join()).isEqualTo(7);
        assertThat(leader.called()).isFalse();
    }
}
