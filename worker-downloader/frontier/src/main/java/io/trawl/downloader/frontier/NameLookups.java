package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.model.Request;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The look-ups of names, before the turns of the requests that need them, so that a name that takes long holds no slot.
 * A request that has waited for its names gets its turn whatever came of it; that tells its fetch, which ends at once
 * without an address. Belongs to the frontier's thread.
 */
public final class NameLookups {
    private final KnownNames knownNames;
    private final KnownTerms terms;
    private final ActionQueue actionQueue;
    private final Map<Long, Optional<Asked>> asks = new HashMap<>();

    private record Asked(HostQueue host, PendingRequest request) {}

    /** The names with an answer that still counts; called on the frontier's thread, never blocks. */
    @FunctionalInterface
    public interface KnownNames {
        /** Whether this host is an address, or a name of which is known which addresses it has, or that it has none. */
        boolean isKnown(String host);
    }

    NameLookups(KnownNames knownNames, KnownTerms terms, ActionQueue actionQueue) {
        this.knownNames = knownNames;
        this.terms = terms;
        this.actionQueue = actionQueue;
    }

    /** Whether a request has waited for its names, or need not. */
    boolean known(PendingRequest p) {
        return p.namesLookedUp() || unknown(terms.of(p.run()).profile(), p.request()).isEmpty();
    }

    /**
     * Looks up the names for the best request of a host; {@link FrontierAction.ResolveNames} tells when that is done.
     */
    void ask(HostQueue host) {
        host.head().filter(p -> !host.resolving() && !known(p)).ifPresent(p -> {
            host.resolving(true);
            ask(Optional.of(new Asked(host, p)), unknown(terms.of(p.run()).profile(), p.request()));
        });
    }

    /** Looks up the names for a request that belongs to no host's queue; the ticket of that, if it needs any. */
    Optional<Long> ask(FetchProfile profile, Request request) {
        List<String> names = unknown(profile, request);
        return names.isEmpty() ? Optional.empty() : Optional.of(ask(Optional.empty(), names));
    }

    /** Whether this look-up is under way. */
    boolean underWay(long ticket) {
        return asks.containsKey(ticket);
    }

    private List<String> unknown(FetchProfile profile, Request request) {
        return profile.names(request).stream().filter(name -> !knownNames.isKnown(name)).toList();
    }

    private long ask(Optional<Asked> of, List<String> names) {
        long ticket = actionQueue.ticket();
        asks.put(ticket, of);
        actionQueue.add(new FrontierAction.ResolveNames(ticket, names));
        return ticket;
    }

    /** A look-up is done; returns the host, which must be placed again. */
    Optional<HostQueue> resolved(long ticket) {
        Optional<Asked> asked = asks.getOrDefault(ticket, Optional.empty());
        asks.remove(ticket);
        return asked.map(of -> {
            of.host().resolving(false);
            of.request().namesLookedUp(true);
            return of.host();
        });
    }
}
