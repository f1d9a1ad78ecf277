package io.trawl.channel.offset;

import io.trawl.channel.TopicNames;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.ledger.LogEnds;
import io.trawl.ledger.LogEnds.LogEnd;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Compares the ends of the logs that facts rest on with those that a leader has noted in Redis. Thread-safe. Calls block until Kafka and Redis
 * answer, and throw {@link org.apache.kafka.common.KafkaException} or {@link io.trawl.ledger.LedgerUnavailableException} when they do not.
 */
public final class LogEndCheck implements AutoCloseable {
    private final LogEnds logEnds;
    private final TopicOffsets offsets;
    private final TopicNames topicNames;
    private final Supplier<Optional<Channels>> channels;

    /** @param offsets closed by this object */
    public LogEndCheck(LogEnds logEnds, TopicOffsets offsets, TopicNames topicNames, Supplier<Optional<Channels>> channels) {
        this.logEnds = logEnds;
        this.offsets = offsets;
        this.topicNames = topicNames;
        this.channels = channels;
    }

    /** The present ends, by {@code topic-partition}. */
    public Map<String, LogEnd> now() throws InterruptedException {
        List<String> topics = new ArrayList<>(List.of(topicNames.control(), topicNames.seeds(), topicNames.responses(),
                topicNames.items(), topicNames.ledger(), topicNames.positions()));
        channels.get().map(topicNames::requests).ifPresent(topics::addAll);
        Map<String, LogEnd> now = new HashMap<>();
        offsets.logEnds(topics).forEach((partition, end) -> now.put(partition.toString(), end));
        return now;
    }

    /** The partitions that end below what was noted, with their present ends: Kafka has lost records of them. */
    public Map<String, LogEnd> below() throws InterruptedException {
        return LogEnds.below(logEnds.noted(), now());
    }

    @Override
    public void close() {
        offsets.close();
    }
}
