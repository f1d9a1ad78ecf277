package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.VisitChoice;
import io.trawl.coordinator.definition.DefinitionChanges;
import io.trawl.coordinator.definition.DefinitionRules;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException;
import io.trawl.coordinator.queue.Capacity;
import io.trawl.coordinator.queue.ChannelFullException;
import io.trawl.coordinator.summary.Tally;
import io.trawl.ledger.Ledger;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.pattern.UrlPattern;
import io.trawl.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The commands of users to the leader. Belongs to the leader's thread.
 *
 * @param capacity reserves places for the seeds of new definitions
 * @param tally what the ledger says of runs
 * @param cleanup deletes the state of runs that are over
 */
public record LifecycleCommands(Lifecycle lifecycle, ControlState controlState, DefinitionRules rules,
        Capacity capacity, Tally tally, RefreshedVisits refreshedVisits, RunCleanup cleanup, Ledger ledger, Time time) {
    /** So many are in one record of control. */
    private static final int MOST_SEED_DOMAINS = 20_000;

    /** The result of a definition: the crawl, and whether it is new. */
    public record DefinitionOutcome(CrawlStatus status, boolean created) {}

    /**
     * Defines a crawl, or attaches to the one that exists.
     *
     * @param start whether to start it; no effect if it is started, is finished, or has reached a limit
     * @param newRun whether a new run replaces the existing one
     * @param continuation what a new crawl knows
     * @throws InvalidDefinitionException if the definition has faults
     * @throws OtherDefinitionException if the crawl exists with other seeds, domains, depth or identity rules
     * @throws ChannelFullException if there is no room for the seeds of a new run
     * @throws IllegalMoveException if its state forbids it
     */
    public DefinitionOutcome define(CrawlId crawl, CrawlDefinition wanted, boolean start, NewRun newRun,
            Optional<RunContinuation> continuation) throws InterruptedException {
        Optional<CrawlStatus> known = lifecycle.settled(crawl);
        CrawlDefinition definition = known.map(k -> wanted.withSecretsOf(k.definition())).orElse(wanted).with(
                made -> made.refresh(newRun == NewRun.REFRESH ? Optional.of(wanted.refreshRules()) : wanted.refresh()));
        Set<String> domains = rules.check(crawl, definition);
        if (known.isEmpty() && continuation.isPresent() != RunContinuation.names(crawl)) {
            throw new InvalidDefinitionException(List.of(new Fault("crawl", crawl.value(), RunContinuation.RULE)), 0);
        }
        if (known.isEmpty()) {
            continuation.ifPresent(c -> {
                controlState.crawl(c.run().crawl()).ifPresent(IllegalMoveException::checkRemembered);
                ledger.continueRun(c.run(), lifecycle.next(crawl), c.without());
            });
        }
        Optional<CrawlStatus> over = known.filter(k -> newRun == NewRun.REFRESH && k.overByItself());
        if (over.isPresent()) {
            return new DefinitionOutcome(refresh(over.get(), definition, domains, time.now(), start, VisitChoice.ALL),
                    false);
        }
        CrawlStatus status = known.isEmpty() || newRun == NewRun.FRESH
                ? initialise(crawl, definition, domains, time.now(), Optional.empty())
                : attach(known.get(), definition, start);
        return new DefinitionOutcome(start && mayStart(status) ? lifecycle.start(status) : status, known.isEmpty());
    }

    /**
     * Begins a run that visits the pages of another one; or goes on with that one, if a late answer has found more.
     *
     * @throws IllegalMoveException if that run has kept nothing, or not all
     */
    private CrawlStatus refresh(CrawlStatus of, CrawlDefinition definition, Set<String> domains, Instant scheduledFrom,
            boolean start, VisitChoice choice) throws InterruptedException {
        VisitSource source = refreshedVisits.of(of, definition, start, choice);
        return refreshedVisits.goesOn(of)
                ? lifecycle.start(of)
                : initialise(of.run().crawl(), definition, domains, scheduledFrom, Optional.of(source));
    }

    /** Begins a new run and ends the one that it replaces. */
    private CrawlStatus initialise(CrawlId crawl, CrawlDefinition definition, Set<String> domains,
            Instant scheduledFrom, Optional<VisitSource> source) throws InterruptedException {
        Optional<CrawlRun> replaced = controlState.crawl(crawl).map(CrawlStatus::run);
        Set<String> accepted = source.isPresent() && definition.scope().ofSeeds()
                ? withSeedDomains(domains, replaced.orElseThrow())
                : domains;
        capacity.reserve(definition.starts(), definition.priority());
        try {
            CrawlStatus initialised = lifecycle.initialise(crawl, definition, accepted, scheduledFrom, source);
            replaced.ifPresent(cleanup::over);
            return initialised;
        } catch (IllegalMoveException | ControlWriter.ControlNotWrittenException e) {
            capacity.release(definition.starts(), definition.priority());
            throw e;
        }
    }

    /** The pages that are visited again have been accepted; their seeds may not come again. */
    private Set<String> withSeedDomains(Set<String> domains, CrawlRun of) {
        Set<String> all = new TreeSet<>(domains);
        all.addAll(tally.domains(of).names());
        if (all.size() > MOST_SEED_DOMAINS) {
            throw new InvalidDefinitionException(List.of(new Fault("scope.domains", all.size() + " domains of seeds",
                    "at most " + MOST_SEED_DOMAINS + " of a crawl that is refreshed: begin a fresh run")), 0);
        }
        return all;
    }

    private CrawlStatus attach(CrawlStatus known, CrawlDefinition wanted, boolean start) {
        Set<String> differences = DefinitionChanges.ofRun(known.definition(), wanted);
        if (!differences.isEmpty()) {
            throw new OtherDefinitionException(known, differences);
        }
        CrawlDefinition merged = wanted.identifiedBy(known.definition());
        if (start && mayStart(known.withDefinition(merged))) {
            IllegalMoveException.check(known, CrawlState.STARTING);
        }
        return merged.equals(known.definition()) ? known : lifecycle.redefine(known, merged);
    }

    private boolean mayStart(CrawlStatus status) {
        return status.state() != CrawlState.STARTED && status.unpromoted().isEmpty() && !status.finished()
                && limitReached(status).isEmpty();
    }

    /** The limit that ended the crawl, if it still holds. */
    private Optional<RunLimit> limitReached(CrawlStatus status) {
        boolean limited = status.end().filter(e -> RunLimit.of(e.reason()).isPresent()).isPresent();
        return limited ? RunLimit.reached(status, tally.totals(status.run()), time.now()) : Optional.empty();
    }

    /**
     * Starts or resumes a crawl, or opens a started one that is closed.
     *
     * @throws UnknownCrawlException if there is none of that id
     * @throws IllegalMoveException if its state forbids it, its facts are gone, or a limit is reached
     */
    public CrawlStatus start(CrawlId crawl) throws InterruptedException {
        CrawlStatus now = known(crawl);
        if (now.state() == CrawlState.STARTED && now.closed()) {
            return lifecycle.close(now, false);
        }
        IllegalMoveException.check(now, CrawlState.STARTING);
        Optional<RunLimit> runLimit = now.state() == CrawlState.STOPPED ? limitReached(now) : Optional.empty();
        if (runLimit.isPresent()) {
            throw new IllegalMoveException(now, "its limit of " + runLimit.get().word()
                    + " is reached; define it with a higher " + runLimit.get().field() + " first");
        }
        return lifecycle.start(now);
    }

    /**
     * Begins a run that visits the pages of the present one again, with its definition and its accepted domains. It is
     * started when these visits are its requests.
     *
     * @param match the URLs of the pages; empty if all are visited
     * @param due whether only pages are visited that are due
     * @throws UnknownCrawlException if there is none of that id
     * @throws IllegalMoveException if the present run has not ended by itself, or has not kept all its pages
     * @throws ChannelFullException if there is no room for the seeds
     */
    public CrawlStatus refresh(CrawlId crawl, Optional<UrlPattern> match, boolean due) throws InterruptedException {
        CrawlStatus now = over(crawl);
        return refresh(now, now.definition(), controlState.domains(now.run()).domains(), time.now(), true,
                refreshedVisits.choice(now, match, due));
    }

    /**
     * The visits from which {@link #refresh} would choose now, and how; begins nothing.
     *
     * @throws UnknownCrawlException if there is none of that id
     * @throws IllegalMoveException as {@code refresh} does; and if that would begin no run, but go on with the present
     * one
     */
    public VisitSource planned(CrawlId crawl, Optional<UrlPattern> match, boolean due) throws InterruptedException {
        CrawlStatus now = over(crawl);
        VisitSource source = refreshedVisits.of(now, now.definition(), true, refreshedVisits.choice(now, match, due));
        if (refreshedVisits.goesOn(now)) {
            throw new IllegalMoveException(now, "a late answer has found more pages, so " + now.run() + " goes on");
        }
        return source;
    }

    private CrawlStatus over(CrawlId crawl) throws InterruptedException {
        CrawlStatus now = known(crawl);
        if (!now.overByItself()) {
            throw new IllegalMoveException(now, "its pages are visited again when its run has ended by itself");
        }
        return now;
    }

    private CrawlStatus known(CrawlId crawl) {
        return lifecycle.settled(crawl).orElseThrow(() -> new UnknownCrawlException(crawl));
    }

    /** Closes a crawl; no effect if it is closed. @throws UnknownCrawlException if there is none of that id */
    public CrawlStatus close(CrawlId crawl) {
        return lifecycle.close(known(crawl), true);
    }

    /**
     * Begins to stop a crawl.
     *
     * @throws UnknownCrawlException if there is none of that id
     * @throws IllegalMoveException if its state forbids it
     */
    public CrawlStatus stop(CrawlId crawl) {
        return lifecycle.stop(known(crawl), EndReason.ASKED);
    }

    /**
     * Deletes a crawl.
     *
     * @return its last run
     * @throws UnknownCrawlException if there is none of that id
     * @throws IllegalMoveException if its state forbids it
     */
    public CrawlRun delete(CrawlId crawl) {
        CrawlRun last = lifecycle.delete(known(crawl)).run();
        cleanup.over(last);
        return last;
    }

    /**
     * Carries out a firing of a crawl's schedule: begins a run with the current accepted domains, unless the crawl is
     * running. The run visits the pages of the one before if that has kept them and not failed, and is a fresh one
     * else. A retry after the loss of a leader resumes where that leader stopped.
     *
     * @throws ChannelFullException if there is no room for the seeds
     */
    void fire(CrawlStatus now) throws InterruptedException {
        switch (now.state()) {
            case INITIALIZED -> lifecycle.startAsScheduled(now);
            case STOPPED -> {
                // If the leader is lost before the start, the next one finds the crawl initialised and the firing
                // pending.
                Instant from = now.scheduledUntil().orElseThrow();
                Set<String> domains = controlState.domains(now.run()).domains();
                if (now.visits().isPresent() && now.whole().isPresent() && !refreshedVisits.leavesVisits(now)) {
                    lifecycle.fired(refresh(now, now.definition(), domains, from, true,
                            refreshedVisits.choice(now, Optional.empty(), now.definition().refreshRules().paced())));
                } else {
                    lifecycle.startAsScheduled(
                            initialise(now.run().crawl(), now.definition(), domains, from, Optional.empty()));
                }
            }
            default -> lifecycle.fired(now);
        }
    }

    /** A crawl with that id exists with other seeds, domains, depth or identity rules. */
    public static final class OtherDefinitionException extends RuntimeException {
        OtherDefinitionException(CrawlStatus known, Set<String> fields) {
            super("crawl " + known.run().crawl() + " exists with " + fields.stream().map(field -> switch (field) {
                case DefinitionChanges.DEPTH -> "another depth (" + known.definition().limits().depth() + ")";
                case DefinitionChanges.DOMAINS -> "other domains";
                default -> "other seeds";
            }).collect(Collectors.joining(" and "))
                    + ": use another id, or request a fresh run, which starts with an empty ledger");
        }
    }
}
