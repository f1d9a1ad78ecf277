package io.trawl.downloader.frontier;

import io.trawl.downloader.politeness.PartitionLeases;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.fairness.SlotShares;
import io.trawl.downloader.frontier.inflight.InFlightRequests;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.HostTable;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.politeness.UnresponsiveHosts;
import io.trawl.downloader.robots.RobotsRules;
import io.trawl.downloader.robots.RobotsVerdict;
import io.trawl.ledger.DepthMode;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.scope.ScopeRefusal;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Gives the best request of the best host its turn, and has the ledger and robots.txt asked about those that come next.
 * Belongs to the frontier's thread.
 */
final class TurnScheduler {
    /** A host that will be asked again this soon has its next requests looked up while the present one is in flight. */
    private static final long SOON_NANOS = 200_000_000L;
    private final FrontierSettings settings;
    private final RobotsChecks robotsChecks;
    private final FetchBudgets budgets;
    private final NameLookups nameLookups;
    private final KnownTerms terms;
    private final HostTable hostTable;
    private final PartitionLeases partitionLeases;
    private final UnresponsiveHosts unresponsiveHosts;
    private final LedgerLookups ledgerLookups;
    private final HostPlacement hostPlacement;
    private final LoadedBodies loadedBodies;
    private final InFlightRequests inFlightRequests;
    private final PendingAnswers pendingAnswers;
    private final ActionQueue actionQueue;

    TurnScheduler(FrontierSettings settings, RobotsChecks robotsChecks, FetchBudgets budgets, NameLookups nameLookups,
            KnownTerms terms, HostTable hostTable, PartitionLeases partitionLeases, UnresponsiveHosts unresponsiveHosts,
            LedgerLookups ledgerLookups, HostPlacement hostPlacement, LoadedBodies loadedBodies,
            InFlightRequests inFlightRequests, PendingAnswers pendingAnswers, ActionQueue actionQueue) {
        this.settings = settings;
        this.robotsChecks = robotsChecks;
        this.budgets = budgets;
        this.nameLookups = nameLookups;
        this.terms = terms;
        this.hostTable = hostTable;
        this.partitionLeases = partitionLeases;
        this.unresponsiveHosts = unresponsiveHosts;
        this.ledgerLookups = ledgerLookups;
        this.hostPlacement = hostPlacement;
        this.loadedBodies = loadedBodies;
        this.inFlightRequests = inFlightRequests;
        this.pendingAnswers = pendingAnswers;
        this.actionQueue = actionQueue;
    }

    /** Assigns turns as long as there are free slots and ready hosts. */
    void dispatch(long now) {
        admit(now);
        while (inFlightRequests.slots().available() && pendingAnswers.unacknowledged() < settings.unacknowledged()
                && !hostTable.ready().isEmpty()) {
            HostQueue host = hostTable.nextReady();
            hostPlacement.place(host, now);
            if (!hostTable.ready().isEmpty() && hostTable.nextReady() == host) {
                PendingRequest p = host.head().orElseThrow();
                if (partitionLeases.expired(p.partition())) {
                    partitionLeases.end(p.partition());
                    hostPlacement.placeAll(now);
                } else {
                    turn(host, p, now);
                }
            }
            if (hostTable.ready().isEmpty()) {
                admit(now);
            }
        }
    }

    /** Prepares limited hosts for their turns, as many as their parts of the slots allow. */
    private void admit(long now) {
        SlotShares<HostQueue> slotShares = hostTable.slotShares();
        for (Optional<HostQueue> host = slotShares.next(); host.isPresent(); host = slotShares.next()) {
            hostPlacement.place(host.get(), now);
        }
    }

