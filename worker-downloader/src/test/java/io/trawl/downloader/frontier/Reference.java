package io.trawl.downloader.frontier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.trawl.codec.Codec;
import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.fetch.Fetched;
import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.lease.Legacy;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.PolitenessKey;
import io.trawl.model.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A model of the frontier that is too simple to be wrong, and too slow to be used: flat lists, looked through anew at each step. It drives a frontier
 * at random, watches what that does, and fails at the first thing that it must not do.
 */
final class Reference {
    static final int SLOTS = 3;
    private static final int PARTITIONS = 2;
    private static final int LEVELS = 3;
    private static final String[] HOSTS = {"a", "b", "c", "d", "e"};
    /** Five servers of three domains: what has a port belongs to a domain, the others are their own keys in any case. */
    private static final String[] SERVERS = {"a.m.test:80", "b.n.test:80", "c.m.test:80", "d.m.test:81", "o.test:80"};
    /** The longest pause, and as long a failed robots.txt is remembered, from which a verdict must not get lost in between. */
    private static final Duration LONGEST = Duration.ofSeconds(8);
    private static final long FRESH = 1_000_000_000L;
    private final Random random;
    private final Duration delay;
    private final World world;
    private final Map<Lane, Log> logs = new TreeMap<>();
    private final String[] names;
    private final PolitenessKey politeness;
    /** By politeness key. */
    private final Map<String, Host> hosts = new HashMap<>();
    /** By server. */
    private final Map<String, Robots> servers = new HashMap<>();
    private final Map<Long, Work> flights = new TreeMap<>();
    private final Map<Long, Answered> answers = new TreeMap<>();
    private final Map<Long, Entry> landed = new HashMap<>();
    private final Set<Action.LookUp> outdated = new HashSet<>();
    private final List<Action.LookUp> questions = new ArrayList<>();
    private final List<Action.Read> reads = new ArrayList<>();
    /** Whether bodies are forgotten, and so verdicts, as no flat list could tell. */
    private final boolean cramped;
    private final Map<String, Integer> realAnswers = new HashMap<>();
    private final Map<Integer, Lease> leases = new HashMap<>();
    private long tenures;
    private boolean stopped;
    private final boolean shares;

    private enum State {
        UNREAD, QUEUED, FLIGHT, RETRY, ANSWERING, DONE
    }

    /** A record of a log, and what became of it in the present tenure. */
    private static final class Entry {
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
    private record Written(byte[] key, byte[] value, boolean misled, boolean broken) {}

    private static final class Log {
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

    private static final class Host {
        boolean busy;
        long lastEnd = -1;
        long took;
        long closedUntil;
    }

    /** The robots.txt of a server. */
    private static final class Robots {
        Duration crawlDelay = Duration.ZERO;
        /** How often it will not be had. */
        int failures;
    }

    /** An answer that is not acknowledged. */
    private record Answered(Entry entry, Optional<Reply> reply) {}

    /** A lease that ends when it is told to. */
    private final class Lease implements Clearance {
        long until = Long.MAX_VALUE;
        long brokenAt = Long.MIN_VALUE;
        final Map<String, Long> closed = new HashMap<>();

        @Override
        public boolean holds() {
            return world.now < until;
        }
    }

    /** Something in flight: a fetch of an entry, or robots.txt of a server. */
    private record Work(String server, Optional<Entry> entry, long began) {}

    Reference(long seed) {
        this(seed, false);
    }

