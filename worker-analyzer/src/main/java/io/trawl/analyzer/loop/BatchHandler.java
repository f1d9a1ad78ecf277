package io.trawl.analyzer.loop;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The work of a stage on a batch of records. Called by one thread. */
public interface BatchHandler {
    /**
     * Handles a batch and returns its output. Everything that may wait (Redis, parsing) happens here, before the
     * transaction begins. May be called again with the same records, grouped differently, and must then return the
     * same.
     *
     * @param batch in offset order within each partition; never empty
     * @throws io.trawl.ledger.LedgerUnavailableException to be called again later with the same records
     */
    BatchOutput handle(List<ConsumerRecord<byte[], byte[]>> batch);

    /**
     * Whether a record must be handled in a batch of its own, since its output may be as large as that of a whole
     * batch. Must be quick.
     */
    boolean alone(ConsumerRecord<byte[], byte[]> record);

    /**
     * Gives up a record that failed three times although it was handled alone: reports it, and answers it if possible.
     *
     * @param cause the last failure
     */
    BatchOutput giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause);

    /**
     * The output of a batch.
     *
     * @param records to be written in one transaction with the offsets of the batch
     * @param committed runs after the commit is confirmed, and only then: announcements go here
     */
    record BatchOutput(List<ProducerRecord<byte[], byte[]>> records, Runnable committed) {
        /** Nothing but the offsets. */
        public static final BatchOutput NOTHING = new BatchOutput(List.of(), () -> {});
    }
}
