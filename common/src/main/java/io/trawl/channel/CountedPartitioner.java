package io.trawl.channel;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;
import org.jspecify.annotations.Nullable;

/**
 * The partitioner of all producers: by key, among the partitions that {@link PartitionCounts} counts. Kafka's own would use those that the broker
 * has now, and two producers may know different numbers of them. Public for the Kafka client, which creates it.
 */
public final class CountedPartitioner implements Partitioner {
    static final String COUNTS = "trawl.partition.counts";
    private @Nullable PartitionCounts counts;

    @Override
    public void configure(Map<String, ?> configs) {
        counts = (PartitionCounts) configs.get(COUNTS);
    }

    @Override
    public int partition(String topic, @Nullable Object key, byte @Nullable [] keyBytes, @Nullable Object value,
            byte @Nullable [] valueBytes, Cluster cluster) {
        int present = cluster.partitionCountForTopic(topic);
        return keyBytes == null
                ? ThreadLocalRandom.current().nextInt(requireNonNull(counts).of(topic).orElse(present))
                : requireNonNull(counts).partition(topic, keyBytes, present);
    }

    @Override
    public void close() {}
}
