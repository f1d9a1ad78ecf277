package io.trawl.pipeline.store;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Handles the records of a topic that is stored. @param <T> a record before it is stored */
interface RecordHandler<T> {
    /** Processes records that will be stored one after the other. Stores nothing. */
    List<T> process(List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException;

    /** Stores one. @return false if its partition turned out to be lost */
    boolean store(T handled) throws InterruptedException;
}
