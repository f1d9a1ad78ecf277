package io.trawl.downloader;

import io.trawl.channel.KafkaClients;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.ledger.LogPartition;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes answered requests below a committed offset, then forgets their marks: in this order, so that nobody begins below the log's start or finds an
 * answered request without its mark. One trim at a time, on a thread of its own; a trim that fails is made up for by the next. Thread-safe.
 */
final class Trimmer {
    private static final Logger LOG = LoggerFactory.getLogger(Trimmer.class);
    private final KafkaClients kafka;
    private final AnsweredMarks marks;
    private final AtomicBoolean busy = new AtomicBoolean();

    Trimmer(KafkaClients kafka, AnsweredMarks marks) {
        this.kafka = kafka;
        this.marks = marks;
    }

    /** Trims below offsets that are committed; returns at once. False if the last trim is still under way: nothing is done then. */
    boolean trim(Map<LogPartition, Long> committed) {
        if (committed.isEmpty() || !busy.compareAndSet(false, true)) {
            return false;
        }
        Thread.ofVirtual().name("trim").start(() -> {
            try (Admin admin = kafka.admin()) {
                Map<TopicPartition, RecordsToDelete> below = committed.entrySet().stream().collect(Collectors.toMap(
                        e -> new TopicPartition(e.getKey().topic(), e.getKey().partition()),
                        e -> RecordsToDelete.beforeOffset(e.getValue())));
                admin.deleteRecords(below).all().get();
                committed.forEach(marks::dropBelow);
            } catch (ExecutionException | KafkaException | LedgerUnavailable e) {
                LOG.info("requests are not trimmed this time: {}", e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                busy.set(false);
            }
        });
        return true;
    }
}
