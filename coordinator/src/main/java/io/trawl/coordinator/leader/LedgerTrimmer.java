package io.trawl.coordinator.leader;

import io.trawl.coordinator.channel.BrokerCall;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.lifecycle.CrawlWatch.WholeLogs;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.time.PeriodicTask;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes snapshots of the ledger's sums and deletes the records that the snapshot before has counted: so the ledger
 * stays bounded, and a coordinator starts as fast after a year as on the first day. The last two snapshots stay, so
 * that one of them may be damaged. The leader's own producer writes them, which the next leader fences: one that slept
 * would put an old snapshot in the place of a new one (docs/model/ledger.py).
 */
final class LedgerTrimmer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerTrimmer.class);
    private static final Duration EVERY = Duration.ofSeconds(5);
    /** So that the leader's other calls wait for no more than some megabytes. */
    private static final int PIECES_AT_ONCE = 8;
    private final CoordinatorContext parts;
    private final ControlWriter controlWriter;
    private final LeaderThread leader;
    private final WholeLogs logs;
    private final PeriodicTask task;

    /** @param logs while a log is shorter than the leader has noted, nothing is deleted */
    LedgerTrimmer(CoordinatorContext parts, ControlWriter controlWriter, LeaderThread leader, WholeLogs logs) {
        this.parts = parts;
        this.controlWriter = controlWriter;
        this.leader = leader;
        this.logs = logs;
        this.task = new PeriodicTask("ledger-snapshots", EVERY, parts.context().time(), this::step);
    }

    void start() {
        task.start();
    }

    /** In this order: what is deleted is in two snapshots that are there. */
    private void step() throws InterruptedException {
        if (!parts.ledger().snapshotDue(parts.context().settings().topics().ledgerSnapshot())) {
            return;
        }
        try {
            Map<TopicPartition, Long> counted = parts.ledger().save(this::write);
            if (!counted.isEmpty() && logs.whole()) {
                delete(counted);
            }
        } catch (NotLeadingException e) {
            LOG.debug("no snapshot of the ledger is written: {}", e.getMessage());
        }
    }

    private void write(List<ProducerRecord<byte[], byte[]>> records) throws InterruptedException {
        for (int from = 0; from < records.size(); from += PIECES_AT_ONCE) {
            List<ProducerRecord<byte[], byte[]>> some = records.subList(from,
                    Math.min(records.size(), from + PIECES_AT_ONCE));
            leader.call(() -> {
                controlWriter.write(List.of(), some);
                return some;
            });
        }
    }

    private void delete(Map<TopicPartition, Long> counted) throws InterruptedException {
        try (Admin admin = parts.context().kafka().clients().admin()) {
            BrokerCall.get(() -> admin
                    .deleteRecords(counted.entrySet().stream().collect(
                            Collectors.toMap(Map.Entry::getKey, end -> RecordsToDelete.beforeOffset(end.getValue()))))
                    .all().get());
        }
        LOG.info("deleted the records of the ledger that the last two snapshots have counted, below {}", counted);
    }

    @Override
    public void close() {
        task.close();
    }
}
