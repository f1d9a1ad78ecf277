package io.trawl.downloader.frontier;

import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.downloader.frontier.Pending.UrlKey;
import io.trawl.downloader.politeness.SilentHosts;
import io.trawl.downloader.politeness.Wish;
import io.trawl.downloader.robots.RobotsRules;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Where hosts and requests stand: puts each host in its one place, and requests that cannot be fetched aside. Belongs to the frontier's thread. */
final class Places {
    /** So long before its turn the body of a host's best request is read, if it is not in memory: many times what a read takes. */
    private static final long AHEAD_NANOS = 500_000_000L;
    /** So many requests of a run that nobody knows are kept while the commands are read; of more only the offsets. */
    private static final int MOST_UNKNOWN = 10_000;
    private final FrontierSettings settings;
    private final RulesByHost rules;
    private final RunTerms terms;
    private final HostBoard board;
    private final Tenures tenures;
    private final Leaseholds leaseholds;
    private final SilentHosts silence;
    private final Judging judging;
    private final Answers answers;
    private final BodyRoom room;
    private final Todo todo;
    private final Parking parked = new Parking();
    private final Parking unknown = new Parking();
    private final Map<UrlKey, Pending> active = new HashMap<>();
    private long longestWish;

    Places(FrontierSettings settings, RulesByHost rules, RunTerms terms, HostBoard board, Tenures tenures, Leaseholds leaseholds,
            SilentHosts silence, Judging judging, Answers answers, BodyRoom room, Todo todo) {
        this.settings = settings;
        this.rules = rules;
        this.terms = terms;
        this.board = board;
        this.tenures = tenures;
        this.leaseholds = leaseholds;
        this.silence = silence;
        this.judging = judging;
        this.answers = answers;
        this.room = room;
        this.todo = todo;
        this.longestWish = settings.politeness().longestPause().toNanos();
    }

    /** Puts a host where it belongs now. */
    void place(HostQueue host, long now) {
        if (host.inFlight() >= (silence.probing(host.next()) ? 1 : settings.perHost())) {
            board.move(host, HostQueue.Place.BUSY, 0, now);
            return;
        }
        Optional<Pending> head = head(host);
        if (head.isPresent()) {
            placeRead(host, head.get(), now);
        } else if (host.empty()) {
            board.rest(host, host.pace().forgettableAt(longestWish));
        } else {
            placeUnread(host, now);
        }
    }

    private void placeRead(HostQueue host, Pending p, long now) {
        // What is answered without asking the host need not wait for it: after its pause robots.txt would have to be asked for anew, for ever.
        long since = silence.givenUp(p.server(), now).isPresent() || givenUp(host, p, now).isPresent()
                ? host.cameAt()
                : Math.max(host.cameAt(), mayStart(host, p, now));
        HostQueue.Place place = since > now
                ? HostQueue.Place.WAITING
                : judging.fresh(p, now) ? HostQueue.Place.READY : p.asking() ? HostQueue.Place.ASKING : HostQueue.Place.DUE;
        board.move(host, place, host.topPriority(), since);
    }

    private long mayStart(HostQueue host, Pending p, long now) {
        Wish wish = wish(p);
        return Math.max(host.pace().mayStart(wish, settings.politeness()),
                leaseholds.mayStart(p.partition(), host.key(), settings.politeness().pause(wish, 0), now));
    }

    /** What the best request wishes for is not known, so its turn is taken to be that of one that wishes what the last one did. */
    private void placeUnread(HostQueue host, long now) {
        int priority = host.topPriority();
        int partition = host.top().flatMap(LevelQueue::unread).orElseThrow().tenure().lane().partition();
        long allowed = Math.max(host.pace().openAt(settings.politeness()), leaseholds.mayStart(partition, host.key(), 0, now));
        long turn = silence.givenUp(host.key(), now).isPresent() || host.robotsGivenUp()
                ? host.cameAt()
                : Math.max(host.cameAt(), allowed);
        long when = turn == Long.MAX_VALUE || room.exceeded() ? turn : turn - AHEAD_NANOS;
        if (host.reading()) {
            board.move(host, HostQueue.Place.READING, priority, turn);
        } else if (when > now) {
            board.move(host, HostQueue.Place.WAITING, priority, when);
        } else {
            board.move(host, HostQueue.Place.UNREAD, priority, turn);
        }
    }

    /** Whether a waiting host's turn is so near that the body of its best request must be in memory. */
    static boolean near(HostQueue host, long now) {
        return host.since() - AHEAD_NANOS <= now;
    }

    /** The best request of a host that may be fetched at all, if its body is in memory; those before it are put where they belong. */
    Optional<Pending> head(HostQueue host) {
        for (Optional<Pending> head = host.head(); head.isPresent(); head = host.head()) {
            Pending p = head.get();
            Terms of = terms.of(p.run());
            Pending owner = active.getOrDefault(p.url(), p);
            if (of.fetches() && owner == p) {
                return head;
            }
            host.dropHead();
            host.reach().skipped();
            putAside(p, of, owner);
        }
        return Optional.empty();
    }

