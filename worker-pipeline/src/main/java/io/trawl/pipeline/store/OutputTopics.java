package io.trawl.pipeline.store;

import io.trawl.channel.GroupMembership;
import io.trawl.pipeline.sink.SinkOffsets.TopicRecord;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The topics of the cluster that sinks write to. Confined to the consumer's thread. */
final class OutputTopics {
    private final Consumer<byte[], byte[]> consumer;
    private final Predicate<String> own;
    private final Set<String> found = new HashSet<>();

    /** @param own whether a topic is one of Trawl's */
    OutputTopics(Consumer<byte[], byte[]> consumer, Predicate<String> own) {
        this.consumer = consumer;
        this.own = own;
    }

    /** Which topic nothing may be written to. A producer would wait long for one that does not exist. */
    Optional<String> missing(List<TopicRecord> records) throws InterruptedException {
        for (String topic : records.stream().map(TopicRecord::topic).distinct().filter(topic -> !found.contains(topic))
                .toList()) {
            if (own.test(topic)) {
                return Optional.of("the topic " + topic + " is one of Trawl's own");
            }
            try {
                List<PartitionInfo> partitions = consumer.partitionsFor(topic, GroupMembership.ANSWER);
                if (partitions == null || partitions.isEmpty()) {
                    return Optional.of("there is no topic " + topic);
                }
                found.add(topic);
            } catch (InterruptException e) {
                throw KafkaSinkOffsets.interrupted(e);
            } catch (UnknownTopicOrPartitionException e) {
                return Optional.of("there is no topic " + topic);
            } catch (KafkaException e) {
                return e instanceof RetriableException ? Optional.empty() : Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }

    /** They may have been deleted: each is looked for again. */
    void forget() {
        found.clear();
    }

    /** The record of an item. */
    static ProducerRecord<byte[], byte[]> record(TopicRecord record) {
        ProducerRecord<byte[], byte[]> made = new ProducerRecord<>(record.topic(), bytes(record.key()),
                record.value().orElse(null));
        made.headers().add("crawl", bytes(record.run().crawl().value())).add("run", bytes(record.run().toString()));
        return made;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
