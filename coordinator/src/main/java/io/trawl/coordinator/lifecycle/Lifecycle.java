package io.trawl.coordinator.lifecycle;

import io.trawl.channel.Topics;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.time.Time;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
     * @throws IllegalMove if the crawl's state forbids it
     */
    public CrawlStatus initialise(CrawlId crawl, CrawlDefinition definition, Set<String> domains) throws InterruptedException {
        Optional<CrawlStatus> old = book.crawl(crawl);
        IllegalMove.check(crawl, old.map(CrawlStatus::state).orElse(CrawlState.UNINITIALIZED), CrawlState.INITIALIZING);
        CrawlRun run = new CrawlRun(crawl, old.map(o -> o.run().epoch() + 1).orElse(1));
        CrawlStatus status = new CrawlStatus(run, book.nextVersion(CrawlStatus.key(crawl)), definition, CrawlState.INITIALIZING,
                0, Optional.empty(),
                Optional.empty());
        Domains accepted = new Domains(run, book.nextVersion(Domains.key(crawl)), domains);
        scribe.write(List.of(status, accepted), definition.seeds().stream()
                .map(seed -> SeedRecord.withPlace(topics, crawl, seed, definition.priority())).toList());
        return initialised(status);
    }

    /** The seeds came with the same transaction as the state: what is left is to note where they end. */
    private CrawlStatus initialised(CrawlStatus initialising) throws InterruptedException {
        long end = progress.ends(topics.seeds()).getOrDefault(new TopicPartition(topics.seeds(), 0), 0L);
        CrawlStatus next = initialising.next(CrawlState.INITIALIZED, Optional.empty(), Optional.empty());
        return write(
                new CrawlStatus(next.run(), next.version(), next.definition(), next.state(), end, next.startedAt(), next.end()));
    }

    /** Replaces the options of a crawl that may change at any time. */
    public CrawlStatus redefine(CrawlStatus now, CrawlDefinition definition) {
        return write(new CrawlStatus(now.run(), now.version() + 1, definition, now.state(), now.seedsEnd(), now.startedAt(),
                now.end()));
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
                .map(s -> new StopSign(s.crawl(), s.version() + 1, false, time.now()));
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
        StopSign sign = new StopSign(Optional.of(crawl), book.nextVersion(StopSign.key(Optional.of(crawl))), true, time.now());
        CrawlStatus stopping = now.next(CrawlState.STOPPING, now.startedAt(), Optional.of(new End(reason, time.now())));
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
        CrawlStatus stopping = started.next(CrawlState.STOPPING, started.startedAt(), end);
        CrawlStatus stopped = stopping.next(CrawlState.STOPPED, started.startedAt(), end);
        scribe.write(stopping, stopped);
        return stopped;
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
