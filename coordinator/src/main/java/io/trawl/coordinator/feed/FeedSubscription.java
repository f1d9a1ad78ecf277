package io.trawl.coordinator.feed;

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
 * The next entries of a topic for one subscriber, which reads them at its own speed. A subscriber that falls more than
 * {@value #CAPACITY} entries behind is disconnected, so that it does not delay others. Used by one thread.
 */
public final class FeedSubscription<T> implements AutoCloseable {
    private static final int CAPACITY = 1000;
    private final ArrayDeque<FeedEntry<T>> before;
    private final BlockingQueue<FeedEntry<T>> waiting = new ArrayBlockingQueue<>(CAPACITY);
    private final Predicate<T> wanted;
    private final Consumer<FeedSubscription<T>> leave;
    private volatile boolean ended;

    /** @param before delivered first */
    FeedSubscription(List<FeedEntry<T>> before, Predicate<T> wanted, Consumer<FeedSubscription<T>> leave) {
        this.before = new ArrayDeque<>(before);
        this.wanted = wanted;
        this.leave = leave;
    }

    /** @return false if the subscriber is too far behind and is disconnected */
    boolean offer(FeedEntry<T> feedEntry) {
        if (!wanted.test(feedEntry.value()) || waiting.offer(feedEntry)) {
            return true;
        }
        end();
        return false;
    }

    void end() {
        ended = true;
        waiting.clear();
    }

    /** The next entry; empty if none arrives within the time. */
    public Optional<FeedEntry<T>> next(Duration within) throws InterruptedException {
        FeedEntry<T> first = before.poll();
        return Optional.ofNullable(first != null ? first : waiting.poll(within.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Whether the feed has ended: the subscriber was too slow, or the tail is closed. */
    public boolean ended() {
        return ended;
    }

    @Override
    public void close() {
        leave.accept(this);
    }
}
