package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.frontier.fairness.PriorityShares;
import io.trawl.downloader.frontier.fairness.PrioritySet;
import io.trawl.downloader.frontier.fairness.WeightedRoundRobin;
import static java.util.Objects.requireNonNull;

import io.trawl.downloader.frontier.fairness.HostGroup;
import io.trawl.downloader.frontier.fairness.SlotShares.Use;
import io.trawl.downloader.frontier.fairness.SlotTime;
import io.trawl.downloader.frontier.fairness.RunWeights;
import io.trawl.downloader.frontier.fairness.SlotShares.SlotClaim;
import io.trawl.downloader.politeness.HostPace;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pending requests of one politeness key, by default one host. The larger priority comes first, or priorities take
 * turns by {@link PriorityShares}; within a priority the runs take turns by their weights. The requests of one run and
 * priority are in order of arrival, where a request that is retried arrives again. Only some have their bodies in
 * memory; of the others only the offset is kept. Belongs to the frontier's thread.
 */
public final class HostQueue {
    private final HostKey key;
    private final long number;
    private final @Nullable LevelQueue[] levels;
    private final BodyBudget bodyBudget;
    private final RunWeights runWeights;
    private final WeightedRoundRobin weightedRoundRobin;
    private final HostPace pace = new HostPace();
    private final ReadAhead readAhead = new ReadAhead();
    private Map<HostKey, RobotsFailures> robots = Map.of();
    private HostState hostState = HostState.IDLE;
    private SlotTime slotTime = SlotTime.UNKNOWN;
    private Use use = new Use(HostGroup.CLEAN, SlotTime.UNKNOWN.slotClass(0));
    private @Nullable SlotClaim<HostQueue> claim;
    private @Nullable CrawlRun run;
    private HostKey server;
    private long since;
    private static final long NO_RANK = -1;
    private long rank;
    private long kept = NO_RANK;
    private int best;
    private @Nullable RunQueue turnWhenPlaced;
    private int inFlight;
    private int questions;
    private boolean reading;
    private boolean resolving;
    private long nonEmptySince;

    HostQueue(HostKey key, long number, int levels, BodyBudget bodyBudget, PriorityShares priorityShares,
            RunWeights runWeights) {
        this.key = key;
        this.server = key;
        this.number = number;
        this.levels = new LevelQueue[levels];
        this.bodyBudget = bodyBudget;
        this.runWeights = runWeights;
        this.weightedRoundRobin = priorityShares.roundRobin();
    }

    /** The key by which its requests share their pauses: a server, a domain, or an address. */
    public HostKey key() {
        return key;
    }

    /** The server that is asked next, if known. */
    public HostKey next() {
        return head().map(PendingRequest::server).orElse(key);
    }

    long number() {
        return number;
    }

    public HostPace pace() {
        return pace;
    }

    /** How far to read ahead. */
    public ReadAhead readAhead() {
        return readAhead;
    }

    /** Counts a failed load of a server's robots.txt; returns the record of such failures. */
    public RobotsFailures robotsFailed(HostKey server) {
        if (robots.isEmpty()) {
            robots = new HashMap<>(2);
        }
        return robots.computeIfAbsent(server, s -> new RobotsFailures());
    }

    /** The failures to load a server's robots.txt. */
    public Optional<RobotsFailures> robots(HostKey server) {
        return Optional.ofNullable(robots.get(server));
    }

    /** A server's robots.txt was loaded. */
    public void robotsFound(HostKey server, String userAgent) {
        robots(server).ifPresent(known -> {
            known.found(userAgent);
            if (!known.any()) {
                robots.remove(server);
            }
        });
    }

    /** Whether some robots.txt was given up for some crawler; then requests may be answered without a pause. */
    public boolean robotsGivenUp() {
        return !robots.isEmpty() && robots.values().stream().anyMatch(RobotsFailures::any);
    }

    /** Its best request is of this run and server. */
    public void expects(CrawlRun ofRun, HostKey ofServer) {
        run = ofRun;
        server = ofServer;
    }

    /** The best request, whose body is not in memory, is of this run. */
    public void expects(CrawlRun ofRun) {
        run = ofRun;
    }

    /** The run of its best request, or of the one before if the record of that names none; empty if unknown. */
    public Optional<CrawlRun> run() {
        return Optional.ofNullable(run);
    }

    /** The server of its best request, or while the body of that is not in memory, of the one before. */
    public HostKey server() {
        return server;
    }

    void claim(SlotClaim<HostQueue> own) {
        claim = own;
    }

    /** Its part of the slots. */
    public SlotClaim<HostQueue> claim() {
        return requireNonNull(claim);
    }

    /** How long its exchanges hold their slots. */
    public SlotTime slotTime() {
        return slotTime;
    }

    /** An exchange has shown how long they do. */
    public void slotTime(SlotTime latest) {
        slotTime = latest;
    }

    /** How it uses its slots, since it was placed. */
    public Use use() {
        return use;
    }

