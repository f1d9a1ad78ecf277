package io.trawl.downloader.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.telemetry.Outage;
import io.trawl.time.Time;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchExecutorTest {
    private final Outage outage = new Outage("redis");
    private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
    private final List<Throwable> broken = new CopyOnWriteArrayList<>();

    @Test
    void workThatArrivesDuringABatchIsTheNextBatch() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (BatchExecutor<Integer> batchExecutor = new BatchExecutor<>("test", 3, batch -> {
            begun.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            batches.add(batch);
        }, outage, Time.system(), broken::add)) {
            batchExecutor.add(1);
            begun.await();
            IntStream.rangeClosed(2, 6).forEach(batchExecutor::add);
            goOn.countDown();
            await().until(() -> batches.size() == 3);
            assertThat(batches).containsExactly(List.of(1), List.of(2, 3, 4), List.of(5, 6));
        }
    }

    @Test
    void aBatchIsRepeatedUntilRedisIsBack() {
        AtomicBoolean away = new AtomicBoolean(true);
        try (BatchExecutor<Integer> batchExecutor = new BatchExecutor<>("test", 3, batch -> {
            if (away.get()) {
                throw new LedgerUnavailableException("away", new IllegalStateException());
            }
            batches.add(batch);
        }, outage, Time.system(), broken::add)) {
            batchExecutor.add(1);
            await().until(outage::now);
            assertThat(batches).isEmpty();
            away.set(false);
            await().until(() -> batches.equals(List.of(List.of(1))) && !outage.now());
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void anyOtherExceptionIsReported() {
        try (BatchExecutor<Integer> batchExecutor = new BatchExecutor<>("test", 3, batch -> {
            throw new IllegalStateException("a mistake");
        }, outage, Time.system(), broken::add)) {
            batchExecutor.add(1);
            await().until(() -> broken.size() == 1);
        }
    }
}
