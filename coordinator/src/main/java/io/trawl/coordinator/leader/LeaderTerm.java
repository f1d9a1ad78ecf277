package io.trawl.coordinator.leader;

import io.trawl.coordinator.seed.AcceptedSeedDomains;
import io.trawl.channel.TransactionalWriter;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.AppliedFile;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.StopSign;
import io.trawl.coordinator.channel.ChannelReplacement;
import io.trawl.coordinator.feed.EventMeters;
import io.trawl.coordinator.feed.EventSource;
import io.trawl.coordinator.leader.SeedIntake.PendingAnnouncements;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.coordinator.lifecycle.Lifecycle;
import io.trawl.coordinator.lifecycle.LifecycleCommands;
import io.trawl.coordinator.lifecycle.RunCleanup;
import io.trawl.coordinator.lifecycle.RefreshedVisits;
import java.util.concurrent.atomic.AtomicBoolean;
import io.trawl.coordinator.lifecycle.CrawlWatches;
import io.trawl.coordinator.lifecycle.CrawlWatch.WatchContext;
import io.trawl.channel.WriterFencedException;
import io.trawl.coordinator.lifecycle.SeedProgress;
import io.trawl.coordinator.queue.Capacity;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlId;
import io.trawl.module.StopSignHistory.Changed;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.worker.StageNote;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One term of a leader, from the initialisation of the transactional id until the id is released or fenced. Only the
 * leader's thread changes state, in {@link #turn}; other threads submit decisions with {@link LeaderElection#decide}.
 */
