package io.trawl.coordinator.channel;

import io.trawl.channel.KafkaIdentity;
import io.trawl.worker.WorkerContext;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the topics again that somebody has deleted, so that the crawls go on. Thread-safe. */
public record DeletedTopics(WorkerContext context) {
    private static final Logger LOG = LoggerFactory.getLogger(DeletedTopics.class);

    /** Topics that are made again. @param text says so, and when */
    public record Restored(List<String> topics, String text) {}

    /**
     * Looks for all topics. Without {@code control} or {@code responses} it does nothing: this process ends.
     *
     * @return what it has made; empty also if Kafka does not answer now
     */
    public Optional<Restored> restore() throws InterruptedException {
        try (Admin admin = context.kafka().clients().admin()) {
            if (!KafkaIdentity.Ids.of(admin, context.kafka().topics()).equals(context.identity().ids())) {
                return Optional.empty();
            }
            List<String> made = new TopicMaker(context.settings(), context.kafka().topics(), admin, context.time())
                    .restore(context.control().channels().orElseThrow());
            Optional<Restored> restored = Optional.of(made).filter(topics -> !topics.isEmpty())
                    .map(topics -> new Restored(topics,
                            "topics were gone, with all their records, and are made again: " + String.join(", ", topics)
                                    + ", at " + context.time().now().truncatedTo(ChronoUnit.SECONDS)));
            restored.ifPresent(topics -> LOG.error("{}", topics.text()));
            return restored;
        } catch (ExecutionException | KafkaException | NoSuchElementException e) {
            LOG.debug("topics may be gone, and cannot be made again now: {}", e.getMessage());
            return Optional.empty();
        }
    }
}
