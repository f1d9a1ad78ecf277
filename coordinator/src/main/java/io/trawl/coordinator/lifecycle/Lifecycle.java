package io.trawl.coordinator.lifecycle;

import io.trawl.channel.Topics;
import io.trawl.control.ControlRecord;
import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The moves of a crawl through its states (S7). Each is one transaction on {@code control}, so that a leader that dies leaves the crawl before or after
 * it, never between; the next leader goes on from there ({@link #goOn}). Belongs to the leader's thread.
 */
public final class Lifecycle {
    private final Scribe scribe;
    private final Book book;
    private final Progress progress;
    private final Topics topics;
    private final Time time;

    /** @param scribe writes while this process leads */
    public Lifecycle(Scribe scribe, Book book, Progress progress, Topics topics, Time time) {
        this.scribe = scribe;
        this.book = book;
        this.progress = progress;
        this.topics = topics;
        this.time = time;
    }

    /**
     * Begins a new run: its definition and its accepted domains stand, and its seeds, for which the caller has places, are in {@code seeds} when this
     * returns. Asked for again with a crawl that exists, it begins the next epoch, whose ledger is empty.
     *
     * @param scheduledFrom only what its schedule says for later counts
     * @throws IllegalMove if the crawl's state forbids it
     */
    public CrawlStatus initialise(CrawlId crawl, CrawlDefinition definition, Set<String> domains, Instant scheduledFrom)
            throws InterruptedException {
        Optional<CrawlStatus> old = book.crawl(crawl);
        IllegalMove.check(crawl, old.map(CrawlStatus::state).orElse(CrawlState.UNINITIALIZED), CrawlState.INITIALIZING);
        Optional<CrawlRun> last = old.map(CrawlStatus::run).or(() -> book.deleted(crawl).map(Deleted::run));
        CrawlRun run = new CrawlRun(crawl, last.map(l -> l.epoch() + 1).orElse(1));
        CrawlStatus status = new CrawlStatus(run, book.nextVersion(CrawlStatus.key(crawl)), definition, CrawlState.INITIALIZING,
                0, Optional.empty(), Optional.empty(), Duration.ZERO, definition.schedule().map(s -> scheduledFrom));
        Domains accepted = new Domains(run, book.nextVersion(Domains.key(crawl)), domains);
        scribe.write(List.of(status, accepted), definition.seeds().stream()
                .map(seed -> SeedRecord.withPlace(topics, crawl, seed, definition.priority())).toList());
        return initialised(status);
    }

    /** The seeds came with the same transaction as the state: what is left is to note where they end. */
    private CrawlStatus initialised(CrawlStatus initialising) throws InterruptedException {
        long end = progress.ends(topics.seeds()).getOrDefault(new TopicPartition(topics.seeds(), 0), 0L);
        CrawlStatus next = initialising.next(CrawlState.INITIALIZED, Optional.empty(), Optional.empty());
        return write(new CrawlStatus(next.run(), next.version(), next.definition(), next.state(), end, next.startedAt(),
                next.end(), next.spent(), next.scheduledUntil()));
    }

    /** Replaces the options of a crawl that may change at any time. */
    public CrawlStatus redefine(CrawlStatus now, CrawlDefinition definition) {
        Optional<Instant> until = definition.schedule().equals(now.definition().schedule())
                ? now.scheduledUntil()
                : definition.schedule().map(s -> time.now());
        return write(new CrawlStatus(now.run(), now.version() + 1, definition, now.state(), now.seedsEnd(), now.startedAt(),
                now.end(), now.spent(), until));
    }

    /** @throws IllegalMove if the crawl's state forbids it */
    public CrawlStatus start(CrawlStatus now) {
        IllegalMove.check(now.run().crawl(), now.state(), CrawlState.STARTING);
        return started(write(starting(now)));
    }

    /** The record that starts a crawl, to be written in one transaction with what makes it start. */
    public static CrawlStatus starting(CrawlStatus now) {
        return now.next(CrawlState.STARTING, Optional.empty(), Optional.empty());
    }

    /** Takes the crawl's stop sign away with the same transaction. */
    private CrawlStatus started(CrawlStatus starting) {
        CrawlStatus started = starting.next(CrawlState.STARTED, Optional.of(time.now()), Optional.empty());
        Optional<StopSign> sign = book.stopSign(Optional.of(starting.run().crawl())).filter(StopSign::signed)
                .map(s -> new StopSign(s.crawl(), started.version(), false, time.now()));
        scribe.write(sign.<List<ControlRecord>>map(s -> List.of(started, s)).orElse(List.of(started)), List.of());
        return started;
    }

    /**
     * Publishes the stop sign and the state in one transaction; what is downloaded is analysed and stored before {@link #stopped}.
     *
     * @throws IllegalMove if the crawl's state forbids it
     */
    public CrawlStatus stop(CrawlStatus now, EndReason reason) {
        CrawlId crawl = now.run().crawl();
        IllegalMove.check(crawl, now.state(), CrawlState.STOPPING);
        CrawlStatus stopping = now.next(CrawlState.STOPPING, now.startedAt(), Optional.of(new End(reason, time.now())))
                .spent(now.spentAt(time.now()));
        StopSign sign = new StopSign(Optional.of(crawl), stopping.version(), true, time.now());
        scribe.write(sign, stopping);
        return stopping;
    }

    /** Ends the stopping of a crawl: everything that was downloaded is stored. */
    public CrawlStatus stopped(CrawlStatus stopping) {
        EndReason reason = stopping.end().map(End::reason).orElse(EndReason.ASKED);
        return write(stopping.next(CrawlState.STOPPED, stopping.startedAt(), Optional.of(new End(reason, time.now()))));
    }

    /** Ends a crawl of which nothing is left to do: no sign is needed, and no moment passes between the two moves in which a seed might come. */
    public CrawlStatus finish(CrawlStatus started) {
        IllegalMove.check(started.run().crawl(), started.state(), CrawlState.STOPPING);
        Optional<End> end = Optional.of(new End(EndReason.FINISHED, time.now()));
        CrawlStatus stopping = started.next(CrawlState.STOPPING, started.startedAt(), end).spent(started.spentAt(time.now()));
        CrawlStatus stopped = stopping.next(CrawlState.STOPPED, started.startedAt(), end);
        scribe.write(stopping, stopped);
        return stopped;
    }

    /**
     * Deletes a crawl and all that it has in {@code control}. What is left says up to which epoch its runs are over, so that everybody drops what comes
     * of them, and a later crawl of that id begins above. The empty ledger record of the epoch after closes the sums of the last run.
     *
     * @throws IllegalMove if the crawl is started or on its way from one state to another
     */
    public Deleted delete(CrawlStatus now) {
        CrawlId crawl = now.run().crawl();
        if (now.state().passing() || now.state() == CrawlState.STARTED) {
            throw new IllegalMove(crawl, now.state(), "it can be deleted only while it is stopped or was never started");
        }
        Deleted deleted = new Deleted(now.run(), now.version() + 1, time.now());
        LedgerRecord closing = new LedgerRecord(new CrawlRun(crawl, now.run().epoch() + 1), List.of(), List.of(), Map.of(),
                List.of(), 0);
        scribe.remove(deleted.keys(), deleted, new ProducerRecord<>(topics.ledger(),
                crawl.value().getBytes(StandardCharsets.UTF_8), Codec.encode(closing)));
        return deleted;
    }

    /** Notes that the firings of the crawl's schedule are dealt with up to now. */
    public CrawlStatus fired(CrawlStatus now) {
        return write(now.next(now.state(), now.startedAt(), now.end()).scheduledUntil(time.now()));
    }

    /**
     * Starts a crawl because its schedule says so: the firing is dealt with in the same transaction, neither earlier nor later.
     *
     * @throws IllegalMove if the crawl's state forbids it
     */
    public CrawlStatus startAsScheduled(CrawlStatus now) {
        IllegalMove.check(now.run().crawl(), now.state(), CrawlState.STARTING);
        return started(write(starting(now).scheduledUntil(time.now())));
    }

    /** Publishes the ends of {@code items} that belong to the run, so that pipelines close their files at once. */
    public void noteEnds(CrawlRun run, Map<TopicPartition, Long> ends) {
        Map<Integer, Long> byPartition = ends.entrySet().stream()
                .collect(java.util.stream.Collectors.toMap(e -> e.getKey().partition(), Map.Entry::getValue));
        scribe.write(new ItemEnds(run, book.nextVersion(ItemEnds.key(run.crawl())), byPartition));
    }

    /** Goes on with a crawl that was left in a passing state. One that is stopping goes on by being watched. */
    public void goOn(CrawlStatus status) throws InterruptedException {
        switch (status.state()) {
            case INITIALIZING -> initialised(status);
            case STARTING -> started(status);
            default -> {
                // rests, or is watched
            }
        }
    }

    private CrawlStatus write(CrawlStatus status) {
        scribe.write(status);
        return status;
    }
}
