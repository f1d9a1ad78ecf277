package io.trawl.analyzer.loop;

import io.trawl.channel.GroupMember;
import io.trawl.channel.GroupMembership;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.WriterFencedException;
import io.trawl.channel.offset.Standstill;
import io.trawl.store.DeliveryAttempts;
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
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
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
 * confirmed commit the consumer seeks back to its committed offsets. {@link #run} belongs to one thread; the other
 * methods may be called by any.
 */
public final class BatchLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchLoop.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** The longest time in which a member that was expelled, because it was slow, gets its partitions again. */
    private static final Duration REJOINS = Duration.ofSeconds(10);
    private final GroupMember member;
    private final Consumer<byte[], byte[]> consumer;
    private final TransactionalWriter writer;
    private final BatchDelivery delivery;
    private final ReportedState state;
    private final Supplier<Optional<HoldReason>> hold;
    private final ServedPartitions served;
    private final LimitedPartitions limits;
    private final Time time;
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
        this.state = state;
        this.hold = hold;
        this.served = served;
        this.limits = new LimitedPartitions(member, served);
        this.time = time;
        this.standstill = new Standstill(time);
        this.delivery = new BatchDelivery(writer, handler, deliveryAttempts, state, standstill);
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
            try {
                writer.tryAgain();
            } catch (WriterFencedException e) {
                LOG.warn("{}: starting over with a new producer", e.getMessage());
                open();
            }
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
            if (!delivery.handle(limit.below(), group)) {
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
            delivery.revoked(partitions);
            revokedAt = time.nanos();
            limits.revoked(partitions);
        }
    }
}
