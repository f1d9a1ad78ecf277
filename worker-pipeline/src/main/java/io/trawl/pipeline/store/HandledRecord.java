package io.trawl.pipeline.store;

import io.trawl.api.Item;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.process.ChainOutcome;
import io.trawl.pipeline.sink.ItemOutputs;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record of {@code items} before it is stored. */
public sealed interface HandledRecord {
    /** The record. */
    ConsumerRecord<byte[], byte[]> record();

    /** The record is no item. */
    record UnreadableItem(ConsumerRecord<byte[], byte[]> record, String cause) implements HandledRecord {}

    /** The item belongs to a run that is over, or is stored already. */
    record PastItem(ConsumerRecord<byte[], byte[]> record) implements HandledRecord {}

    /**
     * The item has been through the chain.
     *
     * @param item as it was written to the topic
     * @param outputs where the item is stored, if it passed
     */
    record ChainedItem(ConsumerRecord<byte[], byte[]> record, CrawlRun run, Item item, ChainOutcome outcome,
            ItemOutputs outputs) implements HandledRecord {
        /** The same item with another outcome. */
        ChainedItem with(ChainOutcome other) {
            return new ChainedItem(record, run, item, other, outputs);
        }
    }
}
