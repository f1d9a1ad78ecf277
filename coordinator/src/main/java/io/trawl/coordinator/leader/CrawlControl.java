package io.trawl.coordinator.leader;

import io.trawl.definition.sink.SinkDefinition;
import java.util.TreeSet;
import java.util.Set;
import io.trawl.definition.CrawlDefinition.Scope;
import io.trawl.pattern.UrlPattern;
import io.trawl.model.CrawlRun;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.definition.CrawlVariables;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.coordinator.definition.DefinitionChanges;
import io.trawl.coordinator.definition.DefinitionTag;
import io.trawl.coordinator.definition.DefinitionTag.Expectation;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.coordinator.lifecycle.Lifecycle.IllegalMoveException;
import io.trawl.coordinator.lifecycle.LifecycleCommands;
import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.coordinator.lifecycle.RunContinuation;
import io.trawl.coordinator.lifecycle.SeedProgress;
import io.trawl.coordinator.lifecycle.SeedSubmission;
import io.trawl.coordinator.probe.WaitingRequestCheck;
import io.trawl.coordinator.queue.ChannelFullException;
import io.trawl.coordinator.summary.Counting;
import io.trawl.coordinator.summary.CrawlFigures;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetCrawls;
import io.trawl.coordinator.summary.FleetCrawls.CrawlQuery;
import io.trawl.coordinator.summary.Pace;
import io.trawl.coordinator.summary.RefreshPlan;
import io.trawl.http.CallRefusedException;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.RefusalReason;
import io.trawl.model.Seed;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the REST interface's calls that concern crawls. Commands that only the leader may carry out throw
 * {@link io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException} elsewhere. Thread-safe; calls block.
 */
