package io.trawl.pipeline.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.pipeline.sink.DeliveryOutcome.NotStored;
import io.trawl.pipeline.sink.DeliveryOutcome.Stored;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SinkCallsTest {
    private static final SinkBatch BATCH = new SinkBatch("docs", "hangs", Map.of(), 0, List.of());

    /** Returns when it is let go, whatever interrupts it. */
    private static final class Hanging implements Sink {
        private final CountDownLatch go = new CountDownLatch(1);
        private volatile int calls;

        @Override
        public String type() {
            return "test.hanging";
        }

        @Override
        public void store(SinkBatch batch) {
            calls = calls + 1;
            while (go.getCount() > 0) {
                try {
                    go.await(1, TimeUnit.MINUTES);
                } catch (InterruptedException e) {
                    // It hangs on.
                }
            }
        }
    }

    @Test
    void aSinkThatHangsFailsAndGetsNoOtherCallUntilItHasReturned() throws Exception {
        SinkCalls calls = new SinkCalls(Duration.ofMillis(50));
        Hanging sink = new Hanging();
        assertThat(calls.store(sink, BATCH)).isEqualTo(new NotStored("no answer within 0 s"));
        assertThat(calls.store(sink, BATCH)).isEqualTo(new NotStored("a call that was given up has not returned yet"));
        assertThat(sink.calls).isEqualTo(1);
        sink.go.countDown();
        await().until(() -> calls.store(sink, BATCH) instanceof Stored);
    }
}
