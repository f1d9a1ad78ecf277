package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.KafkaException;
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

    @Test
    void aCallThatIsNotBegunInTimeChangesNothingAndSaysSo() {
        assertThatThrownBy(() -> leader.call(() -> 7, Duration.ofMillis(50))).isInstanceOf(KafkaException.class)
                .hasMessageContaining("nothing is changed, try again later");
        assertThat(leader.called()).isFalse();
    }

    @Test
    void aCallThatIsBegunAndNotDoneInTimeSaysThatItMayBeDoneLater() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch answers = new CountDownLatch(1);
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(leader.call(() -> {
                    begun.countDown();
                    answers.await();
                    return 7;
                }, Duration.ofSeconds(1)));
            } catch (InterruptedException | RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
        await().until(leader::called);
        Thread.ofVirtual().start(leader::runQueued);
        begun.await();
        assertThatThrownBy(answer::join).hasCauseInstanceOf(KafkaException.class)
                .hasMessageContaining("the change is made when it answers");
        answers.countDown();
    }
}
