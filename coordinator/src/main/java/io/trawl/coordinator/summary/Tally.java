package io.trawl.coordinator.summary;

import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the whole {@code ledger} topic on a thread of its own, only what is committed, and sums it up. Every coordinator keeps one, so that a new
 * leader need not read anything first. Without it no crawl is ever finished, so the reading goes on after every exception. Thread-safe.
 */
public final class Tally implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Tally.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private final Supplier<Consumer<byte[], byte[]>> readers;
    private final String topic;
    private final Time time;
    private final Failures failures;
    private final Counting counting = new Counting();
    private final Thread thread;
    private volatile boolean closed;
    private volatile Optional<Consumer<byte[], byte[]>> reading = Optional.empty();

    /**
     * @param readers makes a reader outside any group; called again when one is beyond repair
     * @param failures told of what cannot be survived
     */
    public Tally(Supplier<Consumer<byte[], byte[]>> readers, String topic, Time time, Failures failures) {
        this.readers = readers;
        this.topic = topic;
        this.time = time;
        this.failures = failures;
        this.thread = Thread.ofPlatform().daemon().name("tally").unstarted(this::run);
    }

    /** Begins to read. */
    public void start() {
        thread.start();
    }

    /** Where a run stands, over all records that have been read. */
    public RunStanding standing(CrawlRun run) {
        return counting.standing(run);
    }

    /** What has gone through all priorities, over all records that have been read. */
    public Traffic traffic() {
        return counting.traffic();
    }

    /** Whether everything committed below these offsets of the ledger has been counted, for good: no transaction below them is open. */
    public boolean reached(Map<TopicPartition, Long> marks) {
        return marks.entrySet().stream()
                .allMatch(mark -> counting.position(mark.getKey()).orElse(0L) >= mark.getValue());
    }

    private void run() {
        try {
            while (!closed) {
                readUntilTrouble();
            }
        } catch (Error e) {
            failures.fatal("the ledger can no longer be added up", e);
        }
    }

    private void readUntilTrouble() {
        try (Consumer<byte[], byte[]> consumer = readers.get()) {
            reading = Optional.of(consumer);
            begin(consumer);
            while (!closed) {
                ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
                polled.forEach(counting::add);
                counting.moved(polled.nextOffsets());
            }
        } catch (WakeupException | InterruptException e) {
            LOG.debug("the ledger is no longer read");
        } catch (KafkaException e) {
            LOG.warn("the ledger cannot be read now: {}", e.getMessage());
            pause();
        } catch (RuntimeException e) {
            LOG.error("the ledger is read on after an error", e);
            pause();
        }
    }

    /** Goes on where the last reader stopped. */
    private void begin(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(p -> new TopicPartition(topic, p.partition())).toList();
        if (partitions.isEmpty()) {
            throw new UnknownTopicOrPartitionException("the broker does not know the topic " + topic + " yet");
        }
        consumer.assign(partitions);
        for (TopicPartition partition : partitions) {
            Optional<Long> known = counting.position(partition);
            known.ifPresentOrElse(offset -> consumer.seek(partition, offset),
                    () -> consumer.seekToBeginning(List.of(partition)));
            counting.begin(partition, consumer.position(partition));
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
