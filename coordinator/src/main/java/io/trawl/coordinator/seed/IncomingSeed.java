package io.trawl.coordinator.seed;

import io.trawl.coordinator.lifecycle.SeedRecord;
import io.trawl.model.Seed;
import io.trawl.model.TraceContext;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A seed and its record.
 *
 * @param entry the record
 * @param seed the decoded value
 * @param trace the trace context of the record
 */
record IncomingSeed(ConsumerRecord<byte[], byte[]> entry, Seed seed, TraceContext trace) {
    /** The priority of its reserved place. */
    Optional<Integer> place() {
        return SeedRecord.place(entry);
    }
}
