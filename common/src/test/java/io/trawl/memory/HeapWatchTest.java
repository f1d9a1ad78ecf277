package io.trawl.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeapWatchTest {
    private volatile double used;
    private volatile double freed = 1;
    private final ManualTime time = ManualTime.standing();
    private final HeapWatch watch = new HeapWatch(new HeapLoad(() -> used, () -> used = Math.min(used, freed)), time);

    @Test
    void theHeapIsFullAboveNineTenthsAndHasRoomBelowEightTenths() {
        used = 0.9;
        watch.look();
        assertThat(watch.full()).isFalse();
        used = 0.91;
        watch.look();
        assertThat(watch.full()).isTrue();
        used = 0.85;
        watch.look();
        assertThat(watch.full()).isTrue();
        used = 0.79;
        watch.look();
        assertThat(watch.full()).isFalse();
        assertThat(watch.holds()).isEqualTo(1);
    }

    @Test
    void aCollectionShowsAtOnceThatThereIsRoomAgain() {
        used = 1;
        freed = 0.5;
        watch.look();
        assertThat(watch.full()).isTrue();
        watch.look();
        assertThat(watch.full()).as("the second look makes a collection").isFalse();
    }

    @Test
    void itLooksEverySecondUntilItIsClosed() throws InterruptedException {
        watch.start();
        time.awaitPausing(1);
        used = 1;
        assertThat(watch.full()).isFalse();
        time.advance(Duration.ofSeconds(1));
        await().until(watch::full);
        time.awaitPausing(1);
        watch.close();
        await().until(() -> time.pausing() == 0);
    }

    @Test
    void theLoadIsThatOfTheLongLivedObjects() {
        byte[] kept = new byte[32 << 20];
        System.gc();
        assertThat(HeapLoad.ofThisJvm().now() * Runtime.getRuntime().maxMemory()).isBetween((double) kept.length,
                (double) Runtime.getRuntime().maxMemory());
    }
}
