package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.queue.VersionedVerdict;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.model.HostKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What robots.txt says about requests before their turns. A match of a few steps is made at once; others are made by
 * {@link FrontierAction.CheckRobots}, at most a few per host at a time, so that a host with a costly file delays only
 * itself. Belongs to the frontier's thread.
 */
public final class RobotsChecks {
    /** One host's share of the threads that match. */
    private static final int MOST_PER_HOST = 4;
    private final HostRobots rules;
    private final KnownTerms terms;
    private final ActionQueue actionQueue;
    private final Map<Long, Asked> asks = new HashMap<>();

    /** The cached robots.txt of hosts; called on the frontier's thread, never blocks. */
    @FunctionalInterface
    public interface HostRobots {
        /** The rules for a crawler with this user agent; empty if they must be loaded, in the host's turn. */
        Optional<RobotsRules> cached(HostKey host, String userAgent);
    }

    private record Asked(Optional<HostQueue> host, RobotsRules.Version version, List<VersionedVerdict> checks) {}

    RobotsChecks(HostRobots rules, KnownTerms terms, ActionQueue actionQueue) {
        this.rules = rules;
        this.terms = terms;
        this.actionQueue = actionQueue;
    }

    /** The cached rules for a crawler; empty if they must be loaded, in the host's turn. */
    Optional<RobotsRules> cached(HostKey server, FetchProfile profile) {
        return profile.ignoresRobots(server)
                ? Optional.of(RobotsRules.IGNORED)
                : rules.cached(server, profile.userAgent());
    }

    /** The cached rules for a crawler, unless its robots.txt must be loaded. */
    Optional<RobotsRules> reachable(HostKey server, FetchProfile profile) {
        return cached(server, profile).filter(known -> !known.unreachable());
    }

    /** The cached rules for a request, unless its robots.txt must be loaded. */
    Optional<RobotsRules> reachable(PendingRequest p) {
        return reachable(p.server(), terms.of(p.run()).profile());
    }

    /** The rules for a server whose robots.txt was given up lately. */
    Optional<RobotsRules> givenUp(HostQueue host, PendingRequest p, long now) {
        if (!host.robotsGivenUp()) {
            return Optional.empty();
        }
        FetchProfile profile = terms.of(p.run()).profile();
        return host.robots(p.server()).filter(failures -> !profile.ignoresRobots(p.server()))
                .flatMap(known -> known.of(profile.userAgent(), () -> cached(p.server(), profile), now));
    }

    /** Whether the verdict about a request is known; also if its robots.txt must be loaded first. */
    boolean decided(PendingRequest p) {
        return reachable(p).map(known -> p.robots().verdict(known, p.request().url()).isPresent()).orElse(true);
    }

    /**
     * Requests the verdicts about the best request of a host and some after it, if that of the best takes many steps.
     */
    void ask(HostQueue host) {
        host.head().ifPresent(first -> reachable(first).filter(of -> missing(first, of)).ifPresent(of -> {
            List<PendingRequest> next = host.window().stream().limit(MOST_PER_HOST)
                    .filter(p -> p.server().equals(first.server()) && p.run().equals(first.run()) && missing(p, of))
                    .toList();
            host.asked();
            ask(Optional.of(host), of, next.stream().map(PendingRequest::robots).toList(),
                    next.stream().map(p -> p.request().url()).toList());
        }));
    }

    private static boolean missing(PendingRequest p, RobotsRules of) {
        return p.robots().verdict(of, p.request().url()).isEmpty() && !p.robots().running();
    }

    /** Requests a verdict that does not belong to a host's queue. */
    void ask(VersionedVerdict check, RobotsRules of, String url) {
        ask(Optional.empty(), of, List.of(check), List.of(url));
    }

    private void ask(Optional<HostQueue> host, RobotsRules of, List<VersionedVerdict> checks, List<String> urls) {
        long ticket = actionQueue.ticket();
        checks.forEach(VersionedVerdict::begin);
        asks.put(ticket, new Asked(host, of.version(), checks));
        actionQueue.add(new FrontierAction.CheckRobots(ticket, of, urls));
    }

    /** Takes verdicts; returns the host, which must be placed again. */
    Optional<HostQueue> checked(long ticket, List<RobotsVerdict> verdicts) {
        Asked asked = asks.remove(ticket);
        if (asked == null) {
            return Optional.empty();
        }
        for (int i = 0; i < asked.checks().size(); i++) {
            asked.checks().get(i).end(asked.version(), verdicts.get(i));
        }
        asked.host().ifPresent(HostQueue::answered);
        return asked.host();
    }
}
