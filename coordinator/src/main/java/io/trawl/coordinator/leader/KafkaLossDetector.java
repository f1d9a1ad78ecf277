package io.trawl.coordinator.leader;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.Counter;
import io.trawl.channel.KafkaErrorChannel;
import io.trawl.channel.offset.LogEndCheck;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlRecord.KafkaLoss.Cut;
import io.trawl.coordinator.channel.DeletedTopics;
import io.trawl.coordinator.leader.LogComparison.Kept;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.lifecycle.ControlWriter.ControlNotWrittenException;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.coordinator.lifecycle.RefreshedVisits;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.store.LogEndStore;
import io.trawl.store.LogEndStore.LogEnd;
import io.trawl.model.CrawlerError;
import io.trawl.time.PeriodicTask;
import io.trawl.worker.StageNote;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that Kafka has lost records which it had acknowledged: a broker that did not write them to disk lost its
 * power, or a replica without them became leader. Facts in Redis outlive such records, and with them pages would be
 * left out and requests be waited for. The leader notes the ends of all logs in Redis; if a log has ended earlier
 * since, it writes a {@link KafkaLoss}, and all processes start again and know nothing of before
 * (docs/adr/0055-kafka-goes-back.md). It looks when a term begins, and then on a thread of its own, since Kafka may
 * take long to answer; only the leader's thread writes. It looks every second while crawls work or records come, so
 * that what is noted is at most a second old, and else every five.
 */