    /** @param shares whether turns are dealt by shares instead of strictly: then all holds but the order of priorities */
    Reference(long seed, boolean shares) {
        random = new Random(seed);
        this.shares = shares;
        delay = random.nextInt(3) == 0 ? Duration.ZERO : Duration.ofMillis(random.nextInt(400));
        cramped = random.nextInt(2) == 0;
        politeness = random.nextBoolean() ? PolitenessKey.DOMAIN : PolitenessKey.HOST;
        names = politeness == PolitenessKey.DOMAIN ? SERVERS : HOSTS;
        // What does not answer is never given up here: SilentHostsTest and FailedFetchesTest hold that.
        world = new World(Map.of("trawl.downloader.longest-pause", LONGEST.toSeconds() + "s", "trawl.downloader.give-up-failures",
                "0", "trawl.politeness-key", politeness.word(), "trawl.downloader.shares", shares ? "5,3,1" : ""), LEVELS, SLOTS,
                100_000,
                cramped ? random.nextInt(6000) : 1 << 20);
        world.crawls.put(World.RUN, World.terms(delay));
        world.watch = this::check;
        for (String name : names) {
            Robots robots = new Robots();
            robots.crawlDelay = random.nextInt(4) == 0 ? Duration.ofMillis(random.nextInt(700)) : Duration.ZERO;
            robots.failures = random.nextInt(4) > 0 ? 0 : random.nextInt(3) > 0 ? random.nextInt(8) : Integer.MAX_VALUE;
            servers.put(name, robots);
            hosts.put(key(name), new Host());
        }
        for (int k = 0; k < PARTITIONS; k++) {
            for (int p = 0; p < LEVELS; p++) {
                logs.put(new Lane(p, k), new Log());
            }
            assign(k);
        }
    }

    // ---- the random life ----

    void live(int steps) {
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(18)) {
                case 0, 1, 2 -> write();
                case 3, 4, 5 -> read(anyLane());
                case 6, 7 -> answerQuestion();
                case 8, 9, 10 -> endFlight();
                case 11, 12 -> acknowledge();
                case 13 -> world.now += random.nextInt(50) * World.MS;
                case 14, 15 -> readBodies();
                case 16 -> world.now += random.nextInt(3) == 0 ? random.nextInt(3000) * World.MS : 1;
                default -> {
                    if (random.nextInt(4) == 0) {
                        stop(!stopped);
                    }
                    if (random.nextInt(5) == 0) {
                        lapse(random.nextInt(PARTITIONS));
                    }
                    leases.forEach((k, lease) -> {
                        if (!lease.holds() && random.nextInt(3) == 0) {
                            lease(k);
                        }
                    });
                    if (random.nextInt(10) == 0) {
                        move(random.nextInt(PARTITIONS));
                    }
                }
            }
            world.step();
            assertThat(world.frontier.status().slotsUsed()).isEqualTo(flights.size());
        }
    }

    /** Lets everything come to its end; then all must be answered and committed. */
    void end() {
        stop(false);
        leases.keySet().forEach(this::lease);
        for (int i = 0; !allDone(); i++) {
            assertThat(i).as("rounds until everything is answered").isLessThan(20_000);
            logs.keySet().forEach(this::read);
            readBodies();
            answerQuestion();
            endFlight();
            acknowledge();
            world.now += 100 * World.MS;
            world.step();
        }
        logs.forEach((lane, log) -> assertThat(log.committed).as("committed of " + lane).isEqualTo(log.entries.size()));
        for (Log log : logs.values()) {
            log.entries.stream().filter(e -> !e.written.broken()).forEach(e -> assertThat(realAnswers.getOrDefault(e.url(), 0))
                    .as("answers of " + e.url() + " but duplicates").isOne());
        }
        assertThat(world.frontier.status().slotsUsed()).isZero();
        assertThat(world.frontier.status().pending()).containsOnly(0L);
    }

    /** The crawl is stopped, or goes on. */
    private void stop(boolean on) {
        stopped = on;
        Terms terms = World.terms(delay);
        world.crawls.put(World.RUN, new Terms(terms.standing(), !on, terms.delay(), terms.userAgent(), terms.mode()));
        world.crawlsChanged(List.of());
    }

    private boolean allDone() {
        return flights.isEmpty() && answers.isEmpty()
                && logs.values().stream()
                        .allMatch(log -> log.committed == log.entries.size() && log.entries.stream().allMatch(e -> e.marked));
    }

    /** Taken, from nobody, from somebody who had handed it over with pauses of hosts, or from somebody who had not. */
    private void lease(int partition) {
        Lease lease = new Lease();
        Map<HostKey, Duration> pauses = new HashMap<>();
        Optional<Duration> age = Optional.of(Duration.ofMillis(random.nextInt(500))).filter(a -> random.nextBoolean());
        age.ifPresent(a -> lease.brokenAt = world.now - a.toNanos());
        for (String key : hosts.keySet()) {
            if (partitionOf(key) == partition && random.nextInt(3) == 0) {
                Duration pause = Duration.ofMillis(1 + random.nextInt(1500));
                pauses.put(new HostKey(key), pause);
                lease.closed.put(key, world.now + pause.toNanos());
            }
        }
        leases.put(partition, lease);
        world.frontier.leased(partition, lease, new Legacy(age, pauses), world.now);
    }

