package io.trawl.coordinator.channel;

import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.Channels;
import io.trawl.control.ChangedPartitions;
import io.trawl.ledger.ResponseLayout.Left;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.model.Durations;
import io.trawl.model.InvalidValueException;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes items, responses or the ledger to other numbers of partitions of their topics while crawls run, without losing
 * or repeating any (docs/protocol-resizing.md, Other partitions for items, for responses, and of the ledger).
 * Thread-safe; only the leader's thread writes {@code control}.
 */
public final class PartitionChange {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionChange.class);
    private final WorkerContext context;
    private final ControlState controlState;
    private final ControlWriter controlWriter;
    private final LeaderThread leader;
    private final Unchanged unchanged;
    private final Runnable begun;

    /** The channels, unless a change is under way. */
    @FunctionalInterface
    interface Unchanged {
        Channels now();
    }

    /** @param begun called when there is something to {@link #complete} */
    PartitionChange(WorkerContext context, ControlState controlState, ControlWriter controlWriter, LeaderThread leader,
            Unchanged unchanged, Runnable begun) {
        this.context = context;
        this.controlState = controlState;
        this.controlWriter = controlWriter;
        this.leader = leader;
        this.unchanged = unchanged;
        this.begun = begun;
    }

    /**
     * Changes the number of partitions that items are written to. Analyzers use it from their next batch on; what is in
     * other partitions is read, too.
     *
     * @throws ReplacementInProgressException if another change is not done yet
     * @throws InvalidValueException if the partitions that would be added hold records of another program
     */
    public void writeItemsTo(int partitions) throws InterruptedException {
        Instant since = context.time().now();
        Channels now = unchanged.now();
        grow("items", context.kafka().topics().items(), now.readItems(), partitions);
        decide(() -> unchanged.now().writingItemsTo(partitions).noting(done("items", now.items(), partitions, since)));
        LOG.info("items are written to {} partitions from now on instead of {}", partitions, now.items());
    }

    /**
     * Begins to change the number of partitions that responses are written to. Returns when the decision is on
     * {@code control}; the rest follows.
     *
     * @throws ReplacementInProgressException if another change is not done yet
     * @throws InvalidValueException if the partitions that would be added hold records of another program
     */
    public void writeResponsesTo(int partitions) throws InterruptedException {
        Channels now = unchanged.now();
        grow("responses", context.kafka().topics().responses(), now.readResponses(), partitions);
        decide(() -> unchanged.now().closingResponses(partitions, context.time().now()));
        LOG.info("responses are to be written to {} partitions instead of {}", partitions, now.responses());
    }

    /**
     * Changes the number of partitions of {@code ledger} for runs that begin from now on.
     *
     * @throws ReplacementInProgressException if another change is not done yet
     * @throws InvalidValueException if the partitions that would be added hold records of another program
     */
    public void writeLedgerTo(int partitions) throws InterruptedException {
        Instant since = context.time().now();
        Channels now = unchanged.now();
        grow("ledger", context.kafka().topics().ledger(), now.readLedger(), partitions);
        decide(() -> unchanged.now().writingLedgerTo(partitions, controlState.lastRuns())
                .noting(done("ledger", now.ledger(), partitions, since)));
        LOG.info("runs that begin from now on have {} partitions of the ledger instead of {}", partitions,
                now.ledger());
    }

    private ChangedPartitions done(String channel, int from, int to, Instant since) {
        return new ChangedPartitions(channel, from, to, since, context.time().now());
    }

    private void grow(String name, String topic, int used, int partitions) throws InterruptedException {
        try (Admin admin = context.kafka().clients().admin();
                TopicOffsets added = new TopicOffsets(context.kafka().clients().admin(),
                        partition -> partition.partition() >= used && partition.partition() < partitions)) {
            new TopicMaker(context.settings(), context.kafka().topics(), admin, context.time()).grow(topic, partitions);
            if (added.ends(List.of(topic)).values().stream().anyMatch(end -> end > 0)) {
                throw new InvalidValueException(name, Integer.toString(partitions),
                        "at most " + used + ": further partitions of the topic " + topic
                                + " hold records that another program has written");
            }
        }
    }

    /** What it begins goes on also if the caller does not wait for the answer. */
    private void decide(Supplier<Channels> changed) throws InterruptedException {
        leader.ask(() -> {
            controlWriter.write(changed.get());
            begun.run();
            return true;
        });
    }

    private void write(UnaryOperator<Channels> step) throws InterruptedException {
        leader.call(() -> {
            controlWriter.write(step.apply(channels()));
            return true;
        });
    }

    private Channels channels() {
        return controlState.channels().orElseThrow();
    }

    /**
     * Takes the next steps of a change that is decided.
     *
     * @return whether nothing is left to do
     */
    boolean complete() throws InterruptedException {
        if (channels().responseLayout().closing().isPresent()) {
            // Asked for after control says that the layout ends: a downloader that does not find that there yet has its
            // response below.
            List<Long> ends = ends(channels().readResponses());
            write(now -> now.openingResponses(ends));
            LOG.info("responses are written to {} partitions from now on; analyzers handle what lies below {} first",
                    channels().responses(), ends);
        }
        Optional<Left> left = channels().responseLayout().left();
        if (left.isPresent() && handled(left.get())) {
            write(now -> now.responsesHandled().noting(
                    done("responses", now.responseLayout().former().getLast(), now.responses(), left.get().since())));
            LOG.info("all responses of the former partitions are handled, {} after the change was decided",
                    Durations.format(Duration.between(left.get().since(), context.time().now())));
        }
        return !channels().responseLayout().changing();
    }

    private List<Long> ends(int partitions) throws InterruptedException {
        try (TopicOffsets offsets = new TopicOffsets(context.kafka().clients().admin(),
                partition -> partition.partition() < partitions)) {
            return offsets.ends(List.of(context.kafka().topics().responses())).entrySet().stream()
                    .sorted(Comparator.comparing(end -> end.getKey().partition())).map(Map.Entry::getValue).toList();
        }
    }

    private boolean handled(Left left) throws InterruptedException {
        try (TopicOffsets offsets = new TopicOffsets(context.kafka().clients().admin())) {
            Map<TopicPartition, OffsetAndMetadata> committed = offsets
                    .committed(context.kafka().topics().analyzerGroup());
            Map<TopicPartition, Long> now = offsets.ends(List.of(context.kafka().topics().responses()));
            for (int partition = 0; partition < left.ends().size(); partition++) {
                TopicPartition of = new TopicPartition(context.kafka().topics().responses(), partition);
                long reached = Optional.ofNullable(committed.get(of)).map(OffsetAndMetadata::offset).orElse(0L);
                if (reached < left.end(partition) || reached > now.getOrDefault(of, 0L)) {
                    return false;
                }
            }
            return true;
        }
    }
}
