package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.queue.HostState;
import io.trawl.downloader.politeness.PartitionLeases;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.fairness.HostGroup;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.queue.RunQueue;
import io.trawl.downloader.politeness.Politeness.RequestedDelays;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.trap.SpiderTraps.HostOfRun;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Keeps the state of hosts and requests: gives each host exactly one state, and each request its place in the queue of
 * its host. Belongs to the frontier's thread.
 */
final class HostPlacement {
    /**
     * The body of a host's best request is read this long before its turn, if it is not in memory: many times the
     * duration of a read.
     */
    private static final long AHEAD_NANOS = 500_000_000L;
    private final FrontierState state;
    private final Set<HostOfRun> postponed = new HashSet<>();
    private long longestDelay;

    HostPlacement(FrontierState state) {
        this.state = state;
        this.longestDelay = state.settings.politeness().longestPause().toNanos();
    }

    /** Updates the state of a host. */
    void place(HostQueue host, long now) {
        if (host.inFlight() >= (state.unresponsiveHosts.probing(host.next()) ? 1 : state.settings.perHost())) {
            state.hostTable.move(host, HostState.BUSY, Math.max(host.topPriority(), host.best()), now);
            return;
        }
        Optional<PendingRequest> head = head(host);
        head.ifPresentOrElse(p -> host.expects(p.run(), p.server()),
                () -> host.top().flatMap(RunQueue::run).ifPresent(host::expects));
        host.use(group(host), host.slotTime().slotClass(host.inFlight() == 0 ? 0 : host.pace().age(now)));
        if (head.isPresent()) {
            placeRead(host, head.get(), now);
        } else if (host.empty()) {
            // A slow answer may have brought a longer pause than any request asks for.
            state.hostTable.moveToIdle(host,
                    Math.max(host.pace().forgettableAt(longestDelay), host.pace().openAt(state.settings.politeness())));
        } else {
            placeUnread(host, now);
        }
    }

    private HostGroup group(HostQueue host) {
        return host.run().filter(run -> isPostponed(run, host.server())).isPresent()
                ? HostGroup.POSTPONED
                : HostGroup.CLEAN;
    }

    /** The requests of a host come after those of clean hosts, or no longer do. */
    void postpone(HostOfRun which, boolean on, long now) {
        if (on ? postponed.add(which) : postponed.remove(which)) {
            state.hostTable.find(state.settings.keys().of(which.host())).filter(host -> host.state() != HostState.IDLE)
                    .ifPresent(host -> place(host, now));
        }
    }

    /** The number of hosts, counted per run, whose requests come after those of clean hosts. */
    int postponed() {
        return postponed.size();
    }

    boolean isPostponed(CrawlRun run, HostKey server) {
        return !postponed.isEmpty() && postponed.contains(new HostOfRun(run, server));
    }

    private void placeRead(HostQueue host, PendingRequest p, long now) {
        if (state.stopSignProgress.stops(p.server())) {
            state.hostTable.move(host, HostState.WAITING, host.topPriority(), Long.MAX_VALUE);
            return;
        }
        // An answer without an exchange need not wait for the host: after the pause robots.txt would have to be loaded
        // again, forever.
        boolean unsent = isUnsent(host, p, now);
        long since = unsent
                ? host.nonEmptySince()
                : Math.max(host.nonEmptySince(), Math.max(mayStart(host, p, now), state.budgets.mayStart(p, now)));
        state.hostTable.move(host, since > now ? HostState.WAITING : known(host, p, unsent, now), host.topPriority(),
                since);
    }

    /**
     * Whether the best request of a host is answered without being sent, since its server or its robots.txt is given
     * up.
     */
    boolean isUnsent(HostQueue host, PendingRequest p, long now) {
        return state.unresponsiveHosts.givenUp(p.server(), now).isPresent()
                || state.robotsChecks.givenUp(host, p, now).isPresent();
    }

    /** The state of a host that may be asked, by what is known about its best request. */
    private HostState known(HostQueue host, PendingRequest p, boolean unsent, long now) {
        boolean fresh = state.ledgerLookups.fresh(p, now);
        if (fresh && (state.terms.duplicate(p) || state.terms.outOfScope(p).isPresent() || state.robotsChecks.decided(p)
                && state.budgets.decided(p) && (unsent || state.nameLookups.known(p)))) {
            return HostState.READY;
        }
        if (p.asking() || fresh && (p.robots().running() || p.claiming())) {
            return HostState.ASKING;
        }
        return host.resolving() ? HostState.RESOLVING : HostState.DUE;
    }

    /** Whether the ledger and the scope say that a request is to be fetched: only then it uses a budget. */
    boolean isFetched(PendingRequest p, long now) {
        return state.ledgerLookups.fresh(p, now) && !state.terms.duplicate(p) && state.terms.outOfScope(p).isEmpty();
    }

    private long mayStart(HostQueue host, PendingRequest p, long now) {
        RequestedDelays requestedDelays = requestedDelays(p);
        return Math.max(host.pace().mayStart(requestedDelays, state.settings.politeness()), state.partitionLeases
                .mayStart(p.partition(), host.key(), state.settings.politeness().pause(requestedDelays, 0), now));
    }

