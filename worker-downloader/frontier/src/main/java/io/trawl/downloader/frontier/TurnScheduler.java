package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.fairness.SlotShares;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.HostState;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsVerdict;
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
    private final FrontierState state;
    private final HostPlacement hostPlacement;
    private final LoadedBodies loadedBodies;

    TurnScheduler(FrontierState state, HostPlacement hostPlacement, LoadedBodies loadedBodies) {
        this.state = state;
        this.hostPlacement = hostPlacement;
        this.loadedBodies = loadedBodies;
    }

    /** Assigns turns as long as there are free slots and ready hosts. */
    void dispatch(long now) {
        admit(now);
        while (state.inFlightRequests.slots().available()
                && state.pendingAnswers.unacknowledged() < state.settings.unacknowledged()
                && !state.hostTable.ready().isEmpty()) {
            HostQueue host = state.hostTable.nextReady();
            hostPlacement.place(host, now);
            // The host may use its slots otherwise than when it was placed before, and leave room for one that outranks
            // it.
            admit(now);
            if (!state.hostTable.ready().isEmpty() && state.hostTable.nextReady() == host) {
                PendingRequest p = host.head().orElseThrow();
                if (state.partitionLeases.expired(p.partition())) {
                    state.partitionLeases.end(p.partition());
                    hostPlacement.placeAll(now);
                } else {
                    turn(host, p, now);
                }
            }
            if (state.hostTable.ready().isEmpty()) {
                admit(now);
            }
        }
    }

    /** Prepares limited hosts for their turns, as many as their parts of the slots allow. */
    private void admit(long now) {
        SlotShares<HostQueue> slotShares = state.hostTable.slotShares();
        for (Optional<HostQueue> host = slotShares.next(); host.isPresent(); host = slotShares.next()) {
            hostPlacement.place(host.get(), now);
        }
    }

    /** Takes the best request of the best host: answers it, or begins an exchange. */
    private void turn(HostQueue host, PendingRequest p, long now) {
        Terms runTerms = state.terms.of(p.run());
        if (!state.budgets.limited(p.request())) {
            state.pendingAnswers.accept(p);
        }
        int depth = runTerms.mode().inLedger(p.request().depth());
        if (state.terms.duplicate(p)) {
            host.dropHead();
            host.readAhead().widen();
            state.pendingAnswers.answer(p,
                    RequestAnswer.without(p.request(), new Outcome.Duplicate(), p.attempts(), OptionalInt.empty()));
            hostPlacement.release(p, now);
            hostPlacement.place(host, now);
            return;
        }
        Optional<ScopeRefusal> outOfScope = state.terms.outOfScope(p);
        if (outOfScope.isPresent()) {
            withoutFetch(host, p, new Outcome.Refused(outOfScope.get().reason(), outOfScope.get().cause(),
                    Optional.of(outOfScope.get().rule())), depth);
            hostPlacement.place(host, now);
            return;
        }
        Optional<Outcome.Failure> silent = state.unresponsiveHosts.givenUp(p.server(), now);
        if (silent.isPresent()) {
            withoutFetch(host, p, silent.get(), depth);
            hostPlacement.place(host, now);
            return;
        }
        Optional<RobotsRules> robots = state.robotsChecks.givenUp(host, p, now)
                .or(() -> state.robotsChecks.reachable(p));
        if (robots.isEmpty()) {
            host.keepRank();
            long ticket = beginExchange(host, p, Optional.empty(), now);
            state.actionQueue.add(new FrontierAction.LoadRobots(ticket, p.server(),
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
                ? state.budgets.refusal(p)
                : Optional.of(verdict.forbidden());
        if (refusal.isPresent()) {
            withoutFetch(host, p, refusal.get(), depth);
        } else if (state.budgets.decided(p)) {
            fetch(host, p, depth, now);
        }
        // Else the terms have changed since the host was placed, which is placed again.
    }

    private void withoutFetch(HostQueue host, PendingRequest p, Outcome outcome, int depth) {
        host.spendRank();
        host.dropHead();
        host.readAhead().widen();
        state.requestParking.activate(p);
        state.pendingAnswers.answer(p,
                RequestAnswer.without(p.request(), outcome, p.attempts(), OptionalInt.of(depth)));
    }

    private void fetch(HostQueue host, PendingRequest p, int depth, long now) {
        Terms runTerms = state.terms.of(p.run());
        host.spendRank();
        host.dropHead();
        host.served(p);
        host.readAhead().narrow();
        state.requestParking.activate(p);
        Request request = runTerms.mode() == DepthMode.EXACT && p.facts().known() < depth
                ? p.request().withDepth(p.facts().known())
                : p.request();
        p.attempt();
        state.budgets.begin(new FrontierAction.BeginFetch(beginExchange(host, p, Optional.of(request), now), request,
                runTerms.profile(), leaseOf(p)));
        lookAhead(host, p, now);
    }

    private FetchPermit leaseOf(PendingRequest p) {
        return state.partitionLeases.lease(p.partition())
                .orElseThrow(() -> new IllegalStateException("no lease on " + p.partition()));
    }

    /** @param request what is fetched; empty for the robots.txt that it needs */
    private long beginExchange(HostQueue host, PendingRequest p, Optional<Request> request, long now) {
        state.hostTable.served(host);
        p.namesLookedUp(false);
        long ticket = state.actionQueue.ticket();
        state.inFlightRequests.begin(ticket, host, p, request, now);
        host.pace().began(now, hostPlacement.requestedDelays(p), p.partition());
        return ticket;
    }

    /** Prepares the next requests, so that a host with short pauses loses no time between two requests. */
    private void lookAhead(HostQueue host, PendingRequest present, long now) {
        Optional<PendingRequest> next = hostPlacement.head(host);
        if (host.pace().expected(hostPlacement.requestedDelays(next.orElse(present)),
                state.settings.politeness()) <= SOON_NANOS) {
            if (next.isPresent()) {
                askAbout(host, now);
            }
            loadedBodies.refill(host);
        }
    }

    private void askAbout(HostQueue host, long now) {
        state.ledgerLookups.ask(host, now).ifPresent(state.actionQueue::add);
        state.robotsChecks.ask(host);
    }

    /**
     * Looks up the best of the requests that are due, a few more than take a slot in the meantime. Those whose names
     * take longer do not count.
     */
    void ask(long now) {
        int most = 2 * state.settings.ahead();
        while (!state.hostTable.due().isEmpty()) {
            HostQueue host = state.hostTable.nextDue();
            boolean enough = state.hostTable.asking() + state.hostTable.ready().size() >= most;
            if (enough && !(state.hostTable.asking() < most && state.hostTable.outranks(host))) {
                return;
            }
            askAbout(host, now);
            if (host.head().filter(p -> hostPlacement.isFetched(p, now)).isPresent()) {
                state.budgets.ask(host);
            }
            if (host.head().filter(p -> !hostPlacement.isUnsent(host, p, now)).isPresent()) {
                state.nameLookups.ask(host);
            }
            hostPlacement.place(host, now);
            if (host.state() == HostState.DUE) {
                return;
            }
        }
    }
}
