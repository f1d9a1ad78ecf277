package io.trawl.coordinator.feed;

import io.trawl.coordinator.topic.TopicFollower;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.FailureHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The last records of a topic, and a feed of new ones. At the start it is filled from the end of the topic. Records
 * that cannot be decoded are logged and skipped. Thread-safe.
 */
public final class TopicTail<T> implements AutoCloseable {
    private final TopicFollower follower;
    private final Function<byte[], T> decode;
    private final int keep;
    private final ArrayDeque<FeedEntry<T>> newestFirst = new ArrayDeque<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final List<FeedSubscription<T>> feedSubscriptions = new ArrayList<>();
    private final LongAdder lost = new LongAdder();

    /**
     * @param clients creates consumers without a group
     * @param keep the number of entries to keep
     * @param decode throws {@link io.trawl.codec.MalformedRecordException} for a foreign record
     */
    public TopicTail(Supplier<Consumer<byte[], byte[]>> clients, String topic, int keep, Function<byte[], T> decode,
            Time time, FailureHandler failureHandler) {
        this.keep = keep;
        this.decode = decode;
        this.follower = new TopicFollower("tail " + topic, clients, topic, new Filling(), time, failureHandler::fatal);
    }

    /** Starts the thread. */
    public void start() {
        follower.start();
    }

    /** The kept entries, newest first. */
    public synchronized List<FeedEntry<T>> entries() {
        return List.copyOf(newestFirst);
    }

    /** Whether the topic has, or had, an entry with this id; see {@link FeedEntry#id}. */
    public synchronized boolean had(String id) {
        return positions.entrySet().stream().anyMatch(read -> FeedEntry.offset(id, read.getKey().partition())
                .filter(offset -> offset < read.getValue()).isPresent());
    }

    /**
     * Subscribes to new entries.
     *
     * @param after the id of the last entry that the subscriber has seen: the kept entries after it are delivered
     * first; see {@link FeedEntry#id}
     */
    public synchronized FeedSubscription<T> subscribe(Optional<String> after, Predicate<T> wanted) {
        List<FeedEntry<T>> missed = after.map(this::behind).orElse(List.of()).stream()
                .filter(e -> wanted.test(e.value())).toList();
        FeedSubscription<T> feedSubscription = new FeedSubscription<>(missed, wanted, this::leave);
        feedSubscriptions.add(feedSubscription);
        return feedSubscription;
    }

    private List<FeedEntry<T>> behind(String id) {
        List<FeedEntry<T>> behind = new ArrayList<>();
        for (Iterator<FeedEntry<T>> oldestFirst = newestFirst.descendingIterator(); oldestFirst.hasNext();) {
            FeedEntry<T> feedEntry = oldestFirst.next();
            if (feedEntry.id().equals(id)) {
                behind.clear();
            } else {
                behind.add(feedEntry);
            }
        }
        return behind;
    }

    private synchronized void leave(FeedSubscription<T> feedSubscription) {
        feedSubscriptions.remove(feedSubscription);
    }

    /** The number of subscribers. */
    public synchronized int subscribers() {
        return feedSubscriptions.size();
    }

    /** The number of subscribers that were disconnected because they were too slow. */
    public long lost() {
        return lost.sum();
    }

    /** Stops the thread and ends all feeds. */
    @Override
    public void close() {
        follower.close();
        synchronized (this) {
            feedSubscriptions.forEach(FeedSubscription::end);
            feedSubscriptions.clear();
        }
    }

    /** Called by the follower's thread. */
    private final class Filling implements TopicFollower.Reader {
        @Override
        public long begin(TopicPartition partition, long beginning, long end) {
            synchronized (TopicTail.this) {
                return positions.computeIfAbsent(partition, p -> Math.max(beginning, end - keep));
            }
        }

        @Override
        public void add(ConsumerRecord<byte[], byte[]> record) {
            synchronized (TopicTail.this) {
                TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                positions.put(partition, record.offset() + 1);
                publish(new FeedEntry<>(record.partition(), record.offset(), decode.apply(record.value())));
            }
        }

        private void publish(FeedEntry<T> feedEntry) {
            newestFirst.addFirst(feedEntry);
            if (newestFirst.size() > keep) {
                newestFirst.removeLast();
            }
            feedSubscriptions.removeIf(feedSubscription -> {
                boolean behind = !feedSubscription.offer(feedEntry);
                if (behind) {
                    lost.increment();
                }
                return behind;
            });
        }
    }
}
