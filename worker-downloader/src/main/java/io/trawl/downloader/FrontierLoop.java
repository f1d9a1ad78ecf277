package io.trawl.downloader;

import io.trawl.downloader.frontier.Action;
import io.trawl.downloader.frontier.Frontier;
import io.trawl.downloader.frontier.FrontierStatus;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that owns the frontier. Everybody else leaves messages; a message wakes it at once, and so does the moment at which the next host may be
 * asked. All methods but {@link #run} may be called by any thread.
 */
final class FrontierLoop {
    private static final int BATCH = 1000;
    private final Frontier frontier;
    private final Time time;
    private final long origin;
    private final Failures failures;
    private final BlockingQueue<Message> mailbox = new LinkedBlockingQueue<>();
    private volatile FrontierStatus status;
    private volatile boolean stopped;

    /** What happened, told to the frontier on its own thread. */
    @FunctionalInterface
    interface Message {
        void tell(Frontier frontier, long now);
    }

    FrontierLoop(Frontier frontier, Time time, Failures failures) {
        this.frontier = frontier;
        this.time = time;
        this.origin = time.nanos();
        this.failures = failures;
        this.status = frontier.status();
    }

    void tell(Message message) {
        mailbox.add(message);
    }

    /** Asks the frontier something; the future completes on its thread. */
    <T> CompletableFuture<T> ask(Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        tell((frontier, now) -> answer.complete(question.ask(frontier, now)));
        return answer;
    }

    /** A question to the frontier. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Frontier frontier, long now);
    }

    FrontierStatus status() {
        return status;
    }

    /** Ends the loop after the messages that are waiting. */
    void stop() {
        tell((frontier, now) -> stopped = true);
    }

    /**
     * Works until {@link #stop}.
     *
     * @param hands carries out an action; must not block
     */
    void run(Consumer<Action> hands) {
        try {
            List<Message> messages = new ArrayList<>();
            while (!stopped) {
                Message first = next();
                if (first != null) {
                    messages.add(first);
                    mailbox.drainTo(messages, BATCH - 1);
                }
                step(messages, hands);
                messages.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failures.fatal("the frontier failed", e);
        }
    }

    private @Nullable Message next() throws InterruptedException {
        OptionalLong due = frontier.due();
        return due.isEmpty() ? mailbox.take() : mailbox.poll(Math.max(0, due.getAsLong() - now()), TimeUnit.NANOSECONDS);
    }

    private void step(List<Message> messages, Consumer<Action> hands) {
        long now = now();
        for (Message message : messages) {
            message.tell(frontier, now);
        }
        frontier.advance(now).forEach(hands);
        status = frontier.status();
    }

    private long now() {
        return time.nanos() - origin;
    }
}
