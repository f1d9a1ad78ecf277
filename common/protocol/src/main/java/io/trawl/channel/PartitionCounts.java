package io.trawl.channel;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.offset.LayoutHeader;
import io.trawl.codec.Codec;
import io.trawl.control.Channels;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlRun;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * How many partitions of each topic carry records: the counts on {@code control}, whatever the broker has by now. An
 * operator may add partitions to a topic at any time; writers do not choose them, and readers do not serve them. Of
 * {@code items} writers may use fewer than readers serve, since the number may have been larger before. Thread-safe.
 *
 * @param channels the record of the counts, once there is one
 */
public record PartitionCounts(TopicNames topicNames, Supplier<Optional<Channels>> channels) {
    /** Of a deployment whose counts are not known: all partitions count. */
    public static PartitionCounts unknown(TopicNames topicNames) {
        return new PartitionCounts(topicNames, Optional::empty);
    }

    /** Of one record of the counts. */
    public static PartitionCounts fixed(TopicNames topicNames, Channels channels) {
        return new PartitionCounts(topicNames, () -> Optional.of(channels));
    }

    /** How many partitions carry records; empty if it may be any number, or before {@code control} is read. */
    public OptionalInt of(String topic) {
        if (topic.equals(topicNames.seeds()) || topic.equals(topicNames.control()) || topic.equals(topicNames.events())
                || topic.equals(topicNames.positions())) {
            return OptionalInt.of(1);
        }
        return channels.get().map(known -> count(known, topic)).filter(count -> count > 0).map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    private int count(Channels known, String topic) {
        if (topicNames.isRequests(topic)) {
            return known.waiting().stream().filter(of -> topicNames.generation(topic) == of.generation()).findFirst()
                    .map(Channels::partitions).orElse(0);
        }
        return topic.equals(topicNames.responses())
                ? known.readResponses()
                : topic.equals(topicNames.items())
                        ? known.readItems()
                        : topic.equals(topicNames.ledger()) ? known.readLedger() : 0;
    }

    /** Whether this partition carries records of Trawl: what is in others was written by another program. */
    public boolean serves(TopicPartition partition) {
        OptionalInt count = of(partition.topic());
        return count.isEmpty() || partition.partition() < count.getAsInt();
    }

    /** The partition of a key, as Kafka's producers would choose it if the topic had no others. */
    int partition(String topic, byte[] key, int present) {
        return partitions(topic, key, present).getFirst();
    }

    /**
     * The partitions in which records of a key may be, those written last first. What is written to fewer partitions
     * than before is written to partitions that are spread over all, since members of a group share these in ranges.
     */
    public List<Integer> partitions(String topic, byte[] key, int present) {
        List<Integer> counts = channels.get().map(now -> counts(now, topic)).orElse(List.of());
        return counts.size() < 2
                ? List.of(BuiltInPartitioner.partitionForKey(key, of(topic).orElse(present)))
                : spread(key, counts);
    }

    private List<Integer> counts(Channels known, String topic) {
        return topic.equals(topicNames.items())
                ? known.itemCounts()
                : topic.equals(topicNames.responses()) ? known.responseCounts() : List.of();
    }

    private static List<Integer> spread(byte[] key, List<Integer> counts) {
        List<Integer> partitions = new ArrayList<>();
        int read = 0;
        for (int written : counts) {
            read = Math.max(read, written);
            partitions.addFirst((int) ((long) BuiltInPartitioner.partitionForKey(key, written) * read / written));
        }
        return partitions.stream().distinct().toList();
    }

    /**
     * A record of a response in the partition and the layout that hold now, whatever its headers said before. @param
     * copy whether it is a copy
     */
    public ProducerRecord<byte[], byte[]> response(byte[] key, byte @Nullable [] value, Iterable<Header> headers,
            boolean copy) {
        Optional<Channels> known = channels.get();
        int layout = known.map(now -> now.responseLayout().number()).orElse(0);
        Integer partition = known.map(now -> spread(key, now.responseCounts()).getFirst()).orElse(null);
        long loss = copy ? LayoutHeader.of(new RecordHeaders(headers)).loss() : topicNames.lossId();
        return new ProducerRecord<>(topicNames.responses(), partition, key, value,
                new LayoutHeader(layout, copy, loss).with(headers));
    }

    /** A record of {@code ledger} in the partition of its run. */
    public ProducerRecord<byte[], byte[]> ledger(LedgerRecord ledger) {
        return ledger(ledger.run(), ledger);
    }

    /**
     * The record that closes the sums of a run: an empty one of the next epoch, in the partition of the run that is
     * over.
     */
    public ProducerRecord<byte[], byte[]> closing(CrawlRun over) {
        return ledger(over, LedgerRecord.empty(new CrawlRun(over.crawl(), over.epoch() + 1)));
    }

    private ProducerRecord<byte[], byte[]> ledger(CrawlRun home, LedgerRecord ledger) {
        byte[] key = home.crawl().value().getBytes(StandardCharsets.UTF_8);
        Integer partition = channels.get()
                .map(known -> BuiltInPartitioner.partitionForKey(key, known.ledgerPartitions(home))).orElse(null);
        return new ProducerRecord<>(topicNames.ledger(), partition, key, Codec.encode(ledger));
    }

    /**
     * The partitioner of all producers: by key, among the partitions that count. Kafka's own would use those that the
     * broker has now, and two producers may know different numbers of them. Public for the Kafka client, which creates
     * it.
     */
    public static final class CountedPartitioner implements Partitioner {
        static final String COUNTS = "trawl.partition.counts";
        private @Nullable PartitionCounts counts;

        @Override
        public void configure(Map<String, ?> configs) {
            counts = (PartitionCounts) configs.get(COUNTS);
        }

        @Override
        public int partition(String topic, @Nullable Object key, byte @Nullable [] keyBytes, @Nullable Object value,
                byte @Nullable [] valueBytes, Cluster cluster) {
            PartitionCounts known = requireNonNull(counts);
            int present = cluster.partitionCountForTopic(topic);
            return keyBytes == null
                    ? ThreadLocalRandom.current().nextInt(known.of(topic).orElse(present))
                    : known.partition(topic, keyBytes, present);
        }

        @Override
        public void close() {}
    }
}
