package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.frontier.DirectFetch.DirectFetchResult;
import io.trawl.downloader.frontier.inflight.Slot;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.VersionedVerdict;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.politeness.Politeness.RequestedDelays;
import io.trawl.downloader.politeness.RetryDecision;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsSource.LoadedRobots;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.model.Durations;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The queue of {@link DirectFetch}es. Each takes the next turn of its host, before the host's requests: it waits for
 * the same pauses, counts as in flight, takes a slot, begins a pause of its own, and obeys robots.txt, which is loaded
 * in a turn before it. A pause that the host asks for in its answer (a {@code Retry-After}, a 503) holds for the
 * requests, too; a missing answer does not count against the host. Under a lease this is enough to keep the whole fleet
 * polite. Without a lease only the exchanges of this process are considered. Belongs to the frontier's thread.
 */
final class DirectFetchQueue {
    /** More would wait longer than any caller's patience. */
    private static final int MOST = 64;
    private final FrontierState state;
    private final HostPlacement hostPlacement;
    private final List<PendingFetch> waiting = new ArrayList<>();
    private final Map<Long, Flight> flights = new HashMap<>();
    private long next = Long.MAX_VALUE;

    /** A direct fetch with the time at which the caller stops waiting. */
    private static final class PendingFetch {
        private final DirectFetch directFetch;
        private final long until;
        private final VersionedVerdict robots = new VersionedVerdict();
        private Optional<Long> naming = Optional.empty();
        private boolean completed;

        PendingFetch(DirectFetch directFetch, long until) {
            this.directFetch = directFetch;
            this.until = until;
        }

        HostKey server() {
            return directFetch.request().host();
        }

        void complete(DirectFetchResult directFetchResult) {
            if (!completed) {
                completed = true;
                directFetch.callback().accept(directFetchResult);
            }
        }
    }

    /** An exchange of a direct fetch, with its slot. */
    private record Flight(PendingFetch pendingFetch, HostQueue host, Slot slot, long began) {}

    DirectFetchQueue(FrontierState state, HostPlacement hostPlacement) {
        this.state = state;
        this.hostPlacement = hostPlacement;
    }

    void add(DirectFetch directFetch, long now) {
        PendingFetch pendingFetch = new PendingFetch(directFetch,
                Politeness.after(now, Politeness.nanos(directFetch.patience())));
        if (waiting.size() >= MOST) {
            pendingFetch
                    .complete(new DirectFetchResult.Late("too many direct fetches are queued", Duration.ofSeconds(1)));
        } else {
            waiting.add(pendingFetch);
        }
    }

    /** Ends all that wait; no exchange begins any more. */
    void stop() {
        waiting.forEach(pendingFetch -> pendingFetch.complete(new DirectFetchResult.Elsewhere()));
        waiting.clear();
    }

    /** Assigns turns to fetches whose host may be asked now, and ends those whose time is over. */
    void advance(long now) {
        next = Long.MAX_VALUE;
        for (PendingFetch pendingFetch : List.copyOf(waiting)) {
            if (beganOrEnded(pendingFetch, now)) {
                waiting.remove(pendingFetch);
            }
        }
        for (Flight flight : flights.values()) {
            PendingFetch pendingFetch = flight.pendingFetch();
            if (!pendingFetch.completed && pendingFetch.until <= now) {
                // The exchange continues, and its host is left alone until it ends.
                pendingFetch
                        .complete(new DirectFetchResult.Completed(
                                new Outcome.Failure(FailureReason.TIMEOUT,
                                        pendingFetch.server() + " did not complete its answer within "
                                                + Durations.format(pendingFetch.directFetch.patience())),
                                Optional.empty()));
            }
            next = pendingFetch.completed ? next : Math.min(next, pendingFetch.until);
        }
    }

    /** When to call {@link #advance} again if no event arrives before. */
    long next() {
        return next;
    }

    /** Whether an exchange is in flight for a host of this partition. */
    boolean any(int partition) {
        return flights.values().stream().anyMatch(flight -> flight.pendingFetch().directFetch.partition() == partition);
    }