    /** It runs out; whether the frontier is told or must find out. */
    private void lapse(int partition) {
        Lease lease = leases.get(partition);
        lease.until = Math.min(lease.until, world.now);
        if (random.nextBoolean()) {
            world.frontier.lapsed(partition, lease, world.now);
        }
    }

    /** What a server shares its pauses by: spelled out, not computed as the frontier does. */
    private String key(String server) {
        return politeness == PolitenessKey.HOST
                ? server
                : server.startsWith("b.") ? "n.test" : server.startsWith("o.") ? "o.test" : "m.test";
    }

    private String key(Entry e) {
        return key(e.server());
    }

    private static int partitionOf(String key) {
        return key.charAt(0) % PARTITIONS;
    }

    private void assign(int partition) {
        lease(partition);
        for (int p = 0; p < LEVELS; p++) {
            Lane lane = new Lane(p, partition);
            Log log = logs.get(lane);
            log.tenure = ++tenures;
            log.position = (int) log.committed;
            log.furthest = log.position;
            world.frontier.assigned(lane, log.tenure, log.position);
        }
    }

    /** The partition goes and comes back at once: what is read again is what is neither committed nor marked. */
    private void move(int partition) {
        Map<Lane, Action.Commit.Mark> last = world.frontier.revoked(partition, world.now);
        logs.forEach((lane, log) -> {
            if (lane.partition() == partition) {
                assertThat(last.get(lane)).isEqualTo(new Action.Commit.Mark(log.tenure, log.low()));
                log.committed = log.low();
                log.entries.replaceAll(this::again);
            }
        });
        outdated.addAll(questions);
        assign(partition);
    }

    private Entry again(Entry e) {
        if (e.state == State.UNREAD || e.marked) {
            return e;
        }
        e.forgotten = true;
        return new Entry(e.request, e.lane, e.offset, e.written);
    }

    private Lane anyLane() {
        return new Lane(random.nextInt(LEVELS), random.nextInt(PARTITIONS));
    }

    private void write() {
        String server = names[random.nextInt(names.length)];
        Lane lane = new Lane(random.nextInt(LEVELS), partitionOf(key(server)));
        Log log = logs.get(lane);
        Optional<Duration> wait = random.nextInt(12) == 0
                ? Optional.of(Duration.ofMillis(random.nextInt(600)))
                : Optional.empty();
        Request request = world.request(World.RUN, "http://" + server + "/" + random.nextInt(25), 1, wait);
        log.entries.add(new Entry(request, lane, log.entries.size(), written(request)));
    }

    private Written written(Request request) {
        String key = key(request.host().value());
        byte[] value = Codec.encode(request);
        return switch (random.nextInt(30)) {
            case 0 -> new Written(new byte[0], value, true, false);
            case 1 -> new Written(names[random.nextInt(names.length)].getBytes(UTF_8), value, true, false);
            case 2 -> new Written(key.getBytes(UTF_8), Arrays.copyOf(value, value.length / 2), false, true);
            default -> new Written(key.getBytes(UTF_8), value, false, false);
        };
    }

    /** Some read is done, in any order, also when its partition has moved meanwhile; beside it something else was read. */
    private void readBodies() {
        if (reads.isEmpty()) {
            return;
        }
        Action.Read read = reads.remove(random.nextInt(reads.size()));
        List<Entry> entries = logs.get(read.lane()).entries;
        int from = Math.max(0, read.offsets().getFirst().intValue() - random.nextInt(5));
        int to = Math.min(entries.size(), read.offsets().getLast().intValue() + 1 + random.nextInt(5));
        List<Delivered> found = read.offsets().stream().map(offset -> entries.get(offset.intValue()).record()).toList();
        List<Delivered> beside = entries.subList(from, to).stream().map(Entry::record).toList();
        boolean first = random.nextBoolean();
        if (first) {
            world.frontier.offered(read.lane(), read.tenure(), beside, world.now);
        }
        world.frontier.read(read.ask(), found, world.now);
        if (!first) {
            world.frontier.offered(read.lane(), read.tenure(), beside, world.now);
        }
    }

