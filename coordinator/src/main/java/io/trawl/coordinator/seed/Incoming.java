package io.trawl.coordinator.seed;

import io.trawl.coordinator.lifecycle.SeedRecord;
import io.trawl.model.Seed;
import io.trawl.model.TraceContext;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A seed with the record that it came in.
 *
 * @param entry where it stands
 * @param seed what it says
 * @param trace what it came with
 */
record Incoming(ConsumerRecord<byte[], byte[]> entry, Seed seed, TraceContext trace) {
    /** The priority at which a place is kept for it. */
    Optional<Integer> place() {
        return SeedRecord.place(entry);
    }
}
