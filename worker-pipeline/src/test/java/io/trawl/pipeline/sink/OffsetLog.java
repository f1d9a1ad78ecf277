package io.trawl.pipeline.sink;

import io.trawl.channel.offset.StoredPosition;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.LedgerRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The group's offsets in memory: one owner at a time, which its successor fences. */
final class OffsetLog {
    private final Map<Integer, SinkOffsets.Committed> committed = new TreeMap<>();
    private final List<LedgerRecord> ledger = new ArrayList<>();
    /** The lines in topics. */
    final Map<String, List<String>> topics = new TreeMap<>();
    /** By topic, how often it refuses records from now on. */
    final Map<String, Integer> refusals = new TreeMap<>();
    /** Whether Kafka has lost records since. */
    boolean cut;
    private long logStart;
    private int owner;

    void startsAt(long offset) {
        logStart = offset;
    }

    void set(int partition, long offset, String note) {
        committed.put(partition, new SinkOffsets.Committed(new StoredPosition(offset, note, Map.of()), logStart, cut));
    }

    SinkOffsets.Committed get(int partition) {
        return committed.getOrDefault(partition, new SinkOffsets.Committed(StoredPosition.NONE, logStart, cut));
    }

    /** What the ledger says of all items, by run. */
    Map<String, ItemCounts> items() {
        Map<String, ItemCounts> sums = new TreeMap<>();
        ledger.forEach(record -> sums.merge(record.run().toString(), record.items().orElseThrow(), ItemCounts::plus));
        return sums;
    }

    /** A new owner of all partitions; the previous owner is fenced. */
    SinkOffsets own() {
        int me = ++owner;
        return new SinkOffsets() {
            @Override
            public Map<Integer, Committed> committed(Set<Integer> partitions) throws PartitionLost {
                fence();
                Map<Integer, Committed> result = new HashMap<>();
                partitions.forEach(partition -> result.put(partition, get(partition)));
                return result;
            }

            @Override
            public int partitions() {
                return 4;
            }

            @Override
            public void commit(int partition, StoredPosition position, List<LedgerRecord> records,
                    List<TopicRecord> topicRecords) throws PartitionLost {
                fence();
                if (refusal(topicRecords).isPresent()) {
                    throw new PartitionLost("the transaction was aborted");
                }
                ledger.addAll(records);
                topicRecords.forEach(record -> topics.computeIfAbsent(record.topic(), _ -> new ArrayList<>())
                        .add(new String(record.value().orElseThrow(), StandardCharsets.UTF_8)));
                // As it is in Kafka.
                committed.put(partition,
                        new SinkOffsets.Committed(StoredPosition.of(position.commit()), logStart, false));
            }

            @Override
            public Optional<String> refusal(List<TopicRecord> records) {
                return records.stream().map(TopicRecord::topic).distinct().filter(refusals::containsKey).findFirst()
                        .map(topic -> {
                            refusals.computeIfPresent(topic, (_, left) -> left > 1 ? left - 1 : null);
                            return "no topic " + topic;
                        });
            }

            private void fence() throws PartitionLost {
                if (me != owner) {
                    throw new PartitionLost(new NoSuchFileException("owner " + me + " is fenced by " + owner));
                }
            }
        };
    }
}
