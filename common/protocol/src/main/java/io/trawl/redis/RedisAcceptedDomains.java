package io.trawl.redis;

import io.trawl.admission.AcceptedDomains;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlRun;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Accepted domains, from this process's cache, from its view of {@code control}, from Redis, and, if Redis has lost
 * them or lags, from {@code control} read to its end. Domains are added and removed while a crawl runs, so no answer
 * comes from an older set than any that this process has seen; a "no", which drops a page for good, also comes from a
 * set at least as new as the one under which the request was admitted. Throws {@link LedgerUnavailableException} rather
 * than guess. Thread-safe.
 */
final class RedisAcceptedDomains implements AcceptedDomains {
    private static final int MOST_RUNS = 256;

    private final RedisConnection redis;
    private final RedisKeys redisKeys;
    private final ControlView control;
    private final Map<CrawlRun, DomainCache> remembered = new ConcurrentHashMap<>();

    RedisAcceptedDomains(RedisConnection redis, RedisKeys redisKeys, ControlView control) {
        this.redis = redis;
        this.redisKeys = redisKeys;
        this.control = control;
    }

    @Override
    public DomainAnswer ask(CrawlRun run, Set<String> domains, long atLeast) {
        return control.acceptsSeeds(run) ? askSeeds(run, domains, atLeast) : askControl(run, domains, atLeast);
    }

    /** In a run that accepts the domains of its seeds, those of {@code control} never change. */
    private DomainAnswer askSeeds(CrawlRun run, Set<String> domains, long atLeast) {
        DomainCache memory = memory(run);
        Set<String> accepted = new HashSet<>(domains);
        accepted.retainAll(control.domains(run).domains());
        List<String> unknown = domains.stream().filter(name -> !accepted.contains(name) && !memory.accepts(name))
                .toList();
        domains.stream().filter(memory::accepts).forEach(accepted::add);
        long known = memory.version();
        if (unknown.isEmpty() || memory.refuses(Set.copyOf(unknown), Math.max(atLeast, known))) {
            return new DomainAnswer(Set.copyOf(accepted), known);
        }
        Found found = inRedis(redisKeys.seedDomains(run), unknown);
        if (found.accepted().size() < unknown.size() && found.version() < Math.max(atLeast, known)) {
            throw new LedgerUnavailableException(
                    "the domains of the seeds of " + run + " are needed in version " + Math.max(atLeast, known)
                            + ", and Redis has version " + found.version() + " until the leader has written them again",
                    new IllegalStateException("Redis has lost them"));
        }
        accepted.addAll(found.accepted());
        Set<String> refused = new HashSet<>(unknown);
        refused.removeAll(found.accepted());
        memory.grow(found.version(), found.accepted(), refused);
        return new DomainAnswer(Set.copyOf(accepted), found.version());
    }

    private DomainAnswer askControl(CrawlRun run, Set<String> domains, long atLeast) {
        Domains view = control.domains(run);
        DomainCache memory = memory(run);
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
        return new DomainAnswer(Set.copyOf(accepted), found.version());
    }

    private Found find(CrawlRun run, Set<String> unknown, long seen, long needed, DomainCache memory) {
        Found found = inRedis(redisKeys.domains(run), List.copyOf(unknown));
        if (found.version() < seen) {
            found = new Found(found.version(), Set.of());
        }
        // Version 0 means that no set was written: it decides nothing.
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

    private Found inRedis(String key, List<String> names) {
        byte[][] arguments = names.stream().map(RedisConnection::text).toArray(byte[][]::new);
        List<byte[]> reply = redis.list(RedisScript.DOMAINS_READ, key, arguments);
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
            throw new LedgerUnavailableException("the accepted domains of " + run + " cannot be looked up: interrupted",
                    e);
        }
        Domains fresh = control.domains(run);
        if (fresh.version() < needed && control.status(run) != RunStatus.OVER) {
            throw new LedgerUnavailableException("the accepted domains of " + run + " are needed in version " + needed
                    + "; control ends at version " + fresh.version(),
                    new IllegalStateException("control ends too early"));
        }
        return fresh;
    }

    private DomainCache memory(CrawlRun run) {
        if (remembered.size() > MOST_RUNS) {
            remembered.clear();
        }
        return remembered.computeIfAbsent(run, r -> new DomainCache());
    }

    /** The unknown names that a set accepts, and its version. */
    private record Found(long version, Set<String> accepted) {}

    /** A cache of answers from the newest known set of accepted domains of one run. Thread-safe. */
    private static final class DomainCache {
        private static final int MOST_REFUSED = 100_000;
        private static final int MOST_ACCEPTED = 100_000;
        private final Set<String> accepted = new HashSet<>();
        private final Set<String> refused = new HashSet<>();
        private long version;

        /** The newest known version of the set; 0 if none. */
        synchronized long version() {
            return version;
        }

        /** Whether the set of this version is known to accept it. */
        synchronized boolean accepts(String domain, long inVersion) {
            return version == inVersion && accepted.contains(domain);
        }

        /** Whether a set that only grows is known to accept it. */
        synchronized boolean accepts(String domain) {
            return accepted.contains(domain);
        }

        /** Whether all of them are refused by the set of this version. */
        synchronized boolean refuses(Set<String> domains, long inVersion) {
            return version == inVersion && refused.containsAll(domains);
        }

        /** Caches names of a set that only grows; of an older version only those that it accepts. */
        synchronized void grow(long ofVersion, Set<String> yes, Set<String> no) {
            if (accepted.size() + yes.size() > MOST_ACCEPTED) {
                accepted.clear();
            }
            accepted.addAll(yes);
            refuse(ofVersion, no);
        }

        /**
         * Caches the accepted and refused names of a set of this version; sets older than the newest one are ignored.
         */
        synchronized void remember(long ofVersion, Set<String> yes, Set<String> no) {
            if (ofVersion > version) {
                accepted.clear();
            }
            if (ofVersion >= version && ofVersion > 0) {
                accepted.addAll(yes);
            }
            refuse(ofVersion, no);
        }

        private void refuse(long ofVersion, Set<String> no) {
            if (ofVersion > version) {
                version = ofVersion;
                refused.clear();
            }
            if (ofVersion == version && version > 0) {
                if (refused.size() + no.size() > MOST_REFUSED) {
                    refused.clear();
                }
                refused.addAll(no);
            }
        }
    }
}
