package io.trawl.channel;

import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What a batch leads to.
 *
 * @param records to be written in one transaction with the offsets of the batch
 * @param committed runs after the commit is confirmed, and only then: announcements go here
 */
public record Outgoing(List<ProducerRecord<byte[], byte[]>> records, Runnable committed) {
    /** Nothing but the offsets. */
    public static final Outgoing NOTHING = new Outgoing(List.of(), () -> {});
}
