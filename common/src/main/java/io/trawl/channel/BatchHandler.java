package io.trawl.channel;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What a stage does with a batch of records. Called by one thread. */
public interface BatchHandler {
    /**
     * Decides what the batch leads to. Everything that may wait (Redis, parsing) happens here, before the transaction begins. May be called again with
     * the same records, cut differently, and must then decide the same.
     *
     * @param batch in offset order within each partition; never empty
     * @throws io.trawl.ledger.LedgerUnavailable to be called again later with the same records
     */
    Outgoing handle(List<ConsumerRecord<byte[], byte[]>> batch);

    /**
     * Decides what becomes of a record that failed three times although it ran alone: it is reported, and answered if it can be.
     *
     * @param cause the last failure
     */
    Outgoing giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause);
}
