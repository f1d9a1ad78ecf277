package io.trawl.channel.offset;

import io.trawl.store.LogEndStore;
import io.trawl.store.LogEndStore.LogEnd;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Compares the ends of the logs that facts rest on with those that a leader has noted in Redis. Thread-safe. Calls
 * block until Kafka and Redis answer, and throw {@link org.apache.kafka.common.KafkaException} or
 * {@link io.trawl.ledger.LedgerUnavailableException} when they do not.
 */
public final class LogEndCheck implements AutoCloseable {
    private final LogEndStore logEnds;
    private final TopicOffsets offsets;
    private final Supplier<List<String>> topics;

    /**
     * @param offsets closed by this object
     * @param topics whose records facts rest on
     */
    public LogEndCheck(LogEndStore logEnds, TopicOffsets offsets, Supplier<List<String>> topics) {
        this.logEnds = logEnds;
        this.offsets = offsets;
        this.topics = topics;
    }

    /** The present ends, by {@code topic-partition}. */
    public Map<String, LogEnd> now() throws InterruptedException {
        Map<String, LogEnd> now = new HashMap<>();
        offsets.logEnds(topics.get()).forEach((partition, end) -> now.put(partition.toString(), end));
        return now;
    }

    /**
     * The partitions that end below what was noted, with their present ends: Kafka has lost records of them. Empty if
     * nothing was noted.
     */
    public Map<String, LogEnd> below() throws InterruptedException {
        Map<String, LogEnd> noted = logEnds.noted();
        return noted.isEmpty() ? Map.of() : LogEndStore.below(noted, now());
    }

    @Override
    public void close() {
        offsets.close();
    }
}
