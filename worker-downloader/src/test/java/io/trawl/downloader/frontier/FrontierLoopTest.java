package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.partition.FrontierLoop;
import io.trawl.time.Time;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class FrontierLoopTest {
    @Test
    void aFrontierIsBehindWhileTenThousandRecordsAreBeforeIt() throws Exception {
        FrontierLoop loop = new FrontierLoop(new World().frontier, Time.system(), (what, problem) -> {
            throw new AssertionError(what, problem);
        });
        CountDownLatch busy = new CountDownLatch(1);
        loop.send(5_000, (_, _) -> {});
        loop.send((_, _) -> await(busy));
        loop.send(5_001, (_, _) -> {});
        assertThat(loop.behind()).isTrue();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            threads.submit(() -> loop.run(_ -> {}));
            busy.countDown();
            loop.ask((_, _) -> true).get();
            assertThat(loop.behind()).isFalse();
            loop.send(10_001, (_, _) -> {});
            loop.stop();
        }
        assertThat(loop.behind()).as("it has taken them all").isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
