package io.trawl.redis;

import io.trawl.admission.AcceptedDomains;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.Standing;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.CrawlRun;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Accepted domains, from what this process remembers, from its view of {@code control}, from Redis, and, where Redis has lost them or lags, from
 * {@code control} read to its end. Domains are added and removed while a crawl runs, so no answer is that of an older set than any that this process
 * has seen; a "no", which costs a page for good, is in addition that of a set at least as new as the one that the asking request was admitted under.
 * Throws {@link LedgerUnavailable} rather than guess. Thread-safe.
 */
final class RedisAcceptedDomains implements AcceptedDomains {
    private static final int MOST_RUNS = 256;

    private final RedisConnection redis;
    private final Keys keys;
    private final ControlView control;
    private final Map<CrawlRun, RememberedDomains> remembered = new ConcurrentHashMap<>();

    RedisAcceptedDomains(RedisConnection redis, Keys keys, ControlView control) {
        this.redis = redis;
        this.keys = keys;
        this.control = control;
    }

    @Override
    public Answer ask(CrawlRun run, Set<String> domains, long atLeast) {
        Domains view = control.domains(run);
        RememberedDomains memory = memory(run);
        long seen = Math.max(view.version(), memory.version());
        long needed = Math.max(atLeast, seen);
        Set<String> unknown = new HashSet<>();
        for (String domain : domains) {
            boolean inView = view.version() == seen && view.domains().contains(domain);
            if (!inView && !memory.accepts(domain, seen)) {
                unknown.add(domain);
            }
        }
        Found found = unknown.isEmpty() || memory.refuses(unknown, needed)
                ? new Found(needed, Set.of())
                : find(run, unknown, seen, needed, memory);
        Set<String> accepted = new HashSet<>(domains);
        accepted.removeAll(unknown);
        accepted.addAll(found.accepted());
        return new Answer(Set.copyOf(accepted), found.version());
    }

    private Found find(CrawlRun run, Set<String> unknown, long seen, long needed, RememberedDomains memory) {
        Found found = inRedis(run, List.copyOf(unknown));
        if (found.version() < seen) {
            found = new Found(found.version(), Set.of());
        }
        // Version 0 is a set that nobody has written: it says nothing.
        if (found.accepted().size() < unknown.size() && (found.version() < needed || found.version() == 0)) {
            Domains fresh = inControl(run, needed);
            Set<String> accepted = new HashSet<>(found.accepted());
            unknown.stream().filter(fresh.domains()::contains).forEach(accepted::add);
            found = new Found(fresh.version(), accepted);
        }
        Set<String> refused = new HashSet<>(unknown);
        refused.removeAll(found.accepted());
        memory.remember(found.version(), found.accepted(), refused);
        return refused.isEmpty() ? new Found(Math.max(needed, found.version()), found.accepted()) : found;
    }

    private Found inRedis(CrawlRun run, List<String> names) {
        byte[][] arguments = names.stream().map(RedisConnection::text).toArray(byte[][]::new);
        List<byte[]> reply = redis.list(Script.DOMAINS_READ, keys.domains(run), arguments);
        Set<String> accepted = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            if (reply.get(i + 1)[0] == '1') {
                accepted.add(names.get(i));
            }
        }
        return new Found(Long.parseLong(new String(reply.getFirst(), StandardCharsets.UTF_8)), accepted);
    }

    private Domains inControl(CrawlRun run, long needed) {
        try {
            control.refresh();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LedgerUnavailable("the accepted domains of " + run + " were not waited for: interrupted", e);
        }
        Domains fresh = control.domains(run);
        if (fresh.version() < needed && control.standing(run) != Standing.OVER) {
            throw new LedgerUnavailable(
                    "the accepted domains of " + run + " are needed in version " + needed + "; control ends at version "
                            + fresh.version(),
                    new IllegalStateException("control ends too early"));
        }
        return fresh;
    }

    private RememberedDomains memory(CrawlRun run) {
        if (remembered.size() > MOST_RUNS) {
            remembered.clear();
        }
        return remembered.computeIfAbsent(run, r -> new RememberedDomains());
    }

    /** Which of the unknown names a set accepts, and its version. */
    private record Found(long version, Set<String> accepted) {}
}
