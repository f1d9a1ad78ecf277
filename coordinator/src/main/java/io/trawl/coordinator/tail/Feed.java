package io.trawl.coordinator.tail;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The next entries of a topic for one subscriber, who takes them at his own speed. Whoever falls more than {@value #ROOM} entries behind has lost the feed:
 * nobody ever waits for a subscriber. Taken from by one thread.
 */
public final class Feed<T> implements AutoCloseable {
    private static final int ROOM = 1000;
    private final ArrayDeque<Entry<T>> before;
    private final BlockingQueue<Entry<T>> waiting = new ArrayBlockingQueue<>(ROOM);
    private final Predicate<T> wanted;
    private final Consumer<Feed<T>> leave;
    private volatile boolean ended;

    /** @param before what comes first */
    Feed(List<Entry<T>> before, Predicate<T> wanted, Consumer<Feed<T>> leave) {
        this.before = new ArrayDeque<>(before);
        this.wanted = wanted;
        this.leave = leave;
    }

    /** @return false if the subscriber is too far behind, and has lost the feed */
    boolean offer(Entry<T> entry) {
        if (!wanted.test(entry.value()) || waiting.offer(entry)) {
            return true;
        }
        end();
        return false;
    }

    void end() {
        ended = true;
        waiting.clear();
    }

    /** The next entry, or nothing if none comes within the time. */
    public Optional<Entry<T>> next(Duration within) throws InterruptedException {
        Entry<T> first = before.poll();
        return Optional.ofNullable(first != null ? first : waiting.poll(within.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Whether nothing comes any more: the feed is lost, or the topic is no longer read. */
    public boolean ended() {
        return ended;
    }

    @Override
    public void close() {
        leave.accept(this);
    }
}
