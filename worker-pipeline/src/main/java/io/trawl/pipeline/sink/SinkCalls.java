package io.trawl.pipeline.sink;

import io.trawl.api.ItemsRefusedException;
import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.pipeline.sink.DeliveryOutcome.NotStored;
import io.trawl.pipeline.sink.DeliveryOutcome.Stored;
import io.trawl.pipeline.sink.DeliveryOutcome.StoredInPart;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls sinks, each call in a thread of its own and with a time-out. A call that does not end in time is interrupted
 * and has failed; while it still does not return, its sink gets no other one. Confined to one thread.
 */
public final class SinkCalls {
    private final Duration timeout;
    private final Map<Sink, Thread> late = new IdentityHashMap<>();

    /** @param timeout of a call */
    public SinkCalls(Duration timeout) {
        this.timeout = timeout;
    }

    /** Gives items to a sink. */
    DeliveryOutcome store(Sink sink, SinkBatch batch) throws InterruptedException {
        Thread before = late.get(sink);
        if (before != null && before.isAlive()) {
            return new NotStored("a call that was given up has not returned yet");
        }
        late.remove(sink);
        CompletableFuture<DeliveryOutcome> outcome = new CompletableFuture<>();
        Thread call = Thread.ofVirtual().name("sink " + sink.type())
                .unstarted(() -> outcome.complete(outcome(sink, batch)));
        call.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        call.start();
        try {
            return outcome.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            call.interrupt();
            late.put(sink, call);
            return new NotStored("no answer within " + timeout.toSeconds() + " s");
        } catch (InterruptedException e) {
            call.interrupt();
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DeliveryOutcome outcome(Sink sink, SinkBatch batch) {
        try {
            sink.store(batch);
            return new Stored();
        } catch (ItemsRefusedException e) {
            return new StoredInPart(e.reasons());
        } catch (Exception | StackOverflowError | LinkageError | AssertionError e) {
            return new NotStored(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }
}
