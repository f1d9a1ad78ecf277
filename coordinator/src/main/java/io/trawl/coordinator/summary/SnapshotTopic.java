package io.trawl.coordinator.summary;

import io.trawl.channel.GroupMembership;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.model.InvalidValueException.FieldRules;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last two snapshots of the ledger, in a compacted topic: those with an even number and those with an odd one have
 * the same keys, so that a new snapshot takes the place of the last but one. Each record is a piece of a snapshot.
 */
public final class SnapshotTopic {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotTopic.class);
    private static final Duration POLL = Duration.ofMillis(100);
    /** More ids wait in no heap. */
    private static final int MOST_PIECES = 100_000;
    private final Supplier<Consumer<byte[], byte[]>> readers;
    private final TopicPartition topic;
    private final String ledger;
    private final Supplier<Optional<KafkaLoss>> losses;
    /** The pieces that each of the two places has, of whatever snapshot. */
    private final Map<Long, Integer> written = new HashMap<>();

    /**
     * What a record says of its piece.
     *
     * @param checksum of the whole snapshot
     */
    private record Piece(long number, int piece, int pieces, long checksum, String loss, Map<Integer, Long> offsets) {
        Piece {
            FieldRules.range("pieces", pieces, 1, MOST_PIECES);
            FieldRules.range("piece", piece, 0, pieces - 1);
            FieldRules.present("loss", loss);
            FieldRules.present("offsets", offsets);
        }

        boolean of(Piece other) {
            return number == other.number && checksum == other.checksum && pieces == other.pieces;
        }
    }

    /** What is found of a snapshot; a later one with the same keys takes its place. */
    private static final class Found {
        private final Piece first;
        private final Map<Integer, byte[]> pieces = new TreeMap<>();

        Found(Piece first) {
            this.first = first;
        }

        Stream<LedgerSnapshot> whole() {
            List<byte[]> content = List.copyOf(pieces.values());
            LedgerSnapshot snapshot = new LedgerSnapshot(first.number(), first.loss(), first.offsets(), content);
            if (content.size() == first.pieces() && snapshot.checksum() == first.checksum()) {
                return Stream.of(snapshot);
            }
            LOG.error("snapshot {} of the ledger is left out: it has {} of {} pieces, or they are damaged",
                    first.number(), content.size(), first.pieces());
            return Stream.empty();
        }
    }

    /**
     * @param readers creates a consumer without a group, whose fetches do not wait: other requests wait behind them
     * @param losses the last loss in Kafka
     */
    public SnapshotTopic(Supplier<Consumer<byte[], byte[]>> readers, TopicNames names,
            Supplier<Optional<KafkaLoss>> losses) {
        this.readers = readers;
        this.topic = new TopicPartition(names.snapshots(), 0);
        this.ledger = names.ledger();
        this.losses = losses;
    }

    /** What snapshots of a process name that has read nothing yet. */
    String loss() {
        return losses.get().map(KafkaLoss::tag).orElse("");
    }

    /** The records that write a snapshot, and delete the pieces that a longer one with the same keys has left. */
    synchronized List<ProducerRecord<byte[], byte[]>> records(LedgerSnapshot snapshot) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        long checksum = snapshot.checksum();
        int pieces = snapshot.content().size();
        for (int i = 0; i < pieces; i++) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic.topic(), 0, key(snapshot.number(), i),
                    snapshot.content().get(i));
            record.headers().add(Codec.RESPONSE_HEADER,
                    Json.bytes(new Piece(snapshot.number(), i, pieces, checksum, snapshot.loss(), snapshot.offsets())));
            records.add(record);
        }
        int before = written.getOrDefault(snapshot.number() % 2, 0);
        for (int i = pieces; i < before; i++) {
            records.add(new ProducerRecord<>(topic.topic(), 0, key(snapshot.number(), i), null));
        }
        written.put(snapshot.number() % 2, Math.max(before, pieces));
        return records;
    }

    private static byte[] key(long number, int piece) {
        return (number % 2 + "/" + piece).getBytes(StandardCharsets.UTF_8);
    }

    /** Reads the topic. @return the newest snapshot that is whole and has counted nothing that Kafka has lost since */
    synchronized Optional<LedgerSnapshot> newest() {
        Map<Long, Found> found = new HashMap<>();
        try (Consumer<byte[], byte[]> reader = readers.get()) {
            if (reader.partitionsFor(topic.topic(), GroupMembership.ANSWER).isEmpty()) {
                return Optional.empty();
            }
            List<TopicPartition> all = List.of(topic);
            reader.assign(all);
            reader.seekToBeginning(all);
            long end = reader.endOffsets(all, GroupMembership.ANSWER).getOrDefault(topic, 0L);
            while (reader.position(topic, GroupMembership.ANSWER) < end) {
                reader.poll(POLL).forEach(record -> add(record, found));
            }
            List<LedgerSnapshot> whole = found.values().stream().flatMap(Found::whole)
                    .sorted(Comparator.comparingLong(LedgerSnapshot::number).reversed()).toList();
            return whole.stream().filter(snapshot -> kept(snapshot, reader)).findFirst();
        }
    }

    private boolean kept(LedgerSnapshot snapshot, Consumer<byte[], byte[]> reader) {
        Map<TopicPartition, Long> counted = new HashMap<>();
        snapshot.offsets().forEach((partition, end) -> counted.put(new TopicPartition(ledger, partition), end));
        Map<TopicPartition, Long> ends = reader.endOffsets(counted.keySet(), GroupMembership.ANSWER);
        Optional<KafkaLoss> loss = losses.get();
        boolean kept = counted.entrySet().stream().allMatch(each -> each.getValue() <= Math.min(
                ends.getOrDefault(each.getKey(), 0L),
                loss.map(last -> last.limit(each.getKey().toString(), snapshot.loss())).orElse(Long.MAX_VALUE)));
        if (!kept) {
            LOG.warn("snapshot {} of the ledger has counted records that Kafka has lost: it is left out",
                    snapshot.number());
        }
        return kept;
    }

    private void add(ConsumerRecord<byte[], byte[]> record, Map<Long, Found> found) {
        if (record.value() == null) {
            return;
        }
        try {
            Piece piece = Json.read(Optional.ofNullable(record.headers().lastHeader(Codec.RESPONSE_HEADER))
                    .map(Header::value).orElseThrow(() -> new MalformedRecordException("it has no header")),
                    Piece.class);
            if (!Arrays.equals(record.key(), key(piece.number(), piece.piece()))) {
                throw new MalformedRecordException("its key is not that of its piece");
            }
            long place = piece.number() % 2;
            Found there = found.get(place);
            if (there == null || !there.first.of(piece)) {
                there = new Found(piece);
                found.put(place, there);
            }
            there.pieces.put(piece.piece(), record.value());
            written.merge(place, piece.piece() + 1, Math::max);
        } catch (MalformedRecordException e) {
            LOG.warn("the record of {} at offset {} is no piece of a snapshot: {}", topic, record.offset(),
                    e.getMessage());
        }
    }
}