    /** Changes how it uses its slots; before the host is placed. */
    public void use(HostGroup group, int slotClass) {
        if (use.group() != group || use.slotClass() != slotClass) {
            use = new Use(group, slotClass);
        }
    }

    public HostState state() {
        return hostState;
    }

    /** The time from which the best request may be sent, or its body must be read. */
    public long since() {
        return since;
    }

    /** The largest priority of its requests, which ranks it among hosts, independent of its next request. */
    public int best() {
        return best;
    }

    /** Sets the state; only while the host is in none of the table's sets. */
    void update(HostState where, int priority, long from) {
        hostState = where;
        best = priority;
        turnWhenPlaced = top().orElse(null);
        since = from;
        rank = kept == NO_RANK ? from : Math.min(kept, from);
    }

    /** The rank: of the hosts of one priority that may be asked, the earliest comes first. */
    long rank() {
        return rank;
    }

    /**
     * Keeps the rank, because its turn is used for robots.txt. Otherwise the files of a hundred thousand hosts would be
     * loaded before the first page, and the first of them would have expired by then.
     */
    public void keepRank() {
        kept = rank;
    }

    /** Gives the rank up, because its turn is used. */
    public void spendRank() {
        kept = NO_RANK;
    }

    /** Adds a request with a body, after those with bodies. */
    public void addLast(PendingRequest p) {
        queueOf(p).addLast(p);
        bodyBudget.takes(p);
    }

    public void addFirst(PendingRequest p) {
        queueOf(p).addFirst(p);
        bodyBudget.takes(p);
    }

    /**
     * Adds a request with a body after all others of its run and priority, also after those of which only the offset is
     * kept.
     */
    public void append(PendingRequest p) {
        queueOf(p).append(p);
        bodyBudget.takes(p);
    }

    private RunQueue queueOf(PendingRequest p) {
        return level(p.priority()).open(Optional.of(p.run()));
    }

    /** Adds the offset of a request, after all others of its run; empty for a record that names none. */
    public void append(Assignment assignment, Optional<CrawlRun> ofRun, long offset) {
        level(assignment.requestPartition().priority()).open(ofRun).append(assignment, offset);
    }

    public LevelQueue level(int priority) {
        LevelQueue level = levels[priority];
        if (level == null) {
            level = new LevelQueue(runWeights);
            levels[priority] = level;
        }
        return level;
    }

    /** Whether a new request of that priority changes the host's rank or its next request. */
    public boolean isChangedBy(int priority) {
        return priority > best || top().orElse(null) != turnWhenPlaced;
    }

    /** The queue of the priority and the run whose turn is next. */
    public Optional<RunQueue> top() {
        return topLevel().flatMap(LevelQueue::top);
    }

    private Optional<LevelQueue> topLevel() {
        int priority = turn();
        return priority < 0 ? Optional.empty() : Optional.of(level(priority));
    }

    /**
     * The priority whose turn is next, of those that have requests: the highest, unless there are shares; -1 if there
     * is none.
     */
    private int turn() {
        int highest = topPriority();
        return highest <= 0 || weightedRoundRobin.isStrict() ? highest : weightedRoundRobin.next(present());
    }

    private PrioritySet present() {
        PrioritySet present = PrioritySet.NONE;
        for (int p = 0; p < levels.length; p++) {
            present = levels[p] == null || levels[p].isEmpty() ? present : present.with(p);
        }
        return present;
    }

    /**
     * A fetch begins for a request that {@link #dropHead} has removed; its priority and its run have used their turn.
     */
    public void served(PendingRequest p) {
        if (!weightedRoundRobin.isStrict()) {
            weightedRoundRobin.served(p.priority(), present().with(p.priority()));
        }
        level(p.priority()).served(p.run());
    }

    /** The highest priority that has requests; -1 if there is none. */
    public int topPriority() {
        int p = levels.length - 1;
        while (p >= 0 && (levels[p] == null || levels[p].isEmpty())) {
            p--;
        }
        return p;
    }

    /**
     * The best request: the first of the priority and run whose turn it is; empty if there is none or its body is not
     * in memory.
     */
    public Optional<PendingRequest> head() {
        return top().flatMap(RunQueue::head);
    }

    /** The runs that have requests. */
    public Stream<CrawlRun> runs() {
        return Arrays.stream(levels).flatMap(level -> level == null ? Stream.empty() : level.runs()).distinct();
    }

    /** Removes the best request. */
    public void dropHead() {
        topLevel().flatMap(LevelQueue::removeFirst).ifPresent(bodyBudget::gives);
    }

    /**
     * The next requests in the order of their turns whose bodies are in memory, at most as many as one ledger lookup
     * should have.
     */
    public List<PendingRequest> window() {
        int most = readAhead.lookUps();
        List<PendingRequest> next = new ArrayList<>(most);
        int first = turn();
        boolean all = first >= 0 && fill(next, level(first), most);
        for (int p = levels.length - 1; p >= 0 && all; p--) {
            LevelQueue level = levels[p];
            all = level == null || p == first || fill(next, level, most);
        }
        return next;
    }

