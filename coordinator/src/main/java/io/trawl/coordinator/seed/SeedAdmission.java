package io.trawl.coordinator.seed;

import io.trawl.coordinator.seed.AdmittedSeeds.AddedDomains;
import io.opentelemetry.api.trace.Span;
import io.trawl.admission.Admission;
import io.trawl.admission.Candidate;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.channel.HostPartitioner;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.definition.SeedRules;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.Lifecycle;
import io.trawl.coordinator.lifecycle.SeedRecord;
import io.trawl.coordinator.queue.BatchCapacity;
import io.trawl.coordinator.queue.Capacity;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.MID;
import io.trawl.model.RefusalReason;
import io.trawl.model.Seed;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.telemetry.Tracing;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the seeds that users have written to {@code seeds} (S8). A seed becomes a request of its crawl's current run
 * unless a rule refuses it. Every refusal is counted, and every one but SEEN is reported with the coordinates of the
 * record. The capacity is checked last, so that only seeds that would become requests use any. A seed restarts a crawl
 * that is finished; the request of a crawl that is stopped for another reason waits in its topic until the crawl is
 * started. Belongs to the leader's thread.
 *
 * @param ids random: one per request
 */
public record SeedAdmission(Admission admission, Ledger ledger, ControlState controlState, Capacity capacity,
        SeedDomainSet seedDomains, TopicNames topicNames, MID mid, LongSupplier ids, Time time, Tracing tracing) {
    private static final int SHOWN_FAULTS = 5;
    private static final Logger LOG = LoggerFactory.getLogger(SeedAdmission.class);

    /**
     * Evaluates a batch. Has no side effects: the result has all changes.
     *
     * @throws io.trawl.ledger.LedgerUnavailableException if the ledger does not answer; the batch must be retried
     * @throws org.apache.kafka.common.KafkaException if the broker does not report the backlog; the batch must be
     * retried
     */
    public AdmittedSeeds evaluate(List<ConsumerRecord<byte[], byte[]>> batch, Channels channels)
            throws InterruptedException {
        Evaluation evaluation = new Evaluation(channels);
        batch.forEach(evaluation::evaluate);
        return evaluation.result(batch);
    }

    /** Refuses a valid seed whose request is too large for Kafka. Has no side effects, like {@link #evaluate}. */
    public AdmittedSeeds tooLarge(ConsumerRecord<byte[], byte[]> entry, Channels channels) throws InterruptedException {
        Evaluation evaluation = new Evaluation(channels);
        evaluation.tooLarge(entry);
        return evaluation.result(List.of(entry));
    }

    /** The evaluation of one batch. */
    private final class Evaluation {
        private final Channels channels;
        private final PartitionCounts counts;
        private final Map<CrawlId, RunSeeds> runs = new LinkedHashMap<>();
        private final List<CrawlerError> errors = new ArrayList<>();

        Evaluation(Channels channels) {
            this.channels = channels;
            this.counts = PartitionCounts.fixed(topicNames, channels);
        }

        void evaluate(ConsumerRecord<byte[], byte[]> entry) {
            Seed seed;
            try {
                seed = Codec.seed(entry.value());
            } catch (MalformedRecordException e) {
                report(entry, Optional.empty(), Optional.empty(),
                        new Refusal(RefusalReason.MALFORMED, "not a seed: " + e.getMessage()));
                return;
            }
            Optional<CrawlStatus> status = seed.crawl().flatMap(SeedAdmission::id).flatMap(controlState::crawl);
            if (status.isEmpty()) {
                String cause = seed.crawl().map(c -> "there is no crawl '" + UrlNormalizer.shown(c) + "'")
                        .orElse("the seed names no crawl");
                report(entry, Optional.empty(), seed.url(), new Refusal(RefusalReason.UNKNOWN_CRAWL, cause));
                return;
            }
            if (!SeedRecord.isFor(status.get().run(), entry)) {
                LOG.atInfo().addKeyValue(LogKeys.CRAWL, status.get().run().crawl()).log(
                        "the seed at offset {} came with a definition that {} has replaced", entry.offset(),
                        status.get().run());
                return;
            }
            admit(new IncomingSeed(entry, seed, tracing.read(entry.headers())),
                    runs.computeIfAbsent(status.get().run().crawl(),
                            c -> new RunSeeds(status.get(), controlState.domains(status.get().run()), seedDomains)));
        }

        private void admit(IncomingSeed incomingSeed, RunSeeds run) {
            Seed seed = incomingSeed.seed();
            int priority = seed.priority().orElseGet(() -> channels.level(run.status().definition().priority()));
            List<Fault> faults = SeedRules.faults(seed);
            Candidate candidate = faults.isEmpty()
                    ? admission.seed(seed.url(), priority, channels.levels(), run.scope())
                    : new Refusal(RefusalReason.MALFORMED,
                            faults.stream().limit(SHOWN_FAULTS)
                                    .map(f -> f.field() + " '" + UrlNormalizer.shown(f.value()) + "': " + f.rule())
                                    .collect(Collectors.joining("; ")));
            if (candidate instanceof Candidate.Open && run.status().forgotten().isPresent()) {
                candidate = new Refusal(RefusalReason.CRAWL_OVER, run.status().forgotten().get());
            } else if (candidate instanceof Candidate.Open && run.status().closed()) {
                candidate = new Refusal(RefusalReason.CLOSED, "the crawl is closed; its start opens it again");
            }
            Object verdict = switch (candidate) {
                case Candidate.Open open -> run.admit(open, incomingSeed, priority,
                        controlState.nextVersion(Domains.key(run.status().run().crawl())));
                case Refusal refusal -> refusal;
            };
            if (verdict instanceof Refusal refusal) {
                run.refuse(incomingSeed.entry(), refusal);
                report(incomingSeed.entry(), Optional.of(run.status().run().crawl()), seed.url(), refusal);
            }
        }

        /** Called last, when it is known which seeds would become requests. */
        private BatchCapacity fill(List<ConsumerRecord<byte[], byte[]>> batch) throws InterruptedException {
            runs.values().forEach(run -> run.askLedger(ledger));
            BatchCapacity batchCapacity = capacity
                    .room(runs.values().stream().flatMap(run -> run.withoutPlace().stream()).toList());
            batch.forEach(entry -> SeedRecord.place(entry).ifPresent(batchCapacity::arrived));
            for (RunSeeds run : runs.values()) {
                run.fill(batchCapacity, ids).forEach(full -> report(full.entry(),
                        Optional.of(run.status().run().crawl()), full.seed().url(),
                        new Refusal(RefusalReason.CHANNEL_FULL,
                                "the maximum number of requests of its priority is waiting: submit it again later")));
            }
            return batchCapacity;
        }

        void tooLarge(ConsumerRecord<byte[], byte[]> entry) {
            Optional<Seed> seed = readable(entry);
            Optional<CrawlStatus> status = seed.flatMap(Seed::crawl).flatMap(SeedAdmission::id)
                    .flatMap(controlState::crawl).filter(s -> SeedRecord.isFor(s.run(), entry));
            status.ifPresent(
                    s -> runs.put(s.run().crawl(), new RunSeeds(s, controlState.domains(s.run()), seedDomains)));
            runs.values().forEach(run -> run.refuse(entry, RefusalReason.MALFORMED));
            report(entry, status.map(s -> s.run().crawl()), seed.flatMap(Seed::url),
                    new Refusal(RefusalReason.MALFORMED, "its request is larger than the topic's max.message.bytes"));
        }

        private static Optional<Seed> readable(ConsumerRecord<byte[], byte[]> entry) {
            try {
                return Optional.of(Codec.seed(entry.value()));
            } catch (MalformedRecordException e) {
                return Optional.empty();
            }
        }

        private void report(ConsumerRecord<byte[], byte[]> entry, Optional<CrawlId> crawl, Optional<String> url,
                Refusal refusal) {
            errors.add(CrawlerError.of(mid, crawl, url.map(UrlNormalizer::shown), refusal.reason().name(),
                    refusal.cause(), 1, time.now()).from(entry.topic(), entry.partition(), entry.offset()));
        }

        AdmittedSeeds result(List<ConsumerRecord<byte[], byte[]>> batch) throws InterruptedException {
            BatchCapacity batchCapacity = fill(batch);
            List<ControlRecord> control = new ArrayList<>();
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            Map<CrawlRun, List<Fact>> facts = new HashMap<>();
            Map<CrawlId, Integer> requests = new HashMap<>();
            Map<CrawlRun, AddedDomains> domains = new HashMap<>();
            List<Span> spans = new ArrayList<>();
            for (RunSeeds run : runs.values()) {
                run.accepted().ifPresent(control::add);
                run.requests().forEach(r -> {
                    Span span = tracing.admission(r);
                    spans.add(span);
                    records.add(HostPartitioner.record(topicNames, channels, r, Tracing.context(span)));
                });
                run.marks(ids, time.now()).forEach(
                        mark -> records.add(new ProducerRecord<>(topicNames.visits(), 0, null, Codec.encode(mark))));
                records.add(counts.ledger(run.ledgerRecord()));
                run.added().ifPresent(added -> domains.put(run.status().run(), added));
                if (!run.requests().isEmpty()) {
                    facts.put(run.status().run(), run.facts());
                    requests.put(run.status().run().crawl(), run.requests().size());
                    restart(run.status()).ifPresent(control::add);
                }
            }
            return new AdmittedSeeds(control, records, errors, facts, requests, batchCapacity, spans,
                    runs.values().stream().flatMap(run -> run.refused().stream()).toList(),
                    runs.values().stream().flatMap(run -> run.due().stream()).toList(), domains);
        }

    }

    private static Optional<CrawlStatus> restart(CrawlStatus status) {
        return status.state() == CrawlState.STOPPED && status.finished()
                ? Optional.of(Lifecycle.starting(status))
                : Optional.empty();
    }

    private static Optional<CrawlId> id(String text) {
        try {
            return Optional.of(new CrawlId(text));
        } catch (InvalidValueException e) {
            return Optional.empty();
        }
    }
}
