package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.inflight.RequestAnswer;
import static java.util.Objects.requireNonNull;

import io.trawl.control.ControlRecord.MoveOrder;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.model.HostKey;
import io.trawl.model.PolitenessKey;
import io.trawl.model.Request;
import io.trawl.model.TraceContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * A simple reference model of the frontier's environment: the records of the logs and their states, exchanges in
 * flight, and the times from which hosts may be asked. It uses flat lists that it searches at each step.
 */
final class FrontierModel {
    /** How long a ledger lookup counts. */
    static final long FRESH = 1_000_000_000L;
    static final int SLOTS = 3;
    static final int PARTITIONS = 2;
    private final World world;
    final Duration delay;
    private final PolitenessKey politeness;
    final Map<RequestPartition, Log> logs = new TreeMap<>();
    /** By politeness key. */
    final Map<String, Host> hosts = new HashMap<>();
    /** By server. */
    final Map<String, Robots> servers = new HashMap<>();
    final Map<Long, Work> flights = new TreeMap<>();
    final Map<Long, Answered> answers = new TreeMap<>();
    /** Fetches of ended assignments whose answers are still missing. */
    final Map<Long, Entry> landed = new HashMap<>();
    /** Lookups that are outdated by a fact that was learnt since. */
    final Set<FrontierAction.LookUp> outdated = new HashSet<>();
    final List<FrontierAction.LookUp> questions = new ArrayList<>();
    final List<FrontierAction.CheckRobots> checks = new ArrayList<>();
    final List<FrontierAction.ReadBodies> readBodiess = new ArrayList<>();
    /** By URL, without duplicates. */
    final Map<String, Integer> realAnswers = new HashMap<>();
    final Map<Integer, Lease> leases = new HashMap<>();
    boolean stopped;

    enum State {
        UNREAD, QUEUED, FLIGHT, RETRY, ANSWERING, RELOCATING, DONE
    }

    /** A record of a log, and its state in the current assignment. */
    static final class Entry {
        final Request request;
        final RequestPartition requestPartition;
        final long offset;
        final Written written;
        State state = State.UNREAD;
        boolean marked;
        /** Of an ended assignment: its exchange in flight still ends. */
        boolean forgotten;
        long retryAt;
        int attempts;
        /**
         * Waited for a retry, or was read, while the crawl was stopped: the frontier may have forgotten its attempts,
         * and that it reserves its URL, or may be about to copy it.
         */
        boolean unsure;
        /**
         * It is written elsewhere: the frontier may go on with what it has tried, or what others wait behind, and the
         * copy is a duplicate then.
         */
        boolean copied;
        long lookedUpAt = -FRESH - 1;

        Entry(Request request, RequestPartition requestPartition, long offset, Written written) {
            this.request = request;
            this.requestPartition = requestPartition;
            this.offset = offset;
            this.written = written;
        }

        DeliveredRecord record() {
            return new DeliveredRecord(offset, written.key(), written.value(), TraceContext.NONE);
        }

        /** It must be looked up in the ledger again. */
        void withoutLookup() {
            lookedUpAt = -FRESH - 1;
        }

        String url() {
            return request.url();
        }

        String server() {
            return request.host().value();
        }
    }

    /**
     * A record of the log.
     *
     * @param misled whether its key is not that of its server
     * @param broken whether it is not a request
     */
    record Written(byte[] key, byte[] value, boolean misled, boolean broken) {}

    static final class Log {
        final List<Entry> entries = new ArrayList<>();
        int position;
        int furthest;
        long assignment;
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
        /** Whether another thread must make the verdicts. */
        boolean costly;
        /** How often loading it fails. */
        int failures;
    }

    /**
     * An answer that is not acknowledged.
     *
     * @param copiedTo the priority at which the request goes on, if it is written elsewhere
     */
    record Answered(Entry entry, Optional<RequestAnswer> answer, OptionalInt copiedTo) {}

    /** The order to move what waits that is in force. */
    Optional<MoveOrder> order = Optional.empty();

    /** A lease that the test ends. */
    static final class Lease implements FetchPermit {
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

    /** An exchange in flight: a fetch of an entry, or robots.txt of a server. */
    record Work(String server, Optional<Entry> entry, long began) {}

    FrontierModel(World world, Duration delay, PolitenessKey politeness) {
        this.world = world;
        this.delay = delay;
        this.politeness = politeness;
    }

    /** The politeness key of a server: a table, not computed as in the frontier. */
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

    /** Records that were read and are not done. */
    List<Entry> live() {
        return logs.values().stream().flatMap(log -> log.entries.stream())
                .filter(e -> e.state != State.UNREAD && e.state != State.DONE && !e.written.broken()).toList();
    }

    Entry find(Request request) {
        Entry found = logs.values().stream().flatMap(log -> log.entries.stream())
                .filter(e -> e.state != State.UNREAD && !e.written.broken() && e.request.id().equals(request.id()))
                .findFirst().filter(e -> e.state != State.DONE || e.copied)
                .orElseThrow(() -> new AssertionError("not pending: " + request));
        if (found.copied && (found.state == State.RELOCATING || found.state == State.DONE)) {
            found.state = State.RETRY;
            found.unsure = true;
        }
        return found;
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

    /** The time from which a request with this wait time may be sent to a server. */
    long due(String server, long wait) {
        String key = key(server);
        Host host = requireNonNull(hosts.get(key));
        long crawlDelay = world.robots(new HostKey(server)).filter(rules -> !rules.unreachable()).isPresent()
                ? requireNonNull(servers.get(server)).crawlDelay.toNanos()
                : 0;
        Lease lease = requireNonNull(leases.get(partitionOf(key)));
        long own = Math.max(wait, Math.max(delay.toNanos(), crawlDelay));
        long others = Math.max(lease.closed.getOrDefault(key, 0L),
                lease.brokenAt == Long.MIN_VALUE ? 0 : lease.brokenAt + own);
        if (host.lastEnd < 0) {
            return Math.max(others, host.closedUntil);
        }
        long pause = delay.isZero() ? 0 : Math.max(delay.toNanos(), host.took);
        return Math.max(others, Math.max(host.closedUntil, host.lastEnd + Math.max(wait, Math.max(pause, crawlDelay))));
    }

    /**
     * Whether it is the only request of its priority at its host, without a higher one, due, looked up and known to be
     * allowed.
     */
    boolean surelyNext(Entry e) {
        boolean alone = live().stream().filter(o -> o != e && key(o).equals(key(e)))
                .noneMatch(o -> o.requestPartition.priority() >= e.requestPartition.priority());
        long wait = e.request.options().waitTime().orElse(Duration.ZERO).toNanos();
        boolean allowed = !requireNonNull(servers.get(e.server())).costly;
        return alone && allowed && requireNonNull(leases.get(partitionOf(key(e)))).holds()
                && world.now - e.lookedUpAt <= FRESH && due(e.server(), wait) <= world.now;
    }
}
