package io.trawl.coordinator.summary;

import java.util.OptionalInt;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * Where the records of the ledger are, and the sums of those that are deleted.
 *
 * @param readers creates a consumer without a group that skips nothing; called again after a consumer failed
 * @param topic of the records
 * @param count how many partitions carry records; may grow
 */
public record LedgerSource(Supplier<Consumer<byte[], byte[]>> readers, String topic, Supplier<OptionalInt> count,
        SnapshotTopic snapshots) {}
