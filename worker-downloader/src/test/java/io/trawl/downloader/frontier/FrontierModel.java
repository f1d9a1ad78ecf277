package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.Clearance;
import io.trawl.model.HostKey;
import io.trawl.model.PolitenessKey;
import io.trawl.model.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What there is to know about a frontier's world: what stands in the logs and what became of it, what is in flight and at whom, who may be asked and from when.
 * Too simple to be wrong, and too slow to be used: flat lists, looked through anew at each step.
 */
final class FrontierModel {
    /** So long a verdict of the ledger is believed. */
    static final long FRESH = 1_000_000_000L;
    static final int SLOTS = 3;
    static final int PARTITIONS = 2;
    private final World world;
    final Duration delay;
    private final PolitenessKey politeness;
    final Map<Lane, Log> logs = new TreeMap<>();
    /** By politeness key. */
    final Map<String, Host> hosts = new HashMap<>();
    /** By server. */
    final Map<String, Robots> servers = new HashMap<>();
    final Map<Long, Work> flights = new TreeMap<>();
    final Map<Long, Answered> answers = new TreeMap<>();
    /** Fetches of ended tenures whose answers are still to come. */
    final Map<Long, Entry> landed = new HashMap<>();
    /** Questions whose answer will be older than what was learnt since. */
    final Set<Action.LookUp> outdated = new HashSet<>();
    final List<Action.LookUp> questions = new ArrayList<>();
    final List<Action.Read> reads = new ArrayList<>();
    /** By URL, duplicates left out. */
    final Map<String, Integer> realAnswers = new HashMap<>();
    final Map<Integer, Lease> leases = new HashMap<>();
    boolean stopped;

    enum State {
        UNREAD, QUEUED, FLIGHT, RETRY, ANSWERING, DONE
    }

    /** A record of a log, and what became of it in the present tenure. */
    static final class Entry {
        final Request request;
        final Lane lane;
        final long offset;
        final Written written;
        State state = State.UNREAD;
        boolean marked;
        /** Of an ended tenure: what is in flight of it still comes down. */
        boolean forgotten;
        long retryAt;
        int attempts;
        long judgedAt = -FRESH - 1;

        Entry(Request request, Lane lane, long offset, Written written) {
            this.request = request;
            this.lane = lane;
            this.offset = offset;
            this.written = written;
        }

        Delivered record() {
            return new Delivered(offset, written.key(), written.value());
        }

        /** The ledger must be asked about it again. */
        void unjudged() {
            judgedAt = -FRESH - 1;
        }

        String url() {
            return request.url();
        }

        String server() {
            return request.host().value();
        }
    }

    /**
     * A record as it stands in the log.
     *
     * @param misled whether its key is not that of its server
     * @param broken whether it is no request
     */
    record Written(byte[] key, byte[] value, boolean misled, boolean broken) {}

    static final class Log {
        final List<Entry> entries = new ArrayList<>();
        int position;
        int furthest;
        long tenure;
        long committed;

        long low() {
            for (int i = (int) committed; i < furthest; i++) {
                if (!entries.get(i).marked && entries.get(i).state != State.DONE) {
                    return i;
                }
            }
            return furthest;
        }
    }

    static final class Host {
        boolean busy;
        long lastEnd = -1;
        long took;
        long closedUntil;
    }

    /** The robots.txt of a server. */
    static final class Robots {
        Duration crawlDelay = Duration.ZERO;
        /** How often it will not be had. */
        int failures;
    }

    /** An answer that is not acknowledged. */
    record Answered(Entry entry, Optional<Reply> reply) {}

    /** A lease that ends when it is told to. */
    static final class Lease implements Clearance {
        private final World world;
        long until = Long.MAX_VALUE;
        long brokenAt = Long.MIN_VALUE;
        final Map<String, Long> closed = new HashMap<>();

        Lease(World world) {
            this.world = world;
        }

        @Override
        public boolean holds() {
            return world.now < until;
        }
    }

    /** Something in flight: a fetch of an entry, or robots.txt of a server. */
    record Work(String server, Optional<Entry> entry, long began) {}

    FrontierModel(World world, Duration delay, PolitenessKey politeness) {
        this.world = world;
        this.delay = delay;
        this.politeness = politeness;
    }

    /** What a server shares its pauses by: spelled out, not computed as the frontier does. */
    String key(String server) {
        return politeness == PolitenessKey.HOST
                ? server
                : server.startsWith("b.") ? "n.test" : server.startsWith("o.") ? "o.test" : "m.test";
    }

    String key(Entry e) {
        return key(e.server());
    }

    static int partitionOf(String key) {
        return key.charAt(0) % PARTITIONS;
    }

    /** What was read and is not done with. */
    List<Entry> live() {
        return logs.values().stream().flatMap(log -> log.entries.stream())
                .filter(e -> e.state != State.UNREAD && e.state != State.DONE && !e.written.broken()).toList();
    }

    Entry find(Request request) {
        return live().stream().filter(e -> e.request.id().equals(request.id())).findFirst()
                .orElseThrow(() -> new AssertionError("not pending: " + request));
    }

    /** Others with the same URL that are in flight, wait for a retry, or have an answer that is not learnt yet. */
    List<Entry> active(Entry e) {
        List<Entry> others = new ArrayList<>(live());
        flights.values().forEach(work -> work.entry().ifPresent(others::add));
        answers.values().forEach(answer -> others.add(answer.entry()));
        return others.stream().filter(o -> o != e && !o.written.broken() && o.url().equals(e.url()))
                .filter(o -> o.state == State.FLIGHT || o.state == State.RETRY
                        || o.state == State.ANSWERING && !world.facts.containsKey(o.url()))
                .toList();
    }

    /** From when a server may be asked for something that wants to wait so long itself. */
    long due(String server, long wait) {
        String key = key(server);
        Host host = hosts.get(key);
        long crawlDelay = world.robots(new HostKey(server)).filter(rules -> !rules.unavailable()).isPresent()
                ? servers.get(server).crawlDelay.toNanos()
                : 0;
        Lease lease = leases.get(partitionOf(key));
        long own = Math.max(wait, Math.max(delay.toNanos(), crawlDelay));
        long others = Math.max(lease.closed.getOrDefault(key, 0L), lease.brokenAt == Long.MIN_VALUE ? 0 : lease.brokenAt + own);
        if (host.lastEnd < 0) {
            return Math.max(others, host.closedUntil);
        }
        long pause = delay.isZero() ? 0 : Math.max(delay.toNanos(), host.took);
        return Math.max(others, Math.max(host.closedUntil, host.lastEnd + Math.max(wait, Math.max(pause, crawlDelay))));
    }

    /** Whether it is the only one of its priority at its host, nothing is above it, and it is due and judged. */
    boolean surelyNext(Entry e) {
        boolean alone = live().stream().filter(o -> o != e && key(o).equals(key(e)))
                .noneMatch(o -> o.lane.priority() >= e.lane.priority());
        long wait = e.request.options().waitTime().orElse(Duration.ZERO).toNanos();
        return alone && leases.get(partitionOf(key(e))).holds() && world.now - e.judgedAt <= FRESH
                && due(e.server(), wait) <= world.now;
    }
}
