package io.trawl.coordinator.channel;

import io.trawl.channel.GroupMembership;
import io.trawl.channel.HostPartitioner;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.TransactionalWriter.CommitResult;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.Channels;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.MovedRequest;
import io.trawl.ledger.LogPartition;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Copies the requests without an answer from the request topics of one generation to those of the next, unchanged, in
 * the transactions that commit how far it has come. A request keeps its id, its key, and the order among those with the
 * same key and priority. If its priority is gone, the ledger learns the present one in the same transaction. Confined
 * to one thread.
 */
final class RequestForwarder {
    private static final Duration POLL = Duration.ofMillis(100);
    private final Consumer<byte[], byte[]> reader;
    private final TransactionalWriter writer;
    private final TopicOffsets offsets;
    private final AnsweredMarks marks;
    private final TopicNames topicNames;
    private final Channels from;
    private final Channels to;
    private final Map<String, String> topicIds;
    private final PartitionCounts counts;
    private long forwarded;

    /**
     * @param reader of committed records, which has not joined the group of the downloaders
     * @param from the topics that are replaced
     * @param topicIds Kafka's ids of them, by name
     */
    RequestForwarder(Consumer<byte[], byte[]> reader, TransactionalWriter writer, TopicOffsets offsets,
            AnsweredMarks marks, TopicNames topicNames, Channels from, Channels to, Map<String, String> topicIds) {
        this.reader = reader;
        this.writer = writer;
        this.offsets = offsets;
        this.marks = marks;
        this.topicNames = topicNames;
        this.from = from;
        this.to = to;
        this.topicIds = topicIds;
        this.counts = PartitionCounts.fixed(topicNames, to);
    }

    /** The requests that this object has copied. */
    long forwarded() {
        return forwarded;
    }

    /**
     * Forwards everything that is in the log when it begins, the highest priority first.
     *
     * @return false if there was nothing: all that was acknowledged or committed before the call is forwarded or
     * answered
     * @throws KafkaException if the broker does not answer; the next call goes on
     */
    boolean pass() throws InterruptedException {
        // In this order: a downloader that slept writes a copy before it commits the offset of the original, and before
        // that is trimmed.
        Map<TopicPartition, OffsetAndMetadata> committed = offsets.settled(topicNames.downloaderGroup());
        Map<TopicPartition, Long> starts = offsets.starts(topicNames.requests(from).stream().flatMap(
                topic -> IntStream.range(0, from.partitions()).mapToObj(number -> new TopicPartition(topic, number)))
                .toList());
        Map<TopicPartition, Long> ends = offsets.ends(topicNames.requests(from));
        boolean any = false;
        for (String topic : topicNames.requests(from).reversed()) {
            Map<TopicPartition, Long> left = new HashMap<>();
            ends.forEach((partition, end) -> {
                long begin = Math.max(starts.getOrDefault(partition, 0L),
                        Optional.ofNullable(committed.get(partition)).map(OffsetAndMetadata::offset).orElse(0L));
                if (partition.topic().equals(topic) && begin < end) {
                    left.put(partition, begin);
                }
            });
            if (!left.isEmpty()) {
                any = true;
                forward(left, ends);
            }
        }
        return any;
    }

    private void forward(Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
        reader.assign(begins.keySet());
        // A partition of the pass before is paused still, if it was assigned until now.
        reader.resume(begins.keySet());
        begins.forEach(reader::seek);
        Map<TopicPartition, Long> left = new HashMap<>(begins);
        while (!left.isEmpty()) {
            ConsumerRecords<byte[], byte[]> records = reader.poll(POLL);
            Map<TopicPartition, OffsetAndMetadata> reached = new HashMap<>();
            left.forEach((partition, before) -> {
                long position = reader.position(partition, GroupMembership.ANSWER);
                if (position > before) {
                    reached.put(partition, new OffsetAndMetadata(position));
                }
            });
            if (!reached.isEmpty()) {
                Map<CrawlRun, List<MovedRequest>> moved = new HashMap<>();
                commit(copies(records, moved), entries(moved), reached);
                reached.forEach((partition, position) -> left.put(partition, position.offset()));
                left.entrySet()
                        .removeIf(partition -> partition.getValue() >= ends.getOrDefault(partition.getKey(), 0L));
                reader.pause(begins.keySet().stream().filter(partition -> !left.containsKey(partition)).toList());
            }
        }
    }

    private void commit(List<ProducerRecord<byte[], byte[]>> copies, List<ProducerRecord<byte[], byte[]>> entries,
            Map<TopicPartition, OffsetAndMetadata> reached) {
        List<ProducerRecord<byte[], byte[]>> all = Stream.concat(copies.stream(), entries.stream()).toList();
        if (writer.writeUnassigned(all, reached, reader.groupMetadata()) != CommitResult.COMMITTED) {
            throw new KafkaException("the requests of " + reached.keySet() + " cannot be forwarded now");
        }
        forwarded += copies.size();
    }

    /** @param moved receives the requests whose priority is gone */
    private List<ProducerRecord<byte[], byte[]>> copies(ConsumerRecords<byte[], byte[]> records,
            Map<CrawlRun, List<MovedRequest>> moved) {
        List<ProducerRecord<byte[], byte[]>> copies = new ArrayList<>(records.count());
        for (TopicPartition partition : records.partitions()) {
            int priority = topicNames.priority(partition.topic());
            int level = to.level(priority);
            List<ConsumerRecord<byte[], byte[]>> batch = records.records(partition);
            long first = batch.getFirst().offset();
            BitSet answered = marks.answered(new LogPartition(partition.topic(),
                    topicIds.getOrDefault(partition.topic(), ""), partition.partition()), first,
                    (int) (batch.getLast().offset() - first + 1));
            batch.stream().filter(record -> !answered.get((int) (record.offset() - first))).forEach(record -> {
                copies.add(copy(record, level));
                if (level != priority) {
                    request(record).ifPresent(request -> moved.computeIfAbsent(request.run(), _ -> new ArrayList<>())
                            .add(new MovedRequest(request.id(), level, MovedRequest.REPLACED)));
                }
            });
        }
        return copies;
    }

    private List<ProducerRecord<byte[], byte[]>> entries(Map<CrawlRun, List<MovedRequest>> moved) {
        List<ProducerRecord<byte[], byte[]>> entries = new ArrayList<>();
        moved.forEach((run, requests) -> {
            for (int from = 0; from < requests.size(); from += LedgerRecord.MOST_IDS) {
                List<MovedRequest> some = requests.subList(from,
                        Math.min(requests.size(), from + LedgerRecord.MOST_IDS));
                entries.add(counts.ledger(LedgerRecord.ofMoved(run, some)));
            }
        });
        return entries;
    }

    /** Empty if it is none of Trawl. */
    private static Optional<Request> request(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.of(Codec.request(record.value()));
        } catch (MalformedRecordException e) {
            return Optional.empty();
        }
    }

    /**
     * What is no request of Trawl has no key, perhaps; it is copied, too, so that it is found and reported as before.
     */
    private ProducerRecord<byte[], byte[]> copy(ConsumerRecord<byte[], byte[]> record, int level) {
        int partition = record.key() == null ? 0 : HostPartitioner.of(record.key(), to);
        return new ProducerRecord<>(topicNames.requests(to.generation(), level), partition, record.key(),
                record.value(), record.headers());
    }
}
