package io.trawl.coordinator.summary;

import io.trawl.codec.Codec;
import io.trawl.model.CrawlRun;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tallies together with how far each partition of the ledger is in them. Every record counts once, in whatever pieces and however often the topic
 * is delivered: an answer alone would be recognised as a repetition, but an id that is emitted again after its answer would wait for ever. Written by
 * one thread, read by any.
 */
final class Counting {
    private static final Logger LOG = LoggerFactory.getLogger(Counting.class);
    private final Tallies tallies = new Tallies();
    private final Map<TopicPartition, Long> positions = new ConcurrentHashMap<>();
    private final InstantSource clock;

    Counting(InstantSource clock) {
        this.clock = clock;
    }

    /** Where the reading of a partition goes on: what lies below is counted. Empty if it has not begun. */
    Optional<Long> position(TopicPartition partition) {
        return Optional.ofNullable(positions.get(partition));
    }

    /** Reading begins at this offset, unless it has begun before. */
    void begin(TopicPartition partition, long offset) {
        positions.putIfAbsent(partition, offset);
    }

    /** Counts a record, unless it is counted already. */
    void add(ConsumerRecord<byte[], byte[]> entry) {
        TopicPartition partition = new TopicPartition(entry.topic(), entry.partition());
        if (entry.offset() < positions.getOrDefault(partition, 0L)) {
            return;
        }
        try {
            tallies.add(Codec.ledger(entry.value()), Instant.ofEpochMilli(entry.timestamp()), clock.instant());
        } catch (RuntimeException e) {
            // A record that nobody of us wrote must not keep all crawls from ever being finished.
            LOG.error("ledger record {}-{} at offset {} cannot be read: {}", entry.topic(), entry.partition(), entry.offset(),
                    e.getMessage());
        }
        // Shown only after the record has been counted.
        positions.put(partition, entry.offset() + 1);
    }

    /** Notes positions, which also move without a record, over the markers of transactions. */
    void moved(Map<TopicPartition, OffsetAndMetadata> next) {
        next.forEach((partition, offset) -> positions.merge(partition, offset.offset(), Math::max));
    }

    Traffic traffic() {
        return tallies.traffic();
    }

    long urls() {
        return tallies.urls();
    }

    RunStanding standing(CrawlRun run) {
        return tallies.standing(run);
    }

    Pace pace(CrawlRun run, Instant since, Instant now) {
        return tallies.pace(run, since, now);
    }

    Activity.Steps recent(Instant now) {
        return tallies.recent(now);
    }
}
