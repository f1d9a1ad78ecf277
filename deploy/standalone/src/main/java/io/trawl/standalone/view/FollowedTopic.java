package io.trawl.standalone.view;

import io.trawl.channel.KafkaClients;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.UserMistakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;

/** The items that a crawl writes to the topic of a sink from now on: each that is committed, once. */
final class FollowedTopic implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofMinutes(1);
    private static final Duration WAIT = Duration.ofSeconds(1);
    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> reader;
    private final CrawlId crawl;
    private final List<TopicPartition> partitions;

    /** Begins at the end of the topic. @throws UserMistakeException if there is no such topic */
    FollowedTopic(KafkaClients kafka, String topic, CrawlId crawl) {
        this.reader = kafka.reader("items");
        this.crawl = crawl;
        this.partitions = partitions(topic);
        reader.assign(partitions);
        reader.seekToEnd(partitions);
        partitions.forEach(partition -> reader.position(partition, ANSWER));
    }

    private List<TopicPartition> partitions(String topic) {
        try {
            List<TopicPartition> found = Optional.ofNullable(reader.partitionsFor(topic, ANSWER)).orElse(List.of())
                    .stream().map(partition -> new TopicPartition(topic, partition.partition())).toList();
            if (!found.isEmpty()) {
                return found;
            }
        } catch (UnknownTopicOrPartitionException e) {
            // As if it had no partition.
        }
        reader.close();
        throw new UserMistakeException("there is no topic " + topic + " at the broker (TRAWL_KAFKA_BOOTSTRAP_SERVERS)");
    }

    /**
     * Reads until the crawl has ended and everything is read.
     *
     * @param over whether the crawl writes no more items, or nobody reads any more
     * @param lines is given the value of each record
     */
    void follow(BooleanSupplier over, Consumer<byte[]> lines) {
        Map<TopicPartition, Long> last = new HashMap<>();
        while (last.isEmpty()
                || partitions.stream().anyMatch(at -> reader.position(at, ANSWER) < last.getOrDefault(at, 0L))) {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(WAIT)) {
                Header of = record.headers().lastHeader("crawl");
                if (of != null && record.value() != null
                        && new String(of.value(), StandardCharsets.UTF_8).equals(crawl.value())) {
                    lines.accept(record.value());
                }
            }
            if (last.isEmpty() && over.getAsBoolean()) {
                last.putAll(reader.endOffsets(partitions, ANSWER));
            }
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
