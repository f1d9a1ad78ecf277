package io.trawl.coordinator;

import io.trawl.channel.WriterFenced;
import io.trawl.coordinator.lifecycle.LeaderThread;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/** Decisions that other threads wait for, until the leader's thread makes them. Thread-safe; only {@link #make} belongs to the leader's thread. */
final class Decisions implements LeaderThread {
    private final LinkedBlockingQueue<Decision<?>> waiting = new LinkedBlockingQueue<>();
    private volatile boolean over;

    private record Decision<T>(Callable<T> decision, CompletableFuture<T> answer) {
        void make() {
            try {
                answer.complete(decision.call());
            } catch (WriterFenced e) {
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
            answer.completeExceptionally(new NotLeading());
        }
    }

    @Override
    public <T> T call(Callable<T> decision) throws InterruptedException {
        Decision<T> mine = new Decision<>(decision, new CompletableFuture<>());
        waiting.add(mine);
        if (over) {
            refuseAll();
        }
        try {
            return mine.answer().get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    /**
     * Makes all that wait.
     *
     * @throws WriterFenced if one finds that another coordinator leads; what waits behind it is left
     */
    void make() {
        for (Decision<?> next = waiting.poll(); next != null; next = waiting.poll()) {
            next.make();
        }
    }

    /** Makes none any more: all that wait, and all that come, are told that nobody leads here. */
    void end() {
        over = true;
        refuseAll();
    }

    private void refuseAll() {
        List<Decision<?>> left = new ArrayList<>();
        waiting.drainTo(left);
        left.forEach(Decision::refuse);
    }
}
