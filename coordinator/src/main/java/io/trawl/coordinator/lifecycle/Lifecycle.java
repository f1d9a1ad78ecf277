package io.trawl.coordinator.lifecycle;

import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.RunVisits;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.StopSign;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.Totals;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The transitions of a crawl between its states (S7). Each is one transaction on {@code control}, so that a leader that
 * dies leaves the crawl before or after it; the next leader resumes from there ({@link #resume}). Belongs to the
 * leader's thread.
 */
public final class Lifecycle {
    private final ControlWriter controlWriter;
    private final ControlState controlState;
    private final StageProgress stageProgress;
    private final TopicNames topicNames;
    private final PartitionCounts counts;
    private final ToIntFunction<CrawlId> newest;
    private final Time time;

    /**
     * @param controlWriter writes during this term
     * @param newest the newest epoch of a crawl that is known from elsewhere, since Kafka may have lost its definition;
     * 0 if there is none
     */
    public Lifecycle(ControlWriter controlWriter, ControlState controlState, StageProgress stageProgress,
            TopicNames topicNames, ToIntFunction<CrawlId> newest, Time time) {
        this.controlWriter = controlWriter;
        this.controlState = controlState;
        this.stageProgress = stageProgress;
        this.topicNames = topicNames;
        this.counts = new PartitionCounts(topicNames, controlState::channels);
        this.newest = newest;
        this.time = time;
    }

    /**
     * Begins a new run: when this returns, its definition, its accepted domains and its seeds, for which the caller has
     * reserved places, are written. For an existing crawl this begins the next epoch, with an empty ledger; a ledger
     * record in the same transaction closes the sums of the run before.
     *
     * <p>
     * A run that visits the pages of the one before gets its seeds when those visits are its requests
     * ({@link #promoted}).
     *
     * @param scheduledFrom firings of the schedule before this moment are ignored
     * @param source whose pages it visits
     * @throws IllegalMoveException if the crawl's state forbids it
     */
    CrawlStatus initialise(CrawlId crawl, CrawlDefinition definition, Set<String> domains, Instant scheduledFrom,
            Optional<VisitSource> source) throws InterruptedException {
        Optional<CrawlStatus> old = controlState.crawl(crawl);
        old.ifPresent(now -> IllegalMoveException.check(now, CrawlState.INITIALIZING));
        CrawlRun run = next(crawl);
        Optional<RunVisits> visits = definition.refresh().isEmpty()
                ? Optional.empty()
                : Optional.of(new RunVisits(stageProgress.end(topicNames.visits()), source,
                        Optional.of(controlState.kafkaLoss().map(KafkaLoss::id).orElse(0L))
                                .filter(_ -> definition.archives())));
        CrawlStatus begun = CrawlStatus
                .of(run, controlState.nextVersion(CrawlStatus.key(crawl)), definition, CrawlState.INITIALIZING)
                .with(made -> made.scheduledUntil(definition.schedule().map(s -> scheduledFrom)).visits(visits)
                        .lastPages(old.map(last -> lastPages(last, definition)).orElse(0L)));
        CrawlStatus status = source.isPresent() ? begun : initialised(begun);
        Domains accepted = new Domains(run, controlState.nextVersion(Domains.key(crawl)), domains);
        controlWriter.write(Stream.of(begun, status, accepted).distinct().toList(),
                Stream.concat(old.map(o -> counts.closing(o.run())).stream(),
                        source.isPresent() ? Stream.empty() : seeds(status)).toList());
        return status;
    }

    /** With another reach, other pages are found. */
    private static long lastPages(CrawlStatus now, CrawlDefinition next) {
        return now.definition().reachesLike(next) ? now.lastPages() : 0;
    }

    private Stream<ProducerRecord<byte[], byte[]>> seeds(CrawlStatus status) {
        CrawlDefinition definition = status.definition();
        return definition.starts().stream()
                .map(seed -> SeedRecord.ofDefinition(topicNames, status.run(), seed, definition.priority()));
    }

    /**
     * Goes on with a run whose visits are its requests now: its seeds follow, and it is started if that is wanted. If
     * they were before, only what this promotion has carried counts from now on. No effect on another run.
     *
     * @param by the promotion, as {@link RunVisits#promotion}
     */
    public void promoted(CrawlRun run, long by, PromotedVisits counts) {
        controlState.crawl(run.crawl()).filter(now -> now.run().equals(run)).ifPresent(now -> {
            boolean again = now.unpromoted().isEmpty();
            CrawlStatus promoted = (again ? now.next() : initialised(now))
                    .withVisits(now.visits().map(visits -> visits.promoted(by, counts)));
            controlWriter.write(List.of(promoted), again ? List.of() : seeds(promoted).toList());
            startPromoted(promoted);
        });
    }

    /**
     * Starts a run that was to be started when its visits are promoted; no effect on another one. If it was closed
     * meanwhile, it stays closed: nobody has asked for this start since.
     */
    public void startPromoted(CrawlStatus now) {
        if (now.state() == CrawlState.INITIALIZED
                && now.visits().flatMap(RunVisits::source).filter(VisitSource::start).isPresent()) {
            started(write(starting(now).withClosedAt(now.closedAt())));
        }
    }

    /** The run that {@link #initialise} begins. */
    CrawlRun next(CrawlId crawl) {
        Optional<CrawlRun> last = controlState.crawl(crawl).map(CrawlStatus::run)
                .or(() -> controlState.deleted(crawl).map(Deleted::run));
        return new CrawlRun(crawl, 1 + Math.max(last.map(CrawlRun::epoch).orElse(0), newest.applyAsInt(crawl)));
    }

    private static CrawlStatus initialised(CrawlStatus initialising) {
        return initialising.next(CrawlState.INITIALIZED, Optional.empty(), Optional.empty());
    }

    /** Replaces the options that may change at any time. */
    public CrawlStatus redefine(CrawlStatus now, CrawlDefinition definition) {
        Optional<Instant> until = definition.schedule().equals(now.definition().schedule())
                ? now.scheduledUntil()
                : definition.schedule().map(s -> time.now());
        return write(now.next()
                .with(next -> next.definition(definition).scheduledUntil(until).lastPages(lastPages(now, definition))
                        .visits(now.visits().map(visits -> definition.archives() ? visits : visits.withoutArchive()))));
    }

    /** Closes a crawl, or opens it, whatever its state is. */
    public CrawlStatus close(CrawlStatus now, boolean closed) {
        Optional<Instant> at = closed ? now.closedAt().or(() -> Optional.of(time.now())) : Optional.empty();
        return at.equals(now.closedAt()) ? now : write(now.next().withClosedAt(at));
    }

    /** The crawl, after completing a start that a previous leader or a failed transaction has left incomplete. */
    Optional<CrawlStatus> settled(CrawlId crawl) {
        controlState.crawl(crawl).ifPresent(this::resume);
        return controlState.crawl(crawl);
    }

    /** @throws IllegalMoveException if the crawl's state forbids it */
    public CrawlStatus start(CrawlStatus now) {
        IllegalMoveException.check(now, CrawlState.STARTING);
        return started(write(starting(now)));
    }

    /** The record that starts and opens a crawl, for the transaction of a caller. */
    public static CrawlStatus starting(CrawlStatus now) {
        return now.next(CrawlState.STARTING, Optional.empty(), Optional.empty()).withClosedAt(Optional.empty());
    }

    /** Resets the crawl's stop sign in the same transaction. */
    private CrawlStatus started(CrawlStatus starting) {
        CrawlStatus started = starting.next(CrawlState.STARTED, Optional.of(time.now()), Optional.empty());
        Optional<StopSign> sign = controlState.stopSign(Optional.of(starting.run().crawl())).filter(StopSign::signed)
                .map(s -> new StopSign(s.crawl(), started.version(), false, time.now()));
        controlWriter.write(sign.<List<ControlRecord>>map(s -> List.of(started, s)).orElse(List.of(started)),
                List.of());
        return started;
    }

    /**
     * Publishes the stop sign and the state in one transaction; downloaded responses are analysed and stored before
     * {@link #stopped}.
     *
     * @throws IllegalMoveException if the crawl's state forbids it
     */
    public CrawlStatus stop(CrawlStatus now, EndReason reason) {
        CrawlStatus stopping = stopping(now, reason);
        StopSign sign = new StopSign(Optional.of(now.run().crawl()), stopping.version(), true, time.now());
        controlWriter.write(sign, stopping);
        return stopping;
    }

    private CrawlStatus stopping(CrawlStatus now, EndReason reason) {
        IllegalMoveException.check(now, CrawlState.STOPPING);
        return now.next(CrawlState.STOPPING, now.startedAt(), Optional.of(new End(reason, time.now())))
                .withSpent(now.spentAt(time.now()));
    }

    /** Completes a stop: all downloaded responses are processed. @param totals of the run, all counted */
    public CrawlStatus stopped(CrawlStatus stopping, Totals totals) {
        return write(over(stopping, totals));
    }

    /** A refresh that finds no page tells that they are gone, or away, so that it does not fail. */
    private CrawlStatus over(CrawlStatus stopping, Totals totals) {
        EndReason reason = stopping.end().map(End::reason).orElse(EndReason.ASKED);
        boolean failed = reason.byItself() && !stopping.refreshes()
                && totals.failed(stopping.lastPages(), stopping.definition().starts().isEmpty());
        CrawlStatus over = stopping.next(CrawlState.STOPPED, stopping.startedAt(),
                Optional.of(new End(reason, time.now(), failed)));
        return over.whole().isPresent() && !over.refreshes() ? over.withLastPages(totals.found()) : over;
    }

    /**
     * Finishes a crawl that has no work left, without a stop sign and in one transaction, so that no seed can be
     * admitted between the two transitions.
     *
     * @param totals of the run, all counted
     */
    public CrawlStatus finish(CrawlStatus started, Totals totals) {
        CrawlStatus stopping = stopping(started, EndReason.FINISHED);
        CrawlStatus stopped = over(stopping, totals);
        controlWriter.write(stopping, stopped);
        return stopped;
    }

    /**
     * Deletes a crawl and all its records in {@code control}. The remaining tombstone has the last epoch, so that all
     * stages drop records of its runs and a later crawl with that id begins with a higher epoch. An empty ledger record
     * of the next epoch closes the sums of the last run.
     *
     * @throws IllegalMoveException if the crawl is started or in a transient state
     */
    public Deleted delete(CrawlStatus now) {
        if (now.state().passing() || now.state() == CrawlState.STARTED) {
            throw new IllegalMoveException(now, "it can be deleted only while it is stopped or before its first start");
        }
        Deleted deleted = new Deleted(now.run(), now.version() + 1, time.now());
        controlWriter.remove(deleted.keys(), deleted, counts.closing(now.run()));
        return deleted;
    }

    /** Gives up the facts of a run whose time is over; no effect on another one. The caller may delete them later. */
    public void forget(CrawlRun run) {
        controlState.crawl(run.crawl()).filter(now -> now.run().equals(run) && now.factsExpired(time.now()))
                .ifPresent(now -> write(now.next().withForgottenAt(Optional.of(time.now()))));
    }

    /** Notes that the firings of the crawl's schedule up to now are handled. */
    public CrawlStatus fired(CrawlStatus now) {
        return write(now.next().withScheduledUntil(Optional.of(time.now())));
    }

    /**
     * Starts a crawl by its schedule, and marks the firing as handled in the same transaction.
     *
     * @throws IllegalMoveException if the crawl's state forbids it
     */
    public CrawlStatus startAsScheduled(CrawlStatus now) {
        IllegalMoveException.check(now, CrawlState.STARTING);
        return started(write(starting(now).withScheduledUntil(Optional.of(time.now()))));
    }

    /** Publishes the end offsets of the run in {@code items}, so that pipelines close their files at once. */
    public void writeItemEnds(CrawlRun run, Map<TopicPartition, Long> items, Map<TopicPartition, Long> responses) {
        controlWriter.write(new ItemEnds(run, controlState.nextVersion(ItemEnds.key(run.crawl())), byPartition(items),
                byPartition(responses)));
    }

    private static Map<Integer, Long> byPartition(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().collect(Collectors.toMap(e -> e.getKey().partition(), Map.Entry::getValue));
    }

    /** Completes a start that was left incomplete. The watch resumes one that is stopping. */
    public void resume(CrawlStatus status) {
        if (status.state() == CrawlState.STARTING) {
            started(status);
        }
    }

    private CrawlStatus write(CrawlStatus status) {
        controlWriter.write(status);
        return status;
    }
}
