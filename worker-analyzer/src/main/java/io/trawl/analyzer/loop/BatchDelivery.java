package io.trawl.analyzer.loop;

import io.trawl.analyzer.loop.BatchHandler.BatchOutput;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.offset.Standstill;
import io.trawl.store.DeliveryAttempts;
import io.trawl.store.DeliveryAttempts.LogPosition;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.module.ReportedState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.WaitingFor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the records of a poll to the handler, and commits its output with their offsets. A batch that makes the handler
 * fail, or over which a process has died, is handled again record by record; a record that fails three times alone, or
 * over which three processes have died that handled it alone, is given up, so that it costs only itself. Belongs to the
 * thread of the loop.
 */
final class BatchDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(BatchDelivery.class);
    private static final int LAST_ATTEMPT = 3;
    private final TransactionalWriter writer;
    private final BatchHandler handler;
    private final DeliveryAttempts deliveryAttempts;
    private final ReportedState state;
    private final Standstill standstill;
    /** The offsets below which records are handled one by one. */
    private final Map<TopicPartition, Long> alone = new HashMap<>();
    private final Map<TopicPartition, Failed> failed = new HashMap<>();

    /** How often the record at an offset has failed when handled alone. */
    private record Failed(long offset, int count) {}

    BatchDelivery(TransactionalWriter writer, BatchHandler handler, DeliveryAttempts deliveryAttempts,
            ReportedState state, Standstill standstill) {
        this.writer = writer;
        this.handler = handler;
        this.deliveryAttempts = deliveryAttempts;
        this.state = state;
        this.standstill = standstill;
    }

    /** Other members have these partitions now. */
    void revoked(Collection<TopicPartition> partitions) {
        partitions.forEach(alone::remove);
        partitions.forEach(failed::remove);
    }

    /** @return whether everything that was polled is committed */
    boolean handle(ConsumerRecords<byte[], byte[]> records, ConsumerGroupMetadata group) {
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
        LogPosition here = new LogPosition(record.topic(), record.partition(), record.offset());
        BatchOutput batchOutput;
        if (deliveryAttempts.beginAlone(here) > LAST_ATTEMPT) {
            batchOutput = giveUp(record, new IllegalStateException(LAST_ATTEMPT + " processes have died over it"));
            ended(List.of(here));
            return write(batchOutput, next, group);
        }
        try {
            batchOutput = handled(List.of(record));
            ended(List.of(here));
        } catch (LedgerUnavailableException | KafkaException e) {
            ended(List.of(here));
            throw e;
        } catch (RuntimeException e) {
            ended(List.of(here));
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

    private BatchOutput handled(List<ConsumerRecord<byte[], byte[]>> batch) {
        standstill.handling();
        try {
            return handler.handle(batch);
        } finally {
            standstill.progress();
        }
    }

    private static TopicPartition at(ConsumerRecord<byte[], byte[]> record) {
        return new TopicPartition(record.topic(), record.partition());
    }
}
