package io.trawl.pipeline;

import io.trawl.api.Item;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.format.FileLine;
import io.trawl.pipeline.process.ChainOutcome;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record of {@code items} before it is stored. */
sealed interface HandledRecord {
    /** The record. */
    ConsumerRecord<byte[], byte[]> record();

    /** The record is no item. */
    record UnreadableItem(ConsumerRecord<byte[], byte[]> record, String cause) implements HandledRecord {}

    /** The item belongs to a run that is over. */
    record PastItem(ConsumerRecord<byte[], byte[]> record) implements HandledRecord {}

    /**
     * The item has been through the chain.
     *
     * @param item as it was written to the topic
     * @param lines of the item that passed, one for each sink that takes it; none for another outcome
     */
    record ChainedItem(ConsumerRecord<byte[], byte[]> record, CrawlRun run, Item item, ChainOutcome outcome,
            List<FileLine> lines) implements HandledRecord {
        /** The same item with another outcome. */
        ChainedItem with(ChainOutcome other) {
            return new ChainedItem(record, run, item, other, lines);
        }
    }
}