final class KafkaLossDetector implements AutoCloseable {
    /** The kind of the reported error. */
    static final String KIND = "KAFKA_LOST_RECORDS";
    private static final Logger LOG = LoggerFactory.getLogger(KafkaLossDetector.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration RESTING = Duration.ofSeconds(5);
    private static final Duration NOTED = Duration.ofHours(1);
    private static final int SHOWN = 5;
    private final CoordinatorContext parts;
    private final WorkerContext context;
    private final ControlWriter controlWriter;
    private final LogEndCheck check;
    private final Counter losses;
    private final PeriodicTask task;
    private final LogComparison comparison;
    private volatile Optional<Map<String, LogEnd>> latest = Optional.empty();
    private volatile Optional<RestoredTopics> restored = Optional.empty();
    /** When the thread looked last, and what was written then; both belong to it. */
    private long looked;
    private long seen;

    private record RestoredTopics(String text, long at) {}

    private interface LossReaction {
        void to(Map<String, Kept> kept, Map<String, LogEnd> now) throws InterruptedException;
    }

    /** @param leader runs what writes, after the first look */
    KafkaLossDetector(CoordinatorContext parts, ControlWriter controlWriter, LeaderThread leader) {
        this.parts = parts;
        this.context = parts.context();
        this.comparison = new LogComparison(context, parts.progress());
        this.controlWriter = controlWriter;
        this.check = new LogEndCheck(context.store().logEnds(),
                new TopicOffsets(context.kafka().clients().admin(), context.kafka().counts()::serves),
                () -> context.kafka().topics().all(context.control().channels()));
        this.losses = Counter.builder("trawl.kafka.losses")
                .description("How often Kafka was found to have lost records").register(context.telemetry().meters());
        this.looked = context.time().nanos() - RESTING.toNanos();
        this.task = new PeriodicTask("kafka-losses", EVERY, context.time(), () -> lookAgain(leader));
    }

    /**
     * Looks on the calling thread, which is the leader's, and begins to look again and again. Without Redis there are
     * no facts to be wrong, so the first look may wait.
     *
     * @throws KafkaException if Kafka does not answer; then this object is closed
     */
    void start() throws InterruptedException {
        try {
            look(this::forget);
        } catch (LedgerUnavailableException e) {
            LOG.debug("the ends of the logs are not compared now: {}", e.getMessage());
        } catch (UnknownTopicOrPartitionException e) {
            restore();
        } catch (KafkaException | InterruptedException e) {
            check.close();
            throw e;
        }
        task.start();
    }

    /** A server that does not answer is not a loss. A term that has ended closes this. */
    private void lookAgain(LeaderThread leader) throws InterruptedException {
        if (rests()) {
            return;
        }
        try {
            look((kept, now) -> leader.call(() -> {
                forget(kept, now);
                return kept;
            }));
        } catch (UnknownTopicOrPartitionException e) {
            restore();
        } catch (KafkaException | LedgerUnavailableException | ControlNotWrittenException | NotLeadingException e) {
            LOG.debug("the ends of the logs are not compared now: {}", e.getMessage());
        }
    }

    private boolean rests() {
        long records = parts.tally().changes() + parts.controlState().changes();
        long now = context.time().nanos();
        boolean rests = records == seen && now - looked < RESTING.toNanos() && context.control().rests();
        if (!rests) {
            seen = records;
            looked = now;
        }
        return rests;
    }

    /**
     * Somebody has deleted topics. They are made again, so that the crawls go on, and the next look, which comes soon,
     * finds that all the records are lost that facts rest on. Without {@code control} or {@code responses} this process
     * ends.
     */
    private void restore() throws InterruptedException {
        new DeletedTopics(context).restore().ifPresent(made -> {
            if (made.topics().contains(context.kafka().topics().snapshots())) {
                parts.ledger().snapshotsLost();
            }
            parts.webhooks().madeAgain(made.topics());
            restored = Optional.of(new RestoredTopics(made.text(), context.time().nanos()));
        });
        looked -= RESTING.toNanos();
    }

    /**
     * Whether no log is shorter than at the last look, and Kafka answers: a crawl is not finished by positions of
     * before a loss.
     */
    boolean whole() throws InterruptedException {
        try {
            return LogEndStore.below(latest.orElse(Map.of()), check.now()).isEmpty();
        } catch (KafkaException e) {
            LOG.debug("the ends of the logs are not known now: {}", e.getMessage());
            return false;
        }
    }

    /** Compares the ends of the logs with those of the last look, and notes them. */
    private void look(LossReaction reaction) throws InterruptedException {
        Map<String, LogEnd> before = latest.isPresent() ? latest.get() : context.store().logEnds().noted();
        Map<String, LogEnd> now = new HashMap<>(check.now());
        List<String> ofFacts = context.kafka().topics().ofFacts(context.control().channels());
        // The others are asked for with them, to know that they are there.
        now.keySet().removeIf(partition -> !ofFacts.contains(LogComparison.partition(partition).topic()));
        Map<String, Kept> kept = comparison.kept(before, now);
        if (kept.values().stream().anyMatch(Kept::less)) {
            reaction.to(kept, now);
        }
        if (!now.equals(before)) {
            context.store().logEnds().note(now);
        }
        latest = Optional.of(now);
    }

    /** For an hour, that topics were gone. Of those that facts rest on, the loss tells more. */
    List<StageNote> notes() {
        return restored.filter(topics -> context.time().nanos() - topics.at() < NOTED.toNanos()).stream()
                .map(topics -> new StageNote("deleted topics", topics.text())).toList();
    }

    private void forget(Map<String, Kept> kept, Map<String, LogEnd> now) throws InterruptedException {
        // While Redis takes no writes, it cannot note the new ends, and the next leader would find the same loss.
        context.store().logEnds().note(context.store().logEnds().noted());
        List<String> lost = kept.entrySet().stream().filter(partition -> partition.getValue().less())
                .map(partition -> partition.getKey() + partition.getValue().text()).toList();
        String evidence = lost.stream().limit(SHOWN).collect(Collectors.joining(", "))
                + (lost.size() > SHOWN ? " and " + (lost.size() - SHOWN) + " more" : "");
        LOG.error(
                "Kafka has lost records that it had acknowledged ({}). All processes start again without what Redis knows, since it may"
                        + " be about them: pages may be fetched and stored again. See docs/operations.md",
                evidence);
        losses.increment();
        context.control().crawls().forEach(crawl -> context.ledger().forget(crawl.run()));
        Instant at = context.time().now();
        report(CrawlerError.of(context.mid(), Optional.empty(), Optional.empty(), KIND, evidence, 1, at));
        abortHanging(now.keySet());
        Map<String, Long> cut = new HashMap<>();
        kept.forEach((partition, log) -> cut.put(partition, log.end()));
        List<String> topics = kept.keySet().stream().filter(partition -> requireNonNull(kept.get(partition)).less())
                .map(partition -> LogComparison.partition(partition).topic()).distinct().toList();
        KafkaLoss loss = KafkaLoss.after(context.control().kafkaLoss(),
                new Cut(ThreadLocalRandom.current().nextLong(), cut), topics, at);
        controlWriter.write(Stream.concat(Stream.of(loss), runsAfter(cut, at)).toList(), List.of());
        // Not before, and at once: this process starts again, too, and the next leader must not find the same loss.
        context.store().logEnds().note(now);
        context.control().refresh();
    }

    /** In one transaction with the loss: no refresh may read visits where there are none any more. */
    private Stream<CrawlStatus> runsAfter(Map<String, Long> cut, Instant at) {
        long visits = cut.getOrDefault(new TopicPartition(context.kafka().topics().visits(), 0).toString(),
                Long.MAX_VALUE);
        return parts.controlState().crawls().stream()
                .flatMap(crawl -> RefreshedVisits.afterLoss(crawl, visits, VisitPromotion.wholeBefore(at)).stream());
    }

    /** If {@code control} has one, no process reads the record of the loss. The others can be aborted later. */
    private void abortHanging(Set<String> logs) throws InterruptedException {
        try {
            new HangingTransactions(context.kafka().clients()::admin)
                    .abort(logs.stream().map(LogComparison::partition).toList());
        } catch (KafkaException e) {
            LOG.debug("whether transactions hang is not known now: {}", e.getMessage());
        }
    }

    /** Before the loss is written, and not in passing: this process starts again at once when it has read the loss. */
    private void report(CrawlerError error) {
        try {
            controlWriter.write(List.of(), List.of(KafkaErrorChannel.record(context.kafka().topics().errors(), error)));
        } catch (ControlNotWrittenException e) {
            LOG.warn("the loss is in the log alone, and not among the errors: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        task.close();
        check.close();
    }
}
