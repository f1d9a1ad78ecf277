package io.trawl.downloader.response;

import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.telemetry.Outage;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * Runs blocking work in batches, one batch at a time: work that arrives meanwhile is the next batch. If Redis is
 * unavailable, the batch is repeated with growing pauses until it succeeds, so the work must be idempotent.
 * Thread-safe.
 *
 * @param <T> one piece of work
 */
public final class BatchExecutor<T> implements AutoCloseable {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private final BlockingQueue<T> waiting = new LinkedBlockingQueue<>();
    private final int most;
    private final Consumer<List<T>> work;
    private final Outage outage;
    private final Time time;
    private final Consumer<Throwable> broken;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Starts the executor.
     *
     * @param most the maximum batch size
     * @param work may block; throws {@link LedgerUnavailableException} to be called again with the same batch
     * @param broken called with any other exception, after which the executor has stopped
     */
    public BatchExecutor(String name, int most, Consumer<List<T>> work, Outage outage, Time time,
            Consumer<Throwable> broken) {
        this.most = most;
        this.work = work;
        this.outage = outage;
        this.time = time;
        this.broken = broken;
        this.thread = Thread.ofVirtual().name(name).start(this::serve);
    }

    /** Queues a piece of work; never blocks. */
    public void add(T piece) {
        waiting.add(piece);
    }

    private void serve() {
        List<T> batch = new ArrayList<>();
        try {
            while (true) {
                batch.add(waiting.take());
                waiting.drainTo(batch, most - 1);
                handle(List.copyOf(batch));
                batch.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            if (!closed) {
                broken.accept(e);
            }
        }
    }

    private void handle(List<T> batch) throws InterruptedException {
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                work.accept(batch);
                outage.end();
                return;
            } catch (LedgerUnavailableException e) {
                outage.begin(e);
                time.pause(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /** Interrupts the current batch and drops the rest. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