public final class LeaderTerm implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderTerm.class);
    private static final Duration RESTORED_EVERY = Duration.ofSeconds(1);
    private static final Duration BACK_OFF = Duration.ofMillis(500);
    private final CoordinatorContext parts;
    private final WorkerContext context;
    private final TransactionalWriter writer;
    private final LedgerTrimmer ledgerTrimmer;
    private final ControlState controlState;
    private final LeaderThread thread;
    private final PendingAnnouncements pendingAnnouncements = new PendingAnnouncements();
    private final SeedProgress progress = new SeedProgress();
    private final CrawlWatches watches;
    private final Lifecycle lifecycle;
    private final RunCleanup cleanup;
    private final Capacity capacity;
    private final SeedIntake intake;
    private final AcceptedSeedDomains seedDomains;
    private long restored;
    private final LifecycleCommands lifecycleCommands;
    private final ControlWriter controlWriter;
    private final KafkaLossDetector kafkaLosses;
    private final LossRepair lossRepair;
    private final ChannelReplacement replacement;
    private final VisitPromotion visits;

    /**
     * Initialises the transactional id and then reads all records that were written before: from here on no other
     * coordinator writes.
     *
     * @param wake makes the leader's thread look for calls
     */
    static LeaderTerm begin(CoordinatorContext parts, Runnable wake) throws InterruptedException {
        TransactionalWriter writer = writer(parts.context());
        try {
            writer.open();
            parts.context().control().refresh();
            return new LeaderTerm(parts, writer, wake);
        } catch (RuntimeException | InterruptedException e) {
            writer.close();
            throw e;
        }
    }

    private static TransactionalWriter writer(WorkerContext context) {
        AtomicBoolean used = new AtomicBoolean();
        return new TransactionalWriter(() -> {
            // A second producer would fence a successor that this process does not know of yet.
            if (used.getAndSet(true)) {
                throw new WriterFencedException("the producer failed: the term ends",
                        new IllegalStateException("one producer per term"));
            }
            return context.kafka().clients().transactionalProducer(context.kafka().topics().coordinatorTransactions());
        }, context.kafka().positions(), context.kafka().writes(), context.time());
    }

    private LeaderTerm(CoordinatorContext parts, TransactionalWriter writer, Runnable wake)
            throws InterruptedException {
        this.parts = parts;
        this.thread = new LeaderThread(wake);
        this.context = parts.context();
        this.writer = writer;
        this.controlState = parts.controlState();
        this.controlWriter = new ControlWriter(writer, context.kafka().topics(), controlState,
                new EventSource(context.kafka().topics().events(), controlState::crawl, parts.tally()::totals,
                        new EventMeters(context.telemetry().meters()), context.time()),
                this::committed);
        ChannelControl.define(parts, controlWriter);
        this.capacity = new Capacity(() -> parts.capacity(controlState.channels().orElseThrow()),
                () -> parts.queue().requests(controlState.channels().orElseThrow()), context.time());
        new SettingsControl(parts).complete(controlWriter);
        this.lifecycle = new Lifecycle(controlWriter, controlState, parts.progress(), context.kafka().topics(),
                this::newestEpoch, context.time());
        this.cleanup = new RunCleanup(controlState, run -> thread.call(() -> {
            lifecycle.forget(run);
            return run;
        }), context.ledger(), context.time());
        this.seedDomains = new AcceptedSeedDomains(parts.tally(), controlState, context.store().seedDomains(),
                this::allAdmitted);
        this.intake = new SeedIntake(parts, controlWriter, capacity, progress, pendingAnnouncements, seedDomains);
        this.lifecycleCommands = new LifecycleCommands(lifecycle, controlState, parts.rules(), capacity, parts.tally(),
                new RefreshedVisits(parts.controlState(), parts.tally(), parts.progress(), context), cleanup,
                context.ledger(), context.time());
        controlState.crawls().stream().filter(c -> c.forgottenAt().isEmpty())
                .forEach(c -> mirror(controlState.domains(c.run())));
        parts.tally().await(parts.progress().ends(context.kafka().topics().ledger()));
        this.replacement = new ChannelReplacement(context, controlState, parts.queue(), controlWriter, thread);
        this.kafkaLosses = new KafkaLossDetector(parts, controlWriter, thread);
        kafkaLosses.start();
        this.visits = new VisitPromotion(parts, thread, lifecycle);
        visits.start();
        this.lossRepair = new LossRepair(parts, controlWriter, thread, progress, visits::promotedSince);
        lossRepair.start();
        parts.webhooks().begin();
        cleanup.start();
        replacement.start();
        this.ledgerTrimmer = new LedgerTrimmer(parts, controlWriter, thread, kafkaLosses::whole);
        ledgerTrimmer.start();
        this.watches = new CrawlWatches(new WatchContext(context, controlState, lifecycle, lifecycleCommands, thread,
                parts.tally(), parts.progress(), progress, parts.quotas()::spent, kafkaLosses::whole));
        controlState.whenChanged(record -> {
            if (record instanceof CrawlStatus crawl) {
                watches.wake(crawl.run());
            }
        });
        parts.ledger().whenAdded(watches::wake);
        LOG.info("{} leads", context.mid());
    }

    /** Writes {@code control}; for the leader's thread. */
    public ControlWriter writer() {
        return controlWriter;
    }

    /** Carries out commands; for the leader's thread. */
    public LifecycleCommands commands() {
        return lifecycleCommands;
    }

    /** Replaces the request topics. Thread-safe. */
    public ChannelReplacement replacement() {
        return replacement;
    }

    /** Notes that a crawl file is applied; for the leader's thread. */
    void applied(CrawlId crawl, String digest) {
        controlWriter.write(
                new AppliedFile(crawl, controlState.nextVersion(AppliedFile.key(crawl)), digest, context.time().now()));
    }

    /** Reserves places for seeds. Thread-safe. */
    Capacity capacity() {
        return capacity;
    }

    /** Admits seeds; for the leader's thread. */
    SeedIntake intake() {
        return intake;
    }

    /** The progress of the admission of seeds. Thread-safe. */
    SeedProgress progress() {
        return progress;
    }

    /** What an operator should know about the topics. Thread-safe. */
    public List<StageNote> notes() {
        return kafkaLosses.notes();
    }

    /** Runs decisions; see {@link LeaderElection#decide}. Thread-safe. */
    LeaderThread thread() {
        return thread;
    }

    /** Does the work between two polls, apart from the seeds. */
    void turn() throws InterruptedException {
        thread.runQueued();
        pendingAnnouncements.makeIfPossible();
        restoreDomains();
        List<CrawlStatus> crawls = controlState.crawls();
        for (CrawlStatus status : crawls) {
            resume(status);
        }
        watches.follow(crawls);
    }

    /** Redis may have lost the domains of seeds, and analyzers wait for them. */
    private void restoreDomains() {
        if (context.time().nanos() - restored < RESTORED_EVERY.toNanos()) {
            return;
        }
        restored = context.time().nanos();
        try {
            seedDomains.restore();
        } catch (LedgerUnavailableException e) {
            LOG.debug("the domains of seeds are not looked up: {}", e.getMessage());
        }
    }

    private boolean allAdmitted() {
        try {
            return progress.admitted() >= parts.progress().end(context.kafka().topics().seeds());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Completes a start that a previous leader, or a failed transaction of this one, has left incomplete. */
    private void resume(CrawlStatus status) throws InterruptedException {
        try {
            lifecycle.resume(status);
        } catch (ControlWriter.ControlNotWrittenException | KafkaException e) {
            LOG.atWarn().addKeyValue(LogKeys.CRAWL, status.run().crawl()).log("cannot resume crawl {} now: {}",
                    status.run(), e.getMessage());
            context.time().pause(BACK_OFF);
        }
    }

    private void committed(ControlRecord record) {
        if (record instanceof Domains domains) {
            mirror(domains);
            pendingAnnouncements.add(() -> context.store().logEnds().begun(domains.run()));
        } else if (record instanceof StopSign sign) {
            note(sign);
        }
    }

    /** Kafka may have lost the definition of a run whose records and files are there. */
    private int newestEpoch(CrawlId crawl) {
        int counted = parts.tally().newestEpoch(crawl);
        try {
            return Math.max(counted, context.store().logEnds().newestEpoch(crawl));
        } catch (LedgerUnavailableException e) {
            LOG.debug("the newest run of {} is not known from Redis: {}", crawl, e.getMessage());
            return counted;
        }
    }

    /** On a thread of its own: the leader must not wait for Redis, and nothing rests on a note. */
    private void note(StopSign sign) {
        Thread.ofVirtual().name("stop-sign-note").start(() -> {
            try {
                context.store().stopSignHistory()
                        .add(new Changed(sign.key(), sign.version(), sign.at(), sign.signed()));
            } catch (LedgerUnavailableException e) {
                LOG.warn("the history of stop signs lacks version {} of {}: {}", sign.version(), sign.key(),
                        e.getMessage());
            }
        });
    }

    private void mirror(Domains domains) {
        pendingAnnouncements.add(() -> context.store().domainsMirror().write(domains));
    }

    /** Ends the term: queued calls fail; the successor aborts open transactions. */
    @Override
    public void close() {
        thread.end();
        watches.close();
        cleanup.close();
        replacement.close();
        kafkaLosses.close();
        lossRepair.close();
        ledgerTrimmer.close();
        visits.close();
        parts.webhooks().end();
        writer.close();
        context.kafka().writes().report(writer, Optional.empty());
    }
}
