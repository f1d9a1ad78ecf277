package io.trawl.downloader.frontier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.control.ControlRecord.MoveOrder;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.FrontierModel.Answered;
import io.trawl.downloader.frontier.FrontierModel.Entry;
import io.trawl.downloader.frontier.FrontierModel.Host;
import io.trawl.downloader.frontier.FrontierModel.Lease;
import io.trawl.downloader.frontier.FrontierModel.Log;
import io.trawl.downloader.frontier.FrontierModel.Robots;
import io.trawl.downloader.frontier.FrontierModel.State;
import io.trawl.downloader.frontier.FrontierModel.Work;
import io.trawl.downloader.frontier.FrontierModel.Written;
import io.trawl.downloader.frontier.queue.AssignedPartitions.Mark;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.frontier.queue.StoppedCrawlOffsets.RelocationRules;
import io.trawl.downloader.frontier.queue.StragglerOffsets.StragglerRules;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsSource.LoadedRobots;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.downloader.frontier.FrontierSettings.QueueKeys;
import io.trawl.model.PolitenessKey;
import io.trawl.model.Request;
import io.trawl.pattern.UrlPattern;
import io.trawl.politeness.InheritedPauses;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Drives a frontier at random: arrivals, delays, failures, retries, moving partitions. {@link Promises} checks every
 * action.
 */
final class RandomLife {
    private static final int LEVELS = 3;
    private static final String[] HOSTS = {"a", "b", "c", "d", "e"};
    /**
     * Five servers of three domains: those with a port belong to a domain, the others are their own keys in any case.
     */
    private static final String[] SERVERS = {"a.m.test:80", "b.n.test:80", "c.m.test:80", "d.m.test:81", "o.test:80"};
    /** The longest pause, and how long a failed robots.txt is remembered; no lookup may get lost in between. */
    private static final Duration LONGEST = Duration.ofSeconds(8);
    private final Random random;
    private final World world;
    private final FrontierModel model;
    private final String[] names;
    private long assignments;

    RandomLife(long seed) {
        this(seed, false);
    }

    /**
     * @param shares whether turns are divided by shares instead of strictly: then the order of priorities is not
     * checked
     */
    RandomLife(long seed, boolean shares) {
        random = new Random(seed);
        Duration delay = random.nextInt(3) == 0 ? Duration.ZERO : Duration.ofMillis(random.nextInt(400));
        boolean cramped = random.nextInt(2) == 0;
        PolitenessKey politeness = random.nextBoolean() ? PolitenessKey.DOMAIN : PolitenessKey.HOST;
        names = politeness == PolitenessKey.DOMAIN ? SERVERS : HOSTS;
        // Hosts are never given up here: UnresponsiveHostsTest and FailedFetchesTest check that.
        world = new World(
                Map.of("trawl.downloader.longest-pause", LONGEST.toSeconds() + "s", "trawl.downloader.give-up-failures",
                        "0", "trawl.politeness-key", politeness.word(), "trawl.downloader.shares",
                        shares ? "5,3,1" : ""),
                LEVELS, FrontierModel.SLOTS, 100_000, cramped ? random.nextInt(6000) : 1 << 20,
                new RelocationRules(1 + random.nextInt(6), random.nextInt(2)),
                random.nextBoolean()
                        ? StragglerRules.of(Duration.ZERO, 1)
                        : new StragglerRules(Duration.ofMillis(500), 2 + random.nextInt(6), 2 + random.nextInt(2)),
                QueueKeys.by(politeness));
        world.crawls.put(World.RUN, World.terms(delay));
        model = new FrontierModel(world, delay, politeness);
        world.watch = new Promises(model, world, shares, cramped)::check;
        for (String name : names) {
            Robots robots = new Robots();
            robots.crawlDelay = random.nextInt(4) == 0 ? Duration.ofMillis(random.nextInt(700)) : Duration.ZERO;
            robots.costly = random.nextInt(3) == 0;
            robots.failures = random.nextInt(4) > 0 ? 0 : random.nextInt(3) > 0 ? random.nextInt(8) : Integer.MAX_VALUE;
            model.servers.put(name, robots);
            model.hosts.put(model.key(name), new Host());
        }
        for (int k = 0; k < FrontierModel.PARTITIONS; k++) {
            for (int p = 0; p < LEVELS; p++) {
                model.logs.put(new RequestPartition(p, k), new Log());
            }
            assign(k);
        }
    }

