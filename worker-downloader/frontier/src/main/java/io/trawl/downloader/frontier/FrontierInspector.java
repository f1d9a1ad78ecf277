package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.queue.HostState;
import io.trawl.model.MID;
import io.trawl.direct.HostListing.HostRow;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.direct.FrontierView.Robots;
import io.trawl.direct.FrontierView.Where;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.inflight.InFlightRequests.Flight;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.queue.PendingRequest.RequestKey;
import io.trawl.downloader.politeness.Politeness.RequestedDelays;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reports the state of hosts and requests for people and changes nothing. Belongs to the frontier's thread, which it
 * blocks only for a moment.
 */
final class FrontierInspector {
    private static final int MOST_URLS = 10;
    private final FrontierState state;
    private final HostPlacement hostPlacement;

    FrontierInspector(FrontierState state, HostPlacement hostPlacement) {
        this.state = state;
        this.hostPlacement = hostPlacement;
    }

    /** What is known of a robots.txt. @param trouble why it is not known, if its load has failed */
    private record RobotsState(Robots robots, Optional<String> trouble) {}

    /** A host as seen by a request of this run without a wait time of its own. */
    HostView host(HostKey server, int partition, CrawlRun run, long now) {
        Terms runTerms = state.terms.look(run);
        HostKey key = state.settings.keys().of(server);
        Optional<HostQueue> known = state.hostTable.find(key);
        Optional<RobotsRules> robots = state.robotsChecks.cached(server, runTerms.profile());
        RequestedDelays requestedDelays = new RequestedDelays(runTerms.delay(), robots.flatMap(RobotsRules::crawlDelay),
                Optional.empty());
        long opens = Math.max(
                known.map(h -> h.pace().mayStart(requestedDelays, state.settings.politeness())).orElse(0L),
                state.partitionLeases.mayStart(partition, key, state.settings.politeness().pause(requestedDelays, 0),
                        now));
        List<String> fetching = new ArrayList<>();
        state.inFlightRequests.forEach(p -> {
            if (fetching.size() < MOST_URLS && state.settings.keys().of(p.server()).equals(key)) {
                fetching.add(p.request().url());
            }
        });
        RobotsState file = robots(known, server, runTerms.profile(), robots, now);
        return new HostView(server, key, known.map(HostQueue::sizes).orElse(Map.of()),
                known.map(host -> byRun(host.sizesByRun())).orElse(Map.of()),
                known.map(HostQueue::unreadCount).orElse(0L), known.map(HostQueue::inFlight).orElse(0),
                inFlightFor(known, now), state.settings.perHost(), fetching, left(opens, now),
                known.flatMap(h -> left(h.pace().closedUntil(), now)),
                Duration.ofNanos(known.map(h -> h.pace().expected(requestedDelays, state.settings.politeness()))
                        .orElse(state.settings.politeness().pause(requestedDelays, 0))),
                robots.flatMap(RobotsRules::crawlDelay), file.robots(), file.trouble(),
                state.unresponsiveHosts.of(server, now), hostPlacement.isPostponed(run, server),
                known.filter(h -> h.state() == HostState.LIMITED).isPresent(),
                known.filter(h -> h.state() == HostState.RESOLVING).isPresent(),
                state.budgets.mayStart(run, now) > now);
    }

    /** A host for a table of many: as its last request's run sees it. */
    HostRow row(HostKey key, MID mid, long now) {
        Optional<HostQueue> known = state.hostTable.find(key);
        HostKey server = known.map(HostQueue::server).orElse(key);
        Optional<Terms> runTerms = known.flatMap(HostQueue::run).map(state.terms::look);
        Optional<RobotsRules> robots = runTerms.flatMap(t -> state.robotsChecks.cached(server, t.profile()));
        Optional<Duration> pause = runTerms
                .map(t -> new RequestedDelays(t.delay(), robots.flatMap(RobotsRules::crawlDelay), Optional.empty()))
                .flatMap(delays -> known
                        .map(h -> Duration.ofNanos(h.pace().expected(delays, state.settings.politeness()))));
        return new HostRow(key, mid,
                known.map(h -> h.sizes().values().stream().mapToLong(Long::longValue).sum()).orElse(0L),
                known.map(HostQueue::inFlight).orElse(0), 0, 0,
                known.filter(h -> h.state() == HostState.WAITING).flatMap(h -> left(h.since(), now)),
                known.flatMap(h -> left(h.pace().closedUntil(), now)), pause,
                runTerms.map(t -> robots(known, server, t.profile(), robots, now).robots()).orElse(Robots.NOT_ASKED),
                inFlightFor(known, now), state.unresponsiveHosts.of(server, now));
    }

