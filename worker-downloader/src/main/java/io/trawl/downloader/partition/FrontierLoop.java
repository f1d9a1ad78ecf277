package io.trawl.downloader.partition;

import io.trawl.downloader.frontier.Frontier;
import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.frontier.inflight.FrontierStatus;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.FailureHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that owns the frontier. Other threads send messages. A message wakes it at once, and so does the time at
 * which the next host may be asked. All methods except {@link #run} may be called by any thread.
 */
public final class FrontierLoop {
    private static final int BATCH = 1000;
    /** A log is read faster than the frontier takes new hosts in, and what it was sent takes memory. */
    private static final int MOST_RECORDS = 10_000;
    private final Frontier frontier;
    private final Time time;
    private final long origin;
    private final FailureHandler failureHandler;
    private final BlockingQueue<Message> mailbox = new LinkedBlockingQueue<>();
    private final AtomicInteger records = new AtomicInteger();
    private volatile FrontierStatus status;
    private volatile boolean stopped;

    /** An event, applied to the frontier on its own thread. */
    @FunctionalInterface
    public interface Message {
        void apply(Frontier frontier, long now);
    }

    public FrontierLoop(Frontier frontier, Time time, FailureHandler failureHandler) {
        this.frontier = frontier;
        this.time = time;
        this.origin = time.nanos();
        this.failureHandler = failureHandler;
        this.status = frontier.status(0);
    }

    public void send(Message message) {
        mailbox.add(message);
    }

    /** Sends so many records of a log. */
    public void send(int number, Message message) {
        records.addAndGet(number);
        send((f, now) -> {
            records.addAndGet(-number);
            message.apply(f, now);
        });
    }

    /** Whether it has to take so many records that no further ones should be read. */
    public boolean behind() {
        return records.get() > MOST_RECORDS;
    }

    /** Queries the frontier; the future completes on the frontier's thread. */
    public <T> CompletableFuture<T> ask(Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        send((frontier, now) -> answer.complete(question.ask(frontier, now)));
        return answer;
    }

    /** A query to the frontier. */
    @FunctionalInterface
    public interface Question<T> {
        T ask(Frontier frontier, long now);
    }

    public FrontierStatus status() {
        return status;
    }

    /** Ends the loop after the messages that are already queued. */
    public void stop() {
        send((frontier, now) -> stopped = true);
    }

    /**
     * Runs until {@link #stop}.
     *
     * @param executor carries out an action; must not block
     */
    public void run(Consumer<FrontierAction> executor) {
        try {
            List<Message> messages = new ArrayList<>();
            while (!stopped) {
                Message first = next();
                if (first != null) {
                    messages.add(first);
                    mailbox.drainTo(messages, BATCH - 1);
                }
                step(messages, executor);
                messages.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failureHandler.fatal("the frontier failed", e);
        }
    }

    private @Nullable Message next() throws InterruptedException {
        OptionalLong due = frontier.due();
        return due.isEmpty()
                ? mailbox.take()
                : mailbox.poll(Math.max(0, due.getAsLong() - now()), TimeUnit.NANOSECONDS);
    }

    private void step(List<Message> messages, Consumer<FrontierAction> executor) {
        long now = now();
        for (Message message : messages) {
            message.apply(frontier, now);
        }
        frontier.advance(now).forEach(executor);
        status = frontier.status(now);
    }

    private long now() {
        return time.nanos() - origin;
    }
}