    private void putAside(Pending p, Terms of, Pending owner) {
        if (of.standing() == Standing.OVER) {
            answers.pass(p);
        } else if (of.standing() == Standing.UNKNOWN) {
            if (unknown.size() >= MOST_UNKNOWN) {
                tenures.sleep(p);
            } else if (unknown.add(p)) {
                todo.add(new Action.Refresh(p.run()));
            }
        } else if (!of.fetches() && p.accepted()) {
            // Few, and they have a past: attempts, a URL that is theirs, others that wait for them.
            parked.add(p);
        } else if (!of.fetches()) {
            tenures.sleep(p);
        } else {
            owner.followers().add(p);
        }
    }

    /** A request whose body is in memory comes, or comes back. */
    void enqueue(Pending p, boolean first, long now) {
        if (p.tenure().ended()) {
            return;
        }
        HostQueue host = board.host(settings.keys().of(p.server()));
        if (first) {
            host.addFirst(p);
        } else {
            host.addLast(p);
        }
        boolean missed = host.place() == HostQueue.Place.UNREAD || host.place() == HostQueue.Place.READING;
        came(host, p.priority(), first || missed, now);
    }

    /** Something was added to a host's queue. */
    void came(HostQueue host, int priority, boolean first, long now) {
        if (host.place() == HostQueue.Place.IDLE) {
            host.came(now);
        }
        boolean matters = host.place() == HostQueue.Place.IDLE || first || host.changedBy(priority);
        if (matters && host.place() != HostQueue.Place.BUSY) {
            place(host, now);
        }
    }

    /** A host must be left alone for so long, whoever asks. */
    void close(HostQueue host, int partition, Duration pause, long now) {
        host.pace().close(now, pause);
        if (Leaseholds.lasting(pause)) {
            todo.add(new Action.Closed(partition, host.key(), pause));
        }
    }

    /** From now on no other request with its URL may be fetched. */
    void activate(Pending p) {
        active.put(p.url(), p);
    }

    /** The URL is free again: those that waited for it get their turn, in their order. */
    void release(Pending p, long now) {
        if (active.remove(p.url(), p)) {
            List<Pending> followers = List.copyOf(p.followers());
            p.followers().clear();
            followers.reversed().forEach(follower -> enqueue(follower, true, now));
        }
    }

    /** Those of ended tenures that have or had a URL. */
    Stream<Pending> endedActive() {
        return active.values().stream().filter(p -> p.tenure().ended());
    }

    /** Forgets what matches, wherever it stands but in flight. */
    void removeIf(Predicate<Pending> gone, long now) {
        for (HostQueue host : board.hosts()) {
            if (host.removeIf(gone)) {
                place(host, now);
            }
        }
        parked.removeIf(gone);
        unknown.removeIf(gone);
        active.values().forEach(p -> p.followers().removeIf(gone));
    }

    /** Runs have changed: those that were put aside for what they were come back. */
    void runsChanged(long now) {
        requeue(unknown, run -> terms.of(run).standing() != Standing.UNKNOWN, now);
        requeue(parked, run -> terms.of(run).fetches() || terms.of(run).standing() == Standing.OVER, now);
        placeAll(now);
    }

    /** Puts every host that has requests where it belongs now. */
    void placeAll(long now) {
        for (HostQueue host : board.hosts()) {
            if (host.place() != HostQueue.Place.IDLE) {
                place(host, now);
            }
        }
    }

    private void requeue(Parking from, Predicate<CrawlRun> which, long now) {
        from.runs().stream().filter(which).forEach(run -> from.release(run).forEach(p -> enqueue(p, false, now)));
    }

    /** Takes out the requests of a run that is not known. */
    List<Pending> releaseUnknown(CrawlRun run) {
        return unknown.release(run);
    }

    /** The request of a URL that is put aside for what its crawl is. */
    Optional<Pending> aside(UrlKey url) {
        return parked.of(url).or(() -> unknown.of(url));
    }

    /** The request that no other with its URL may be fetched beside. */
    Optional<Pending> active(UrlKey url) {
        return Optional.ofNullable(active.get(url));
    }

    /** Requests of crawls that do not fetch now. */
    int aside() {
        return parked.size() + unknown.size() + tenures.sleeping();
    }

    /** That the server's robots.txt cannot be had, if that was found out lately. */
    Optional<RobotsRules> givenUp(HostQueue host, Pending p, long now) {
        if (!host.robotsGivenUp()) {
            return Optional.empty();
        }
        String userAgent = terms.of(p.run()).userAgent();
        return host.robots(p.server()).flatMap(known -> known.of(userAgent, () -> rules.cached(p.server(), userAgent), now));
    }

    /** The pauses that are asked for before this request. */
    Wish wish(Pending p) {
        Terms of = terms.of(p.run());
        return wish(p.server(), of.userAgent(), of.delay(), p.request().options().waitTime());
    }

    /** The pauses that are asked for before a request. */
    Wish wish(HostKey server, String userAgent, Duration delay, Optional<Duration> waitTime) {
        Optional<Duration> crawlDelay = rules.cached(server, userAgent).flatMap(RobotsRules::crawlDelay);
        Wish wish = new Wish(delay, crawlDelay, waitTime);
        longestWish = Math.max(longestWish, settings.politeness().pause(wish, 0));
        return wish;
    }
}
