package io.trawl.pipeline;

import java.util.Optional;
import io.trawl.channel.Polls;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.pipeline.sink.Offsets.PartitionLost;
import io.trawl.pipeline.sink.StorageFailure;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pipeline's one thread: takes partitions over, polls, handles, closes files when they are due, and hands partitions back. A partition that was just
 * assigned stays paused until the sink has taken it over. Only {@link #stop} and {@link #turns} may be called by other threads.
 */
final class ItemLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ItemLoop.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final FileSink sink;
    private final ItemHandler handler;
    private final StoringSpans spans;
    private final Trimmer trimmer;
    private final StageState state;
    private final Time time;
    private final Set<Integer> fresh = new HashSet<>();
    private long nextTakeOver;
    private RuntimeException broken;
    private boolean torn;
    private boolean usable;
    private volatile boolean stopped;
    private volatile long turns;

    ItemLoop(Consumer<byte[], byte[]> consumer, String topic, FileSink sink, ItemHandler handler, StoringSpans spans,
            Trimmer trimmer, StageState state, Time time) {
        this.consumer = consumer;
        this.topic = topic;
        this.sink = sink;
        this.handler = handler;
        this.spans = spans;
        this.trimmer = trimmer;
        this.state = state;
        this.time = time;
        this.nextTakeOver = time.nanos();
    }

    /** Ends the loop after the record under way, whose files are then finished; returns at once. */
    void stop() {
        stopped = true;
    }

    /** How many turns are over: each handles the records of one poll. */
    long turns() {
        return turns;
    }

    /**
     * Works until it is told to stop, finishes the files and leaves the group.
     *
     * @throws StorageFailure if the folder and the offsets contradict each other; one that cannot be written now is waited for
     * @throws InterruptedException if the thread was interrupted: what was not committed is left to others
     */
    void run() throws InterruptedException {
        try {
            consumer.subscribe(List.of(topic), new Listener());
            while (!stopped) {
                step();
                turns = turns + 1;
            }
            for (int partition : sink.partitions()) {
                sink.close(partition);
            }
            spans.stored(sink.stored());
        } catch (InterruptException e) {
            throw new InterruptedException(e.getMessage());
        } finally {
            // Whatever is still open here could not be committed, and must not be when the consumer hands its partitions back.
            sink.discardAll();
            boolean interrupted = Thread.interrupted();
            consumer.close(CloseOptions.timeout(interrupted ? Duration.ZERO : Duration.ofSeconds(5)));
        }
    }

    private void step() throws InterruptedException {
        try {
            if (!usable) {
                sink.probe();
                usable = true;
            }
            if (!Polls.whileMember(this::turn)) {
                torn = true;
            }
        } catch (StorageFailure e) {
            if (!e.passes()) {
                throw e;
            }
            awaitFolder(e);
        }
    }

    /**
     * Nothing is polled while nothing can be stored: before the first partition was given to this member it joins no group, and after some minutes its
     * partitions go to others, who may have room.
     */
    private void awaitFolder(StorageFailure why) throws InterruptedException {
        sink.discardAll();
        state.waiting(StageState.WAITING_FOR_FOLDER, why);
        broken = null;
        torn = true;
        usable = false;
        time.pause(RETRY);
    }

    private void turn() throws InterruptedException {
        Optional<ConsumerRecords<byte[], byte[]>> polled;
        try {
            polled = Polls.poll(consumer, POLL);
        } catch (RetriableException e) {
            state.waiting(StageState.WAITING_FOR_KAFKA, e);
            time.pause(POLL);
            return;
        }
        if (broken != null) {
            throw broken;
        }
        if (torn || polled.isEmpty()) {
            // Begun anew from what is committed: how far the others have moved is not known.
            torn = true;
            sink.discardAll();
            consumer.assignment().forEach(partition -> again(partition.partition()));
            torn = false;
            return;
        }
        takeOverFresh();
        for (TopicPartition partition : polled.get().partitions()) {
            handle(partition.partition(), polled.get().records(partition));
        }
        if (!stopped) {
            follow();
            sink.settle().forEach(this::again);
            spans.stored(sink.stored());
            trimmer.trim(sink.stored());
        }
        state.is(stopped ? StageState.STOPPING : fresh.isEmpty() ? StageState.RUNNING : StageState.WAITING_FOR_FILES);
    }

    private void handle(int partition, List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (stopped || !sink.partitions().contains(partition)) {
                return;
            }
            if (!handler.handle(record)) {
                again(partition);
            }
        }
    }

    /** Positions move over transaction markers too, and whoever compares them with the topic's end must see it. */
    private void follow() {
        for (int partition : sink.partitions()) {
            try {
                sink.moved(partition, consumer.position(at(partition), POLL));
            } catch (TimeoutException e) {
                LOG.debug("position of partition {} is not known now", partition);
            }
        }
    }

    private void takeOverFresh() throws InterruptedException {
        if (fresh.isEmpty() || time.nanos() - nextTakeOver < 0) {
            return;
        }
        nextTakeOver = time.nanos() + RETRY.toNanos();
        try {
            Map<Integer, Long> begin = sink.takeOver(Set.copyOf(fresh));
            begin.forEach((partition, offset) -> {
                consumer.seek(at(partition), offset);
                consumer.resume(List.of(at(partition)));
            });
            fresh.removeAll(begin.keySet());
        } catch (PartitionLost e) {
            LOG.info("partitions {} are not ours any more: {}", fresh, e.getMessage());
        }
    }

    /** A commit was refused: if the partition is still ours after the next poll, it is taken over as if it had just come. */
    private void again(int partition) {
        if (consumer.assignment().contains(at(partition))) {
            consumer.pause(List.of(at(partition)));
            fresh.add(partition);
        }
    }

    private TopicPartition at(int partition) {
        return new TopicPartition(topic, partition);
    }

    /** Called within poll and close. What goes wrong here is kept for the loop, since the client would wrap it. */
    private final class Listener implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            consumer.pause(partitions);
            partitions.forEach(partition -> fresh.add(partition.partition()));
            nextTakeOver = time.nanos();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            for (TopicPartition partition : partitions) {
                fresh.remove(partition.partition());
                try {
                    if (broken == null) {
                        sink.close(partition.partition());
                        spans.stored(sink.stored());
                    }
                } catch (RuntimeException e) {
                    broken = e;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    broken = new InterruptException(e);
                } finally {
                    sink.discard(partition.partition());
                }
            }
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            for (TopicPartition partition : partitions) {
                fresh.remove(partition.partition());
                sink.discard(partition.partition());
            }
        }
    }
}
