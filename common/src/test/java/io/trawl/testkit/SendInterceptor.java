package io.trawl.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Sees every record that a process writes, right before it is sent. Kafka's clients make it by the name of its class, so it needs a public constructor without
 * arguments; they all share one configuration, so it is a consumer's as well, where it does nothing. Called by the threads that send.
 */
public abstract class SendInterceptor implements ProducerInterceptor<byte[], byte[]>, ConsumerInterceptor<byte[], byte[]> {
    /**
     * Settings by which all Kafka clients of a process let themselves be watched.
     *
     * @param properties the settings of the process, named as {@code trawl.kafka.bootstrap-servers}
     * @param folder for the file that tells the clients
     */
    public static Map<String, String> watching(Class<? extends SendInterceptor> watched, Path folder,
            Map<String, String> properties) throws IOException {
        Path config = folder.resolve("clients.properties");
        Files.writeString(config, "interceptor.classes=" + watched.getName() + "\n");
        Map<String, String> all = new HashMap<>(properties);
        all.put("trawl.kafka.config-file", config.toString());
        return all;
    }

    /** May hold the record up, or end the process before it is sent. */
    protected abstract void beforeSend(ProducerRecord<byte[], byte[]> record);

    @Override
    public final ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
        beforeSend(record);
        return record;
    }

    @Override
    public final ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        return records;
    }

    @Override
    public final void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        // Of no interest: only what is sent.
    }

    @Override
    public final void onAcknowledgement(RecordMetadata metadata, Exception exception) {
        // Of no interest: only what is to be sent.
    }

    @Override
    public final void configure(Map<String, ?> configs) {
        // Kafka makes it, and tells it nothing that it needs.
    }

    @Override
    public final void close() {
        // Holds nothing.
    }
}