    private void read(Lane lane) {
        Log log = logs.get(lane);
        List<Delivered> records = new ArrayList<>();
        int end = Math.min(log.entries.size(), log.position + 1 + random.nextInt(4));
        for (Entry e : log.entries.subList(log.position, end)) {
            if (!e.marked) {
                // What is delivered again is judged again, if it was put aside.
                e.judgedAt = -FRESH - 1;
                e.state = e.state == State.UNREAD ? State.QUEUED : e.state;
                records.add(e.record());
            }
        }
        log.position = end;
        log.furthest = Math.max(log.furthest, end);
        world.frontier.delivered(lane, log.tenure, records, end, world.now);
    }

    private void answerQuestion() {
        if (!questions.isEmpty()) {
            Action.LookUp lookUp = questions.remove(random.nextInt(questions.size()));
            world.frontier.judged(lookUp.ask(),
                    lookUp.urls().stream().map(url -> world.facts.getOrDefault(url, UrlFacts.NOTHING)).toList(), world.now);
            for (String url : lookUp.urls()) {
                List<Entry> same = live().stream().filter(e -> e.url().equals(url)).toList();
                if (same.size() == 1 && !outdated.contains(lookUp)) {
                    same.getFirst().judgedAt = world.now;
                }
            }
        }
    }

    private List<Entry> live() {
        return logs.values().stream().flatMap(log -> log.entries.stream())
                .filter(e -> e.state != State.UNREAD && e.state != State.DONE && !e.written.broken()).toList();
    }

    private void endFlight() {
        if (flights.isEmpty()) {
            return;
        }
        long ticket = new ArrayList<>(flights.keySet()).get(random.nextInt(flights.size()));
        Work work = flights.remove(ticket);
        Host host = hosts.get(key(work.server()));
        host.busy = false;
        host.lastEnd = world.now;
        if (work.entry().isEmpty()) {
            endRobots(ticket, work, host);
        } else {
            endFetch(ticket, work.entry().get(), host);
        }
    }

    private void endRobots(long ticket, Work work, Host host) {
        HostKey server = new HostKey(work.server());
        Robots robots = servers.get(work.server());
        host.took = world.now - work.began();
        if (random.nextInt(8) == 0) {
            world.frontier.robotsLoaded(ticket,
                    new World.Rules(false, Optional.empty(), Optional.of(Fetched.withdrawn(Duration.ZERO, Instant.EPOCH))),
                    world.now);
            return;
        }
        if (robots.failures > 0) {
            robots.failures--;
            host.closedUntil = Math.max(host.closedUntil, world.now + LONGEST.toNanos());
            world.robots.put(server,
                    new World.Rules(false, Optional.empty(), Optional.of(World.status(503, Optional.of(LONGEST)))));
            world.robotsUntil.put(server, world.now + LONGEST.toNanos());
        } else {
            Optional<Duration> crawlDelay = Optional.of(robots.crawlDelay).filter(d -> !d.isZero());
            world.robots.put(server, new World.Rules(true, crawlDelay, Optional.empty()));
            world.robotsUntil.remove(server);
        }
        world.frontier.robotsLoaded(ticket, world.robots.get(server), world.now);
    }

    private void endFetch(long ticket, Entry e, Host host) {
        Duration took = Duration.ofMillis(random.nextInt(200));
        host.took = 0;
        long backOff = Duration.ofSeconds(2).toNanos() << (e.attempts - 1);
        if (random.nextInt(8) == 0) {
            e.attempts--;
            e.state = e.forgotten ? State.DONE : State.RETRY;
            e.retryAt = world.now;
            e.judgedAt = -FRESH - 1;
            world.frontier.fetched(ticket, Fetched.withdrawn(Duration.ZERO, Instant.EPOCH), world.now);
            return;
        }
        Fetched fetched = switch (random.nextInt(8)) {
            case 0 -> World.status(503, Optional.empty());
            case 1 -> World.status(500, Optional.empty());
            case 2 -> World.failure(FailureReason.TLS);
            default -> {
                host.took = took.toNanos();
                yield World.page(took);
            }
        };
        boolean status = fetched.outcome() instanceof Outcome.HttpError;
        boolean hostWaits = status && ((Outcome.HttpError) fetched.outcome()).status() == 503;
        if (hostWaits) {
            host.closedUntil = Math.max(host.closedUntil, world.now + backOff);
        }
        if (status && e.attempts <= 2) {
            e.state = e.forgotten ? State.DONE : State.RETRY;
            e.retryAt = world.now + backOff;
            e.judgedAt = -FRESH - 1;
        } else if (e.forgotten) {
            landed.put(e.request.id().value(), e);
        }
        world.frontier.fetched(ticket, fetched, world.now);
    }

