package io.trawl.coordinator.tail;

import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * Follows a topic on a thread of its own, outside any group, only what is committed. After every exception it goes on where its reader says, so that one
 * bad moment never ends the following. Thread-safe; the reader is called by that one thread.
 */
public final class TopicFollower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private final Supplier<Consumer<byte[], byte[]>> clients;
    private final String topic;
    private final Reader reader;
    private final Time time;
    private final Failures failures;
    private final Thread thread;
    private volatile boolean closed;
    private volatile Optional<Consumer<byte[], byte[]>> reading = Optional.empty();

    /** What is done with what is read. */
    public interface Reader {
        /**
         * Where to read a partition; asked at the start and after each trouble.
         *
         * @param beginning the earliest offset that is still there
         * @param end behind the last record that is committed now
         */
        long begin(TopicPartition partition, long beginning, long end);

        /** The next record; after a trouble, some may come once more. */
        void add(ConsumerRecord<byte[], byte[]> record);

        /** Everything below these offsets has been handed over; positions also move over the markers of transactions. */
        default void moved(Map<TopicPartition, OffsetAndMetadata> next) {}
    }

    /**
     * @param name of the thread
     * @param clients makes a consumer outside any group; called again when one is beyond repair
     * @param failures told of what cannot be survived
     */
    public TopicFollower(String name, Supplier<Consumer<byte[], byte[]>> clients, String topic, Reader reader, Time time,
            Failures failures) {
        this.clients = clients;
        this.topic = topic;
        this.reader = reader;
        this.time = time;
        this.failures = failures;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    /** Begins to read. */
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!closed) {
                readUntilTrouble();
            }
        } catch (Error e) {
            failures.fatal(topic + " can no longer be read", e);
        }
    }

    private void readUntilTrouble() {
        try (Consumer<byte[], byte[]> consumer = clients.get()) {
            reading = Optional.of(consumer);
            begin(consumer);
            while (!closed) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
                polled.forEach(reader::add);
                reader.moved(polled.nextOffsets());
            }
        } catch (WakeupException | InterruptException e) {
            LOG.debug("{} is no longer read", topic);
        } catch (KafkaException e) {
            LOG.warn("{} cannot be read now: {}", topic, e.getMessage());
            pause();
        } catch (RuntimeException e) {
            LOG.error("{} is read on after an error", topic, e);
            pause();
        }
    }

    private void begin(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(p -> new TopicPartition(topic, p.partition())).toList();
        if (partitions.isEmpty()) {
            throw new UnknownTopicOrPartitionException("the broker does not know the topic " + topic + " yet");
        }
        consumer.assign(partitions);
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        for (TopicPartition partition : partitions) {
            long beginning = beginnings.getOrDefault(partition, 0L);
            consumer.seek(partition, reader.begin(partition, beginning, ends.getOrDefault(partition, beginning)));
        }
    }

    private void pause() {
        try {
            time.pause(PAUSE);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /** Ends the reading. */
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
