package io.trawl.coordinator.tail;

import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.Failures;
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
 * The last records of a topic, and those that come. At the start it is filled from the end of the topic. What cannot be decoded is passed over. Thread-safe.
 */
public final class TopicTail<T> implements AutoCloseable {
    private final TopicFollower follower;
    private final Function<byte[], Optional<T>> decode;
    private final int keep;
    private final ArrayDeque<Entry<T>> newestFirst = new ArrayDeque<>();
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final List<Feed<T>> feeds = new ArrayList<>();
    private final LongAdder lost = new LongAdder();

    /**
     * @param clients makes consumers outside any group
     * @param keep how many entries are kept
     * @param decode gives nothing for a record that is none of ours
     */
    public TopicTail(Supplier<Consumer<byte[], byte[]>> clients, String topic, int keep, Function<byte[], Optional<T>> decode,
            Time time, Failures failures) {
        this.keep = keep;
        this.decode = decode;
        this.follower = new TopicFollower("tail " + topic, clients, topic, new Filling(), time, failures);
    }

    /** Begins to read. */
    public void start() {
        follower.start();
    }

    /** The entries that are kept and wanted, newest first. */
    public synchronized List<Entry<T>> entries(Predicate<T> wanted) {
        return newestFirst.stream().filter(e -> wanted.test(e.value())).toList();
    }

    /**
     * Subscribes to the entries that come from now on.
     *
     * @param after if it names a place, everything behind it that is still kept comes first; see {@link Entry#id}
     */
    public synchronized Feed<T> subscribe(Optional<String> after, Predicate<T> wanted) {
        List<Entry<T>> missed = after.map(this::behind).orElse(List.of()).stream().filter(e -> wanted.test(e.value())).toList();
        Feed<T> feed = new Feed<>(missed, wanted, this::leave);
        feeds.add(feed);
        return feed;
    }

    private List<Entry<T>> behind(String id) {
        List<Entry<T>> behind = new ArrayList<>();
        for (Iterator<Entry<T>> oldestFirst = newestFirst.descendingIterator(); oldestFirst.hasNext();) {
            Entry<T> entry = oldestFirst.next();
            if (entry.id().equals(id)) {
                behind.clear();
            } else {
                behind.add(entry);
            }
        }
        return behind;
    }

    private synchronized void leave(Feed<T> feed) {
        feeds.remove(feed);
    }

    /** How many subscribers there are. */
    public synchronized int subscribers() {
        return feeds.size();
    }

    /** How many subscribers were too slow, and have lost their feeds. */
    public long lost() {
        return lost.sum();
    }

    /** Ends the reading and all feeds. */
    @Override
    public void close() {
        follower.close();
        synchronized (this) {
            feeds.forEach(Feed::end);
            feeds.clear();
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
            Optional<T> value = decode.apply(record.value());
            synchronized (TopicTail.this) {
                TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                if (record.offset() < positions.getOrDefault(partition, 0L)) {
                    return;
                }
                positions.put(partition, record.offset() + 1);
                value.ifPresent(v -> publish(new Entry<>(record.partition(), record.offset(), v)));
            }
        }

        private void publish(Entry<T> entry) {
            newestFirst.addFirst(entry);
            if (newestFirst.size() > keep) {
                newestFirst.removeLast();
            }
            feeds.removeIf(feed -> {
                boolean behind = !feed.offer(entry);
                if (behind) {
                    lost.increment();
                }
                return behind;
            });
        }
    }
}
