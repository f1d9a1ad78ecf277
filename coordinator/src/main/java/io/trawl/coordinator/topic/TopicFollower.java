package io.trawl.coordinator.topic;

import io.trawl.codec.MalformedRecordException;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the committed records of a topic on its own thread, outside any consumer group. A record that its reader cannot
 * handle is logged with its place and skipped, so that it costs only itself. After an exception of the client it
 * creates a new consumer and resumes at the offsets that its reader returns. Thread-safe; only that thread calls the
 * reader.
 */
public final class TopicFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private final Supplier<Consumer<byte[], byte[]>> clients;
    private final String topic;
    private final Reader reader;
    private final Time time;
    private final BiConsumer<String, Error> failures;
    private final Thread thread;
    private volatile boolean closed;
    private volatile Optional<Consumer<byte[], byte[]>> reading = Optional.empty();

    /** Receives the records. */
    public interface Reader {
        /** How many partitions it reads, which may grow; empty for all that the broker has at the start. */
        default OptionalInt count() {
            return OptionalInt.empty();
        }

        /**
         * Comes before the first {@link #begin} of the start, of each time after an exception, and when the number of
         * partitions has grown.
         *
         * @param beginnings the log start offsets of all partitions
         */
        default void begins(Map<TopicPartition, Long> beginnings) {}

        /**
         * The offset at which to start a partition; called at the start, after each exception, and when the number of
         * partitions has grown.
         *
         * @param beginning the log start offset
         * @param end the current last stable offset
         */
        long begin(TopicPartition partition, long beginning, long end);

        /**
         * The next record; after an exception, some may be delivered again.
         *
         * @throws MalformedRecordException if it is none of this topic; it is skipped
         */
        void add(ConsumerRecord<byte[], byte[]> record);

        /** Everything below these offsets has been delivered; positions also move over transaction markers. */
        default void moved(Map<TopicPartition, OffsetAndMetadata> next) {}
    }

    /**
     * @param name of the thread
     * @param clients creates a consumer outside any group; called again after a failure
     * @param failures receives the explanation and the cause when the thread ends by an {@link Error}
     */
    public TopicFollower(String name, Supplier<Consumer<byte[], byte[]>> clients, String topic, Reader reader,
            Time time, BiConsumer<String, Error> failures) {
        this.clients = clients;
        this.topic = topic;
        this.reader = reader;
        this.time = time;
        this.failures = failures;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    /** Starts reading. */
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                readUntilFailure();
            }
        } catch (Error e) {
            failures.accept(topic + " can no longer be read", e);
        }
    }

    private void readUntilFailure() {
        try {
            Consumer<byte[], byte[]> consumer = clients.get();
            try {
                reading = Optional.of(consumer);
                follow(consumer);
            } finally {
                consumer.close();
            }
        } catch (WakeupException | InterruptException e) {
            closed = true;
            LOG.debug("stopped reading {}", topic);
        } catch (KafkaException e) {
            LOG.warn("{} cannot be read now: {}", topic, e.getMessage());
            pause();
        } catch (RuntimeException e) {
            LOG.error("error while reading {}, resuming", topic, e);
            pause();
        }
    }

    private void follow(Consumer<byte[], byte[]> consumer) {
        int assigned = begin(consumer, reader.count());
        while (!closed && reader.count().orElse(0) <= assigned) {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
            polled.forEach(this::add);
            reader.moved(polled.nextOffsets());
        }
    }

    private void add(ConsumerRecord<byte[], byte[]> record) {
        try {
            reader.add(record);
        } catch (KafkaException e) {
            throw e;
        } catch (MalformedRecordException e) {
            LOG.warn("skipping the record in {}-{} at offset {}: {}", topic, record.partition(), record.offset(),
                    e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("skipping the record in {}-{} at offset {}", topic, record.partition(), record.offset(), e);
        }
    }

    /** @return how many partitions it reads */
    private int begin(Consumer<byte[], byte[]> consumer, OptionalInt count) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic, ANSWER).stream()
                .map(p -> new TopicPartition(topic, p.partition()))
                .filter(p -> count.isEmpty() || p.partition() < count.getAsInt()).toList();
        if (partitions.size() < count.orElse(1)) {
            throw new UnknownTopicOrPartitionException("the broker does not know all partitions of " + topic + " yet");
        }
        consumer.assign(partitions);
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions, ANSWER);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, ANSWER);
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
        reader.begins(beginnings);
        for (TopicPartition partition : partitions) {
            long beginning = beginnings.getOrDefault(partition, 0L);
            long position = reader.begin(partition, beginning, ends.getOrDefault(partition, beginning));
            consumer.seek(partition, position);
            positions.put(partition, new OffsetAndMetadata(position));
        }
        // The first poll of an empty topic takes its whole time.
        reader.moved(positions);
        return partitions.size();
    }

    private void pause() {
        try {
            time.pause(PAUSE);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /** Stops reading. */
    @Override
    public void close() {
        closed = true;
        reading.ifPresent(Consumer::wakeup);
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