    /** Takes the best request of the best host: answers it, or begins an exchange. */
    private void turn(HostQueue host, PendingRequest p, long now) {
        Terms runTerms = terms.of(p.run());
        if (!runTerms.limited()) {
            pendingAnswers.accept(p);
        }
        int depth = runTerms.mode().inLedger(p.request().depth());
        if (hostPlacement.duplicate(p)) {
            host.dropHead();
            host.readAhead().widen();
            pendingAnswers.answer(p,
                    RequestAnswer.without(p.request(), new Outcome.Duplicate(), p.attempts(), OptionalInt.empty()));
            hostPlacement.release(p, now);
            hostPlacement.place(host, now);
            return;
        }
        Optional<ScopeRefusal> outOfScope = hostPlacement.outOfScope(p);
        if (outOfScope.isPresent()) {
            withoutFetch(host, p, new Outcome.Refused(outOfScope.get().reason(), outOfScope.get().cause(),
                    Optional.of(outOfScope.get().rule())), depth);
            hostPlacement.place(host, now);
            return;
        }
        Optional<Outcome.Failure> silent = unresponsiveHosts.givenUp(p.server(), now);
        if (silent.isPresent()) {
            withoutFetch(host, p, silent.get(), depth);
            hostPlacement.place(host, now);
            return;
        }
        Optional<RobotsRules> robots = hostPlacement.givenUp(host, p, now).or(() -> robotsChecks.reachable(p));
        if (robots.isEmpty()) {
            host.keepRank();
            long ticket = beginExchange(host, p, p.request(), now);
            actionQueue.add(new FrontierAction.LoadRobots(ticket, p.server(),
                    p.request().url().startsWith("https:") ? "https" : "http", runTerms.profile().through(p.request()),
                    leaseOf(p)));
        } else if (robots.get().unreachable()) {
            withoutFetch(host, p, robots.get().withoutRules(), depth);
        } else {
            // Empty: the rules have changed since the host was placed, which is placed again.
            p.robots().verdict(robots.get(), p.request().url())
                    .ifPresent(verdict -> obey(verdict, host, p, depth, now));
        }
        hostPlacement.place(host, now);
    }

    private void obey(RobotsVerdict verdict, HostQueue host, PendingRequest p, int depth, long now) {
        Optional<Outcome> refusal = verdict == RobotsVerdict.ALLOWED
                ? budgets.refusal(p)
                : Optional.of(verdict.forbidden());
        if (refusal.isPresent()) {
            withoutFetch(host, p, refusal.get(), depth);
        } else if (budgets.decided(p)) {
            fetch(host, p, depth, now);
        }
        // Else the terms have changed since the host was placed, which is placed again.
    }

    private void withoutFetch(HostQueue host, PendingRequest p, Outcome outcome, int depth) {
        host.spendRank();
        host.dropHead();
        host.readAhead().widen();
        hostPlacement.activate(p);
        pendingAnswers.answer(p, RequestAnswer.without(p.request(), outcome, p.attempts(), OptionalInt.of(depth)));
    }

    private void fetch(HostQueue host, PendingRequest p, int depth, long now) {
        Terms runTerms = terms.of(p.run());
        host.spendRank();
        host.dropHead();
        host.served(p);
        host.readAhead().narrow();
        hostPlacement.activate(p);
        Request request = runTerms.mode() == DepthMode.EXACT && p.facts().known() < depth
                ? p.request().withDepth(p.facts().known())
                : p.request();
        p.attempt();
        budgets.begin(new FrontierAction.BeginFetch(beginExchange(host, p, request, now), request, runTerms.profile(),
                leaseOf(p)));
        lookAhead(host, p, now);
    }

    private FetchPermit leaseOf(PendingRequest p) {
        return partitionLeases.lease(p.partition())
                .orElseThrow(() -> new IllegalStateException("no lease on " + p.partition()));
    }

    private long beginExchange(HostQueue host, PendingRequest p, Request request, long now) {
        hostTable.served(host);
        p.namesLookedUp(false);
        long ticket = actionQueue.ticket();
        inFlightRequests.begin(ticket, host, p, request, now);
        host.pace().began(now, hostPlacement.requestedDelays(p), p.partition());
        return ticket;
    }

    /** Prepares the next requests, so that a host with short pauses loses no time between two requests. */
    private void lookAhead(HostQueue host, PendingRequest present, long now) {
        Optional<PendingRequest> next = hostPlacement.head(host);
        if (host.pace().expected(hostPlacement.requestedDelays(next.orElse(present)),
                settings.politeness()) <= SOON_NANOS) {
            if (next.isPresent()) {
                askAbout(host, now);
            }
            loadedBodies.refill(host);
        }
    }

    private void askAbout(HostQueue host, long now) {
        ledgerLookups.ask(host, now).ifPresent(actionQueue::add);
        robotsChecks.ask(host);
    }

    /**
     * Looks up the best of the requests that are due, a few more than take a slot in the meantime. Those whose names
     * take longer do not count.
     */
    void ask(long now) {
        int most = 2 * settings.ahead();
        while (!hostTable.due().isEmpty()) {
            HostQueue host = hostTable.nextDue();
            boolean enough = hostTable.asking() + hostTable.ready().size() >= most;
            if (enough && !(hostTable.asking() < most && hostTable.outranks(host))) {
                return;
            }
            askAbout(host, now);
            budgets.ask(host);
            if (host.head().filter(p -> !hostPlacement.isUnsent(host, p, now)).isPresent()) {
                nameLookups.ask(host);
            }
            hostPlacement.place(host, now);
            if (host.state() == HostQueue.HostState.DUE) {
                return;
            }
        }
    }
}
