package io.trawl.coordinator.leader;

import io.trawl.model.Body;
import io.trawl.channel.GroupMembership;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.ResponseHeaders;
import io.trawl.channel.TopicNames;
import io.trawl.channel.offset.LayoutHeader;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.codec.SalvagedHeader;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.coordinator.channel.ChannelReplacement;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.lifecycle.ControlWriter.ControlNotWrittenException;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.coordinator.lifecycle.SeedProgress;
import io.trawl.coordinator.summary.Unanswered;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request.RequestId;
import io.trawl.time.PeriodicTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what a loss in Kafka has begun. When all responses and seeds that the logs had left are handled again, the
 * requests that the ledger says to wait, but that are in no log any more, are answered as lost, since nobody would ever
 * answer them. Until then no crawl is finished. Another leader goes on.
 */
final class LossRepair implements AutoCloseable {
    /** The detail of the answer to a request that is lost. */
    private static final String LOST = "LOST";
    private static final Logger LOG = LoggerFactory.getLogger(LossRepair.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofMillis(200);
    private final CoordinatorContext parts;
    private final ControlWriter controlWriter;
    private final LeaderThread leader;
    private final SeedProgress seeds;
    private final Predicate<KafkaLoss> visits;
    private final TopicNames names;
    private final HangingTransactions hanging;
    private final PeriodicTask task;
    private Optional<Ends> left = Optional.empty();

    /** What the logs had when the repair began. */
    private record Ends(Map<TopicPartition, Long> responses, Map<TopicPartition, Long> seeds) {}

    /** @param visits whether all that visits pages is requested again since a loss */
    LossRepair(CoordinatorContext parts, ControlWriter controlWriter, LeaderThread leader, SeedProgress seeds,
            Predicate<KafkaLoss> visits) {
        this.visits = visits;
        this.parts = parts;
        this.controlWriter = controlWriter;
        this.leader = leader;
        this.seeds = seeds;
        this.names = parts.context().kafka().topics();
        this.hanging = new HangingTransactions(parts.context().kafka().clients()::admin);
        this.task = new PeriodicTask("loss-repair", EVERY, parts.context().time(), this::step);
    }

    void start() {
        task.start();
    }

    private void step() throws InterruptedException {
        Optional<KafkaLoss> loss = parts.controlState().kafkaLoss().filter(last -> !last.repaired());
        if (loss.isEmpty()) {
            return;
        }
        try {
            Ends ends = left.isPresent() ? left.get() : begin();
            left = Optional.of(ends);
            abortHanging();
            if (handledAgain(ends) && visits.test(loss.get())) {
                complete(loss.get());
            }
        } catch (KafkaException | ControlNotWrittenException | NotLeadingException e) {
            LOG.debug("the loss of {} is not repaired yet: {}", loss.get().at(), e.getMessage());
        }
    }

    /** An analyzer that does not know of the loss yet would follow links by void facts. */
    private Ends begin() throws InterruptedException {
        try (Admin admin = parts.context().kafka().clients().admin()) {
            ChannelReplacement.seal(admin, names);
        }
        return new Ends(parts.progress().ends(names.responses()), parts.progress().ends(names.seeds()));
    }

    /** Again and again: a transaction may go on when the leader looks, and be over with the next look. */
    private void abortHanging() throws InterruptedException {
        List<TopicPartition> logs = new ArrayList<>();
        for (String topic : names.ofFacts(parts.controlState().channels())) {
            logs.addAll(parts.progress().ends(topic).keySet());
        }
        hanging.abort(logs);
    }

    private boolean handledAgain(Ends ends) throws InterruptedException {
        return parts.progress().handled(names.analyzerGroup(), ends.responses())
                && seeds.admitted() >= ends.seeds().getOrDefault(new TopicPartition(names.seeds(), 0), 0L);
    }

    private void complete(KafkaLoss loss) throws InterruptedException {
        Map<TopicPartition, Long> ledger = parts.progress().ends(names.ledger());
        while (!parts.tally().reached(ledger)) {
            parts.context().time().pause(POLL);
        }
        Map<CrawlRun, Unanswered> waiting = parts.tally().waiting();
        Channels channels = parts.controlState().channels().orElseThrow();
        // In this order: a request is deleted when its answer is there.
        find(channels.waiting().stream().flatMap(of -> names.requests(of).stream()).toList(), ConsumerRecord::value,
                waiting);
        find(List.of(names.responses()), response -> says(response, loss) ? description(response) : new byte[0],
                waiting);
        leader.call(() -> {
            Optional<KafkaLoss> now = parts.controlState().kafkaLoss();
            if (now.equals(Optional.of(loss)) && parts.controlState().channels().equals(Optional.of(channels))) {
                List<LedgerRecord> lost = answers(waiting);
                PartitionCounts counts = new PartitionCounts(names, parts.controlState()::channels);
                controlWriter.write(List.of(loss.asRepaired()), lost.stream().map(counts::ledger).toList());
                LOG.warn("all that Kafka has left is handled again since the loss of {}; {} requests were lost",
                        loss.at(), lost.stream().mapToInt(record -> record.answered().size()).sum());
            }
            return true;
        });
    }

    /** A DUPLICATE of a downloader that did not know of the loss does not count: see the analyzer. */
    private static boolean says(ConsumerRecord<byte[], byte[]> response, KafkaLoss loss) {
        try {
            return LayoutHeader.of(response.headers()).loss() == loss.id()
                    || Codec.response(description(response), Body.EMPTY).outcome().kind() != OutcomeKind.DUPLICATE;
        } catch (MalformedRecordException e) {
            return true;
        }
    }

    private static byte[] description(ConsumerRecord<byte[], byte[]> response) {
        return ResponseHeaders.description(response.headers()).orElse(new byte[0]);
    }

    /** Takes the requests away that these topics name. */
    private void find(Collection<String> topics, Function<ConsumerRecord<byte[], byte[]>, byte[]> json,
            Map<CrawlRun, Unanswered> waiting) throws InterruptedException {
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (String topic : topics) {
            ends.putAll(parts.progress().ends(topic));
        }
        try (Consumer<byte[], byte[]> reader = parts.context().kafka().clients()
                .reader("loss-repair-" + parts.context().mid())) {
            reader.assign(ends.keySet());
            reader.seekToBeginning(ends.keySet());
            while (ends.entrySet().stream()
                    .anyMatch(end -> reader.position(end.getKey(), GroupMembership.ANSWER) < end.getValue())) {
                reader.poll(POLL).forEach(record -> found(json.apply(record), waiting));
                parts.context().time().pause(Duration.ZERO);
            }
        }
    }

    private static void found(byte[] json, Map<CrawlRun, Unanswered> waiting) {
        if (json != null && json.length > 0) {
            SalvagedHeader.of(json).ifPresent(
                    header -> Optional.ofNullable(waiting.get(header.run())).ifPresent(ids -> ids.remove(header.id())));
        }
    }

    private static List<LedgerRecord> answers(Map<CrawlRun, Unanswered> lost) {
        List<LedgerRecord> answers = new ArrayList<>();
        lost.forEach((run, ids) -> {
            List<RequestId> all = ids.ids().toList();
            for (int from = 0; from < all.size(); from += LedgerRecord.MOST_IDS) {
                answers.add(new LedgerRecord(run, List.of(),
                        all.subList(from, Math.min(all.size(), from + LedgerRecord.MOST_IDS)).stream()
                                .map(id -> new AnsweredRequest(id, OutcomeKind.DUPLICATE, LOST, false))
                                .collect(Collectors.toList()),
                        Map.of(), List.of(), 0));
            }
        });
        return answers;
    }

    @Override
    public void close() {
        task.close();
    }
}