    private void acknowledge() {
        if (answers.isEmpty()) {
            return;
        }
        long ticket = new ArrayList<>(answers.keySet()).get(random.nextInt(answers.size()));
        Answered answer = answers.remove(ticket);
        Entry e = answer.entry();
        answer.reply().ifPresent(world::learn);
        outdated.addAll(questions);
        live().stream().filter(other -> other.url().equals(e.url())).forEach(other -> other.judgedAt = -FRESH - 1);
        e.state = State.DONE;
        // Whoever took the partition over has read the marks before: only an answer within the tenure counts as marked.
        e.marked = !e.forgotten;
        world.frontier.answered(List.of(ticket), world.now);
    }

    // ---- what must hold ----

    private void check(Action action) {
        switch (action) {
            case Action.LookUp lookUp -> questions.add(lookUp);
            case Action.LoadRobots load -> {
                assertThat(world.robots(load.host()).filter(rules -> !rules.unavailable())).as("robots.txt is loaded once")
                        .isEmpty();
                mayBegin(load.host().value(), Optional.empty());
                assertThat(load.clearance()).isSameAs(leases.get(partitionOf(key(load.host().value()))));
                flights.put(load.ticket(), new Work(load.host().value(), Optional.empty(), world.now));
            }
            case Action.Fetch fetch -> begin(fetch);
            case Action.Answer answer -> answered(answer);
            case Action.Unreadable none -> unreadable(none);
            case Action.Read read -> wanted(read);
            case Action.Commit commit -> commit.offsets().forEach((lane, mark) -> {
                Log log = logs.get(lane);
                assertThat(mark).as("low-water mark of " + lane).isEqualTo(new Action.Commit.Mark(log.tenure, log.low()));
                log.committed = mark.offset();
            });
            case Action.Reread reread -> {
                outdated.addAll(questions);
                reread.from().forEach((lane, mark) -> {
                    Log log = logs.get(lane);
                    // What was wanted of a tenure that has ended meanwhile is nobody's business any more.
                    if (mark.tenure() == log.tenure) {
                        assertThat(log.entries.get((int) mark.offset()).marked).isFalse();
                        log.position = (int) Math.min(log.position, mark.offset());
                    }
                });
            }
            case Action.Closed closed -> assertThat(closed.pause()).isGreaterThan(Duration.ofSeconds(5));
            case Action.Pass _,Action.Refresh _,Action.Scan _ -> fail("not expected: " + action);
        }
    }

    private void begin(Action.Fetch fetch) {
        Entry e = find(fetch.request());
        assertThat(e.state == State.QUEUED || e.state == State.RETRY && e.retryAt <= world.now).as("may be fetched: " + e.state)
                .isTrue();
        assertThat(world.facts).as("no response yet").doesNotContainKey(e.url());
        assertThat(active(e)).as("the URL is not in flight").isEmpty();
        mayBegin(e.server(), Optional.of(e));
        assertThat(fetch.clearance()).isSameAs(leases.get(partitionOf(key(e))));
        if (!shares) {
            noneBefore(e);
        }
        e.state = State.FLIGHT;
        e.attempts++;
        flights.put(fetch.ticket(), new Work(e.server(), Optional.of(e), world.now));
    }

    private void mayBegin(String server, Optional<Entry> entry) {
        String key = key(server);
        Host host = hosts.get(key);
        assertThat(stopped).as("the crawl is stopped").isFalse();
        assertThat(leases.get(partitionOf(key)).holds()).as("within a lease").isTrue();
        assertThat(host.busy).as("in flight at " + key).isFalse();
        assertThat(flights.size()).as("slots").isLessThan(SLOTS);
        long wait = entry.flatMap(e -> e.request.options().waitTime()).orElse(Duration.ZERO).toNanos();
        assertThat(world.now).as("not early").isGreaterThanOrEqualTo(due(server, wait));
        host.busy = true;
    }