    void live(int steps) {
        for (int i = 0; i < steps; i++) {
            switch (random.nextInt(19)) {
                case 18 -> answerCheck();
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
                        stop(!model.stopped);
                    }
                    if (random.nextInt(5) == 0) {
                        lapse(random.nextInt(FrontierModel.PARTITIONS));
                    }
                    model.leases.forEach((k, lease) -> {
                        if (!lease.holds() && random.nextInt(3) == 0) {
                            lease(k);
                        }
                    });
                    if (random.nextInt(8) == 0) {
                        order();
                    }
                    if (random.nextInt(10) == 0) {
                        move(random.nextInt(FrontierModel.PARTITIONS));
                    }
                }
            }
            if (model.stopped) {
                model.live().stream().filter(e -> e.state == State.RETRY).forEach(e -> e.unsure = true);
            }
            world.step();
            assertThat(world.frontier.status(world.now).slotsUsed()).isEqualTo(model.flights.size());
        }
    }

    /** Finishes all work; then all requests must be answered and committed. */
    void end() {
        stop(false);
        model.leases.keySet().forEach(this::lease);
        for (int i = 0; !allDone(); i++) {
            assertThat(i).as("rounds until everything is answered").isLessThan(20_000);
            model.logs.keySet().forEach(this::read);
            readBodies();
            answerQuestion();
            answerCheck();
            endFlight();
            acknowledge();
            world.now += 100 * World.MS;
            world.step();
        }
        model.logs.forEach((requestPartition, log) -> assertThat(log.committed).as("committed of " + requestPartition)
                .isEqualTo(log.entries.size()));
        for (Log log : model.logs.values()) {
            log.entries.stream().filter(e -> !e.written.broken())
                    .forEach(e -> assertThat(model.realAnswers.getOrDefault(e.url(), 0))
                            .as("answers of " + e.url() + " without duplicates").isOne());
        }
        assertThat(world.frontier.status(world.now).slotsUsed()).isZero();
        assertThat(world.frontier.status(world.now).pending()).containsOnly(0L);
    }

    /** Orders what waits of one host to another priority. */
    private void order() {
        List<List<Long>> until = new ArrayList<>();
        for (int p = 0; p < LEVELS; p++) {
            List<Long> ends = new ArrayList<>();
            for (int k = 0; k < FrontierModel.PARTITIONS; k++) {
                ends.add((long) requireNonNull(model.logs.get(new RequestPartition(p, k))).entries.size());
            }
            until.add(ends);
        }
        String host = names[random.nextInt(names.length)].split(":")[0];
        MoveOrder move = new MoveOrder(model.order.map(MoveOrder::number).orElse(0) + 1,
                UrlPattern.parse(random.nextBoolean() ? host : "/1*"), random.nextInt(LEVELS), 1, until, Instant.EPOCH);
        model.order = Optional.of(move);
        world.frontier.ordered(List.of(new QueueMoves(World.RUN, move.number(), List.of(move))), 1);
    }

    /** Stops or resumes the crawl. */
    private void stop(boolean on) {
        model.stopped = on;
        Terms terms = World.terms(model.delay);
        world.crawls.put(World.RUN, new Terms(terms.status(), !on, terms.delay(), terms.userAgent(), terms.mode()));
        world.crawlsChanged(List.of());
    }

    private boolean allDone() {
        return model.flights.isEmpty() && model.answers.isEmpty() && model.logs.values().stream()
                .allMatch(log -> log.committed == log.entries.size() && log.entries.stream().allMatch(e -> e.marked));
    }

    /** Takes a partition: with no earlier owner, after a hand-over with pauses of hosts, or after a break. */
    private void lease(int partition) {
        Lease lease = new Lease(world);
        Map<HostKey, Duration> pauses = new HashMap<>();
        Optional<Duration> age = Optional.of(Duration.ofMillis(random.nextInt(500))).filter(a -> random.nextBoolean());
        age.ifPresent(a -> lease.brokenAt = world.now - a.toNanos());
        for (String key : model.hosts.keySet()) {
            if (FrontierModel.partitionOf(key) == partition && random.nextInt(3) == 0) {
                Duration pause = Duration.ofMillis(1 + random.nextInt(1500));
                pauses.put(new HostKey(key), pause);
                lease.closed.put(key, world.now + pause.toNanos());
            }
        }
        model.leases.put(partition, lease);
        world.frontier.leased(partition, lease, new InheritedPauses(age, pauses), world.now);
    }

    /** A lease expires; the frontier gets the event or must find out. */
    private void lapse(int partition) {
        Lease lease = requireNonNull(model.leases.get(partition));
        lease.until = Math.min(lease.until, world.now);
        if (random.nextBoolean()) {
            world.frontier.leaseExpired(partition, lease, world.now);
        }
    }

    private void assign(int partition) {
        lease(partition);
        for (int p = 0; p < LEVELS; p++) {
            RequestPartition requestPartition = new RequestPartition(p, partition);
            Log log = requireNonNull(model.logs.get(requestPartition));
            log.assignment = ++assignments;
            log.position = (int) log.committed;
            log.furthest = log.position;
            world.frontier.assigned(requestPartition, log.assignment, log.position);
        }
    }

    /**
     * The partition is revoked and assigned again at once: records that are neither committed nor marked are read
     * again.
     */
    private void move(int partition) {
        Map<RequestPartition, Mark> last = world.frontier.revoked(partition, world.now);
        model.logs.forEach((requestPartition, log) -> {
            if (requestPartition.partition() == partition) {
                assertThat(last.get(requestPartition)).isEqualTo(new Mark(log.assignment, log.low()));
                log.committed = log.low();
                log.entries.replaceAll(this::again);
            }
        });
        model.outdated.addAll(model.questions);
        assign(partition);
    }

    private Entry again(Entry e) {
        if (e.state == State.UNREAD || e.marked) {
            return e;
        }
        e.forgotten = true;
        return new Entry(e.request, e.requestPartition, e.offset, e.written);
    }

    private RequestPartition anyLane() {
        return new RequestPartition(random.nextInt(LEVELS), random.nextInt(FrontierModel.PARTITIONS));
    }

    private void write() {
        String server = names[random.nextInt(names.length)];
        RequestPartition requestPartition = new RequestPartition(random.nextInt(LEVELS),
                FrontierModel.partitionOf(model.key(server)));
        Log log = requireNonNull(model.logs.get(requestPartition));
        Optional<Duration> wait = random.nextInt(12) == 0
                ? Optional.of(Duration.ofMillis(random.nextInt(600)))
                : Optional.empty();
        Request request = world.request(World.RUN, "http://" + server + "/" + random.nextInt(25), 1, wait);
        log.entries.add(new Entry(request, requestPartition, log.entries.size(), written(request)));
    }

    private Written written(Request request) {
        String key = model.key(request.host().value());
        byte[] value = Codec.encode(request);
        return switch (random.nextInt(30)) {
            case 0 -> new Written(new byte[0], value, true, false);
            case 1 -> new Written(names[random.nextInt(names.length)].getBytes(UTF_8), value, true, false);
            case 2 -> new Written(key.getBytes(UTF_8), Arrays.copyOf(value, value.length / 2), false, true);
            default -> new Written(key.getBytes(UTF_8), value, false, false);
        };
    }

    /** A read is done, in any order, even if its partition has moved meanwhile; other records were read with it. */
    private void readBodies() {
        if (model.readBodiess.isEmpty()) {
            return;
        }
        FrontierAction.ReadBodies read = model.readBodiess.remove(random.nextInt(model.readBodiess.size()));
        List<Entry> entries = requireNonNull(model.logs.get(read.requestPartition())).entries;
        int from = Math.max(0, read.offsets().getFirst().intValue() - random.nextInt(5));
        int to = Math.min(entries.size(), read.offsets().getLast().intValue() + 1 + random.nextInt(5));
        List<DeliveredRecord> found = read.offsets().stream().map(offset -> entries.get(offset.intValue()).record())
                .toList();
        List<DeliveredRecord> beside = entries.subList(from, to).stream().map(Entry::record).toList();
        boolean first = random.nextBoolean();
        if (first) {
            world.frontier.offered(read.requestPartition(), read.assignment(), beside, world.now);
        }
        world.frontier.read(read.ask(), found, world.now);
        if (!first) {
            world.frontier.offered(read.requestPartition(), read.assignment(), beside, world.now);
        }
    }

    private void read(RequestPartition requestPartition) {
        Log log = requireNonNull(model.logs.get(requestPartition));
        List<DeliveredRecord> records = new ArrayList<>();
        int end = Math.min(log.entries.size(), log.position + 1 + random.nextInt(4));
        for (Entry e : log.entries.subList(log.position, end)) {
            if (!e.marked) {
                // A record that is delivered again is looked up again, if it was parked.
                e.withoutLookup();
                e.state = e.state == State.UNREAD ? State.QUEUED : e.state;
                records.add(e.record());
            }
        }
        log.position = end;
        log.furthest = Math.max(log.furthest, end);
        world.frontier.delivered(requestPartition, log.assignment, records, end, world.now);
    }

    private void answerQuestion() {
        if (!model.questions.isEmpty()) {
            FrontierAction.LookUp lookUp = model.questions.remove(random.nextInt(model.questions.size()));
            world.frontier.lookedUp(lookUp.ask(),
                    lookUp.identities().stream().map(url -> world.facts.getOrDefault(url, UrlFacts.NOTHING)).toList(),
                    world.now);
            for (String url : lookUp.identities()) {
                List<Entry> same = model.live().stream().filter(e -> e.url().equals(url)).toList();
                if (same.size() == 1 && !model.outdated.contains(lookUp)) {
                    same.getFirst().lookedUpAt = world.now;
                }
            }
        }
    }

    private void answerCheck() {
        if (!model.checks.isEmpty()) {
            FrontierAction.CheckRobots check = model.checks.remove(random.nextInt(model.checks.size()));
            world.frontier.robotsChecked(check.ticket(),
                    check.urls().stream().map(url -> check.rules().check(url, RobotsRules.MOST_STEPS)).toList(),
                    world.now);
        }
    }

    private void endFlight() {
        if (model.flights.isEmpty()) {
            return;
        }
        long ticket = new ArrayList<>(model.flights.keySet()).get(random.nextInt(model.flights.size()));
        Work work = requireNonNull(model.flights.remove(ticket));
        Host host = requireNonNull(model.hosts.get(model.key(work.server())));
        host.busy = false;
        if (work.entry().isEmpty()) {
            endRobots(ticket, work, host);
        } else {
            endFetch(ticket, work.entry().get(), host);
        }
    }

    /** The site has answered, or, without a request, the fleet's cache. */
    private void endRobots(long ticket, Work work, Host host) {
        HostKey server = new HostKey(work.server());
        Robots robots = requireNonNull(model.servers.get(work.server()));
        boolean asked = random.nextBoolean();
        if (asked) {
            host.lastEnd = world.now;
            host.took = world.now - work.began();
        }
        if (asked && random.nextInt(8) == 0) {
            world.frontier
                    .robotsLoaded(ticket,
                            new LoadedRobots(new World.Rules(false, Optional.empty(),
                                    Optional.of(FetchResult.withdrawn(Duration.ZERO, Instant.EPOCH))), true),
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
            world.robots.put(server, new World.Rules(true, crawlDelay, Optional.empty(),
                    robots.costly ? RobotsRules.MOST_STEPS : 1, new RobotsRules.Version(Optional.empty())));
            world.robotsUntil.remove(server);
        }
        world.frontier.robotsLoaded(ticket, new LoadedRobots(requireNonNull(world.robots.get(server)), asked),
                world.now);
    }

    private void endFetch(long ticket, Entry e, Host host) {
        Duration took = Duration.ofMillis(random.nextInt(200));
        host.lastEnd = world.now;
        host.took = 0;
        long backOff = Duration.ofSeconds(2).toNanos() << (e.attempts - 1);
        if (random.nextInt(8) == 0) {
            e.attempts--;
            e.state = e.forgotten ? State.DONE : State.RETRY;
            e.retryAt = world.now;
            e.withoutLookup();
            world.frontier.fetched(ticket, FetchResult.withdrawn(Duration.ZERO, Instant.EPOCH), world.now);
            return;
        }
        FetchResult fetchResult = switch (e.unsure ? 7 : random.nextInt(8)) {
            case 0 -> World.status(503, Optional.empty());
            case 1 -> World.status(500, Optional.empty());
            case 2 -> World.failure(FailureReason.TLS);
            default -> {
                host.took = took.toNanos();
                yield World.page(took);
            }
        };
        boolean status = fetchResult.outcome() instanceof Outcome.HttpError;
        boolean hostWaits = status && ((Outcome.HttpError) fetchResult.outcome()).status() == 503;
        if (hostWaits) {
            host.closedUntil = Math.max(host.closedUntil, world.now + backOff);
        }
        if (status && e.attempts <= 2) {
            e.state = e.forgotten ? State.DONE : State.RETRY;
            e.retryAt = world.now + backOff;
            e.withoutLookup();
        } else if (e.forgotten) {
            model.landed.put(e.request.id().value(), e);
        }
        world.frontier.fetched(ticket, fetchResult, world.now);
    }

    private void acknowledge() {
        if (model.answers.isEmpty()) {
            return;
        }
        long ticket = new ArrayList<>(model.answers.keySet()).get(random.nextInt(model.answers.size()));
        Answered answer = requireNonNull(model.answers.remove(ticket));
        Entry e = answer.entry();
        if (answer.copiedTo().isPresent()) {
            RequestPartition to = new RequestPartition(answer.copiedTo().getAsInt(), e.requestPartition.partition());
            Log log = requireNonNull(model.logs.get(to));
            Request copy = world.request(World.RUN, e.url(), 1, e.request.options().waitTime());
            log.entries.add(new Entry(copy, to, log.entries.size(),
                    new Written(e.written.key(), Codec.encode(copy), e.written.misled(), false)));
        }
        answer.answer().ifPresent(world::learn);
        model.outdated.addAll(model.questions);
        model.live().stream().filter(other -> other.url().equals(e.url())).forEach(Entry::withoutLookup);
        if (e.state == State.RELOCATING || answer.copiedTo().isEmpty()) {
            e.state = State.DONE;
        }
        // The next owner has read the marks before: only an answer within the assignment counts as marked.
        e.marked = !e.forgotten;
        world.frontier.answered(List.of(ticket), world.now);
    }
}
