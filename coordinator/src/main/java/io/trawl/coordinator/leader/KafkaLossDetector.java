package io.trawl.coordinator.leader;

import io.micrometer.core.instrument.Counter;
import io.trawl.channel.offset.LogEndCheck;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.lifecycle.ControlWriter.ControlNotWrittenException;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.LogEndStore.LogEnd;
import io.trawl.model.CrawlerError;
import io.trawl.time.PeriodicTask;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that Kafka has lost records which it had acknowledged: a broker that did not write them to disk lost its power, or a replica without them
 * became leader. Facts in Redis outlive such records, and with them pages would be left out and requests be waited for. The leader notes the ends
 * of all logs in Redis; if a log has ended earlier since, it writes a {@link KafkaLoss}, and all processes continue without the facts that they
 * had, as after a loss of Redis (docs/adr/0055-kafka-goes-back.md). It looks when a term begins, and then on a thread of its own, since Kafka may
 * take long to answer; only the leader's thread writes.
 */
final class KafkaLossDetector implements AutoCloseable {
    /** The kind of the reported error. */
    static final String KIND = "KAFKA_LOST_RECORDS";
    private static final Logger LOG = LoggerFactory.getLogger(KafkaLossDetector.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final int SHOWN = 5;
    private final WorkerContext context;
    private final ControlWriter controlWriter;
    private final LogEndCheck check;
    private final Counter losses;
    private final PeriodicTask task;
    private Optional<Map<String, LogEnd>> latest = Optional.empty();

    /** Offsets from the first to before the last. */
    private record LostRange(long from, long end) {}

    private interface LossReaction {
        void to(Map<String, LostRange> lost) throws InterruptedException;
    }

    /** @param leader runs what writes, after the first look */
    KafkaLossDetector(WorkerContext context, ControlWriter controlWriter, LeaderThread leader) {
        this.context = context;
        this.controlWriter = controlWriter;
        this.check = new LogEndCheck(context.logEnds(), new TopicOffsets(context.kafka().admin(), context.counts()::serves),
                () -> context.topics().ofFacts(context.control().channels()));
        this.losses = Counter.builder("trawl.kafka.losses").description("How often Kafka was found to have lost records")
                .register(context.meters());
        this.task = new PeriodicTask("kafka-losses", EVERY, context.time(), () -> lookAgain(leader));
    }

    /**
     * Looks on the calling thread, which is the leader's, and begins to look again and again. Without Redis there are no facts to be wrong, so the
     * first look may wait.
     *
     * @throws KafkaException if Kafka does not answer; then this object is closed
     */
    void start() throws InterruptedException {
        try {
            look(this::forget);
        } catch (LedgerUnavailableException e) {
            LOG.debug("the ends of the logs are not compared now: {}", e.getMessage());
        } catch (KafkaException | InterruptedException e) {
            check.close();
            throw e;
        }
        task.start();
    }

    /** A server that does not answer is not a loss. A term that has ended closes this. */
    private void lookAgain(LeaderThread leader) throws InterruptedException {
        try {
            look(lost -> leader.call(() -> {
                forget(lost);
                return lost;
            }));
        } catch (KafkaException | LedgerUnavailableException | ControlNotWrittenException | NotLeadingException e) {
            LOG.debug("the ends of the logs are not compared now: {}", e.getMessage());
        }
    }

    /** Compares the ends of the logs with those of the last look, and notes them. */
    private void look(LossReaction reaction) throws InterruptedException {
        Map<String, LogEnd> before = latest.isPresent() ? latest.get() : context.logEnds().noted();
        Map<String, LogEnd> now = check.now();
        Map<String, LostRange> lost = lost(before, now);
        if (!lost.isEmpty()) {
            reaction.to(lost);
        }
        if (!now.equals(before)) {
            context.logEnds().note(now);
        }
        latest = Optional.of(now);
    }

    /** The records that are lost, by partition. */
    private Map<String, LostRange> lost(Map<String, LogEnd> before, Map<String, LogEnd> now) {
        Map<String, LostRange> lost = new TreeMap<>();
        Map<TopicPartition, LogEnd> doubtful = new HashMap<>();
        now.forEach((partition, end) -> {
            LogEnd earlier = before.get(partition);
            if (earlier != null && end.offset() < earlier.offset()) {
                lost.put(partition, new LostRange(end.offset(), earlier.offset()));
            } else if (earlier != null && end.epoch() != earlier.epoch() && earlier.epoch() != LogEnd.NO_EPOCH) {
                doubtful.put(partition(partition), earlier);
            }
        });
        if (!doubtful.isEmpty()) {
            divergent(doubtful).forEach((partition, range) -> lost.put(partition.toString(), range));
        }
        return lost;
    }

    private static TopicPartition partition(String name) {
        int dash = name.lastIndexOf('-');
        return new TopicPartition(name.substring(0, dash), Integer.parseInt(name.substring(dash + 1)));
    }

    /**
     * The logs that have another leader by now and are at least as long as before may hold other records there. The broker knows where the records
     * of each epoch end; a consumer that is told the epoch of its position asks for it, and moves to the first offset that differs (KIP-320).
     */
    private Map<TopicPartition, LostRange> divergent(Map<TopicPartition, LogEnd> ends) {
        Map<TopicPartition, LostRange> divergent = new HashMap<>();
        try (Consumer<byte[], byte[]> reader = context.kafka().seeker("log-ends-" + context.mid())) {
            reader.assign(ends.keySet());
            ends.forEach((partition, end) -> reader.seek(partition,
                    new OffsetAndMetadata(end.offset(), Optional.of(end.epoch()), "")));
            ends.forEach((partition, end) -> {
                long position = reader.position(partition, ANSWER);
                if (position < end.offset()) {
                    divergent.put(partition, new LostRange(position, end.offset()));
                }
            });
        }
        return divergent;
    }

    private void forget(Map<String, LostRange> lost) throws InterruptedException {
        String evidence = lost.entrySet().stream().limit(SHOWN)
                .map(p -> p.getKey() + " from offset " + p.getValue().from() + " to " + p.getValue().end())
                .collect(Collectors.joining(", ")) + (lost.size() > SHOWN ? " and " + (lost.size() - SHOWN) + " more" : "");
        LOG.error(
                "Kafka has lost records that it had acknowledged ({}). What Redis knows is forgotten, since it may be about them:"
                        + " pages may be fetched and stored again. A crawl that waits for a lost record does not end; its next run"
                        + " begins with fresh=true. See docs/operations.md",
                evidence);
        losses.increment();
        context.control().crawls().forEach(crawl -> context.ledger().forget(crawl.run()));
        long version = context.control().kafkaLoss().map(KafkaLoss::version).orElse(0L) + 1;
        Instant at = context.time().now();
        controlWriter.write(new KafkaLoss(version, ThreadLocalRandom.current().nextLong(), at));
        context.control().refresh();
        context.errors().report(CrawlerError.of(context.mid(), Optional.empty(), Optional.empty(), KIND, evidence, 1, at));
    }

    @Override
    public void close() {
        task.close();
        check.close();
    }
}