    /** Whether the fetch has begun or ended. */
    private boolean beganOrEnded(PendingFetch pendingFetch, long now) {
        DirectFetch directFetch = pendingFetch.directFetch;
        Optional<FetchPermit> lease = state.partitionLeases.lease(directFetch.partition());
        if (directFetch.owner() && lease.isEmpty()) {
            pendingFetch.complete(new DirectFetchResult.Elsewhere());
            return true;
        }
        Optional<RobotsRules> robots = state.robotsChecks.reachable(pendingFetch.server(), directFetch.profile());
        Optional<RobotsVerdict> verdict = robots.flatMap(of -> verdict(pendingFetch, of));
        if (verdict.isPresent() && verdict.get() != RobotsVerdict.ALLOWED) {
            pendingFetch.complete(new DirectFetchResult.Completed(verdict.get().forbidden(), Optional.empty()));
            return true;
        }
        HostQueue host = state.hostTable.host(state.settings.keys().of(pendingFetch.server()));
        RequestedDelays requestedDelays = requestedDelays(pendingFetch);
        long start = mayStart(pendingFetch, host, requestedDelays, lease.isPresent(), now);
        if (start > pendingFetch.until || now >= pendingFetch.until) {
            pendingFetch.complete(late(pendingFetch, start, now));
            return true;
        }
        boolean unchecked = robots.isPresent() && verdict.isEmpty();
        boolean busy = unchecked || isNaming(pendingFetch) || host
                .inFlight() >= (state.unresponsiveHosts.probing(pendingFetch.server()) ? 1 : state.settings.perHost());
        if (busy || start > now || !state.inFlightRequests.slots().available()) {
            next = Math.min(next, start > now ? start : pendingFetch.until);
            return false;
        }
        FetchPermit fetchPermit = lease.orElse(() -> true);
        beginExchange(pendingFetch, host, requestedDelays, now, ticket -> robots.isPresent()
                ? new FrontierAction.BeginFetch(ticket, directFetch.request(), directFetch.profile(), fetchPermit)
                : new FrontierAction.LoadRobots(ticket, pendingFetch.server(),
                        directFetch.request().url().startsWith("https:") ? "https" : "http",
                        directFetch.profile().through(directFetch.request()), fetchPermit));
        return true;
    }

    /** Whether the names that it needs are looked up. */
    private boolean isNaming(PendingFetch pendingFetch) {
        if (pendingFetch.naming.isEmpty()) {
            pendingFetch.naming = state.nameLookups.ask(pendingFetch.directFetch.profile(),
                    pendingFetch.directFetch.request());
        }
        return pendingFetch.naming.filter(state.nameLookups::underWay).isPresent();
    }

    /** What robots.txt says; empty while another thread finds that out. */
    private Optional<RobotsVerdict> verdict(PendingFetch pendingFetch, RobotsRules of) {
        String url = pendingFetch.directFetch.request().url();
        Optional<RobotsVerdict> verdict = pendingFetch.robots.verdict(of, url);
        if (verdict.isEmpty() && !pendingFetch.robots.running()) {
            state.robotsChecks.ask(pendingFetch.robots, of, url);
        }
        return verdict;
    }

    private static DirectFetchResult.Late late(PendingFetch pendingFetch, long start, long now) {
        String host = pendingFetch.server().value();
        if (start == Long.MAX_VALUE) {
            return new DirectFetchResult.Late("the stop sign of " + host + " is set", Duration.ofMinutes(1));
        }
        return start > now
                ? new DirectFetchResult.Late(
                        host + " must be left alone for "
                                + Durations.format(Duration.ofMillis((start - now) / 1_000_000)) + " more",
                        Duration.ofNanos(start - now))
                : new DirectFetchResult.Late(host + " had other requests in flight all the time",
                        Duration.ofSeconds(1));
    }

