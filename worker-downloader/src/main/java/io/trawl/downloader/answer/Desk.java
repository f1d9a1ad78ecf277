package io.trawl.downloader.answer;

import io.trawl.ledger.LedgerUnavailable;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * Does blocking work in batches, one batch at a time: whatever has come in while one was under way is the next. Work that finds Redis away is done
 * again, with growing pauses, until it is back: so it must bear being done twice. Thread-safe.
 *
 * @param <T> one piece of work
 */
public final class Desk<T> implements AutoCloseable {
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
     * Opens the desk.
     *
     * @param most pieces of work per batch
     * @param work may block; throws {@link LedgerUnavailable} to be called again with the same batch
     * @param broken told of any other exception; the desk is closed then
     */
    public Desk(String name, int most, Consumer<List<T>> work, Outage outage, Time time, Consumer<Throwable> broken) {
        this.most = most;
        this.work = work;
        this.outage = outage;
        this.time = time;
        this.broken = broken;
        this.thread = Thread.ofVirtual().name(name).start(this::serve);
    }

    /** Hands a piece of work in; never blocks. */
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
            } catch (LedgerUnavailable e) {
                outage.begin(e);
                time.pause(pause);
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            }
        }
    }

    /** Ends the work under way and leaves the rest. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
