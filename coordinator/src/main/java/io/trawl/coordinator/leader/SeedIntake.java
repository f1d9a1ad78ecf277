package io.trawl.coordinator.leader;

import io.trawl.ledger.IdSequence;
import io.trawl.coordinator.seed.AcceptedSeedDomains;
import io.opentelemetry.api.trace.Span;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.lifecycle.SeedProgress;
import io.trawl.coordinator.queue.Capacity;
import io.trawl.coordinator.seed.AdmittedSeeds;
import io.trawl.coordinator.seed.SeedAdmission;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.worker.WorkerContext;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits seeds during one term: each batch is written in one transaction with its offsets, and announced to Redis after
 * the commit. Belongs to the leader's thread.
 */
final class SeedIntake {
    private static final Logger LOG = LoggerFactory.getLogger(SeedIntake.class);
    private final WorkerContext context;
    private final ControlState controlState;
    private final ControlWriter controlWriter;
    private final SeedAdmission admission;
    private final Capacity capacity;
    private final SeedProgress progress;
    private final PendingAnnouncements pendingAnnouncements;
    private final AcceptedSeedDomains seedDomains;

    /** @param pendingAnnouncements run before each batch */
    SeedIntake(CoordinatorContext parts, ControlWriter controlWriter, Capacity capacity, SeedProgress progress,
            PendingAnnouncements pendingAnnouncements, AcceptedSeedDomains seedDomains) {
        this.seedDomains = seedDomains;
        this.context = parts.context();
        this.controlState = parts.controlState();
        this.controlWriter = controlWriter;
        this.admission = new SeedAdmission(parts.admission(), context.ledger(), controlState, capacity, seedDomains,
                context.kafka().topics(), context.mid(), new IdSequence(), context.time(),
                context.telemetry().tracing());
        this.capacity = capacity;
        this.progress = progress;
        this.pendingAnnouncements = pendingAnnouncements;
    }

    /**
     * Admits seeds, in one transaction with their offsets.
     *
     * @param group the metadata captured with the poll
     * @return whether the batch is committed; if not, nothing has changed
     * @throws LedgerUnavailableException if the ledger does not answer; nothing has changed
     * @throws KafkaException if the broker does not report the backlog; nothing has changed
     */
    boolean admit(List<ConsumerRecord<byte[], byte[]>> batch, Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group) throws InterruptedException {
        // No seed is admitted before all earlier ones are announced to Redis.
        pendingAnnouncements.make();
        if (batch.isEmpty()) {
            return controlWriter.write(List.of(), List.of(), offsets, group);
        }
        context.telemetry().counters().called(batch.size());
        AdmittedSeeds seeds = admission.evaluate(batch, controlState.channels().orElseThrow());
        if (write(batch, seeds, offsets, group)) {
            return true;
        }
        return controlWriter.tooLarge() && admitOneByOne(batch, offsets, group);
    }

    /**
     * One seed is too large for Kafka, which would refuse the whole batch on every retry: each seed is admitted in a
     * transaction of its own, and that one is refused.
     */
    private boolean admitOneByOne(List<ConsumerRecord<byte[], byte[]>> batch,
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) throws InterruptedException {
        if (batch.size() == 1) {
            return write(batch, admission.tooLarge(batch.getFirst(), controlState.channels().orElseThrow()), offsets,
                    group);
        }
        LOG.warn("one of {} seeds is too large, admitting them one by one", batch.size());
        for (ConsumerRecord<byte[], byte[]> seed : batch) {
            OffsetAndMetadata next = new OffsetAndMetadata(seed.offset() + 1, seed.leaderEpoch(), "");
            if (!admit(List.of(seed), Map.of(new TopicPartition(seed.topic(), seed.partition()), next), group)) {
                return false;
            }
        }
        return true;
    }

    private boolean write(List<ConsumerRecord<byte[], byte[]>> batch, AdmittedSeeds seeds,
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        boolean committed = controlWriter.write(seeds.control(), seeds.records(), offsets, group);
        if (committed) {
            capacity.committed(seeds.room());
            seeds.requests().forEach(progress::add);
            seeds.errors().forEach(context.kafka().errors()::report);
            seeds.spans().forEach(Span::end);
            seeds.facts().forEach((run, facts) -> pendingAnnouncements.add(() -> context.ledger().learn(run, facts)));
            seeds.domains().forEach((run, more) -> {
                seedDomains.committed(run, more.added());
                pendingAnnouncements.add(() -> context.store().seedDomains().add(run, more.before(), more.added()));
            });
            count(batch.size(), seeds);
            pendingAnnouncements.makeIfPossible();
            progress.decided(batch, seeds.refused(), seeds.due());
        }
        return committed;
    }

    private void count(int all, AdmittedSeeds seeds) {
        long made = seeds.requests().values().stream().mapToLong(n -> n).sum();
        context.telemetry().counters().accepted(made);
        context.telemetry().counters().completed(made);
        LOG.info("{} seeds: {} requests, {} errors", all, made, seeds.errors().size());
    }

    /**
     * Committed changes that are not announced to Redis yet, in order; failed announcements are retried. For the
     * leader's thread.
     */
    static final class PendingAnnouncements {
        private static final Logger LOG = LoggerFactory.getLogger(PendingAnnouncements.class);
        private final Deque<Runnable> left = new ArrayDeque<>();

        /** Queues an announcement for the next of the calls below. */
        void add(Runnable announcement) {
            left.add(announcement);
        }

        /**
         * Makes all announcements.
         *
         * @throws LedgerUnavailableException if Redis does not answer; the remaining announcements are kept
         */
        void make() {
            for (Runnable next = left.peek(); next != null; next = left.peek()) {
                next.run();
                left.remove();
            }
        }

        /** The same, best effort. */
        void makeIfPossible() {
            try {
                make();
            } catch (LedgerUnavailableException e) {
                LOG.debug("not announced yet: {}", e.getMessage());
            }
        }
    }
}
