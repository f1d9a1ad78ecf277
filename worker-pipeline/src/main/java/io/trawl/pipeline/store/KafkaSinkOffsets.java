package io.trawl.pipeline.store;

import static io.trawl.channel.offset.StoredPosition.lossKnownTo;
import static java.util.Objects.requireNonNull;

import io.trawl.channel.GroupMembership;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.TransactionalWriter.CommitResult;
import io.trawl.channel.WriterFencedException;
import io.trawl.channel.offset.StoredPosition;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.ledger.LedgerRecord;
import io.trawl.module.ReportedState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.pipeline.sink.SinkOffsets;
import io.trawl.store.LogEndStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * The group's offsets, with the rest of each position as metadata, committed in transactions with the records of the
 * ledger and the membership of the last poll: the broker rejects them if this member was expelled since then, even if
 * it has rejoined or the group is empty. (The consumer's own commits and reads carry no membership once it knows that
 * it was expelled, and the broker accepts them in an empty group.) A commit whose outcome is unknown is repeated until
 * it is known. Confined to the consumer's thread.
 */
public final class KafkaSinkOffsets implements SinkOffsets {
    private final Consumer<byte[], byte[]> consumer;
    private final TransactionalWriter writer;
    private final String topic;
    private final PartitionCounts counts;
    private final MissingRecords missing;
    private final KnownLoss loss;
    private final String known;
    private final ReportedState state;
    private final OutputTopics topics;
    private ConsumerGroupMetadata membership;

    /**
     * @param writer not open yet; owned by this object
     * @param loss the last one in Kafka when this process began
     */
    public KafkaSinkOffsets(Consumer<byte[], byte[]> consumer, TransactionalWriter writer, PartitionCounts counts,
            KnownLoss loss, ReportedState state) {
        this(consumer, writer, counts, loss, counts.topicNames().items(), MissingRecords.REFUSED, state);
    }

    /**
     * @param topic whose progress it is
     * @param missing what is done where records below the start of the log were not handled
     */
    KafkaSinkOffsets(Consumer<byte[], byte[]> consumer, TransactionalWriter writer, PartitionCounts counts,
            KnownLoss loss, String topic, MissingRecords missing, ReportedState state) {
        this.consumer = consumer;
        this.writer = writer;
        this.topic = topic;
        this.counts = counts;
        this.topics = new OutputTopics(consumer, counts.topicNames()::owns);
        this.missing = missing;
        this.loss = loss;
        this.known = loss.loss().map(KafkaLoss::tag).orElse("");
        this.state = state;
        this.membership = consumer.groupMetadata();
    }

    /** What is done where the log begins above what was handled. */
    @FunctionalInterface
    interface MissingRecords {
        /** Nothing: the next owner of the partition refuses to go on. */
        MissingRecords REFUSED = (partition, position, start) -> position;

        /** Where to go on. */
        StoredPosition begin(int partition, StoredPosition position, long start);
    }

    /**
     * The last loss of records in Kafka that a process knows.
     *
     * @param logEnds what it tells of another one
     */
    public record KnownLoss(Optional<KafkaLoss> loss, LogEndStore logEnds) {
        /**
         * Where the losses that whoever has committed did not know have cut the log: other records have the offsets
         * from there on.
         */
        private long limit(TopicPartition partition, @Nullable OffsetAndMetadata committed) {
            return loss.map(last -> last.limit(partition.toString(), committed == null ? "" : lossKnownTo(committed)))
                    .orElse(Long.MAX_VALUE);
        }
    }

    /** Must precede all other calls. Waits for the broker. */
    void open() {
        writer.open();
    }

    /** Why commits fail again and again, for people; empty while they do not. */
    Optional<String> failing() {
        return writer.failing();
    }

    /** Whether the caller gives its partitions back, leaves its group and calls {@link #tryAgain} instead. */
    boolean leaves() {
        return writer.leaves();
    }

    /** Tries to write again. */
    void tryAgain() {
        try {
            writer.tryAgain();
        } catch (WriterFencedException e) {
            writer.open();
        }
    }

    /** Must follow each poll: the partitions that this member owns after it are those that commits are valid for. */
    void polled() {
        membership = consumer.groupMetadata();
    }

    /** Leaves an uncommitted transaction to its time-out. */
    void close() {
        writer.close();
    }

