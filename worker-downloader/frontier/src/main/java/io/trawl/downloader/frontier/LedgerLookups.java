package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.queue.PendingRequest.RequestKey;
import io.trawl.ledger.UrlFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The lookups in the ledger, and how long their facts count. A lookup is fresh for a second, and only while no answer
 * to the same request has been learnt since it began: then the ledger knows more. Using an outdated lookup would only
 * cost a needless fetch. Belongs to the frontier's thread.
 */
final class LedgerLookups {
    /** How long a lookup counts. */
    static final long FRESH_NANOS = 1_000_000_000L;
    private final LinkedHashMap<Long, Asked> asks = new LinkedHashMap<>();
    private final LinkedHashMap<RequestKey, Learnt> answered = new LinkedHashMap<>();
    private long numbers;

    private record Asked(HostQueue host, List<PendingRequest> requests) {}

    /** The number orders answers and lookups; the time shows when no earlier lookup is fresh any more. */
    private record Learnt(long number, long at) {}

    /** Looks up those of the host's next requests that belong to the same run as the best and have no fresh lookup. */
    Optional<FrontierAction.LookUp> ask(HostQueue host, long now) {
        List<PendingRequest> wanted = new ArrayList<>();
        for (PendingRequest p : host.window()) {
            if (!wanted.isEmpty() && !wanted.getFirst().run().equals(p.run())) {
                break;
            }
            if (!p.asking() && !p.assignment().ended() && !fresh(p, now)) {
                wanted.add(p);
            }
        }
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        long number = ++numbers;
        wanted.forEach(p -> p.asked(number));
        host.asked();
        asks.put(number, new Asked(host, List.copyOf(wanted)));
        return Optional.of(new FrontierAction.LookUp(number, wanted.getFirst().run(),
                wanted.stream().map(p -> p.key().identity()).toList()));
    }

    /** Takes the ledger's answer; returns the host, which must be placed again. */
    Optional<HostQueue> lookedUp(long number, List<UrlFacts> facts, long now) {
        Asked asked = asks.remove(number);
        if (asked == null) {
            return Optional.empty();
        }
        asked.host().answered();
        for (int i = 0; i < asked.requests().size(); i++) {
            PendingRequest p = asked.requests().get(i);
            p.lookedUp(number, facts.get(i), now);
            if (answeredSince(p)) {
                p.forgetFacts();
            }
        }
        prune(now);
        return Optional.of(asked.host());
    }

    boolean fresh(PendingRequest p, long now) {
        return p.lookedUpSince(now - FRESH_NANOS) && !answeredSince(p);
    }

    /** The ledger has learnt a response to this request. */
    void answered(RequestKey key, long now) {
        answered.remove(key);
        answered.put(key, new Learnt(++numbers, now));
        prune(now);
    }

    private boolean answeredSince(PendingRequest p) {
        Learnt learnt = answered.isEmpty() ? null : answered.get(p.key());
        return learnt != null && learnt.number() > p.lastAsk();
    }

    /** An answer matters to lookups that may still be fresh, and to those in flight. */
    private void prune(long now) {
        long oldestAsk = asks.isEmpty() ? Long.MAX_VALUE : asks.firstEntry().getKey();
        while (!answered.isEmpty()) {
            Learnt first = answered.firstEntry().getValue();
            if (first.number() > oldestAsk || first.at() >= now - FRESH_NANOS) {
                return;
            }
            answered.pollFirstEntry();
        }
    }
}
