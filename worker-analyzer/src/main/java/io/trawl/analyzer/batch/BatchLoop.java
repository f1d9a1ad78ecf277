package io.trawl.analyzer.batch;

import io.trawl.analyzer.batch.BatchHandler.BatchOutput;
import io.trawl.channel.GroupMember;
import io.trawl.channel.GroupMembership;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.WriterFencedException;
import io.trawl.channel.offset.Standstill;
import io.trawl.store.DeliveryAttempts;
import io.trawl.store.DeliveryAttempts.LogPosition;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.module.ReportedState;
import io.trawl.module.StageState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
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
 * Consumes records and writes their output, each batch in one transaction with its offsets: poll, handle, write,
 * commit, announce. A batch is committed or given up before the next poll, with the group metadata of its own poll, so
 * that an expelled or paused member cannot commit for a partition that another member owns by now. After anything but a
 * confirmed commit the consumer seeks back to its committed offsets.
 *
 * <p>
 * A batch that makes the handler fail, or over which a process has died, is handled again record by record; a record
 * that fails three times alone, or takes three processes down, is given up, so that it costs only itself. {@link #run}
 * belongs to one thread; the other methods may be called by any.
 */
public final class BatchLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchLoop.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int LAST_ATTEMPT = 3;
    /** The longest time in which a member that was expelled, because it was slow, gets its partitions again. */
    private static final Duration REJOINS = Duration.ofSeconds(10);
    private final GroupMember member;
    private final Consumer<byte[], byte[]> consumer;
    private final TransactionalWriter writer;
    private final BatchHandler handler;
    private final DeliveryAttempts deliveryAttempts;
    private final ReportedState state;
    private final Supplier<Optional<HoldReason>> hold;
    private final ServedPartitions served;
    private final LimitedPartitions limits;
    private final Time time;
    private final Map<TopicPartition, Long> alone = new HashMap<>();
    private final Map<TopicPartition, Failed> failed = new HashMap<>();
    /** Whether the position may be past the committed offset. */
    private boolean behind;
    /** Whether the offsets of the group that the broker had forgotten are committed again. */
    private boolean restored = true;
    /**
     * The partitions whose next batch waits for Redis or Kafka: until it is handled, here or by another member, a poll
     * that brings nothing, or only batches of others that need neither, does not say that this member works.
     */
    private final Set<TopicPartition> repeated = new HashSet<>();
    private long revokedAt;
    private Optional<HoldReason> holding = Optional.empty();
    private volatile boolean stopped;
    private volatile long turns;
    private final Standstill standstill;
    private final Listener listener = new Listener();

    /** Which partitions are handled, and how far. */
    @FunctionalInterface
    public interface ServedPartitions {
        /** Whether a partition is handled. */
        boolean serves(TopicPartition partition);

        /**
         * Reads what decides about {@link #limit} to its end: called before the group is joined, when all former
         * writers are fenced, and between each poll and the first record of it that is handled.
         */
        default void refresh() {}

        /** The offset from which on nothing of a partition is handled now; 0 for nothing at all. */
        default long limit(TopicPartition partition) {
            return Long.MAX_VALUE;
        }
    }

    /** How often the record at an offset has failed when handled alone. */
    private record Failed(long offset, int count) {}

    /**
     * @param member not in its group yet; the loop closes its client
     * @param attempts remembers the batches over which processes have died; its owner is this process
     * @param state where the loop reports what it is doing
     * @param hold why no batch may begin; empty if one may. For a stop sign the loop leaves its group, else it remains
     * a member
     * @param served the partitions that are handled, and how far; others stay paused
     */
    public BatchLoop(GroupMember member, TransactionalWriter writer, BatchHandler handler,
            DeliveryAttempts deliveryAttempts, ReportedState state, Supplier<Optional<HoldReason>> hold,
            ServedPartitions served, Time time) {
        this.member = member;
        this.consumer = member.consumer();
        this.writer = writer;
        this.handler = handler;
        this.deliveryAttempts = deliveryAttempts;
        this.state = state;
        this.hold = hold;
        this.served = served;
        this.limits = new LimitedPartitions(member, served);
        this.time = time;
        this.standstill = new Standstill(time);
    }

    /**
     * Runs until {@link #stop}, then leaves the group and closes the writer. Ends early, with an exception, only if
     * Kafka refuses permanently.
     */
    @Override
    public void run() {
        try {
            open();
            member.join(listener);
            state.is(Phase.RUNNING);
            standstill.progress();
            while (!stopped) {
                if (signed() || writer.leaves()) {
                    stayAway();
                    standstill.progress();
                } else {
                    member.join(listener);
                    if (!GroupMembership.whileMember(this::step)) {
                        rewind();
                    }
                }
                turns = turns + 1;
            }
        } catch (WakeupException | InterruptException e) {
            LOG.debug("batch loop stopped");
        } finally {
            state.is(Phase.STOPPED);
            Thread.interrupted();
            consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(5)));
            writer.close();
        }
    }

    /** Ends the loop after the current batch; does not wait. */
    public void stop() {
        stopped = true;
        consumer.wakeup();
    }

    /** What the loop is doing now, also while it hangs in a call. */
    public StageState state() {
        return standstill.of(state.now());
    }

    private BatchOutput handled(List<ConsumerRecord<byte[], byte[]>> batch) {
        standstill.handling();
        try {
            return handler.handle(batch);
        } finally {
            standstill.progress();
        }
    }

    /** The number of completed turns: each turn takes a batch, if any, and commits it or gives it up. */
    public long turns() {
        return turns;
    }

    private void open() {
        writer.open();
        served.refresh();
    }

    /** Whether the loop has left its group. */
    public boolean away() {
        return member.away();
    }

    private boolean signed() {
        return hold.get().filter(HoldReason.STOP_SIGN::equals).isPresent();
    }

    private void stayAway() {
        member.leave();
        state.is(signed() ? new HoldingFor(HoldReason.STOP_SIGN) : new WaitingFor(Dependency.KAFKA, writer.failing()));
        pause(POLL);
        if (writer.leaves()) {
            tryAgain();
        }
    }

    private void tryAgain() {
        try {
            writer.tryAgain();
        } catch (WriterFencedException e) {
            LOG.warn("{}: starting over with a new producer", e.getMessage());
            open();
        }
    }

    /** While it holds, the loop polls without receiving records, so it remains a member of the group. */
    private void holdOrResume() {
        holding = hold.get();
        member.hold(holding.isPresent());
        limits.look();
    }

    /** All below these limits is committed: the partitions go on there, when their limits are higher. */
    private void holdAt(Map<TopicPartition, Long> reached) {
        if (!reached.isEmpty()) {
            limits.pauseAt(reached);
            rewind();
        }
    }

    private StageState working() {
        return writer.failing().<StageState>map(why -> new WaitingFor(Dependency.KAFKA, Optional.of(why)))
                .orElseGet(() -> holding.<StageState>map(HoldingFor::new).orElse(Phase.RUNNING));
    }

    private void step() {
        holdOrResume();
        Optional<ConsumerRecords<byte[], byte[]>> polled;
        try {
            polled = member.poll(behind);
        } catch (RetriableException e) {
            state.is(new WaitingFor(Dependency.KAFKA, e));
            return;
        }
        if (behind || polled.isEmpty()) {
            // The polled records follow an uncommitted batch: they are polled again after the rewind.
            rewind();
            return;
        }
        ConsumerGroupMetadata group = consumer.groupMetadata();
        try {
            PollLimit limit = limits.below(polled.get());
            if (!handle(limit.below(), group)) {
                rewind();
            } else {
                repeated.removeAll(polled.get().nextOffsets().keySet());
                leaveToOthers();
                if (repeated.isEmpty() || holding.isPresent()) {
                    state.is(working());
                }
                standstill.handled(consumer, polled.get(), member.polled());
                holdAt(limit.reached());
            }
        } catch (LedgerUnavailableException e) {
            waiting(Dependency.REDIS, polled.get(), e);
        } catch (WriterFencedException e) {
            // The leader does so with all analyzers when it replaces the request topics; it has logged that.
            LOG.warn("{}, or the leader has closed it to replace the request topics: starting over with a new producer",
                    e.getMessage());
            open();
            rewind();
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (RetriableException e) {
            waiting(Dependency.KAFKA, polled.get(), e);
        }
    }

    /** @return whether everything that was polled is committed */
    private boolean handle(ConsumerRecords<byte[], byte[]> records, ConsumerGroupMetadata group) {
        if (records.isEmpty()) {
            // Only positions moved, over transaction markers or aborted records: commit them, since the backlog is
            // computed from offsets.
            return records.nextOffsets().isEmpty() || writer.write(List.of(), records.nextOffsets(),
                    group) == TransactionalWriter.CommitResult.COMMITTED;
        }
        List<ConsumerRecord<byte[], byte[]>> together = new ArrayList<>(records.count());
        List<ConsumerRecord<byte[], byte[]>> suspects = new ArrayList<>();
        records.forEach(r -> (r.offset() < alone.getOrDefault(at(r), 0L) ? suspects : together).add(r));
        if (suspects.isEmpty() && together.stream().anyMatch(handler::alone)) {
            return handleBeginning(together, records.nextOffsets(), group);
        }
        if (suspects.isEmpty()) {
            return handleTogether(together, records.nextOffsets(), group);
        }
        for (ConsumerRecord<byte[], byte[]> suspect : suspects) {
            if (!handleAlone(suspect, group)) {
                return false;
            }
        }
        // The other records of this poll are read again, in a batch of their own.
        return together.isEmpty();
    }

    /**
     * Handles the records before the first large one of each partition together; if there are none, the large ones,
     * each alone. What follows is polled again.
     *
     * @return false: not everything that was polled is committed
     */
    private boolean handleBeginning(List<ConsumerRecord<byte[], byte[]>> batch,
            Map<TopicPartition, OffsetAndMetadata> next, ConsumerGroupMetadata group) {
        Map<TopicPartition, ConsumerRecord<byte[], byte[]>> large = new LinkedHashMap<>();
        batch.stream().filter(handler::alone).forEach(r -> large.putIfAbsent(at(r), r));
        List<ConsumerRecord<byte[], byte[]>> before = batch.stream()
                .filter(r -> Optional.ofNullable(large.get(at(r))).filter(l -> l.offset() <= r.offset()).isEmpty())
                .toList();
        if (before.isEmpty()) {
            large.values().stream().allMatch(r -> handleAlone(r, group));
        } else {
            Map<TopicPartition, OffsetAndMetadata> upTo = new HashMap<>(next);
            large.forEach(
                    (partition, r) -> upTo.put(partition, new OffsetAndMetadata(r.offset(), r.leaderEpoch(), "")));
            handleTogether(before, upTo, group);
        }
        return false;
    }

    private boolean handleTogether(List<ConsumerRecord<byte[], byte[]>> batch,
            Map<TopicPartition, OffsetAndMetadata> next, ConsumerGroupMetadata group) {
        Collection<LogPosition> logPositions = positions(batch);
        if (deliveryAttempts.begin(logPositions) > 1) {
            LOG.warn("a process has died over a batch that begins at {}, taking its records one by one", logPositions);
            deliveryAttempts.withdraw(logPositions);
            oneByOne(next);
            return false;
        }
        BatchOutput batchOutput;
        try {
            batchOutput = handled(batch);
            ended(logPositions);
        } catch (LedgerUnavailableException | KafkaException e) {
            ended(logPositions);
            throw e;
        } catch (RuntimeException e) {
            ended(logPositions);
            LOG.warn("a batch of {} records failed, taking them one by one", batch.size(), e);
            oneByOne(next);
            return false;
        }
        return write(batchOutput, next, group);
    }

    private void oneByOne(Map<TopicPartition, OffsetAndMetadata> next) {
        next.forEach((partition, offset) -> alone.put(partition, offset.offset()));
    }

    /** Where the records begin in each partition. */
    private static Collection<LogPosition> positions(List<ConsumerRecord<byte[], byte[]>> batch) {
        Map<TopicPartition, LogPosition> first = new LinkedHashMap<>();
        batch.forEach(r -> first.merge(at(r), new LogPosition(r.topic(), r.partition(), r.offset()),
                (a, b) -> a.offset() <= b.offset() ? a : b));
        return first.values();
    }

    private void ended(Collection<LogPosition> logPositions) {
        try {
            deliveryAttempts.end(logPositions);
        } catch (LedgerUnavailableException e) {
            LOG.debug("delivery attempts cannot be cleared, the next batch at these offsets counts one more: {}",
                    e.getMessage());
        }
    }

    private boolean handleAlone(ConsumerRecord<byte[], byte[]> record, ConsumerGroupMetadata group) {
        Map<TopicPartition, OffsetAndMetadata> next = Map.of(at(record),
                new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), ""));
        Collection<LogPosition> logPosition = positions(List.of(record));
        BatchOutput batchOutput;
        if (deliveryAttempts.begin(logPosition) > LAST_ATTEMPT) {
            batchOutput = giveUp(record, new IllegalStateException(LAST_ATTEMPT + " processes have died over it"));
            ended(logPosition);
            return write(batchOutput, next, group);
        }
        try {
            batchOutput = handled(List.of(record));
            ended(logPosition);
        } catch (LedgerUnavailableException | KafkaException e) {
            ended(logPosition);
            throw e;
        } catch (RuntimeException e) {
            ended(logPosition);
            Failed before = failed.getOrDefault(at(record), new Failed(record.offset(), 0));
            int count = before.offset() == record.offset() ? before.count() + 1 : 1;
            failed.put(at(record), new Failed(record.offset(), count));
            if (count < LAST_ATTEMPT) {
                return false;
            }
            batchOutput = giveUp(record, e);
        }
        return write(batchOutput, next, group);
    }

    private BatchOutput giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause) {
        LOG.error("giving up the record {}-{} at offset {}", record.topic(), record.partition(), record.offset(),
                cause);
        return handler.giveUp(record, cause);
    }

    private boolean write(BatchOutput batchOutput, Map<TopicPartition, OffsetAndMetadata> next,
            ConsumerGroupMetadata group) {
        if (writer.write(batchOutput.records(), next, group) == TransactionalWriter.CommitResult.ABORTED) {
            writer.failing().ifPresent(why -> state.is(new WaitingFor(Dependency.KAFKA, Optional.of(why))));
            return false;
        }
        batchOutput.committed().run();
        return true;
    }

    /** What another member has now waits no longer here. */
    private void leaveToOthers() {
        Set<TopicPartition> assigned = consumer.assignment();
        if (!assigned.isEmpty() || time.nanos() - revokedAt > REJOINS.toNanos()) {
            repeated.retainAll(assigned);
        }
    }

    private void waiting(Dependency dependency, ConsumerRecords<byte[], byte[]> batch, RuntimeException e) {
        state.is(new WaitingFor(dependency, e));
        repeated.addAll(batch.nextOffsets().keySet());
        rewind();
        pause(PAUSE);
    }

    private void pause(Duration duration) {
        try {
            time.pause(duration);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptException(interrupted);
        }
    }

    /**
     * Seeks back to the committed offsets: the position is past an uncommitted batch. If the offsets are not known now,
     * or this member has just been expelled, the next poll rejoins the group, and nothing is handled until a rewind has
     * succeeded.
     */
    private void rewind() {
        behind = true;
        try {
            behind = !GroupMembership.whileMember(this::seekCommitted) || !restored;
        } catch (RetriableException e) {
            state.is(new WaitingFor(Dependency.KAFKA, e));
        }
    }

    private void seekCommitted() {
        ConsumerGroupMetadata group = consumer.groupMetadata();
        Map<TopicPartition, OffsetAndMetadata> kept = member.seekCommitted(consumer.assignment(), writer::kept);
        // Others read the offsets of the group, too, and there may be no record to handle.
        restored = kept.isEmpty() || writer.write(List.of(), kept, group) == TransactionalWriter.CommitResult.COMMITTED;
    }

    private static TopicPartition at(ConsumerRecord<byte[], byte[]> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    private final class Listener implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            LOG.info("assigned: {}", partitions);
            // The broker may have forgotten the offsets.
            behind = true;
            limits.assigned(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            partitions.forEach(alone::remove);
            partitions.forEach(failed::remove);
            revokedAt = time.nanos();
            limits.revoked(partitions);
        }
    }
}
