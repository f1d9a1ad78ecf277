package io.trawl.coordinator.leader;

import io.trawl.channel.HostPartitioner;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.TransactionalWriter.CommitResult;
import io.trawl.channel.WriterFencedException;
import io.trawl.codec.Codec;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.CrawlState;
import io.trawl.control.RunVisits;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.coordinator.channel.BrokerCall;
import io.trawl.coordinator.lifecycle.ControlWriter.ControlNotWrittenException;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.coordinator.leader.VisitLog.RequestListener;
import io.trawl.coordinator.leader.VisitLog.VisitRange;
import io.trawl.coordinator.leader.VisitPlan.Turn;
import io.trawl.coordinator.lifecycle.Lifecycle;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.SeedDomains;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Durations;
import io.trawl.model.Request;
import io.trawl.model.TraceContext;
import io.trawl.time.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the next visits of the pages of a run requests of the run that refreshes it, before that one begins, or carries
 * them over to the next one (docs/protocol.md, rule 34), and deletes the visits that no run needs any more. Its place
 * in the log is in no record: another leader begins at the first visit again, with the same ids, so a request that it
 * repeats counts once; and of what is carried only that counts which the promotion has written that the run names. Owns
 * a thread.
 */
final class VisitPromotion implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(VisitPromotion.class);
    private static final Duration EVERY = Duration.ofMillis(250);
    /** Without a record on {@code control} there is nothing to promote. */
    private static final Duration RESTING = Duration.ofSeconds(5);
    /** Of {@code control}: what has failed is tried again without one. */
    private static final long FAILED = -1;
    /** What no run needs is deleted one interval later: Kafka may lose the record by which none needs it (rule K4). */
    static final Duration TRIMMED_EVERY = Duration.ofMinutes(1);
    private final CoordinatorContext parts;
    private final LeaderThread leader;
    private final Lifecycle lifecycle;
    private final VisitedItems items;
    private final TopicNames names;
    private final TopicPartition visits;
    private final PeriodicTask task;
    private final Set<Promoted> again = ConcurrentHashMap.newKeySet();
    private long trimmed;
    /** At the last look, what stands below this was needed no more. */
    private long unneeded;
    private long changes = FAILED;
    private String waitsFor = "";

    /** A run whose visits are promoted again since a loss in Kafka. */
    private record Promoted(CrawlRun run, long loss) {}

    VisitPromotion(CoordinatorContext parts, LeaderThread leader, Lifecycle lifecycle) {
        this.parts = parts;
        this.leader = leader;
        this.lifecycle = lifecycle;
        this.items = new VisitedItems(parts.context().store().firstItems());
        this.names = parts.context().kafka().topics();
        this.visits = new TopicPartition(names.visits(), 0);
        this.task = new PeriodicTask("visits", EVERY, parts.context().time(), this::step);
        this.trimmed = parts.context().time().nanos();
    }

    void start() {
        task.start();
    }

    private void step() throws InterruptedException {
        parts.context().control().await(changes, RESTING);
        changes = parts.context().control().changes();
        try {
            for (CrawlStatus crawl : parts.controlState().crawls()) {
                Optional<VisitSource> unpromoted = crawl.unpromoted();
                if (crawl.state() == CrawlState.INITIALIZING && unpromoted.isPresent()) {
                    Promotion done = promote(crawl, unpromoted.get());
                    leader.call(() -> {
                        lifecycle.promoted(crawl.run(), done.begin(), done.counts());
                        return true;
                    });
                } else if (crawl.refreshes() && crawl.state() == CrawlState.INITIALIZED) {
                    leader.call(() -> {
                        parts.controlState().crawl(crawl.run().crawl()).filter(now -> now.run().equals(crawl.run()))
                                .ifPresent(lifecycle::startPromoted);
                        return true;
                    });
                }
            }
            promoteAgain();
            trim();
            waitsFor = "";
        } catch (KafkaException | WriterFencedException | LedgerUnavailableException | ControlNotWrittenException e) {
            changes = FAILED;
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(waitsFor)) {
                waitsFor = reason;
                LOG.warn("the visits of pages are promoted later: {}", reason);
            }
        } catch (NotLeadingException e) {
            LOG.debug("the term is over");
        }
    }

    /** Kafka may have lost requests of visits, whose origin is in {@code visits} (docs/protocol.md, rule K6). */
    private void promoteAgain() throws InterruptedException {
        Optional<KafkaLoss> unrepaired = parts.controlState().kafkaLoss().filter(last -> !last.repaired());
        if (unrepaired.isPresent()) {
            for (CrawlStatus crawl : atRisk(unrepaired.get())) {
                Promoted promoted = new Promoted(crawl.run(), unrepaired.get().id());
                if (!again.contains(promoted)) {
                    promoteAgain(crawl, crawl.visits().flatMap(RunVisits::source).orElseThrow());
                    again.add(promoted);
                }
            }
        }
    }

    /**
     * A run that goes on after its end has lost nothing if its visits were deleted since: they were answered before.
     */
    private void promoteAgain(CrawlStatus crawl, VisitSource source) throws InterruptedException {
        if (parts.progress().start(names.visits()) <= source.begin()) {
            Promotion done = promote(crawl, source);
            leader.call(() -> {
                lifecycle.promoted(crawl.run(), done.begin(), done.counts());
                return true;
            });
        }
    }

    /** What has ended before this moment has lost nothing that {@code visits} has to give again. */
    static Instant wholeBefore(Instant loss) {
        return loss.minus(TRIMMED_EVERY);
    }

    /** The runs whose visits may be lost: requests, and what they have carried over. */
    private List<CrawlStatus> atRisk(KafkaLoss loss) {
        return parts.controlState().crawls().stream().filter(
                crawl -> crawl.refreshes() && crawl.unpromoted().isEmpty() && !crawl.overSince(wholeBefore(loss.at())))
                .toList();
    }

    /**
     * Whether all visits that Kafka may have lost are requests again, of which some may be listed already. Thread-safe.
     */
    boolean promotedSince(KafkaLoss loss) {
        return parts.controlState().crawls().stream().allMatch(crawl -> crawl.unpromoted().isEmpty())
                && atRisk(loss).stream().allMatch(crawl -> again.contains(new Promoted(crawl.run(), loss.id())));
    }

    /** @param begin the offset of {@code visits} where what it has carried begins */
    private record Promotion(long begin, PromotedVisits counts) {}

    private Promotion promote(CrawlStatus crawl, VisitSource source) throws InterruptedException {
        long begun = parts.context().time().nanos();
        Promotion done;
        String id = names.refreshTransactions();
        try (TransactionalWriter writer = new TransactionalWriter(
                () -> parts.context().kafka().clients().transactionalProducer(id), parts.context().time());
                Consumer<byte[], byte[]> reader = parts.context().kafka().clients().bulkReader(names.coordinatorGroup(),
                        "visits-" + parts.context().mid())) {
            writer.open();
            VisitLog log = new VisitLog(reader, names);
            VisitRange range = VisitRange.of(crawl.run().crawl(), source);
            // The writer has fenced former ones, so all that they have carried is before this.
            long begin = parts.progress().end(names.visits());
            items.inherit(log, range, crawl);
            VisitPlan plan = new VisitPlan(source.choice(), crawl.definition());
            log.tell(range, List.of(plan), () -> false);
            Map<Turn, Long> counts = new EnumMap<>(Turn.class);
            log.read(range, () -> false,
                    requests -> inPieces(requests, piece -> write(planned(piece, crawl, plan, counts), begin, writer)));
            done = new Promotion(begin, Turn.counts(counts));
        }
        LOG.info("{} visits {} pages of run {}, and {} later, which took {} to promote", crawl.run(),
                done.counts().made(), source.epoch(), done.counts().later(),
                Durations.format(Duration.ofNanos(parts.context().time().nanos() - begun)));
        return done;
    }

    /** In pieces that one transaction takes. */
    private static void inPieces(List<Request> requests, RequestListener each) {
        for (int from = 0; from < requests.size(); from += LedgerRecord.MOST_IDS) {
            each.take(requests.subList(from, Math.min(requests.size(), from + LedgerRecord.MOST_IDS)));
        }
    }

    /** Requests of one run. @param later those that are not made in it */
    private record PlannedVisits(CrawlStatus crawl, List<Request> now, List<Request> later) {}

    /** No definition has admitted them, so that the present one is asked at their turn. */
    private PlannedVisits planned(List<Request> requests, CrawlStatus crawl, VisitPlan plan, Map<Turn, Long> counts) {
        long domains = crawl.definition().scope().ofSeeds()
                ? SeedDomains.EMPTY
                : parts.controlState().domains(crawl.run()).version();
        boolean archived = crawl.visits().filter(RunVisits::archivedBefore).isPresent();
        boolean plain = crawl.visits().filter(RunVisits::plain).isPresent();
        PlannedVisits planned = new PlannedVisits(crawl, new ArrayList<>(), new ArrayList<>());
        for (Request request : items.judgedAgain(requests, crawl)) {
            if (request.visit().isPresent()) {
                Turn turn = plan.turn(request);
                counts.merge(turn, 1L, Long::sum);
                (turn == Turn.NOW ? planned.now() : planned.later()).add(plan.planned(request)
                        .with(copy -> copy.run(crawl.run()).domains(domains).definition(0)
                                .visit(copy.visit().map(visit -> visit.withPlain(plain || visit.plain())
                                        .withArchived(visit.archived().filter(_ -> archived))))));
            }
        }
        return planned;
    }

    /** The facts come first: no process acts on them before the run begins, and all of its visits become requests. */
    private void write(PlannedVisits planned, long begin, TransactionalWriter writer) {
        CrawlStatus crawl = planned.crawl();
        Channels channels = parts.controlState().channels().orElseThrow();
        PartitionCounts counts = PartitionCounts.fixed(names, channels);
        parts.context().ledger().learn(crawl.run(), Stream.concat(planned.now().stream(), planned.later().stream())
                .map(request -> fact(crawl, request)).toList());
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        planned.later().forEach(request -> records.add(new ProducerRecord<>(visits.topic(), visits.partition(), null,
                Codec.encode(request.withVisit(request.visit().map(visit -> visit.withCarried(begin)))))));
        planned.now()
                .forEach(request -> records.add(HostPartitioner.record(names, channels, request, TraceContext.NONE)));
        if (!planned.now().isEmpty()) {
            records.add(counts.ledger(LedgerRecord.ofVisits(crawl.run(), planned.now().stream().map(
                    request -> new EmittedRequest(request.id(), channels.level(request.priority()), request.depth()))
                    .toList())));
        }
        if (!records.isEmpty() && writer.write(records) != CommitResult.COMMITTED) {
            throw new KafkaException("the visits of " + crawl.run() + " cannot be written now");
        }
    }

    private static Fact fact(CrawlStatus crawl, Request request) {
        return new Fact(Fingerprint.of(request.identity()),
                UrlFacts.requested(crawl.depthMode().inLedger(request.depth())));
    }

    private void trim() throws InterruptedException {
        if (parts.context().time().nanos() - trimmed < TRIMMED_EVERY.toNanos()
                || parts.controlState().kafkaLoss().filter(loss -> !loss.repaired()).isPresent()) {
            return;
        }
        trimmed = parts.context().time().nanos();
        // In this order: a run that begins meanwhile needs what comes behind the end.
        long end = parts.progress().end(names.visits());
        long needed = parts.controlState().crawls().stream().flatMap(crawl -> crawl.neededVisits().stream())
                .mapToLong(offset -> offset).min().orElse(end);
        long below = Math.min(unneeded, needed);
        unneeded = Math.min(needed, end);
        if (below > 0) {
            try (Admin admin = parts.context().kafka().clients().admin()) {
                Map<TopicPartition, RecordsToDelete> deleted = Map.of(visits, RecordsToDelete.beforeOffset(below));
                BrokerCall.get(() -> admin.deleteRecords(deleted).all().get());
            }
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