    /** Not before the process that asked the host last would have asked it again. */
    private long mayStart(PendingFetch pendingFetch, HostQueue host, RequestedDelays requestedDelays, boolean leased,
            long now) {
        if (state.stopSignProgress.stops(pendingFetch.server())) {
            return Long.MAX_VALUE;
        }
        long own = Math.max(host.pace().mayStart(requestedDelays, state.settings.politeness()),
                host.pace().openAt(state.settings.politeness()));
        return leased
                ? Math.max(own,
                        state.partitionLeases.mayStart(pendingFetch.directFetch.partition(), host.key(),
                                state.settings.politeness().pause(requestedDelays, 0), now))
                : own;
    }

    private RequestedDelays requestedDelays(PendingFetch pendingFetch) {
        DirectFetch directFetch = pendingFetch.directFetch;
        return hostPlacement.requestedDelays(pendingFetch.server(), directFetch.profile(), directFetch.delay(),
                directFetch.request().options().waitTime());
    }

    private void beginExchange(PendingFetch pendingFetch, HostQueue host, RequestedDelays requestedDelays, long now,
            LongFunction<FrontierAction> exchange) {
        long ticket = state.actionQueue.ticket();
        flights.put(ticket, new Flight(pendingFetch, host, state.inFlightRequests.slots().take().orElseThrow(), now));
        next = Math.min(next, pendingFetch.until);
        host.begins();
        host.pace().began(now, requestedDelays, pendingFetch.directFetch.partition());
        state.actionQueue.add(exchange.apply(ticket));
        hostPlacement.place(host, now);
    }

    /** {@link FrontierAction.LoadRobots} is done; false if it was not for a direct fetch. */
    boolean robotsLoaded(long ticket, LoadedRobots lookUp, long now) {
        Flight flight = flights.remove(ticket);
        if (flight == null) {
            return false;
        }
        PendingFetch pendingFetch = flight.pendingFetch();
        free(flight);
        if (lookUp.hostAsked()) {
            flight.host().pace().ended(now, now - flight.began());
            flight.host().pace().learnt(flight.began(), requestedDelays(pendingFetch));
        } else {
            flight.host().pace().sentNothing(flight.began());
        }
        RobotsRules loaded = lookUp.rules();
        loaded.trouble().ifPresent(trouble -> recordOutcome(flight, trouble, now));
        if (loaded.trouble().filter(FetchResult::withdrawn).isPresent()) {
            pendingFetch.complete(new DirectFetchResult.Elsewhere());
        } else if (loaded.unreachable()) {
            pendingFetch.complete(new DirectFetchResult.Completed(loaded.withoutRules(), Optional.empty()));
        } else if (!pendingFetch.completed) {
            waiting.addFirst(pendingFetch);
        }
        hostPlacement.place(flight.host(), now);
        return true;
    }

    /** {@link FrontierAction.BeginFetch} is over; false if it was not for a direct fetch. */
    boolean fetched(long ticket, FetchResult fetchResult, long now) {
        Flight flight = flights.remove(ticket);
        if (flight == null) {
            return false;
        }
        free(flight);
        flight.host().pace().ended(now, fetchResult.took().toNanos());
        recordOutcome(flight, fetchResult, now);
        flight.pendingFetch()
                .complete(fetchResult.withdrawn()
                        ? new DirectFetchResult.Elsewhere()
                        : new DirectFetchResult.Completed(fetchResult.outcome(), Optional.of(fetchResult)));
        hostPlacement.place(flight.host(), now);
        return true;
    }

    private void free(Flight flight) {
        state.inFlightRequests.slots().giveBack(flight.slot());
        flight.host().ends();
    }

    /** A pause that the server asks for holds for all requests. */
    private void recordOutcome(Flight flight, FetchResult fetchResult, long now) {
        boolean asksForPause = fetchResult.outcome() instanceof Outcome.HttpError;
        if (asksForPause && state.retryPolicy.decide(fetchResult, 1) instanceof RetryDecision.RetryLater again
                && again.hostWaits()) {
            hostPlacement.close(flight.host(), flight.pendingFetch().directFetch.partition(), again.pause(), now);
        }
    }
}
