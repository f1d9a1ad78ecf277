package io.trawl.pipeline.store;

import io.trawl.channel.GroupMember;
import io.trawl.channel.GroupMembership;
import io.trawl.channel.offset.Standstill;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.module.ReportedState;
import io.trawl.module.StageState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.pipeline.sink.StorageException;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that stores a topic, items or responses: takes over assigned partitions, polls, handles records, closes
 * files that are due, and returns revoked partitions. Other threads may call only {@link #stop} and {@link #turns}.
 */
public final class ItemLoop<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ItemLoop.class);
    static final Duration POLL = Duration.ofMillis(200);
    static final Duration RETRY = Duration.ofSeconds(1);
    private static final int MOST_TOGETHER = 100;
    private static final long LARGEST_TOGETHER = 1 << 20;
    private final WorkerContext context;
    private final GroupMember member;
    private final Consumer<byte[], byte[]> consumer;
    private final KafkaSinkOffsets offsets;
    private final SinkPartitions partitions;
    private final FileSink sink;
    private final RecordHandler<T> handler;
    private final StoringSpans spans;
    private final ReportedState state;
    private final BooleanSupplier signed;
    private final Standstill standstill;
    private final Time time;
    private boolean interruptedTurn;
    private boolean folderWritable;
    private volatile boolean stopped;
    private volatile long turns;

    /**
     * @param offsets of the sink; not open yet
     * @param signed whether the stop sign of this module is in force: the loop closes its files and leaves its group
     */
    public ItemLoop(WorkerContext context, Consumer<byte[], byte[]> consumer, KafkaSinkOffsets offsets, String topic,
            FileSink sink, RecordHandler<T> handler, StoringSpans spans, ReportedState state, BooleanSupplier signed) {
        this.context = context;
        this.member = new GroupMember(consumer, List.of(topic), context.control(), context.time());
        this.consumer = consumer;
        this.offsets = offsets;
        this.sink = sink;
        this.handler = handler;
        this.spans = spans;
        this.state = state;
        this.signed = signed;
        this.time = context.time();
        this.standstill = new Standstill(time);
        this.partitions = new SinkPartitions(member, context.kafka().counts(), topic, sink, spans, time);
    }

    /** Makes the loop end after the current record and finish its files; returns at once. */
    public void stop() {
        stopped = true;
    }

    /** What the loop is doing now, also while it hangs in a call. */
    public StageState state() {
        return standstill.of(state.now());
    }

    /** The number of completed turns; each handles the records of one poll. */
    public long turns() {
        return turns;
    }

    /**
     * Runs until {@link #stop}, then finishes the files and leaves the group.
     *
     * @throws StorageException if the folder and the offsets contradict each other; if the folder cannot be written,
     * the loop waits
     * @throws InterruptedException if the thread was interrupted: other members process the uncommitted records
     */
    public void run() throws InterruptedException {
        try {
            offsets.open();
            member.join(partitions);
            standstill.progress();
            while (!stopped) {
                step();
                turns = turns + 1;
            }
            closeFiles();
        } catch (InterruptException e) {
            throw new InterruptedException(e.getMessage());
        } finally {
            // Files that are still open could not be committed, and must not be committed when the consumer revokes its
            // partitions.
            sink.discardAll();
            boolean interrupted = Thread.interrupted();
            offsets.close();
            consumer.close(CloseOptions.timeout(interrupted ? Duration.ZERO : Duration.ofSeconds(5)));
        }
    }

    private void closeFiles() throws InterruptedException {
        for (int partition : sink.partitions()) {
            sink.close(partition);
        }
        spans.stored(sink.stored());
    }

    private void step() throws InterruptedException {
        try {
            if (!folderWritable) {
                sink.probe();
                folderWritable = true;
            }
            if (!GroupMembership.whileMember(this::turn)) {
                interruptedTurn = true;
            }
        } catch (LedgerUnavailableException e) {
            awaitRedis(e);
        } catch (StorageException e) {
            if (!e.retriable()) {
                throw e;
            }
            awaitFolder(e);
        }
    }

    /**
     * Does not poll while nothing can be stored: before its first poll this member does not join the group, and after
     * some minutes the group reassigns its partitions to members that may have disk space.
     */
    private void awaitFolder(StorageException why) throws InterruptedException {
        partitions.forgetFailure();
        folderWritable = false;
        goBack(new WaitingFor(Dependency.OUTPUT_FOLDER, why));
    }

    /**
     * Which items are unique is not known now: the loop reads them again from the committed offsets. It stays a member
     * of its group.
     */
    private void awaitRedis(LedgerUnavailableException why) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(why.getMessage());
        }
        goBack(new WaitingFor(Dependency.REDIS, why));
    }

    private void goBack(WaitingFor waiting) throws InterruptedException {
        sink.discardAll();
        state.is(waiting);
        interruptedTurn = true;
        time.pause(RETRY);
    }

    private StageState working() {
        Optional<String> failing = offsets.failing();
        if (failing.isPresent()) {
            return new WaitingFor(Dependency.KAFKA, failing);
        }
        if (!partitions.notTakenOver().isEmpty()) {
            return new WaitingFor(Dependency.ANOTHER_PIPELINE);
        }
        return member.held() ? new HoldingFor(HoldReason.MEMORY) : Phase.RUNNING;
    }

    /** Whether the loop has left its group. */
    public boolean away() {
        return member.away();
    }

    /** Finishes the files and leaves the group. */
    private void stayAway() throws InterruptedException {
        if (!member.away()) {
            closeFiles();
            member.leave();
            sink.discardAll();
        }
        state.is(signed.getAsBoolean()
                ? new HoldingFor(HoldReason.STOP_SIGN)
                : new WaitingFor(Dependency.KAFKA, offsets.failing()));
        time.pause(POLL);
        if (offsets.leaves()) {
            offsets.tryAgain();
        }
    }

    private void turn() throws InterruptedException {
        if (signed.getAsBoolean() || offsets.leaves()) {
            stayAway();
            standstill.progress();
            return;
        }
        member.join(partitions);
        // While it holds, files that are due are closed.
        member.hold(context.telemetry().heap().full());
        Optional<ConsumerRecords<byte[], byte[]>> polled;
        try {
            polled = member.poll(!partitions.notTakenOver().isEmpty());
            offsets.polled();
        } catch (RetriableException e) {
            state.is(new WaitingFor(Dependency.KAFKA, e));
            time.pause(POLL);
            return;
        }
        partitions.throwFailure();
        if (interruptedTurn || polled.isEmpty()) {
            // Restart from the committed offsets, because other members may have advanced them.
            interruptedTurn = true;
            sink.discardAll();
            partitions.reassignAll();
            interruptedTurn = false;
            return;
        }
        partitions.takeOverAdded();
        partitions.takeOverFresh();
        // Processors and sinks take their time.
        standstill.handling();
        for (TopicPartition partition : polled.get().partitions()) {
            handle(partition.partition(), polled.get().records(partition));
        }
        if (!stopped) {
            partitions.skipStored();
            partitions.updatePositions();
            sink.settle().forEach(partitions::reassign);
            spans.stored(sink.stored());
        }
        standstill.handled(consumer, polled.get(), member.polled());
        state.is(stopped ? Phase.STOPPING : working());
    }

    private void handle(int partition, List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException {
        for (int from = 0; from < records.size();) {
            if (stopped || !sink.partitions().contains(partition)) {
                return;
            }
            int to = together(records, from);
            store(partition, handler.process(records.subList(from, to)));
            from = to;
        }
    }

    /** The end of the records that are processed before the first of them is stored: a few, or one that is large. */
    private static int together(List<ConsumerRecord<byte[], byte[]>> records, int from) {
        int to = from;
        long bytes = 0;
        while (to < records.size() && (to == from || to - from < MOST_TOGETHER && bytes < LARGEST_TOGETHER)) {
            bytes += Math.max(0, records.get(to).serializedValueSize());
            to++;
        }
        return to;
    }

    private void store(int partition, List<T> handled) throws InterruptedException {
        for (T record : handled) {
            if (stopped || !sink.partitions().contains(partition)) {
                return;
            }
            if (!handler.store(record)) {
                partitions.reassign(partition);
            }
        }
    }
}
