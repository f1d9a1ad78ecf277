package io.trawl.channel;

import io.trawl.channel.offset.KeptPositions;
import io.trawl.telemetry.WriteOutage;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records and consumed offsets in transactions: all records of a call or none. Owned by one thread.
 *
 * <p>
 * How client errors are handled (tested on 4.2 and 4.3 brokers, KIP-447 and KIP-890): a commit with an unknown outcome
 * is repeated until the outcome is known, never aborted and redone; after any other error the writer aborts and the
 * caller rewinds; a producer that can neither commit nor abort is replaced.
 */
public final class TransactionalWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalWriter.class);
    private static final Duration PAUSE = Duration.ofMillis(200);
    /** One transaction in a row is aborted by a rebalance. */
    private static final int USUALLY_ABORTED = 1;
    /** What is the fault of a topic or of records, so that a retry fails again. */
    private static final Set<Class<? extends KafkaException>> REFUSALS = Set.of(RecordTooLargeException.class,
            RecordBatchTooLargeException.class, TopicAuthorizationException.class, InvalidTopicException.class,
            UnknownTopicOrPartitionException.class, PolicyViolationException.class, InvalidRecordException.class);
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Optional<KeptPositions> positions;
    private final WriteOutage outage;
    private final Time time;
    private @Nullable Producer<byte[], byte[]> producer;
    private boolean tooLarge;
    private Optional<String> failure = Optional.empty();
    /** Writes that were aborted in a row, and the records of the last one that had any. */
    private int aborted;
    private List<ProducerRecord<byte[], byte[]>> unwritten = List.of();

    /** The outcome of a transaction. */
    public enum CommitResult {
        /** Everything is written. */
        COMMITTED,
        /** Nothing is written: seek the consumer back to its committed offsets. */
        ABORTED
    }

    /**
     * @param producers creates a producer with the one transactional id of this writer; called again when a producer
     * must be replaced
     */
    public TransactionalWriter(Supplier<Producer<byte[], byte[]>> producers, Time time) {
        this(producers, Optional.empty(), new WriteOutage(Duration.ZERO, time), time);
    }

    /**
     * @param positions where the committed offsets are kept, too
     * @param outage learns whether writes fail again and again
     */
    public TransactionalWriter(Supplier<Producer<byte[], byte[]>> producers, KeptPositions positions,
            WriteOutage outage, Time time) {
        this(producers, Optional.of(positions), outage, time);
    }

    /**
     * @param positions where the committed offsets are kept, too; empty: nowhere
     * @param outage learns whether writes fail again and again
     */
    public TransactionalWriter(Supplier<Producer<byte[], byte[]>> producers, Optional<KeptPositions> positions,
            WriteOutage outage, Time time) {
        this.producers = producers;
        this.positions = positions;
        this.outage = outage;
        this.time = time;
    }

    /**
     * The offsets that a group has committed with writers of this kind, for those of the partitions that have any; none
     * without kept positions.
     */
    public Map<TopicPartition, OffsetAndMetadata> kept(String group, Collection<TopicPartition> partitions) {
        return positions.map(kept -> kept.of(group, partitions)).orElse(Map.of());
    }

    /**
     * Initialises the transactional id, which fences the previous producer and aborts its open transaction. Waits for
     * the broker.
     */
    public void open() {
        close();
        Producer<byte[], byte[]> fresh = producers.get();
        try {
            untilKnown("initialising transactions", fresh::initTransactions);
        } catch (RuntimeException e) {
            fresh.close(Duration.ZERO);
            throw e;
        }
        producer = fresh;
    }

    /** Writes records without any offsets. */
    public CommitResult write(Collection<ProducerRecord<byte[], byte[]>> records) {
        return transact(records, writer -> true);
    }

    /**
     * Writes records and commits offsets together.
     *
     * @param group the metadata captured with the poll that delivered the records; with that of a later moment a zombie
     * could commit
     * @throws WriterFencedException if another process has taken over the transactional id
     */
    public CommitResult write(Collection<ProducerRecord<byte[], byte[]>> records,
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        return transact(records, writer -> {
            if (offsets.isEmpty()) {
                return true;
            }
            if (group.memberId().isEmpty()) {
                LOG.warn("not a member of the group {}: nothing is committed", group.groupId());
                return false;
            }
            positions.ifPresent(kept -> kept.records(group.groupId(), offsets).forEach(writer::send));
            writer.sendOffsetsToTransaction(offsets, group);
            return true;
        });
    }

    /**
     * Writes records and commits offsets of partitions that no member of a group is assigned, nor will be. Kafka does
     * not ask for the membership, so the caller makes sure that it alone commits these.
     *
     * @param group the metadata of a consumer that has not joined it
     */
    public CommitResult writeUnassigned(Collection<ProducerRecord<byte[], byte[]>> records,
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        return transact(records, writer -> {
            writer.sendOffsetsToTransaction(offsets, group);
            return true;
        });
    }

    /** Why writes fail again and again, for people; empty while they do not. */
    public Optional<String> failing() {
        return aborted > USUALLY_ABORTED ? Optional.of(eachFails()) : Optional.empty();
    }

    private String eachFails() {
        return "each transaction fails" + failure.map(why -> ": " + why).orElse("");
    }

    /** Whether the caller gives its partitions back, leaves its group and calls {@link #tryAgain} instead. */
    public boolean leaves() {
        return outage.leaves();
    }

    /**
     * Tries to write the records of the last write again, in a transaction that is aborted: whether that succeeds is
     * reported.
     *
     * @throws WriterFencedException if another process has taken over the transactional id
     */
    public void tryAgain() {
        if (failing().isPresent() && failures(unwritten).isEmpty()) {
            written(List.of(), CommitResult.COMMITTED);
        }
    }

    private CommitResult written(Collection<ProducerRecord<byte[], byte[]>> records, CommitResult result) {
        aborted = result == CommitResult.ABORTED ? aborted + 1 : 0;
        if (result == CommitResult.COMMITTED) {
            unwritten = List.of();
        } else if (!records.isEmpty()) {
            unwritten = List.copyOf(records);
        }
        outage.report(this, failing());
        return result;
    }

    /**
     * Whether the last write was aborted because one of its records exceeds the topic's limit: a retry would fail
     * again.
     */
    public boolean tooLarge() {
        return tooLarge;
    }

    /**
     * Why a topic does not take records, tried in a transaction that is aborted.
     *
     * @return empty if it takes them, or the broker does not answer now
     * @throws WriterFencedException if another process has taken over the transactional id
     */
    public Optional<KafkaException> refusal(Collection<ProducerRecord<byte[], byte[]>> records) {
        return failures(records).stream()
                .flatMap(e -> Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause))
                .filter(e -> REFUSALS.stream().anyMatch(kind -> kind.isInstance(e))).map(KafkaException.class::cast)
                .findFirst();
    }

    private List<Exception> failures(Collection<ProducerRecord<byte[], byte[]>> records) {
        Producer<byte[], byte[]> writer = opened();
        List<Exception> failures = new CopyOnWriteArrayList<>();
        try {
            writer.beginTransaction();
            for (ProducerRecord<byte[], byte[]> record : records) {
                KafkaClients.taken(
                        writer.send(record, (_, failure) -> Optional.ofNullable(failure).ifPresent(failures::add)));
            }
            writer.flush();
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException | IllegalStateException e) {
            failures.add(e);
        }
        abort(writer);
        return failures;
    }

    /** @param offsets adds offsets to the open transaction and returns whether it may be committed */
    private CommitResult transact(Collection<ProducerRecord<byte[], byte[]>> records,
            Predicate<Producer<byte[], byte[]>> offsets) {
        CommitResult result = attempt(records, offsets);
        // Offsets alone may be taken while the topics of the records are not.
        return result == CommitResult.COMMITTED && records.isEmpty() ? result : written(records, result);
    }

    private CommitResult attempt(Collection<ProducerRecord<byte[], byte[]>> records,
            Predicate<Producer<byte[], byte[]>> offsets) {
        Producer<byte[], byte[]> writer = opened();
        tooLarge = false;
        failure = Optional.empty();
        try {
            writer.beginTransaction();
            for (ProducerRecord<byte[], byte[]> record : records) {
                KafkaClients.taken(writer.send(record));
            }
            if (!offsets.test(writer)) {
                return abort(writer);
            }
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException | IllegalStateException e) {
            failed(e);
            return abort(writer);
        }
        return commit(writer);
    }

    private void failed(RuntimeException e) {
        LOG.info("the transaction fails: {}", e.toString());
        failure = Optional.of(e.toString());
        tooLarge = causedBy(e, RecordTooLargeException.class);
        if (causedBy(e, TimeoutException.class)) {
            unanswered();
        }
        if (aborted >= USUALLY_ABORTED) {
            // The abort may take long, too.
            outage.report(this, Optional.of(eachFails()));
        }
    }

    private CommitResult commit(Producer<byte[], byte[]> writer) {
        try {
            untilKnown("committing", writer::commitTransaction);
            return CommitResult.COMMITTED;
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException | IllegalStateException e) {
            failed(e);
            fencedOrNothing(e);
            return abort(writer);
        }
    }

    private CommitResult abort(Producer<byte[], byte[]> writer) {
        try {
            untilKnown("aborting", writer::abortTransaction);
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException | IllegalStateException e) {
            fencedOrNothing(e);
            LOG.info("transaction neither committed nor aborted, creating a new producer: {}", e.toString());
            open();
        }
        return CommitResult.ABORTED;
    }

    private static boolean causedBy(Throwable e, Class<? extends KafkaException> kind) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause).anyMatch(kind::isInstance);
    }

    /** No rebalance does that: the next write that is aborted is not the first that fails. */
    private void unanswered() {
        aborted = Math.max(aborted, USUALLY_ABORTED);
    }

    private void fencedOrNothing(RuntimeException e) {
        if (e instanceof ProducerFencedException || e instanceof InvalidProducerEpochException
                || e.getCause() instanceof ProducerFencedException) {
            close();
            throw new WriterFencedException("another process has taken over the transactional id", e);
        }
    }

    /** Repeats a call whose time-out leaves its outcome unknown. */
    private void untilKnown(String what, Runnable call) {
        for (int tries = 0;; tries++) {
            try {
                call.run();
                if (tries > 0) {
                    outage.report(this, failing());
                }
                return;
            } catch (TimeoutException e) {
                unanswered();
                outage.report(this, Optional.of("Kafka does not answer while " + what + ": " + e.getMessage()));
                if (tries % 6 == 0) {
                    LOG.warn("Kafka does not answer while {}, retrying", what);
                }
                pause();
            }
        }
    }

    private void pause() {
        try {
            time.pause(PAUSE);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private Producer<byte[], byte[]> opened() {
        Producer<byte[], byte[]> writer = producer;
        if (writer == null) {
            throw new IllegalStateException("the writer is not open");
        }
        return writer;
    }

    /** Closes the producer at once; an open transaction is aborted by the next owner of the id, or by its time-out. */
    @Override
    public void close() {
        Producer<byte[], byte[]> old = producer;
        producer = null;
        if (old != null) {
            old.close(Duration.ZERO);
        }
    }
}