    private long due(String server, long wait) {
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

    /** Nobody of a higher priority could have been begun instead. */
    private void noneBefore(Entry chosen) {
        for (Entry e : live()) {
            if (e.offset >= logs.get(e.lane).position) {
                continue;
            }
            if (e.written.misled() || e.state != State.QUEUED || e.lane.priority() <= chosen.lane.priority()
                    || !active(e).isEmpty()) {
                continue;
            }
            assertThat(key(e)).as("a higher priority of the same host waits: %s %s %s offset %d before %s %s; all: %s", e.url(),
                    e.state, e.lane, e.offset, chosen.url(), chosen.lane, live().stream().filter(x -> key(x).equals(key(e)))
                            .map(x -> x.url() + x.lane.priority() + x.state).toList())
                    .isNotEqualTo(key(chosen));
            if (!cramped && !hosts.get(key(e)).busy && surelyNext(e)) {
                fail("%s of priority %d could be fetched before %s of priority %d", e.url(), e.lane.priority(), chosen.url(),
                        chosen.lane.priority());
            }
        }
    }

    /** Whether it is the only one of its priority at its host, nothing is above it, and it is due and judged. */
    private boolean surelyNext(Entry e) {
        boolean alone = live().stream().filter(o -> o != e && key(o).equals(key(e)))
                .noneMatch(o -> o.lane.priority() >= e.lane.priority());
        long wait = e.request.options().waitTime().orElse(Duration.ZERO).toNanos();
        return alone && leases.get(partitionOf(key(e))).holds() && world.now - e.judgedAt <= FRESH
                && due(e.server(), wait) <= world.now;
    }

    /** Others with the same URL that are in flight, wait for a retry, or have an answer that is not learnt yet. */
    private List<Entry> active(Entry e) {
        List<Entry> others = new ArrayList<>(live());
        flights.values().forEach(work -> work.entry().ifPresent(others::add));
        answers.values().forEach(answer -> others.add(answer.entry()));
        return others.stream().filter(o -> o != e && !o.written.broken() && o.url().equals(e.url()))
                .filter(o -> o.state == State.FLIGHT || o.state == State.RETRY
                        || o.state == State.ANSWERING && !world.facts.containsKey(o.url()))
                .toList();
    }

    private void answered(Action.Answer answer) {
        Request request = answer.reply().request();
        Entry e = landed.containsKey(request.id().value()) ? landed.remove(request.id().value()) : find(request);
        boolean duplicate = answer.reply().outcome() instanceof Outcome.Duplicate;
        assertThat(e.state).as("answered once").isNotIn(State.ANSWERING, State.DONE, State.UNREAD);
        assertThat(duplicate).as("a duplicate iff there is a response").isEqualTo(world.facts.containsKey(e.url()));
        if (!duplicate) {
            realAnswers.merge(e.url(), 1, Integer::sum);
        }
        e.state = State.ANSWERING;
        answers.put(answer.ticket(), new Answered(e, Optional.of(answer.reply())));
    }

    private void unreadable(Action.Unreadable none) {
        Entry e = logs.get(none.lane()).entries.get((int) none.offset());
        assertThat(e.written.broken()).as("is no request").isTrue();
        assertThat(e.state).as("reported once").isEqualTo(State.QUEUED);
        e.state = State.ANSWERING;
        answers.put(none.ticket(), new Answered(e, Optional.empty()));
    }

    private void wanted(Action.Read read) {
        Log log = logs.get(read.lane());
        assertThat(read.tenure()).isEqualTo(log.tenure);
        assertThat(read.offsets()).isSorted().doesNotHaveDuplicates()
                .allSatisfy(offset -> assertThat(log.entries.get(offset.intValue()).state).isEqualTo(State.QUEUED));
        reads.add(read);
    }

    private Entry find(Request request) {
        return live().stream().filter(e -> e.request.id().equals(request.id())).findFirst()
                .orElseThrow(() -> new AssertionError("not pending: " + request));
    }
}