    /** The delays of the best request are not known yet, so the last ones are assumed. */
    private void placeUnread(HostQueue host, long now) {
        int priority = host.topPriority();
        int partition = host.top().flatMap(RunQueue::unread).orElseThrow().assignment().requestPartition().partition();
        long allowed = Math.max(host.pace().openAt(state.settings.politeness()),
                state.partitionLeases.mayStart(partition, host.key(), 0, now));
        long turn = state.stopSignProgress.stops(host.key())
                ? Long.MAX_VALUE
                : state.unresponsiveHosts.givenUp(host.key(), now).isPresent() || host.robotsGivenUp()
                        ? host.nonEmptySince()
                        : Math.max(host.nonEmptySince(), allowed);
        long when = turn == Long.MAX_VALUE || state.bodyBudget.exceeded() ? turn : turn - AHEAD_NANOS;
        if (host.reading()) {
            state.hostTable.move(host, HostState.READING, priority, turn);
        } else if (when > now) {
            state.hostTable.move(host, HostState.WAITING, priority, when);
        } else {
            state.hostTable.move(host, HostState.UNREAD, priority, turn);
        }
    }

    /** Whether a waiting host's turn is so near that the body of its best request must be in memory. */
    static boolean near(HostQueue host, long now) {
        return host.since() - AHEAD_NANOS <= now;
    }

    /**
     * The best request of a host that may be fetched, if its body is in memory. Requests before it that cannot be
     * fetched are parked.
     */
    Optional<PendingRequest> head(HostQueue host) {
        for (Optional<PendingRequest> head = host.head(); head.isPresent(); head = host.head()) {
            PendingRequest p = head.get();
            if (state.requestParking.admits(p)) {
                return head;
            }
            host.dropHead();
            host.readAhead().skipped();
            state.requestParking.park(p);
        }
        return Optional.empty();
    }

    /** Adds a request whose body is in memory, or adds it again. */
    void enqueue(PendingRequest p, boolean first, long now) {
        if (p.assignment().ended()) {
            return;
        }
        HostQueue host = state.hostTable.host(state.settings.keys().of(p.server()));
        if (first) {
            host.addFirst(p);
        } else {
            host.addLast(p);
        }
        boolean missed = host.state() == HostState.UNREAD || host.state() == HostState.READING;
        added(host, p.priority(), first || missed, now);
    }

    /** Adds a request whose back-off is over, after all others of its host and priority. */
    void enqueueRetry(PendingRequest p, long now) {
        if (!p.assignment().ended()) {
            HostQueue host = state.hostTable.host(state.settings.keys().of(p.server()));
            host.append(p);
            added(host, p.priority(), false, now);
        }
    }

    /** A request was added to a host's queue. */
    void added(HostQueue host, int priority, boolean first, long now) {
        if (host.state() == HostState.IDLE) {
            host.becameNonEmpty(now);
        }
        boolean matters = host.state() == HostState.IDLE || first || host.isChangedBy(priority);
        if (matters && host.state() != HostState.BUSY) {
            place(host, now);
        }
    }

    /** No request may be sent to the host for this long. */
    void close(HostQueue host, int partition, Duration pause, long now) {
        host.pace().close(now, pause);
        if (PartitionLeases.lasting(pause)) {
            state.actionQueue.add(new FrontierAction.RecordPause(partition, host.key(), pause));
        }
    }

    /** Frees the URL: requests that waited for it get their turn, in their order. */
    void release(PendingRequest p, long now) {
        state.requestParking.free(p).reversed().forEach(follower -> enqueue(follower, true, now));
    }

    /** Removes matching requests, except those in flight. */
    void removeIf(Predicate<PendingRequest> gone, long now) {
        for (HostQueue host : state.hostTable.hosts()) {
            if (host.removeIf(gone)) {
                place(host, now);
            }
        }
        state.requestParking.removeIf(gone);
    }

    /** Runs have changed: parked requests come back if the reason for parking them is gone. */
    void runsChanged(long now) {
        state.requestParking.takeChanged().forEach(p -> enqueue(p, false, now));
        placeAll(now);
    }

    /** Updates the state of every host that has requests. */
    void placeAll(long now) {
        for (HostQueue host : state.hostTable.hosts()) {
            if (host.state() != HostState.IDLE) {
                place(host, now);
            }
        }
    }

    /**
     * Keeps only the offsets of parked requests in partitions whose log is held, so that they can be relocated, too:
     * when their crawl resumes, their attempts count from 0.
     */
    void unpark(long now) {
        state.requestParking.takeHolding().forEach(p -> {
            state.pendingAnswers.drop(p);
            state.assignedPartitions.keepOffset(p);
            release(p, now);
        });
    }

    /** The delays that apply before this request. */
    RequestedDelays requestedDelays(PendingRequest p) {
        Terms runTerms = state.terms.of(p.run());
        return requestedDelays(p.server(), runTerms.profile(), runTerms.delay(), p.request().options().waitTime());
    }

    /**
     * When any of the waiting requests of a host may be sent, whichever comes first; 0 if none waits. Inherited pauses
     * do not count.
     */
    long mayStartAny(HostQueue host) {
        Stream<RequestedDelays> ofRuns = host.runs().map(state.terms::of).map(
                runTerms -> requestedDelays(host.server(), runTerms.profile(), runTerms.delay(), Optional.empty()));
        return Stream.concat(ofRuns, host.head().map(this::requestedDelays).stream())
                .mapToLong(delays -> host.pace().mayStart(delays, state.settings.politeness())).max().orElse(0);
    }

    /** The delays that apply before a request. */
    RequestedDelays requestedDelays(HostKey server, FetchProfile profile, Duration delay, Optional<Duration> waitTime) {
        Optional<Duration> crawlDelay = state.robotsChecks.cached(server, profile).flatMap(RobotsRules::crawlDelay);
        RequestedDelays requestedDelays = new RequestedDelays(delay, crawlDelay, waitTime);
        longestDelay = Math.max(longestDelay, state.settings.politeness().pause(requestedDelays, 0));
        return requestedDelays;
    }
}
