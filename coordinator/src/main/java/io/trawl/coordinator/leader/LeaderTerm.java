package io.trawl.coordinator.leader;

import org.apache.kafka.common.TopicPartition;
import io.trawl.coordinator.seed.AcceptedSeedDomains;
import io.trawl.channel.TransactionalWriter;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.AppliedFile;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.StopSign;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.channel.ChannelReplacement;
import io.trawl.coordinator.feed.EventMeters;
import io.trawl.coordinator.feed.EventSource;
import io.trawl.coordinator.leader.SeedIntake.PendingAnnouncements;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.lifecycle.CrawlWatch;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.coordinator.lifecycle.Lifecycle;
import io.trawl.coordinator.lifecycle.LifecycleCommands;
import io.trawl.coordinator.lifecycle.LifecycleCommands.RunCounts;
import io.trawl.coordinator.lifecycle.RunCleanup;
import io.trawl.coordinator.lifecycle.SeedProgress;
import io.trawl.coordinator.queue.Capacity;
import io.trawl.coordinator.summary.Totals;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.module.StopSignHistory.Changed;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
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
    private static final Duration LOOK = Duration.ofMillis(10);
    /** The thread of the leader waits meanwhile. */
    private static final Duration COUNTED_WITHIN = Duration.ofSeconds(5);
    private final CoordinatorContext parts;
    private final WorkerContext context;
    private final TransactionalWriter writer;
    private final LedgerTrimmer ledgerTrimmer;
    private final ControlState controlState;
    private final LeaderThread thread;
    private final PendingAnnouncements pendingAnnouncements = new PendingAnnouncements();
    private final SeedProgress progress = new SeedProgress();
    private final Map<CrawlId, RunningWatch> watches = new ConcurrentHashMap<>();
    /** The crawls that have watches. */
    private List<CrawlStatus> watched = List.of();
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
    /** Ends the delivery of webhooks. */
    private final Runnable webhooks;

    private record RunningWatch(CrawlWatch watch, Thread thread) {}

    /**
     * Initialises the transactional id and then reads all records that were written before: from here on no other
     * coordinator writes.
     *
     * @param writer handed over, also when this fails
     * @param wake makes the leader's thread look for calls
     */
    static LeaderTerm begin(CoordinatorContext parts, TransactionalWriter writer, Runnable wake)
            throws InterruptedException {
        try {
            writer.open();
            parts.context().control().refresh();
            return new LeaderTerm(parts, writer, wake);
        } catch (RuntimeException | InterruptedException e) {
            writer.close();
            throw e;
        }
    }

    private LeaderTerm(CoordinatorContext parts, TransactionalWriter writer, Runnable wake)
            throws InterruptedException {
        this.parts = parts;
        this.thread = new LeaderThread(wake);
        this.context = parts.context();
        this.writer = writer;
        this.controlState = parts.controlState();
        Function<CrawlRun, Totals> totals = parts.tally()::totals;
        this.controlWriter = new ControlWriter(
                writer, context.kafka().topics(), controlState, new EventSource(context.kafka().topics().events(),
                        controlState::crawl, totals, new EventMeters(context.telemetry().meters()), context.time()),
                this::committed);
        defineChannels(controlWriter);
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
        this.lifecycleCommands = new LifecycleCommands(lifecycle, controlState, parts.rules(), capacity, counts(),
                cleanup, context.ledger(), context.time());
        controlState.crawls().stream().filter(c -> c.forgottenAt().isEmpty())
                .forEach(c -> mirror(controlState.domains(c.run())));
        parts.tally().await(parts.progress().ends(context.kafka().topics().ledger()));
        this.replacement = new ChannelReplacement(context, controlState, parts.queue(), controlWriter, thread);
        this.kafkaLosses = new KafkaLossDetector(context, controlWriter, thread, parts.progress(),
                () -> parts.tally().changes() + controlState.changes());
        kafkaLosses.start();
        this.visits = new VisitPromotion(parts, thread, lifecycle);
        visits.start();
        this.lossRepair = new LossRepair(parts, controlWriter, thread, progress, visits::promotedSince);
        lossRepair.start();
        this.webhooks = parts.webhooks().begin();
        cleanup.start();
        replacement.start();
        this.ledgerTrimmer = new LedgerTrimmer(parts, controlWriter, thread, kafkaLosses::whole);
        ledgerTrimmer.start();
        controlState.whenChanged(record -> {
            if (record instanceof CrawlStatus crawl) {
                wake(crawl.run());
            }
        });
        parts.ledger().whenAdded(this::wake);
        LOG.info("{} leads", context.mid());
    }

    /**
     * The first leader of a deployment defines the request topics and their key. Later settings do not change them,
     * only {@link ChannelReplacement} does, and never the key: with two keys, two downloaders would send requests to
     * one host at a time.
     */
    private void defineChannels(ControlWriter controlWriter) throws InterruptedException {
        if (controlState.channels().isEmpty()) {
            controlWriter.write(ChannelsBuilder.builder().version(1).generation(Channels.FIRST_GENERATION)
                    .levels(context.settings().topics().levels())
                    .partitions(partitions(context.kafka().topics().requests(Channels.FIRST_GENERATION, 0)))
                    .politeness(context.settings().politenessKey())
                    .responses(partitions(context.kafka().topics().responses()))
                    .items(partitions(context.kafka().topics().items()))
                    .ledger(partitions(context.kafka().topics().ledger())).build());
        }
    }

    private RunCounts counts() {
        return new RunCounts() {
            @Override
            public Totals totals(CrawlRun run) {
                return parts.tally().totals(run);
            }

            @Override
            public OptionalLong countedVisits() throws InterruptedException {
                return LeaderTerm.this.countedVisits();
            }

            @Override
            public Set<String> seedDomains(CrawlRun run) {
                return parts.tally().domains(run).names();
            }
        };
    }

    /** In this order: what a transaction below the end has emitted is counted, or waited for. */
    private OptionalLong countedVisits() throws InterruptedException {
        String topic = context.kafka().topics().visits();
        TopicPartition visits = new TopicPartition(topic, 0);
        long since = context.time().nanos();
        long end = parts.progress().ends(topic).getOrDefault(visits, 0L);
        while (parts.progress().stable(topic).getOrDefault(visits, 0L) < end) {
            if (context.time().nanos() - since > COUNTED_WITHIN.toNanos()) {
                return OptionalLong.empty();
            }
            context.time().pause(LOOK);
        }
        Map<TopicPartition, Long> ledger = parts.progress().ends(context.kafka().topics().ledger());
        while (!parts.tally().reached(ledger)) {
            if (context.time().nanos() - since > COUNTED_WITHIN.toNanos()) {
                return OptionalLong.empty();
            }
            context.time().pause(LOOK);
        }
        return OptionalLong.of(end);
    }

    /** The number of partitions that the broker has of a topic without a count. */
    private int partitions(String topic) throws InterruptedException {
        return parts.progress().ends(topic).size();
    }

    /** Writes {@code control}; for the leader's thread. */
    public ControlWriter writer() {
        return controlWriter;
    }

    /** Moves crawls between their states; for the leader's thread. */
    public Lifecycle lifecycle() {
        return lifecycle;
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
            if (status.state() == CrawlState.STARTING) {
                resume(status);
            }
        }
        if (!crawls.equals(watched)) {
            crawls.forEach(status -> watches.computeIfAbsent(status.run().crawl(), this::watch));
            endWatches(crawls);
            watched = crawls;
        }
    }

    private void wake(CrawlRun run) {
        RunningWatch watch = watches.get(run.crawl());
        if (watch != null) {
            watch.watch().wake();
        }
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
            String seeds = context.kafka().topics().seeds();
            return progress.admitted() >= parts.progress().ends(seeds).getOrDefault(new TopicPartition(seeds, 0), 0L);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends the watches of deleted crawls. */
    private void endWatches(List<CrawlStatus> crawls) {
        if (watches.size() > crawls.size()) {
            Set<CrawlId> there = crawls.stream().map(c -> c.run().crawl()).collect(Collectors.toSet());
            watches.entrySet().removeIf(watch -> {
                boolean gone = !there.contains(watch.getKey());
                if (gone) {
                    watch.getValue().thread().interrupt();
                    progress.forget(watch.getKey());
                }
                return gone;
            });
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
        switch (record) {
            case Domains domains -> {
                mirror(domains);
                pendingAnnouncements.add(() -> context.store().logEnds().begun(domains.run()));
            }
            case StopSign sign -> note(sign);
            default -> {
            }
        }
    }

    /**
     * Kafka may have lost the definition of a run whose records and files are there. A deletion leaves an empty record
     * of a run that never began.
     */
    private int newestEpoch(CrawlId crawl) {
        int counted = controlState.deleted(crawl).isPresent() ? 0 : parts.tally().newestEpoch(crawl);
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

    private RunningWatch watch(CrawlId crawl) {
        CrawlWatch watch = new CrawlWatch(
                crawl, new CrawlWatch.WatchContext(context, controlState, lifecycle, lifecycleCommands, thread,
                        parts.tally(), parts.progress(), progress, parts.quotas()::spent, kafkaLosses::whole),
                context.time());
        return new RunningWatch(watch, Thread.ofVirtual().name("watch " + crawl).start(watch));
    }

    /** Ends the term: queued calls fail; the successor aborts open transactions. */
    @Override
    public void close() {
        thread.end();
        watches.values().forEach(watch -> watch.thread().interrupt());
        cleanup.close();
        replacement.close();
        kafkaLosses.close();
        lossRepair.close();
        ledgerTrimmer.close();
        visits.close();
        webhooks.run();
        writer.close();
    }
}