    /** Whether all requests of this level were added. */
    private static boolean fill(List<PendingRequest> next, LevelQueue level, int most) {
        for (RunQueue queue : level.inOrder()) {
            for (PendingRequest pendingRequest : queue.bodies()) {
                if (next.size() == most) {
                    return false;
                }
                next.add(pendingRequest);
            }
            if (queue.unread().isPresent()) {
                return false;
            }
        }
        return true;
    }

    /** Drops bodies while too much memory is used, in reverse order of turns, until only this many are left. */
    public void unload(int keep) {
        int kept = 0;
        for (LevelQueue level : levels) {
            kept += level == null ? 0 : level.loaded();
        }
        for (LevelQueue level : levels) {
            while (level != null && kept > keep && bodyBudget.exceeded()) {
                Optional<PendingRequest> unloaded = level.unload();
                if (unloaded.isEmpty()) {
                    break;
                }
                bodyBudget.gives(unloaded.get());
                kept--;
            }
        }
    }

    /** Removes requests of a run and an assignment, by their offsets; see {@link RunQueue#take}. */
    public Set<Long> take(Optional<CrawlRun> ofRun, Assignment assignment, Set<Long> offsets,
            Consumer<PendingRequest> removed) {
        LevelQueue level = levels[assignment.requestPartition().priority()];
        return level == null ? Set.of() : level.take(ofRun, assignment, offsets, p -> {
            bodyBudget.gives(p);
            removed.accept(p);
        });
    }

    /** Removes matching requests; true if there was any. */
    public boolean removeIf(Predicate<PendingRequest> gone) {
        boolean any = false;
        for (LevelQueue level : levels) {
            any |= level != null && level.removeIf(gone, bodyBudget::gives);
        }
        return any;
    }

    /** Whether the bodies of its next requests are being read. */
    public boolean reading() {
        return reading;
    }

    public void reading(boolean on) {
        reading = on;
    }

    /** Whether the names for its best request are looked up. */
    public boolean resolving() {
        return resolving;
    }

    public void resolving(boolean on) {
        resolving = on;
    }

    /** A ledger lookup of its requests, or a match with robots.txt, begins. */
    public void asked() {
        questions++;
    }

    /** A ledger lookup, or a match, has ended. */
    public void answered() {
        questions--;
    }

    /** Whether an exchange, a lookup or a read of this host is in flight. */
    boolean hasWorkInFlight() {
        return inFlight > 0 || questions > 0 || reading || resolving;
    }

    /** The time since which it has always had requests. */
    public long nonEmptySince() {
        return nonEmptySince;
    }

    public void becameNonEmpty(long now) {
        nonEmptySince = now;
    }

    /** A request and the number of requests of each run that come before it, if turns go by priority. */
    public record FoundRequest(PendingRequest request, Map<Optional<CrawlRun>, Long> ahead) {}

    /** The request of a URL, if its body is in memory. */
    public Optional<FoundRequest> find(PendingRequest.RequestKey key) {
        Map<Optional<CrawlRun>, Long> above = new HashMap<>();
        for (int p = levels.length - 1; p >= 0; p--) {
            LevelQueue level = levels[p];
            Optional<FoundRequest> found = level == null ? Optional.empty() : level.find(key);
            if (found.isPresent()) {
                found.get().ahead().forEach((of, ahead) -> above.merge(of, ahead, Long::sum));
                return Optional.of(new FoundRequest(found.get().request(), above));
            }
            if (level != null) {
                level.addSizes(above);
            }
        }
        return Optional.empty();
    }

    /** The number of requests by run. */
    public Map<Optional<CrawlRun>, Long> sizesByRun() {
        Map<Optional<CrawlRun>, Long> sizes = new HashMap<>();
        for (LevelQueue level : levels) {
            if (level != null) {
                level.addSizes(sizes);
            }
        }
        return sizes;
    }

    /** The number of requests. */
    public long size() {
        long size = 0;
        for (LevelQueue level : levels) {
            size += level == null ? 0 : level.size();
        }
        return size;
    }

    /** The number of requests by priority, without empty priorities. */
    public Map<Integer, Long> sizes() {
        Map<Integer, Long> sizes = new HashMap<>();
        for (int p = 0; p < levels.length; p++) {
            LevelQueue level = levels[p];
            if (level != null && !level.isEmpty()) {
                sizes.put(p, level.size());
            }
        }
        return sizes;
    }

    /** The number of requests of which only the offset is kept. */
    public long unreadCount() {
        return Arrays.stream(levels).mapToLong(level -> level == null ? 0 : level.unreadCount()).sum();
    }

    public boolean empty() {
        return topPriority() < 0;
    }

    public int inFlight() {
        return inFlight;
    }

    public void begins() {
        inFlight++;
    }

    public void ends() {
        inFlight--;
    }
}
