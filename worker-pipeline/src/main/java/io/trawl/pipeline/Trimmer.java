package io.trawl.pipeline;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes what is stored from {@code items}, once a minute: the topic has no retention. Only below offsets that are committed with nothing pending, so
 * that no successor stands below the log's start. One thread; does not wait for the broker.
 */
final class Trimmer {
    private static final Logger LOG = LoggerFactory.getLogger(Trimmer.class);
    private final Admin admin;
    private final String topic;
    private final Duration pause;
    private final LongSupplier nanos;
    private final Map<Integer, Long> trimmed = new HashMap<>();
    private long last;

    Trimmer(Admin admin, String topic, Duration pause, LongSupplier nanos) {
        this.admin = admin;
        this.topic = topic;
        this.pause = pause;
        this.nanos = nanos;
        this.last = nanos.getAsLong();
    }

    /** Asks for the deletion if the last one is long ago. What fails is tried again the next time. */
    void trim(Map<Integer, Long> stored) {
        if (nanos.getAsLong() - last < pause.toNanos()) {
            return;
        }
        last = nanos.getAsLong();
        Map<TopicPartition, RecordsToDelete> below = new HashMap<>();
        stored.forEach((partition, offset) -> {
            if (offset > trimmed.getOrDefault(partition, 0L)) {
                trimmed.put(partition, offset);
                below.put(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(offset));
            }
        });
        if (!below.isEmpty()) {
            admin.deleteRecords(below).lowWatermarks()
                    .forEach((partition, done) -> done.whenComplete((result, e) -> logFailure(partition, e)));
        }
    }

    private static void logFailure(TopicPartition partition, Throwable e) {
        if (e != null) {
            LOG.debug("{} not trimmed now: {}", partition, e.getMessage());
        }
    }
}
