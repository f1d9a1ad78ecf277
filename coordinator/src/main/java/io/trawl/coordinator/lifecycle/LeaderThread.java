package io.trawl.coordinator.lifecycle;

import io.trawl.model.Durations;
import io.trawl.channel.WriterFencedException;
import io.trawl.http.Caller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;

/**
 * The queue of calls for the leader's thread, which alone changes state: other threads queue calls and wait, and the
 * leader's thread runs them between two polls. One object per term. Thread-safe; only the leader's thread may use
 * {@link #runQueued}.
 */
public final class LeaderThread {
    /** Less than clients wait for an answer, so that they learn the reason. */
    static final Duration PATIENCE = Duration.ofSeconds(45);
    private final LinkedBlockingQueue<Call<?>> queued = new LinkedBlockingQueue<>();
    private final Runnable wake;
    private volatile boolean ended;

    /** @param wake called after each call that is queued, so that the thread looks soon; must not block */
    public LeaderThread(Runnable wake) {
        this.wake = wake;
    }

    /** This coordinator does not lead. */
    public static final class NotLeadingException extends RuntimeException {
        public NotLeadingException() {
            super("this coordinator does not lead");
        }
    }

    private record Call<T>(Callable<T> decision, CompletableFuture<T> answer) {
        void run() {
            try {
                answer.complete(decision.call());
            } catch (WriterFencedException e) {
                refuse();
                throw e;
            } catch (InterruptedException e) {
                refuse();
                Thread.currentThread().interrupt();
            } catch (Exception e) {
                answer.completeExceptionally(e);
            }
        }

        void refuse() {
            answer.completeExceptionally(new NotLeadingException());
        }
    }

    /**
     * Runs a decision on the leader's thread, as caused by the caller of this one, and waits for it. Rethrows its
     * exceptions.
     *
     * @throws NotLeadingException if the term ended before the decision was complete; its transaction may be committed
     * nevertheless
     */
    public <T> T call(Callable<T> decision) throws InterruptedException {
        return call(decision, Durations.EVER);
    }

    /**
     * The same for a caller who answers a client: the thread waits for Kafka as long as that does not answer.
     *
     * @throws KafkaException if the decision is not complete within 45 seconds; says whether it is made later
     */
    public <T> T ask(Callable<T> decision) throws InterruptedException {
        return call(decision, PATIENCE);
    }

    <T> T call(Callable<T> decision, Duration patience) throws InterruptedException {
        Callable<T> caused = Caller.current().<Callable<T>>map(caller -> () -> caller.does(decision::call))
                .orElse(decision);
        Call<T> mine = new Call<>(caused, new CompletableFuture<>());
        queued.add(mine);
        wake.run();
        if (ended) {
            refuseQueued();
        }
        try {
            return mine.answer().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new KafkaException("the leader has waited for it for " + patience.toSeconds() + " s: "
                    + (queued.remove(mine)
                            ? "nothing is changed, try again later"
                            : "the change is made when it answers, unless another coordinator leads by then"));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    /** Whether a call is queued. */
    public boolean called() {
        return !queued.isEmpty();
    }

    /**
     * Runs all queued calls.
     *
     * @throws WriterFencedException if a call finds that another coordinator leads; the calls behind it remain queued
     */
    public void runQueued() {
        for (Call<?> next = queued.poll(); next != null; next = queued.poll()) {
            next.run();
        }
    }

    /** Ends the term: all queued and all later calls fail with {@link NotLeadingException}. */
    public void end() {
        ended = true;
        refuseQueued();
    }

    private void refuseQueued() {
        List<Call<?>> left = new ArrayList<>();
        queued.drainTo(left);
        left.forEach(Call::refuse);
    }
}
