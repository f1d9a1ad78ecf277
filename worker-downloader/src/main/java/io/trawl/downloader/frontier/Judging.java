package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.Pending.UrlKey;
import io.trawl.ledger.UrlFacts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The questions to the ledger, and how long its answers count. A verdict is fresh for a second, and only while no answer of the same URL has been
 * learnt since it was asked for: then the ledger knows more. An old verdict would do no harm but a needless fetch. Belongs to the frontier's thread.
 */
final class Judging {
    /** How long a verdict counts. */
    static final long FRESH_NANOS = 1_000_000_000L;
    private final LinkedHashMap<Long, Asked> asks = new LinkedHashMap<>();
    private final LinkedHashMap<UrlKey, Learnt> answered = new LinkedHashMap<>();
    private long numbers;

    private record Asked(HostQueue host, List<Pending> requests) {}

    /** The number tells what was asked before and what after; the time tells when no verdict from before is fresh any more. */
    private record Learnt(long number, long at) {}

    /** Asks about those of the host's next requests that belong to the same run as the best and have no fresh verdict. */
    Optional<Action.LookUp> ask(HostQueue host, long now) {
        List<Pending> wanted = new ArrayList<>();
        for (Pending p : host.window()) {
            if (!wanted.isEmpty() && !wanted.getFirst().run().equals(p.run())) {
                break;
            }
            if (!p.asking() && !p.tenure().ended() && !fresh(p, now)) {
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
        return Optional
                .of(new Action.LookUp(number, wanted.getFirst().run(), wanted.stream().map(p -> p.request().url()).toList()));
    }

    /** Takes the ledger's answer; returns the host to be placed anew. */
    Optional<HostQueue> judged(long number, List<UrlFacts> facts, long now) {
        Asked asked = asks.remove(number);
        if (asked == null) {
            return Optional.empty();
        }
        asked.host().answered();
        for (int i = 0; i < asked.requests().size(); i++) {
            Pending p = asked.requests().get(i);
            p.judge(number, facts.get(i), now);
            if (answeredSince(p)) {
                p.forgetVerdict();
            }
        }
        prune(now);
        return Optional.of(asked.host());
    }

    boolean fresh(Pending p, long now) {
        return p.judgedSince(now - FRESH_NANOS) && !answeredSince(p);
    }

    /** The ledger has learnt a response of this URL. */
    void answered(UrlKey url, long now) {
        answered.remove(url);
        answered.put(url, new Learnt(++numbers, now));
        prune(now);
    }

    private boolean answeredSince(Pending p) {
        Learnt learnt = answered.isEmpty() ? null : answered.get(p.url());
        return learnt != null && learnt.number() > p.lastAsk();
    }

    /** An answer matters to verdicts that may still be standing, and to those that are still awaited. */
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
