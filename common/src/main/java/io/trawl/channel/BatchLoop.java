package io.trawl.channel;

import io.trawl.ledger.Attempts;
import io.trawl.ledger.Attempts.Place;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes records and writes what they lead to, each batch in one transaction with its offsets: poll, handle, write, commit, announce. A batch is
 * committed or given up before the next poll, with the group metadata of its own poll, so that a member that was expelled or paused cannot commit for
 * a partition that another one owns by now. After anything but a confirmed commit the consumer is sought back to its committed offsets.
 *
 * <p>
 * A batch that makes the handler fail, or over which a process has died, is handled again record by record; a record that fails three times alone, or
 * takes three processes down, is given up, so that it costs only itself. {@link #run} belongs to one thread; the other methods may be called by any.
 */
public final class BatchLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchLoop.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int LAST_ATTEMPT = 3;
    private static final String WAITING_FOR_KAFKA = "waiting for kafka";
    private final Consumer<byte[], byte[]> consumer;
    private final TransactionalWriter writer;
    private final BatchHandler handler;
    private final Collection<String> topics;
    private final Runnable beforeJoining;
    private final Attempts attempts;
    private final Time time;
    private final Map<TopicPartition, Long> alone = new HashMap<>();
    private final Map<TopicPartition, Failed> failed = new HashMap<>();
    /** Whether the position may be past what is committed. */
    private boolean behind;
    private volatile boolean stopped;
    private volatile String state = "starting";
    private volatile long turns;

    /** How often the record at an offset has failed alone. */
    private record Failed(long offset, int count) {}

    /**
     * @param beforeJoining runs after the transactional id is taken and before the group is joined: reads {@code control} to its end
     * @param attempts remembers what processes have died over; its owner is this process
     */
    public BatchLoop(Consumer<byte[], byte[]> consumer, TransactionalWriter writer, BatchHandler handler,
            Collection<String> topics, Runnable beforeJoining, Attempts attempts, Time time) {
        this.consumer = consumer;
        this.writer = writer;
        this.handler = handler;
        this.topics = List.copyOf(topics);
        this.beforeJoining = beforeJoining;
        this.attempts = attempts;
        this.time = time;
    }

    /** Works until {@link #stop}; then the group is left and the writer closed. Ends early, by an exception, only if Kafka refuses for good. */
    @Override
    public void run() {
        try {
            open();
            consumer.subscribe(topics, new Listener());
            state = "running";
            while (!stopped) {
                step();
                turns = turns + 1;
            }
        } catch (WakeupException | InterruptException e) {
            LOG.debug("loop ended by its stop");
        } finally {
            state = "stopped";
            Thread.interrupted();
            consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(5)));
            writer.close();
        }
    }

    /** Ends the loop after the batch under way; returns at once. */
    public void stop() {
        stopped = true;
        consumer.wakeup();
    }

    /** What the loop is doing, in a word or two. */
    public String state() {
        return state;
    }

    /** How many turns are over: each takes a batch, if there is one, and commits it or gives it up. */
    public long turns() {
        return turns;
    }

    private void open() {
        writer.open();
        beforeJoining.run();
    }

    private void step() {
        Optional<ConsumerRecords<byte[], byte[]>> polled;
        try {
            polled = Polls.poll(consumer, POLL);
        } catch (RetriableException e) {
            state = WAITING_FOR_KAFKA;
            return;
        }
        if (behind || polled.isEmpty()) {
            // What was polled follows what is not committed: it comes again after the rewind.
            rewind();
            return;
        }
        ConsumerGroupMetadata group = consumer.groupMetadata();
        try {
            if (handle(polled.get(), group)) {
                state = "running";
            } else {
                rewind();
            }
        } catch (LedgerUnavailable e) {
            waiting("waiting for redis", e);
        } catch (WriterFenced e) {
            LOG.warn("{}: starting over with a new producer", e.getMessage());
            open();
            rewind();
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (RetriableException e) {
            waiting(WAITING_FOR_KAFKA, e);
        }
    }

    /** @return whether everything that was polled is committed */
    private boolean handle(ConsumerRecords<byte[], byte[]> records, ConsumerGroupMetadata group) {
        if (records.isEmpty()) {
            // Only positions moved, over transaction markers or aborted records: whoever compares offsets must see it.
            return records.nextOffsets().isEmpty()
                    || writer.write(List.of(), records.nextOffsets(), group) == TransactionalWriter.Result.COMMITTED;
        }
        List<ConsumerRecord<byte[], byte[]>> together = new ArrayList<>(records.count());
        List<ConsumerRecord<byte[], byte[]>> suspects = new ArrayList<>();
        records.forEach(r -> (r.offset() < alone.getOrDefault(at(r), 0L) ? suspects : together).add(r));
        if (suspects.isEmpty()) {
            return handleTogether(together, records.nextOffsets(), group);
        }
        for (ConsumerRecord<byte[], byte[]> suspect : suspects) {
            if (!handleAlone(suspect, group)) {
                return false;
            }
        }
        // What came together with them is read again, in a batch of its own.
        return together.isEmpty();
    }

    private boolean handleTogether(List<ConsumerRecord<byte[], byte[]>> batch, Map<TopicPartition, OffsetAndMetadata> next,
            ConsumerGroupMetadata group) {
        Collection<Place> places = places(batch);
        if (attempts.begin(places) > 1) {
            LOG.warn("a process has died over a batch that begins at {}, taking its records one by one", places);
            attempts.withdraw(places);
            oneByOne(next);
            return false;
        }
        Outgoing outgoing;
        try {
            outgoing = handler.handle(batch);
            ended(places);
        } catch (LedgerUnavailable | KafkaException e) {
            ended(places);
            throw e;
        } catch (RuntimeException e) {
            ended(places);
            LOG.warn("a batch of {} records failed, taking them one by one", batch.size(), e);
            oneByOne(next);
            return false;
        }
        return write(outgoing, next, group);
    }

    private void oneByOne(Map<TopicPartition, OffsetAndMetadata> next) {
        next.forEach((partition, offset) -> alone.put(partition, offset.offset()));
    }

    /** Where the records begin in each partition. */
    private static Collection<Place> places(List<ConsumerRecord<byte[], byte[]>> batch) {
        Map<TopicPartition, Place> first = new LinkedHashMap<>();
        batch.forEach(r -> first.merge(at(r), new Place(r.topic(), r.partition(), r.offset()),
                (a, b) -> a.offset() <= b.offset() ? a : b));
        return first.values();
    }

    private void ended(Collection<Place> places) {
        try {
            attempts.end(places);
        } catch (LedgerUnavailable e) {
            LOG.debug("attempts stay noted, which costs one if another begins there: {}", e.getMessage());
        }
    }

    private boolean handleAlone(ConsumerRecord<byte[], byte[]> record, ConsumerGroupMetadata group) {
        Map<TopicPartition, OffsetAndMetadata> next = Map.of(at(record),
                new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), ""));
        Collection<Place> place = places(List.of(record));
        Outgoing outgoing;
        if (attempts.begin(place) > LAST_ATTEMPT) {
            outgoing = giveUp(record, new IllegalStateException(LAST_ATTEMPT + " processes have died over it"));
            ended(place);
            return write(outgoing, next, group);
        }
        try {
            outgoing = handler.handle(List.of(record));
            ended(place);
        } catch (LedgerUnavailable | KafkaException e) {
            ended(place);
            throw e;
        } catch (RuntimeException e) {
            ended(place);
            Failed before = failed.getOrDefault(at(record), new Failed(record.offset(), 0));
            int count = before.offset() == record.offset() ? before.count() + 1 : 1;
            failed.put(at(record), new Failed(record.offset(), count));
            if (count < LAST_ATTEMPT) {
                return false;
            }
            outgoing = giveUp(record, e);
        }
        return write(outgoing, next, group);
    }

    private Outgoing giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause) {
        LOG.error("giving up the record {}-{} at offset {}", record.topic(), record.partition(), record.offset(), cause);
        return handler.giveUp(record, cause);
    }

    private boolean write(Outgoing outgoing, Map<TopicPartition, OffsetAndMetadata> next, ConsumerGroupMetadata group) {
        if (writer.write(outgoing.records(), next, group) == TransactionalWriter.Result.ABORTED) {
            return false;
        }
        outgoing.committed().run();
        return true;
    }

    private void waiting(String why, RuntimeException e) {
        if (!state.equals(why)) {
            LOG.warn("{}: {}", why, e.getMessage());
        }
        state = why;
        rewind();
        try {
            time.pause(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptException(interrupted);
        }
    }

    /**
     * Back to what is committed: the position is past a batch that was not. Where that is not known now, or this member has just been expelled, the next
     * poll joins again, and until a rewind has worked nothing is handled.
     */
    private void rewind() {
        behind = true;
        try {
            behind = !Polls.whileMember(this::seekCommitted);
        } catch (RetriableException e) {
            state = WAITING_FOR_KAFKA;
        }
    }

    private void seekCommitted() {
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(consumer.assignment());
        for (TopicPartition partition : consumer.assignment()) {
            OffsetAndMetadata offset = committed.get(partition);
            if (offset == null) {
                consumer.seekToBeginning(List.of(partition));
            } else {
                consumer.seek(partition, offset);
            }
        }
    }

    private static TopicPartition at(ConsumerRecord<byte[], byte[]> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    /** Without a listener the client would rejoin behind our back, and a zombie's metadata would look fresh. */
    private final class Listener implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            LOG.info("assigned: {}", partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            partitions.forEach(alone::remove);
            partitions.forEach(failed::remove);
        }
    }
}
