package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.inflight.FrontierStatus;
import io.trawl.model.MID;
import io.trawl.model.CrawlId;
import io.trawl.direct.HostListing.HostRow;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.control.StopSign;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.inflight.TroubledHosts;
import io.trawl.downloader.frontier.inflight.TroubledHosts.HostTrouble;
import io.trawl.downloader.frontier.fairness.SlotShares;
import io.trawl.downloader.frontier.inflight.InFlightRequests.Flight;
import io.trawl.downloader.frontier.inflight.SlotPool;
import io.trawl.downloader.frontier.queue.AssignedPartitions.Mark;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.fairness.PriorityShares;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.frontier.queue.RobotsFailures;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.politeness.RetryDecision;
import io.trawl.downloader.politeness.RetryPolicy;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsSource.LoadedRobots;
import io.trawl.downloader.trap.SpiderTraps.HostOfRun;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.module.Counters;
import io.trawl.politeness.HostBudgetStore.BudgetVerdict;
import io.trawl.politeness.InheritedPauses;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Decides which request the downloader fetches next (docs/protocol.md, section Frontier). In each step the caller
 * reports events and then calls {@link #advance}, which returns the actions to carry out. The frontier guarantees:
 * <ul>
 * <li>Of the requests whose host may be asked now, whose body is in memory, whose ledger lookup has returned and about
 * which the verdict of robots.txt is made, the one with the larger priority is sent first, across all partitions;
 * within one host this always holds. Among equals the host that has waited longest comes first, and of a host's
 * requests the one that came first; one that is retried comes back behind all others of its priority. With
 * {@link PriorityShares} the slots are divided among hosts by the largest priority of their requests, and the turns of
 * a host among its requests, both in that proportion.</li>
 * <li>A host, or all servers that share its {@link io.trawl.model.PolitenessKey}, never has more than {@code perHost}
 * exchanges in flight, and none begins before its {@link Politeness} allows it; fetches of robots.txt count, look-ups
 * that a cache answers do not.</li>
 * <li>While other domains, crawls or clean hosts have requests, no domain, crawl or slow hosts take all slots
 * ({@link SlotShares}).</li>
 * <li>No exchange begins, and none takes a slot, before the names that it needs are looked up.</li>
 * <li>No exchange begins without a lease on its partition, nor before the pauses that {@link PartitionLeaseStore
 * earlier owners} recorded are over.</li>
 * <li>A URL of a run is never in flight twice. A request whose URL already has a response at its depth or less is
 * answered DUPLICATE without using a turn.</li>
 * <li>Every delivered offset is answered once, unless its partition is revoked. The low-water mark never passes an
 * offset without an acknowledged answer.</li>
 * <li>A pending request costs a few bytes until its turn is near.</li>
 * <li>Requests of crawls that do not fetch, and others that wait for long, keep few records of others from being
 * deleted: they are copied to the end of the log.</li>
 * </ul>
 * Times are nanoseconds from an arbitrary origin, not negative and never decreasing. Not thread-safe: one thread owns
 * it.
 * <p>
 * This class handles events. {@link HostPlacement} keeps the state of hosts, {@link RequestParking} the requests that
 * cannot be fetched now, {@link TurnScheduler} assigns turns, {@link LoadedBodies} decides which bodies stay in memory.
 */
public final class Frontier {
    /**
     * After robots.txt of a host is given up, its requests are answered for at least this long without asking for it
     * again.
     */
    private static final long GIVEN_UP_NANOS = 60_000_000_000L;
    /** How often to look whether waiting requests hold a log. */
    private static final long RELOCATION_NANOS = 1_000_000_000L;
    private static final RetryDecision GIVE_UP = new RetryDecision.GiveUp(Duration.ZERO);
    private final FrontierState state;
    private final HostPlacement hostPlacement;
    private final LoadedBodies loadedBodies;
    private final Forwarding forwarding;
    private final TurnScheduler turnScheduler;
    private final DirectFetchQueue directFetchQueue;
    private final FrontierInspector frontierInspector;
    private boolean stopping;
    private boolean held;
    private boolean signed;
    private long nextRelocation;

    /**
     * @param counters updated here: called on delivery, accepted at the first decision about a request, completed or
     * failed on the acknowledged answer
     */
    public Frontier(FrontierSettings settings, CrawlTerms crawlTerms, RobotsChecks.HostRobots rules,
            NameLookups.KnownNames names, RetryPolicy retryPolicy, Counters counters) {
        this.state = new FrontierState(settings, crawlTerms, rules, names, retryPolicy, counters);
        this.hostPlacement = new HostPlacement(state);
        this.loadedBodies = new LoadedBodies(state, hostPlacement);
        this.forwarding = new Forwarding(state, hostPlacement);
        this.turnScheduler = new TurnScheduler(state, hostPlacement, loadedBodies);
        this.directFetchQueue = new DirectFetchQueue(state, hostPlacement);
        this.frontierInspector = new FrontierInspector(state, hostPlacement);
    }

    // ---- events ----

    /**
     * This process owns the partition from now on; its records will be delivered from {@code position}.
     *
     * @param assignment the number of this assignment
     */
    public void assigned(RequestPartition requestPartition, long assignment, long position) {
        state.assignedPartitions.begin(requestPartition, assignment, position);
        forwarding.assigned();
    }

    /**
     * Records of a partition, in the order of their offsets, without those that are marked as answered. Records of an
     * ended assignment are ignored, and so are records that were delivered before, unless {@link FrontierAction.Reread}
     * requested them.
     *
     * @param position the offset after everything that was read, including skipped and aborted records and markers
     */
    public void delivered(RequestPartition requestPartition, long assignment, List<DeliveredRecord> records,
            long position, long now) {
        state.assignedPartitions.find(requestPartition, assignment).ifPresent(held -> {
            int fresh = 0;
            for (DeliveredRecord record : records) {
                boolean seen = state.assignedPartitions.seen(held, record.offset());
                if (!seen) {
                    state.assignedPartitions.delivered(held, record.offset());
                    fresh++;
                }
                if (!seen || held.stoppedCrawlOffsets().take(record.offset())) {
                    loadedBodies.scanned(held, record, now);
                }
            }
            state.assignedPartitions.reached(held, position);
            state.counters.called(fresh);
        });
    }

    /**
     * {@link FrontierAction.ReadBodies} is done. An offset that is missing in {@code found} is not in the log any more,
     * which is reported.
     */
    public void read(long ask, List<DeliveredRecord> found, long now) {
        if (!forwarding.read(ask, found, now)) {
            loadedBodies.read(ask, found, now);
        }
    }

    /** Records of a partition that were read in addition to the requested ones; kept where they are useful. */
    public void offered(RequestPartition requestPartition, long assignment, List<DeliveredRecord> records, long now) {
        loadedBodies.offered(requestPartition, assignment, records, now);
    }

    /** The hosts of a partition may be asked from now on, while the lease holds and after the inherited pauses. */
    public void leased(int partition, FetchPermit lease, InheritedPauses inheritedPauses, long now) {
        state.partitionLeases.begin(partition, lease, inheritedPauses, now);
        hostPlacement.placeAll(now);
    }

    /** The lease on a partition has ended: no exchange begins there any more. No effect if there is a later lease. */
    public void leaseExpired(int partition, FetchPermit lease, long now) {
        if (state.partitionLeases.is(partition, lease) && state.partitionLeases.end(partition)) {
            hostPlacement.placeAll(now);
        }
    }

    /** Whether an exchange is in flight for a request of this partition. */
    public boolean inFlight(int partition) {
        return state.inFlightRequests.any(partition) || directFetchQueue.any(partition);
    }

    /** Whether a request of this partition has an exchange in flight or an answer that Kafka has not acknowledged. */
    public boolean busy(int partition) {
        return inFlight(partition) || state.pendingAnswers.any(partition);
    }

    /**
     * The remaining pauses of the hosts that were asked for this partition, without those that are over. Which of the
     * waiting requests comes first at the next owner is not known, so the longest of their delays counts. Call it
     * before {@link #revoked}.
     */
    public Map<HostKey, Duration> pauses(int partition, long now) {
        Map<HostKey, Duration> pauses = new HashMap<>();
        for (HostQueue host : state.hostTable.hosts()) {
            if (host.pace().of(partition)) {
                long open = Math.max(hostPlacement.mayStartAny(host), host.pace().openAt(state.settings.politeness()));
                if (open > now) {
                    pauses.put(host.key(), Duration.ofNanos(open - now));
                }
            }
        }
        return pauses;
    }

    /**
     * This process does not own the partition any more, in any priority: its requests are forgotten. Returns the last
     * offsets that may be committed.
     */
    public Map<RequestPartition, Mark> revoked(int partition, long now) {
        Map<RequestPartition, Mark> last = state.assignedPartitions.end(partition);
        state.partitionLeases.end(partition);
        hostPlacement.removeIf(state.pendingAnswers::dropIfRevoked, now);
        state.retryQueue.take(p -> p.assignment().ended()).forEach(state.pendingAnswers::dropIfRevoked);
        // Exchanges in flight end by themselves. All other requests, also waiting retries, are gone and must free their
        // URLs.
        Set<PendingRequest> underWay = Collections.newSetFromMap(new IdentityHashMap<>());
        state.inFlightRequests.forEach(underWay::add);
        state.pendingAnswers.forEach(underWay::add);
        state.requestParking.endedActive().filter(p -> !underWay.contains(p)).toList()
                .forEach(p -> hostPlacement.release(p, now));
        return last;
    }

    /** The ledger's answer to {@link FrontierAction.LookUp}, in the order asked. */
    public void lookedUp(long ask, List<UrlFacts> facts, long now) {
        state.ledgerLookups.lookedUp(ask, facts, now).ifPresent(host -> hostPlacement.place(host, now));
    }

    /** {@link FrontierAction.LoadRobots} is done. */
    public void robotsLoaded(long ticket, LoadedRobots lookUp, long now) {
        if (directFetchQueue.robotsLoaded(ticket, lookUp, now)) {
            return;
        }
        Flight flight = lookUp.hostAsked() ? endAsked(ticket, now) : state.inFlightRequests.endUnasked(ticket);
        RobotsRules loaded = lookUp.rules();
        HostQueue host = flight.host();
        String userAgent = state.terms.of(flight.pending().run()).userAgent();
        if (loaded.trouble().filter(FetchResult::withdrawn).isPresent()) {
            hostPlacement.place(host, now);
            return;
        }
        if (lookUp.hostAsked()) {
            host.slotTime(host.slotTime().robots(now - flight.began()));
        }
        loaded.trouble().ifPresent(trouble -> recordOutcome(flight, trouble, now));
        int partition = flight.pending().partition();
        if (loaded.unreachable()) {
            RobotsFailures robots = host.robotsFailed(flight.pending().server());
            int tries = robots.failed();
            switch (loaded.trouble().map(trouble -> state.retryPolicy.decide(trouble, tries)).orElse(GIVE_UP)) {
                case RetryDecision.RetryLater again -> hostPlacement.close(host, partition, again.pause(), now);
                case RetryDecision.GiveUp end -> {
                    hostPlacement.close(host, partition, end.hostPause(), now);
                    robots.giveUp(userAgent, loaded, now + Math.max(GIVEN_UP_NANOS, end.hostPause().toNanos()));
                }
            }
        } else {
            host.robotsFound(flight.pending().server(), userAgent);
        }
        hostPlacement.place(host, now);
    }

    /** Ends a request for robots.txt, whose crawl-delay holds from now on. */
    private Flight endAsked(long ticket, long now) {
        Flight flight = state.inFlightRequests.end(ticket, now - state.inFlightRequests.find(ticket).began(), now);
        flight.host().pace().learnt(flight.began(), hostPlacement.requestedDelays(flight.pending()));
        return flight;
    }

    /** The verdicts of {@link FrontierAction.CheckRobots}, in the order asked. */
    public void robotsChecked(long ticket, List<RobotsVerdict> verdicts, long now) {
        state.robotsChecks.checked(ticket, verdicts).ifPresent(host -> hostPlacement.place(host, now));
    }

    /** {@link FrontierAction.ResolveNames} is done: each name has addresses, or has none. */
    public void namesResolved(long ticket, long now) {
        state.nameLookups.resolved(ticket).ifPresent(host -> hostPlacement.place(host, now));
    }

    /** {@link FrontierAction.TakeBudget} is done. */
    public void budgetTaken(long ticket, BudgetVerdict verdict, long now) {
        state.budgets.taken(ticket, verdict).ifPresent(host -> hostPlacement.place(host, now));
    }

    /** {@link FrontierAction.TakePermit} is done: the fetch begins, or its request gets another turn. */
    public void permitTaken(long ticket, boolean taken, long now) {
        if (!state.budgets.permitTaken(ticket, taken, now)) {
            return;
        }
        if (taken) {
            state.pendingAnswers.accept(state.inFlightRequests.find(ticket).pending());
        } else {
            Flight flight = state.inFlightRequests.end(ticket, 0, now);
            // As if it had never had its turn: it may wait for long, and then only its offset is kept.
            hostPlacement.release(flight.pending(), now);
            withdrawn(flight, now);
        }
    }

    /** {@link FrontierAction.BeginFetch} is over. */
    public void fetched(long ticket, FetchResult fetchResult, long now) {
        if (directFetchQueue.fetched(ticket, fetchResult, now)) {
            return;
        }
        Flight flight = state.inFlightRequests.end(ticket, fetchResult.took().toNanos(), now);
        PendingRequest p = flight.pending();
        state.budgets.fetched(p, fetchResult);
        if (fetchResult.withdrawn()) {
            withdrawn(flight, now);
            return;
        }
        flight.host().slotTime(flight.host().slotTime().page(now - flight.began()));
        recordOutcome(flight, fetchResult, now);
        switch (state.retryPolicy.decide(fetchResult, p.attempts())) {
            case RetryDecision.GiveUp giveUp -> {
                hostPlacement.close(flight.host(), p.partition(), giveUp.hostPause(), now);
                if (fetchResult.outcome() instanceof Outcome.Failure) {
                    state.budgets.failed(p);
                }
                Terms of = state.terms.of(p.run());
                RequestAnswer answer = new RequestAnswer(flight.request(), fetchResult.outcome(),
                        Optional.of(fetchResult.withRobots(p.robots().digest().filter(_ -> of.profile().archived()))),
                        p.attempts(), OptionalInt.of(of.mode().inLedger(flight.request().depth())));
                of.moved(flight.request(), fetchResult.outcome()).ifPresentOrElse(
                        moved -> state.pendingAnswers.move(p, answer, moved),
                        () -> state.pendingAnswers.answer(p, answer));
            }
            case RetryDecision.RetryLater again -> {
                p.failed(fetchResult.outcome().detail());
                if (again.hostWaits()) {
                    hostPlacement.close(flight.host(), p.partition(), again.pause(), now);
                }
                if (state.pendingAnswers.dropIfRevoked(p)) {
                    hostPlacement.release(p, now);
                } else {
                    state.retryQueue.add(p, now + again.pause().toNanos());
                }
            }
        }
        hostPlacement.place(flight.host(), now);
    }

    /** Updates the state of the host from an exchange, independent of the outcome for the request. */
    private void recordOutcome(Flight flight, FetchResult fetchResult, long now) {
        hostPlacement.close(flight.host(), flight.pending().partition(),
                state.unresponsiveHosts.recordOutcome(flight.pending().server(), fetchResult, now), now);
    }

    /**
     * The host was not asked, or the exchange was cut. The request gets its next turn unchanged, here or at the next
     * owner of its partition.
     */
    private void withdrawn(Flight flight, long now) {
        PendingRequest p = flight.pending();
        p.withdraw();
        if (state.pendingAnswers.dropIfRevoked(p)) {
            hostPlacement.release(p, now);
        } else {
            hostPlacement.enqueue(p, true, now);
        }
        hostPlacement.place(flight.host(), now);
    }

    /**
     * Kafka has acknowledged these {@link FrontierAction.SendAnswer}s, the ledger has their facts and their offsets are
     * marked; or the offsets of {@link FrontierAction.Pass}es, {@link FrontierAction.Forward}s and
     * {@link FrontierAction.ReportUnreadable}s are marked.
     */
    public void answered(Collection<Long> tickets, long now) {
        for (Long ticket : tickets) {
            state.pendingAnswers.acknowledged(ticket).ifPresentOrElse(done -> {
                if (done.statesFact()) {
                    state.ledgerLookups.answered(done.request().key(), now);
                }
                state.budgets.acknowledged(done.request(), done.bytes());
                hostPlacement.release(done.request(), now);
            }, () -> nextRelocation = now);
        }
    }

    /**
     * The {@code control} topic has changed: crawls, their states, or stop signs. A sign of this process ends its
     * turns, one of a host those of the host.
     *
     * @param signs those that concern this process
     */
    public void crawlsChanged(Collection<StopSign> signs, long now) {
        boolean hosts = state.stopSignProgress.signs(signs, now);
        signed = signs.stream().anyMatch(sign -> sign.signed() && sign.module().isPresent());
        renewed(_ -> true, hosts, now);
    }

    /** Only the status of one crawl has changed: there may be thousands of others. */
    public void crawlChanged(CrawlId crawl, long now) {
        renewed(run -> run.crawl().equals(crawl), false, now);
    }

    /** @param hosts whether other hosts are stopped than before */
    private void renewed(Predicate<CrawlRun> which, boolean hosts, long now) {
        boolean changed = state.terms.renewAll(which) | hosts;
        List.copyOf(state.assignedPartitions.stoppedRuns()).stream().filter(which).forEach(this::resume);
        if (changed) {
            hostPlacement.runsChanged(now);
        }
    }

    /**
     * The orders to move what waits to other priorities. An order that is there again is not carried out again.
     *
     * @param generation of the request topics that this process serves
     */
    public void ordered(Collection<QueueMoves> orders, int generation) {
        forwarding.orders(orders, generation);
    }

    /**
     * The control records up to {@link FrontierAction.Refresh} have been read: requests of a run that is still unknown
     * are refused.
     */
    public void refreshed(CrawlRun run, long now) {
        boolean known = state.terms.renew(run).status() != RunStatus.UNKNOWN;
        for (PendingRequest p : state.requestParking.takeUnknown(run)) {
            if (known) {
                hostPlacement.enqueue(p, false, now);
            } else {
                state.pendingAnswers.accept(p);
                state.pendingAnswers.answer(p,
                        RequestAnswer.without(p.request(),
                                new Outcome.Refused(RefusalReason.UNKNOWN_CRAWL, "no such crawl: " + run), 0,
                                OptionalInt.empty()));
            }
        }
        resume(run);
    }

    /** Reads requests back of which only the offset was kept, unless their run is present and still does not fetch. */
    private void resume(CrawlRun run) {
        Terms runTerms = state.terms.of(run);
        if ((runTerms.fetches() || runTerms.status() != RunStatus.PRESENT)
                && state.assignedPartitions.stoppedRuns().contains(run)) {
            state.actionQueue.add(new FrontierAction.Reread(state.assignedPartitions.resume(run)));
        }
    }

    /** From now on the requests of a host in a run come after those of clean hosts, or no longer do. */
    public void postpone(HostOfRun host, boolean on, long now) {
        hostPlacement.postpone(host, on, now);
    }

    /** This process has left its group for its stop sign, or has joined again. */
    public void away(boolean left) {
        state.stopSignProgress.away(left);
    }

    /** Adds a fetch outside of every crawl. It reports its result itself, at the latest when its patience is over. */
    public void fetchDirectly(DirectFetch directFetch, long now) {
        directFetchQueue.add(directFetch, now);
    }

    /** No exchange begins any more. This is final. */
    public void stopping() {
        stopping = true;
    }

    /**
     * While held, the frontier assigns no turns; exchanges in flight end and are answered. Reversible, unlike
     * {@link #stopping}.
     */
    public void hold(boolean on) {
        held = on;
    }

    // ---- actions ----

    /** The actions to carry out now, in order. */
    public List<FrontierAction> advance(long now) {
        state.hostTable.forget(now);
        state.retryQueue.due(now).forEach(p -> hostPlacement.enqueueRetry(p, now));
        while (!state.hostTable.waiting().isEmpty() && state.hostTable.waiting().first().since() <= now) {
            hostPlacement.place(state.hostTable.waiting().first(), now);
        }
        if (stopping) {
            directFetchQueue.stop();
        } else {
            directFetchQueue.advance(now);
            if (!held && !signed) {
                turnScheduler.dispatch(now);
            }
            turnScheduler.ask(now);
            loadedBodies.ask(now);
        }
        forward(now);
        loadedBodies.evict(now);
        Map<RequestPartition, Mark> moved = state.assignedPartitions.moved();
        if (!moved.isEmpty()) {
            state.actionQueue.add(new FrontierAction.CommitOffset(moved));
        }
        state.scanBudget.update(state.assignedPartitions.load(), state.hostTable.working())
                .forEach(state.actionQueue::add);
        return state.actionQueue.take();
    }

    /** Has requests go on elsewhere in the log: those that hold it, and those that are moved. */
    private void forward(long now) {
        if (stopping) {
            return;
        }
        forwarding.move();
        if (now >= nextRelocation && mayHoldALog()) {
            nextRelocation = now + RELOCATION_NANOS;
            hostPlacement.unpark(now);
            forwarding.release(now);
        }
    }

    private boolean mayHoldALog() {
        return state.requestParking.parked() > 0 || state.assignedPartitions.heldByStragglers();
    }

    /** When to call {@link #advance} again if no event arrives before; empty: not before the next event. */
    public OptionalLong due() {
        long relocation = mayHoldALog() ? nextRelocation : Long.MAX_VALUE;
        long next = Math.min(Math.min(directFetchQueue.next(), relocation), Math
                .min(state.hostTable.next().orElse(Long.MAX_VALUE), state.retryQueue.next().orElse(Long.MAX_VALUE)));
        return stopping || next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
    }

    /** Looks at a host and, if the identity of a request is given, at that; changes nothing. */
    public FrontierSnapshot look(HostKey server, int partition, CrawlRun run, Optional<String> identity, long now) {
        return new FrontierSnapshot(frontierInspector.host(server, partition, run, now),
                identity.flatMap(of -> frontierInspector.request(new PendingRequest.RequestKey(run, of), server, now)),
                state.partitionLeases.lease(partition).filter(FetchPermit::holds).isPresent(), held);
    }

    /**
     * The state of a host and a request, for people.
     *
     * @param leased whether the hosts of the partition may be asked
     * @param held whether no turns are assigned
     */
    public record FrontierSnapshot(HostView host, Optional<RequestView> request, boolean leased, boolean held) {}

    /** The keys of all hosts, or of those whose best request is of this crawl. Takes a moment, even for many. */
    public List<HostKey> hostsOf(Optional<CrawlId> crawl) {
        return state.hostTable.hosts().stream().filter(
                host -> crawl.isEmpty() || host.run().filter(run -> run.crawl().equals(crawl.get())).isPresent())
                .map(HostQueue::key).toList();
    }

    /** A host for a table of many, without the numbers of its answers; a host without requests has a row, too. */
    public HostRow row(HostKey key, MID mid, long now) {
        return frontierInspector.row(key, mid, now);
    }

    /** The hosts that hold up their requests. */
    public List<HostTrouble> troubles(long now) {
        return new TroubledHosts(state.hostTable, state.unresponsiveHosts, state.retryQueue, state.inFlightRequests,
                state.settings.keys()::of).now(now);
    }

    /** A snapshot of the current numbers. */
    public FrontierStatus status(long now) {
        SlotPool slots = state.inFlightRequests.slots();
        return new FrontierStatus(slots.total(), slots.used(),
                Arrays.stream(state.assignedPartitions.pending()).boxed().toList(), state.hostTable.size(),
                state.hostTable.waiting().size(), state.hostTable.due().size() + state.hostTable.ready().size(),
                state.hostTable.slotShares().waiting(), state.hostTable.resolving(), hostPlacement.postponed(),
                state.unresponsiveHosts.givenUp(), state.pendingAnswers.size(), state.requestParking.parked(),
                state.assignedPartitions.partitions(), stopping, slots.used() == 0 && state.pendingAnswers.size() == 0,
                Stream.concat(
                        state.stopSignProgress.deals(now, sign -> state.inFlightRequests.oldest(sign, now)).stream(),
                        forwarding.deals().stream()).toList());
    }
}
