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
 * Intercepts every record that a process writes, just before it is sent and when it is acknowledged, and those that it
 * has read. Kafka's clients instantiate it by class name, so it needs a public constructor without arguments; all
 * clients share one configuration. Called by the threads that send and read, and by that of the producer.
 */
public abstract class SendInterceptor
        implements
            ProducerInterceptor<byte[], byte[]>,
            ConsumerInterceptor<byte[], byte[]> {
    /**
     * Settings that install the interceptor in all Kafka clients of a process.
     *
     * @param properties the settings of the process, with names such as {@code trawl.kafka.bootstrap-servers}
     * @param folder for the settings file of the clients
     */
    public static Map<String, String> watching(Class<? extends SendInterceptor> watched, Path folder,
            Map<String, String> properties) throws IOException {
        Path config = folder.resolve("clients.properties");
        Files.writeString(config, "interceptor.classes=" + watched.getName() + "\n");
        Map<String, String> all = new HashMap<>(properties);
        all.put("trawl.kafka.config-file", config.toString());
        return all;
    }

    /** May delay the record, or end the process before it is sent. */
    protected abstract void beforeSend(ProducerRecord<byte[], byte[]> record);

    /** May delay all answers that the producer gets. */
    protected void acknowledged(RecordMetadata where) {
        // Most tests do not.
    }

    /** May delay what a poll returns. */
    protected void afterPoll(ConsumerRecords<byte[], byte[]> records) {
        // Most tests do not.
    }

    @Override
    public final ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
        beforeSend(record);
        return record;
    }

    @Override
    public final ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        afterPoll(records);
        return records;
    }

    @Override
    public final void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        // Not needed.
    }

    @Override
    public final void onAcknowledgement(RecordMetadata metadata, Exception exception) {
        acknowledged(metadata);
    }

    @Override
    public final void configure(Map<String, ?> configs) {
        // Needs no configuration.
    }

    @Override
    public final void close() {
        // Nothing to close.
    }
}
