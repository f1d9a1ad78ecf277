package io.trawl.analyzer.loop;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * What of a poll lies below limits.
 *
 * @param below the records below the limit of their partition, with positions that are not beyond it
 * @param reached the partitions with records at or beyond their limit, with it
 */
public record PollLimit(ConsumerRecords<byte[], byte[]> below, Map<TopicPartition, Long> reached) {
    /** @param limit the offset of the first record of a partition that does not count; 0 if not even a position does */
    public PollLimit(ConsumerRecords<byte[], byte[]> polled, ToLongFunction<TopicPartition> limit) {
        this(polled, limit, reached(polled, limit));
    }

    private PollLimit(ConsumerRecords<byte[], byte[]> polled, ToLongFunction<TopicPartition> limit,
            Map<TopicPartition, Long> reached) {
        this(reached.isEmpty() ? polled : below(polled, reached), reached);
    }

    private static Map<TopicPartition, Long> reached(ConsumerRecords<byte[], byte[]> polled,
            ToLongFunction<TopicPartition> limit) {
        Map<TopicPartition, Long> reached = new HashMap<>();
        for (TopicPartition partition : polled.partitions()) {
            long end = limit.applyAsLong(partition);
            if (polled.records(partition).getLast().offset() >= end) {
                reached.put(partition, end);
            }
        }
        return reached;
    }

    private static ConsumerRecords<byte[], byte[]> below(ConsumerRecords<byte[], byte[]> polled,
            Map<TopicPartition, Long> reached) {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> records = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>(polled.nextOffsets());
        polled.partitions().forEach(partition -> records.put(partition, polled.records(partition)));
        reached.forEach((partition, end) -> {
            List<ConsumerRecord<byte[], byte[]>> handled = polled.records(partition).stream()
                    .filter(r -> r.offset() < end).toList();
            records.put(partition, handled);
            next.put(partition, new OffsetAndMetadata(end));
            if (handled.isEmpty()) {
                records.remove(partition);
            }
            if (end == 0) {
                next.remove(partition);
            }
        });
        return new ConsumerRecords<>(records, next);
    }
}