    private static Optional<Duration> inFlightFor(Optional<HostQueue> known, long now) {
        return known.filter(host -> host.inFlight() > 0).map(host -> Duration.ofNanos(host.pace().age(now)));
    }

    private static RobotsState robots(Optional<HostQueue> host, HostKey server, FetchProfile profile,
            Optional<RobotsRules> cached, long now) {
        if (profile.ignoresRobots(server)) {
            return new RobotsState(Robots.IGNORED, Optional.empty());
        }
        Optional<RobotsRules> givenUp = host.flatMap(h -> h.robots(server))
                .flatMap(known -> known.of(profile.userAgent(), () -> cached, now));
        Robots known = givenUp.isPresent()
                ? Robots.GIVEN_UP
                : cached.map(rules -> rules.unreachable() ? Robots.UNREACHABLE : Robots.KNOWN).orElse(Robots.NOT_ASKED);
        return switch (givenUp.or(() -> cached).flatMap(RobotsRules::trouble).map(FetchResult::outcome).orElse(null)) {
            case null -> new RobotsState(known, Optional.empty());
            case Outcome.Refused refused -> new RobotsState(Robots.REFUSED, Optional.of(refused.cause()));
            case Outcome.Failure failure -> new RobotsState(known, Optional.of(failure.cause()));
            case Outcome other -> new RobotsState(known, Optional.of(other.kind() + " " + other.detail()));
        };
    }

    private static Optional<Duration> left(long at, long now) {
        return at > now && at != Long.MAX_VALUE ? Optional.of(Duration.ofNanos(at - now)) : Optional.empty();
    }

    /** A request, if it is in memory; a request of which only the offset is kept is not found. */
    Optional<RequestView> request(RequestKey key, HostKey server, long now) {
        Optional<Flight> flight = state.inFlightRequests.of(key);
        if (flight.isPresent()) {
            Flight f = flight.get();
            Where where = state.requestParking.active(key).filter(f.pending()::equals).isPresent()
                    ? Where.FETCHING
                    : Where.ASKING_ROBOTS;
            return Optional.of(view(f.pending(), where, Optional.of(Duration.ofNanos(now - f.began())),
                    Optional.empty(), Map.of()));
        }
        return state.pendingAnswers.of(key).map(p -> view(p, Where.ANSWERING)).or(() -> retry(key, now))
                .or(() -> state.requestParking.parked(key)
                        .map(p -> view(p,
                                state.terms.look(p.run()).status() == RunStatus.PRESENT
                                        ? Where.CRAWL_STOPPED
                                        : Where.CRAWL_UNKNOWN)))
                .or(() -> queued(key, server));
    }

    private Optional<RequestView> retry(RequestKey key, long now) {
        return state.retryQueue.of(key)
                .map(retry -> view(retry.request(), Where.RETRY, Optional.empty(), left(retry.at(), now), Map.of()));
    }

    private Optional<RequestView> queued(RequestKey key, HostKey server) {
        return state.hostTable.find(state.settings.keys().of(server))
                .flatMap(host -> host.find(key).map(foundRequest -> view(foundRequest.request(), Where.QUEUE,
                        Optional.empty(), Optional.empty(), byRun(foundRequest.ahead()))));
    }

    /** The numbers of requests for people; those that name no run have an empty name. */
    private static Map<String, Long> byRun(Map<Optional<CrawlRun>, Long> numbers) {
        return numbers.entrySet().stream().filter(entry -> entry.getValue() > 0).collect(
                Collectors.toMap(entry -> entry.getKey().map(CrawlRun::toString).orElse(""), Map.Entry::getValue));
    }

    private static RequestView view(PendingRequest p, Where where) {
        return view(p, where, Optional.empty(), Optional.empty(), Map.of());
    }

    private static RequestView view(PendingRequest p, Where where, Optional<Duration> since, Optional<Duration> until,
            Map<String, Long> ahead) {
        return new RequestView(where, since, until, p.attempts(), p.trouble(), p.priority(), p.offset(), ahead);
    }
}