public final class CrawlControl implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CrawlControl.class);
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration SEEDS_WAIT = Duration.ofSeconds(10);
    private final CoordinatorContext parts;
    private final WorkerContext context;
    private final LeaderElection leaderElection;
    private final SinkTopics topics;
    private final WaitingRequestCheck waitingRequests;
    private final VisitCounter visits;
    private final SeedWriter seeds;

    /** The result of a definition: the crawl, whether it is new, and the tag of its definition. */
    public record DefinedCrawl(CrawlSummary summary, boolean created, String tag) {}

    /** The definition of a crawl without its secrets, and its tag. */
    public record ShownDefinition(CrawlDefinition definition, String tag) {}

    /** Makes the topics of sinks. */
    @FunctionalInterface
    public interface SinkTopics {
        /** Returns when they exist. @throws KafkaException with the reason, if one cannot be made */
        void make(Collection<SinkDefinition> sinks) throws InterruptedException;
    }

    /** Each command is run by the current term of {@code leaderElection}. */
    public CrawlControl(CoordinatorContext parts, LeaderElection leaderElection, SinkTopics topics,
            WaitingRequestCheck waitingRequests, VisitCounter visits) {
        this.topics = topics;
        this.parts = parts;
        this.context = parts.context();
        this.leaderElection = leaderElection;
        this.waitingRequests = waitingRequests;
        this.visits = visits;
        this.seeds = new SeedWriter(context);
    }

    /**
     * Defines a crawl, or attaches to the one that exists. Leader only.
     *
     * @throws DefinitionTag.ChangedMeanwhileException if it is not as expected
     */
    public DefinedCrawl define(CrawlId crawl, WrittenDefinition written, boolean start, NewRun newRun,
            Expectation expectation) throws InterruptedException {
        return define(crawl, written, start, newRun, expectation, Optional.empty());
    }

    /** Defines and starts a crawl that continues a run of another. Leader only. */
    public void defineContinuation(CrawlId crawl, CrawlDefinition definition, RunContinuation of)
            throws InterruptedException {
        define(crawl, WrittenDefinition.of(definition), true, NewRun.NONE, Expectation.NONE, Optional.of(of));
    }

    private DefinedCrawl define(CrawlId crawl, WrittenDefinition written, boolean start, NewRun newRun,
            Expectation expectation, Optional<RunContinuation> continuation) throws InterruptedException {
        // No topic is made by a coordinator that does not lead.
        leaderElection.term();
        LifecycleCommands.DefinitionOutcome definitionOutcome = placed(written, () -> counted(() -> {
            CrawlDefinition definition = written.complete(crawl, parts.rules(),
                    parts.controlState().crawl(crawl).map(CrawlStatus::definition));
            makeTopics(definition);
            return leaderElection.decide(term -> {
                Optional<CrawlStatus> now = parts.controlState().crawl(crawl);
                expectation.check(crawl, now);
                parts.quotas().define(crawl);
                if (now.isEmpty() || newRun != NewRun.NONE) {
                    parts.quotas().seed(crawl, definition.starts().size());
                }
                if (start && now.filter(c -> c.state() == CrawlState.STARTED).isEmpty()) {
                    parts.quotas().start(crawl);
                }
                return term.commands().define(crawl, definition, start, newRun, continuation);
            });
        }));
        CrawlSummary summary = summary(definitionOutcome.status());
        if (definitionOutcome.created()) {
            summary.notes().forEach(note -> LOG.atWarn().addKeyValue(LogKeys.CRAWL, crawl).log("{}: {}", crawl, note));
        }
        return new DefinedCrawl(summary, definitionOutcome.created(), DefinitionTag.of(definitionOutcome.status()));
    }

    /** Before the definition is in force, so that no pipeline looks for them in vain. */
    private void makeTopics(CrawlDefinition definition) throws InterruptedException {
        List<SinkDefinition> sinks = definition.sinks().stream().filter(sink -> sink.topic().isPresent()).toList();
        if (sinks.isEmpty()) {
            return;
        }
        try {
            topics.make(sinks);
        } catch (KafkaException e) {
            String names = sinks.stream().flatMap(sink -> sink.topic().stream()).collect(Collectors.joining(", "));
            throw new InvalidDefinitionException(
                    List.of(new Fault("sinks", names, "topics that exist or can be made: " + e.getMessage())), 0);
        }
    }

    /**
     * Changes a definition by a merge patch. Leader only.
     *
     * @throws DefinitionTag.ChangedMeanwhileException if it is not as expected, or others change it at the same time
     */
    public DefinedCrawl patch(CrawlId crawl, DefinitionText patch, Expectation expectation)
            throws InterruptedException {
        CrawlStatus known = parts.controlState().known(crawl);
        expectation.check(crawl, Optional.of(known));
        return define(crawl, WrittenDefinition.patched(known.definition(), patch, CrawlVariables.ofProcess()), false,
                NewRun.NONE, new Expectation(Optional.of(DefinitionTag.of(known)), Optional.empty()));
    }

    /**
     * What a definition would change, after the checks of {@link #define}; nothing is changed. Leader only.
     *
     * @throws InvalidDefinitionException with every fault
     * @throws DefinitionTag.ChangedMeanwhileException if the crawl is not as expected
     */
    public DefinitionChanges changes(CrawlId crawl, WrittenDefinition written, Expectation expectation)
            throws InterruptedException {
        Optional<CrawlStatus> now = parts.controlState().crawl(crawl);
        Optional<CrawlDefinition> known = now.map(CrawlStatus::definition);
        return placed(written, () -> {
            CrawlDefinition complete = written.complete(crawl, parts.rules(), known);
            CrawlDefinition wanted = known.map(complete::withSecretsOf).orElse(complete);
            parts.rules().check(crawl, wanted);
            expectation.check(crawl, now);
            DefinitionChanges changes = DefinitionChanges.of(crawl, known, wanted);
            return now.isPresent()
                    ? withDue(waitingRequests.judged(changes, now.get(), wanted), now.get(), wanted)
                    : changes;
        });
    }

    /** With the pages that other rules for refreshes make due, unless none are visited again. */
    private DefinitionChanges withDue(DefinitionChanges changes, CrawlStatus now, CrawlDefinition wanted)
            throws InterruptedException {
        if (changes.newRun() || wanted.refresh().isEmpty()
                || wanted.refreshRules().equals(now.definition().refreshRules())) {
            return changes;
        }
        try {
            return changes.withDue(visits.due(now, wanted));
        } catch (KafkaException | CallRefusedException e) {
            return changes
                    .withNotes(Stream
                            .concat(changes.notes().stream(),
                                    Stream.of("How many pages are due is not known now (" + e.getMessage() + ")."))
                            .toList());
        }
    }

    /** The same for a merge patch of a crawl's definition. Leader only. */
    public DefinitionChanges patchChanges(CrawlId crawl, DefinitionText patch, Expectation expectation)
            throws InterruptedException {
        return changes(crawl, WrittenDefinition.patched(parts.controlState().known(crawl).definition(), patch,
                CrawlVariables.ofProcess()), expectation);
    }

    /**
     * The definition of a crawl.
     *
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is none
     */
    public ShownDefinition definition(CrawlId crawl) throws InterruptedException {
        CrawlStatus status = parts.controlState().known(crawl);
        return new ShownDefinition(status.definition().hidden(), DefinitionTag.of(status));
    }

    /**
     * Applies a crawl file: defines its crawl, and starts it unless a user has stopped it or not started it. Leader
     * only.
     *
     * @param digest is noted, so that the file is applied once
     */
    void apply(CrawlId crawl, DefinitionText file, String digest) throws InterruptedException {
        Optional<CrawlStatus> now = parts.controlState().crawl(crawl);
        boolean start = now.isEmpty() || now.get().end().filter(end -> end.reason() != EndReason.ASKED).isPresent();
        define(crawl, read(file), start, NewRun.NONE, Expectation.NONE);
        leaderElection.decide(term -> {
            term.applied(crawl, digest);
            return true;
        });
    }

    private interface Push<T> {
        T run() throws InterruptedException;
    }

    /** Names the places of faults in what a user wrote. */
    private static <T> T placed(WrittenDefinition written, Push<T> push) throws InterruptedException {
        try {
            return push.run();
        } catch (InvalidDefinitionException e) {
            throw written.placed(e);
        }
    }

    /** Reads a definition as a user wrote it. @throws io.trawl.codec.MalformedRecordException if it is no object */
    public WrittenDefinition read(DefinitionText text) {
        return WrittenDefinition.read(text, CrawlVariables.ofProcess());
    }

    /** Counts seeds that a call refuses for a channel's capacity or priorities, or since it is closed (S1). */
    private <T> T counted(Push<T> push) throws InterruptedException {
        try {
            return push.run();
        } catch (ChannelFullException e) {
            parts.refusals().count(RefusalReason.CHANNEL_FULL, e.wanted());
            throw e;
        } catch (ClosedCrawlException e) {
            parts.refusals().count(RefusalReason.CLOSED, e.seeds());
            throw e;
        } catch (InvalidDefinitionException e) {
            long bad = e.faults().stream().filter(f -> f.field().endsWith("priority")).count();
            parts.refusals().count(RefusalReason.PRIORITY_OUT_OF_INDEX, bad);
            throw e;
        }
    }

    /** Starts or resumes a crawl; for the leader's thread. */
    public CrawlStatus start(LeaderTerm term, CrawlId crawl) throws InterruptedException {
        parts.quotas().start(crawl);
        return term.commands().start(crawl);
    }

    /** Begins and starts a run that visits pages of the present one again; for the leader's thread. */
    public CrawlStatus refresh(LeaderTerm term, CrawlId crawl, Optional<UrlPattern> match, boolean due)
            throws InterruptedException {
        parts.controlState().crawl(crawl)
                .ifPresent(now -> parts.quotas().seed(crawl, now.definition().starts().size()));
        parts.quotas().start(crawl);
        return counted(() -> term.commands().refresh(crawl, match, due));
    }

    /**
     * What {@link #refresh} would do now; nothing is changed. Leader only.
     *
     * @throws CallRefusedException 503 if the visits cannot be read in time
     */
    public RefreshPlan plannedRefresh(CrawlId crawl, Optional<UrlPattern> match, boolean due)
            throws InterruptedException {
        VisitSource source = leaderElection.decide(term -> term.commands().planned(crawl, match, due));
        return visits.planned(parts.controlState().known(crawl), source);
    }

    /**
     * Before a crawl is closed or deleted: seeds that were submitted before must be admitted to this crawl while it
     * takes them, not to a later crawl of its id. Leader only.
     */
    public void awaitSeeds() throws InterruptedException {
        LeaderTerm leaderTerm = leaderElection.term();
        long end = parts.progress().ends(context.kafka().topics().seeds())
                .getOrDefault(new TopicPartition(context.kafka().topics().seeds(), 0), 0L);
        for (long since = context.time().nanos(); leaderTerm.progress().admitted() < end; context.time().pause(LOOK)) {
            if (context.time().nanos() - since > SEEDS_WAIT.toNanos() || !leaderElection.leading()) {
                throw new SeedsPendingException();
            }
        }
    }

    /** Begins to submit seeds of a crawl. The caller closes the call. */
    public SeedCall seeds(CrawlId crawl) {
        return new SeedCall(this, crawl,
                leaderElection.current().map(LeaderTerm::progress).map(SeedProgress::submission),
                leaderElection::leading, context.time());
    }

    /** @throws InvalidDefinitionException with every fault of every seed */
    void check(CrawlId crawl, List<Seed> wanted) throws InterruptedException {
        parts.rules().check(crawl, wanted, parts.controlState().known(crawl).definition().priority());
    }

    /**
     * Checks seeds of a crawl and writes them to the topic. The leader reserves a place for each, so that none is
     * refused as CHANNEL_FULL later; a coordinator that does not lead writes them without places.
     *
     * @return the number of acknowledged seeds: all
     * @throws ChannelFullException if there are not enough places; none is written
     * @param submission that waits for the verdicts, if one does
     * @throws ClosedCrawlException if the crawl is closed
     * @throws IllegalMoveException if the facts of its run are gone, or the visits of its pages are not promoted yet
     */
    int submit(CrawlId crawl, List<Seed> wanted, Optional<SeedSubmission> submission) throws InterruptedException {
        CrawlStatus status = parts.controlState().known(crawl);
        int priority = status.definition().priority();
        IllegalMoveException.checkRemembered(status);
        IllegalMoveException.checkPromoted(status);
        return counted(() -> {
            if (status.closed()) {
                throw new ClosedCrawlException(crawl, wanted.size());
            }
            parts.rules().check(crawl, wanted, priority);
            parts.quotas().seed(crawl, wanted.size());
            Optional<LeaderTerm> leaderTerm = leaderElection.current();
            if (leaderTerm.isPresent()) {
                seeds.write(crawl, wanted, priority, leaderTerm.get().capacity(), submission);
            } else {
                seeds.write(crawl, wanted);
            }
            return wanted.size();
        });
    }

    /**
     * A crawl. If it is not known here, the control topic is read to its end first.
     *
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is none
     */
    public CrawlSummary crawl(CrawlId crawl) throws InterruptedException {
        return summary(parts.controlState().known(crawl));
    }

    /**
     * The current run of a crawl. @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is
     * none
     */
    public CrawlRun run(CrawlId crawl) throws InterruptedException {
        return parts.controlState().known(crawl).run();
    }

    /** Whether there is a crawl of this id, or was one. */
    public boolean known(String id) {
        return parts.controlState().lastRuns().stream().anyMatch(run -> run.crawl().value().equals(id));
    }

    /** All crawls that are known here, by their ids. */
    public List<CrawlFigures> figures() {
        Instant now = context.time().now();
        return parts.controlState().crawls().stream()
                .map(status -> new CrawlFigures(status, parts.tally().totals(status.run()), pace(status, now).rates()))
                .toList();
    }

    /** The crawls that are known here, without the seeds of their definitions. */
    public FleetCrawls crawls(CrawlQuery query) {
        return FleetCrawls.of(figures(), query, crawl -> domains(crawl.status()), this::brief, context.time().now());
    }

    /** The summary of a crawl, without the seeds of its definition. */
    public CrawlSummary brief(CrawlFigures crawl) {
        return summary(crawl.status()).brief();
    }

    private Pace pace(CrawlStatus status, Instant now) {
        return parts.tally().pace(status.run(), status.startedAt().orElse(Instant.EPOCH), now);
    }

    /** The summary of a crawl in this state. */
    public CrawlSummary summary(CrawlStatus status) {
        Instant now = context.time().now();
        // First: if nothing is left to count now, the numbers that are read after it are complete.
        Optional<Counting> counting = parts.tally().counting();
        return CrawlSummary.of(status, domains(status), parts.tally().snapshot(status.run()), pace(status, now),
                counting, parts.rates().live(), parts.queue().sinksBehind(), parts.controlState().kafkaLoss(), now);
    }

    private Set<String> domains(CrawlStatus status) {
        Set<String> domains = new TreeSet<>(parts.controlState().domains(status.run()).domains());
        if (status.definition().scope().ofSeeds()) {
            domains.add(Scope.SEEDS);
        }
        return domains;
    }

    @Override
    public void close() {
        seeds.close();
    }

    /**
     * The crawl was not deleted or closed, because seeds that were submitted before are not admitted yet. The caller
     * may retry.
     */
    public static final class SeedsPendingException extends RuntimeException {
        public SeedsPendingException() {
            super("seeds that were submitted before are not admitted yet: nothing is changed, try again later");
        }
    }

    /** Seeds for a closed crawl. The message names it and says how to open it. */
    public static final class ClosedCrawlException extends RuntimeException {
        private final int seeds;

        ClosedCrawlException(CrawlId crawl, int seeds) {
            super("crawl " + crawl + " is closed: it takes no seeds until it is started again");
            this.seeds = seeds;
        }

        int seeds() {
            return seeds;
        }
    }
}