    /**
     * Commits what it has read once more: that succeeds only if no other member can have owned the partitions
     * meanwhile.
     */
    @Override
    public Map<Integer, Committed> committed(Set<Integer> partitions) throws PartitionLost, InterruptedException {
        Set<TopicPartition> topicPartitions = partitions.stream().map(this::at).collect(Collectors.toSet());
        // In this order, because the log start never passes the committed offset.
        Map<TopicPartition, OffsetAndMetadata> committed = read(
                () -> withKept(consumer.committed(topicPartitions, GroupMembership.ANSWER)));
        Map<TopicPartition, Long> ends = read(() -> consumer.endOffsets(topicPartitions, GroupMembership.ANSWER));
        Map<TopicPartition, Long> starts = read(
                () -> consumer.beginningOffsets(topicPartitions, GroupMembership.ANSWER));
        Map<Integer, Committed> result = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> same = new HashMap<>();
        Map<String, Long> lost = new TreeMap<>();
        for (TopicPartition partition : topicPartitions) {
            OffsetAndMetadata offset = committed.get(partition);
            long start = requireNonNull(starts.get(partition));
            StoredPosition said = offset == null ? StoredPosition.NONE : StoredPosition.of(offset);
            long end = requireNonNull(ends.get(partition));
            // What is below the start of the log, files have.
            StoredPosition left = said.upTo(Math.max(start, loss.limit(partition, offset)));
            long handled = Math.max(left.front(), left.topics());
            if (handled > end) {
                lost.put(partition.toString(), handled);
            }
            StoredPosition position = missing.begin(partition.partition(), left, start);
            boolean cut = !left.equals(said) || !known.equals(offset == null ? "" : lossKnownTo(offset));
            result.put(partition.partition(), new Committed(position, start, cut));
            if (position.front() >= 0 || start == 0) {
                same.put(partition, (position.front() < 0 ? StoredPosition.of(0) : position).commit(known));
            }
        }
        refuseLost(lost);
        commit(same, List.of(), List.of());
        return result;
    }

    /**
     * With a position beyond the end of its log that no known loss explains, nothing is taken over: the position is the
     * trace by which a leader knows of the loss. Waits for the leader to put it on record.
     */
    private void refuseLost(Map<String, Long> lost) throws PartitionLost {
        if (!lost.isEmpty()) {
            loss.logEnds().lost(lost);
            state.is(new WaitingFor(Dependency.KAFKA, Optional.of("records that were handled are lost: " + lost)));
            throw new PartitionLost("Kafka has lost records that were handled, and no leader has said so yet: " + lost);
        }
    }

    /** Of partitions whose offset the broker has forgotten. */
    private Map<TopicPartition, OffsetAndMetadata> withKept(Map<TopicPartition, OffsetAndMetadata> committed) {
        Map<TopicPartition, OffsetAndMetadata> all = new HashMap<>(committed);
        all.putAll(writer.kept(membership.groupId(),
                committed.keySet().stream().filter(partition -> committed.get(partition) == null).toList()));
        return all;
    }

    @Override
    public int partitions() throws PartitionLost, InterruptedException {
        return read(() -> consumer.partitionsFor(topic, GroupMembership.ANSWER).size());
    }

    @Override
    public void commit(int partition, StoredPosition position, List<LedgerRecord> records, List<TopicRecord> items)
            throws PartitionLost, InterruptedException {
        commit(Map.of(at(partition), position.commit(known)), records, items);
    }

    private void commit(Map<TopicPartition, OffsetAndMetadata> offsets, List<LedgerRecord> records,
            List<TopicRecord> items) throws PartitionLost, InterruptedException {
        try {
            Optional<String> missing = topics.missing(items);
            if (missing.isPresent()) {
                throw new PartitionLost(missing.get());
            }
            if (writer.write(Stream
                    .concat(records.stream().map(counts::ledger), items.stream().map(OutputTopics::record)).toList(),
                    offsets, membership) == CommitResult.ABORTED) {
                topics.forget();
                throw new PartitionLost("the transaction was aborted");
            }
        } catch (WriterFencedException e) {
            writer.open();
            throw new PartitionLost(e);
        } catch (InterruptException e) {
            throw interrupted(e);
        }
    }

    @Override
    public Optional<String> refusal(List<TopicRecord> records) throws InterruptedException {
        Optional<String> missing = topics.missing(records);
        if (missing.isPresent()) {
            return missing;
        }
        try {
            return writer.refusal(records.stream().map(OutputTopics::record).toList())
                    .map(e -> "the topic takes no such record: " + e.getMessage());
        } catch (WriterFencedException e) {
            writer.open();
            return Optional.empty();
        } catch (InterruptException e) {
            throw interrupted(e);
        }
    }

    /** A read is not retried, because an expelled member gets no answer before its next poll. */
    private <T> T read(Supplier<T> call) throws PartitionLost, InterruptedException {
        try {
            return call.get();
        } catch (InterruptException e) {
            throw interrupted(e);
        } catch (KafkaException e) {
            if (e instanceof RetriableException) {
                state.is(new WaitingFor(Dependency.KAFKA, e));
            } else if (!GroupMembership.expelled(e)) {
                throw e;
            }
            throw new PartitionLost(e);
        }
    }

    static InterruptedException interrupted(InterruptException e) {
        Thread.interrupted();
        InterruptedException interrupted = new InterruptedException(e.getMessage());
        interrupted.initCause(e);
        return interrupted;
    }

    private TopicPartition at(int partition) {
        return new TopicPartition(topic, partition);
    }
}
