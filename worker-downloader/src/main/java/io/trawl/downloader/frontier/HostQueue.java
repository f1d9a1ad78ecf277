package io.trawl.downloader.frontier;

import io.trawl.downloader.politeness.HostPace;
import io.trawl.model.HostKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pending requests of one politeness key, by default one host: first come first served within a priority, the larger priority first, or in turns by {@link Shares}. Only some have their bodies in memory; a
 * priority's other requests are offsets. Belongs to the frontier's thread.
 */
final class HostQueue {
    /** Where the host stands; it is in exactly one place. */
    enum Place {
        /** Nothing to fetch. */
        IDLE,
        /** Must be left alone until {@link #since}; if the body of its best request is not in memory, until that must be read. */
        WAITING,
        /** May be asked now or soon, but the body of its best request is not in memory. */
        UNREAD,
        /** The same, and the body is being read. */
        READING,
        /** May be asked now; the ledger has not been asked about its best request. */
        DUE,
        /** May be asked now; the ledger's answer is awaited. */
        ASKING,
        /** May be asked now, and its best request is judged. */
        READY,
        /** As many requests in flight as it may have. */
        BUSY
    }

    private final HostKey key;
    private final long number;
    private final @Nullable LevelQueue[] levels;
    private final BodyRoom room;
    private final Dealer dealer;
    private final HostPace pace = new HostPace();
    private final Reach reach = new Reach();
    private Map<HostKey, GivenUpRobots> robots = Map.of();
    private Place place = Place.IDLE;
    private long since;
    private static final long NO_RANK = -1;
    private long rank;
    private long kept = NO_RANK;
    private int best;
    private int stoodFor;
    private int inFlight;
    private int questions;
    private boolean reading;
    private long cameAt;

    HostQueue(HostKey key, long number, int levels, BodyRoom room, Shares shares) {
        this.key = key;
        this.number = number;
        this.levels = new LevelQueue[levels];
        this.room = room;
        this.dealer = shares.dealer();
    }

    /** What its requests share their pauses by: a server, a domain, or an address. */
    HostKey key() {
        return key;
    }

    /** The server that is asked next, as far as that is known. */
    HostKey next() {
        return head().map(Pending::server).orElse(key);
    }

    long number() {
        return number;
    }

    HostPace pace() {
        return pace;
    }

    /** How far it pays to look ahead. */
    Reach reach() {
        return reach;
    }

    /** A server's robots.txt was asked for in vain; returns what is known of such attempts. */
    GivenUpRobots robotsFailed(HostKey server) {
        if (robots.isEmpty()) {
            robots = new HashMap<>(2);
        }
        return robots.computeIfAbsent(server, s -> new GivenUpRobots());
    }

    /** What is known of attempts to get a server's robots.txt in vain. */
    Optional<GivenUpRobots> robots(HostKey server) {
        return Optional.ofNullable(robots.get(server));
    }

    /** A server's robots.txt was had. */
    void robotsFound(HostKey server, String userAgent) {
        robots(server).ifPresent(known -> {
            known.found(userAgent);
            if (!known.any()) {
                robots.remove(server);
            }
        });
    }

    /** Whether some robots.txt was given up for some crawler: then requests may be answered without a pause. */
    boolean robotsGivenUp() {
        return !robots.isEmpty() && robots.values().stream().anyMatch(GivenUpRobots::any);
    }

    Place place() {
        return place;
    }

    /** From when on the best request may be sent, or its body must be read. */
    long since() {
        return since;
    }

    /** The largest priority of its requests: for this it stands among others, whatever its next request. */
    int best() {
        return best;
    }

    /** Only while the host is in none of the board's sets. */
    void stand(Place where, int priority, long from) {
        place = where;
        best = priority;
        stoodFor = turn();
        since = from;
        rank = kept == NO_RANK ? from : Math.min(kept, from);
    }

    /** Since when it has stood in line: among those of one priority that may be asked the earliest comes first. */
    long rank() {
        return rank;
    }

    /**
     * Its turn goes into its robots.txt, so it stays where it stands in line. Else the files of a hundred thousand hosts would be asked for before
     * the first page, and the first would be forgotten by then.
     */
    void keepRank() {
        kept = rank;
    }

    /** Its turn is taken. */
    void spendRank() {
        kept = NO_RANK;
    }

    /** A request with a body, behind those with bodies. */
    void addLast(Pending p) {
        level(p.priority()).addLast(p);
        room.takes(p);
    }

    void addFirst(Pending p) {
        level(p.priority()).addFirst(p);
        room.takes(p);
    }

    /** A request of which only the offset is kept, behind all others. */
    void append(Tenure tenure, long offset) {
        level(tenure.lane().priority()).append(tenure, offset);
    }

    LevelQueue level(int priority) {
        LevelQueue level = levels[priority];
        if (level == null) {
            level = new LevelQueue();
            levels[priority] = level;
        }
        return level;
    }

    /** Whether a request that has come at that priority changes for what the host stands, or which its next request is. */
    boolean changedBy(int priority) {
        return priority > best || !dealer.isStrict() && turn() != stoodFor;
    }

    /** The queue of the priority whose turn is next at this host. */
    Optional<LevelQueue> top() {
        int priority = turn();
        return priority < 0 ? Optional.empty() : Optional.of(level(priority));
    }

    /** The priority whose turn is next at this host, of those that have requests: the highest, unless there are shares; -1 if there is none. */
    private int turn() {
        int highest = topPriority();
        return highest <= 0 || dealer.isStrict() ? highest : dealer.next(present());
    }

    private Levels present() {
        Levels present = Levels.NONE;
        for (int p = 0; p < levels.length; p++) {
            present = levels[p] == null || levels[p].isEmpty() ? present : present.with(p);
        }
        return present;
    }

    /** A fetch begins for what was the best request, and has been taken out: its priority has had its turn. */
    void served(int priority) {
        if (!dealer.isStrict()) {
            dealer.served(priority, present().with(priority));
        }
    }

    /** The highest priority that has requests; -1 if there is none. */
    int topPriority() {
        int p = levels.length - 1;
        while (p >= 0 && (levels[p] == null || levels[p].isEmpty())) {
            p--;
        }
        return p;
    }

    /** The best request: that priority's whose turn it is, then first come; empty if there is none or its body is not in memory. */
    Optional<Pending> head() {
        return top().flatMap(LevelQueue::head);
    }

    /** Takes the best request out. */
    void dropHead() {
        top().flatMap(LevelQueue::removeFirst).ifPresent(room::gives);
    }

    /** The next requests in the order of their turns, as far as their bodies are in memory, and at most as many as it pays to ask the ledger about at once. */
    List<Pending> window() {
        int most = reach.judging();
        List<Pending> next = new ArrayList<>(most);
        int first = turn();
        boolean all = first >= 0 && fill(next, level(first), most);
        for (int p = levels.length - 1; p >= 0 && all; p--) {
            LevelQueue level = levels[p];
            all = level == null || p == first || fill(next, level, most);
        }
        return next;
    }

    /** Whether all of this level's requests are among the next. */
    private static boolean fill(List<Pending> next, LevelQueue level, int most) {
        for (Pending pending : level.bodies()) {
            if (next.size() == most) {
                return false;
            }
            next.add(pending);
        }
        return level.unread().isEmpty();
    }

    /** Forgets bodies, of the last in the order of turns first, as long as too much memory is used, and but for so many. */
    void unload(int keep) {
        int kept = 0;
        for (LevelQueue level : levels) {
            kept += level == null ? 0 : level.loaded();
        }
        for (LevelQueue level : levels) {
            while (level != null && kept > keep && room.exceeded()) {
                Optional<Pending> unloaded = level.unload();
                if (unloaded.isEmpty()) {
                    break;
                }
                room.gives(unloaded.get());
                kept--;
            }
        }
    }

    /** Whether any was removed. */
    boolean removeIf(Predicate<Pending> gone) {
        boolean any = false;
        for (LevelQueue level : levels) {
            any |= level != null && level.removeIf(gone, room::gives);
        }
        return any;
    }

    /** Whether the bodies of its next requests are being read. */
    boolean reading() {
        return reading;
    }

    void reading(boolean on) {
        reading = on;
    }

    /** The ledger was asked about its requests. */
    void asked() {
        questions++;
    }

    /** The ledger has answered. */
    void answered() {
        questions--;
    }

    /** Whether somebody holds on to it: an exchange, a question, or a read will come back to it. */
    boolean awaits() {
        return inFlight > 0 || questions > 0 || reading;
    }

    /** Since when it has had requests without a break. */
    long cameAt() {
        return cameAt;
    }

    void came(long now) {
        cameAt = now;
    }

    /** A request and how many come before it, if turns go by priority. */
    record Found(Pending request, long ahead) {}

    /** The request of a URL, if its body is in memory. */
    Optional<Found> find(Pending.UrlKey url) {
        long ahead = 0;
        for (int p = levels.length - 1; p >= 0; p--) {
            LevelQueue level = levels[p];
            if (level != null) {
                long before = ahead;
                for (Pending pending : level.bodies()) {
                    if (pending.url().equals(url)) {
                        return Optional.of(new Found(pending, before));
                    }
                    before++;
                }
                ahead += level.loaded() + level.unreadCount();
            }
        }
        return Optional.empty();
    }

    /** How many requests it has, by priority; without those that have none. */
    Map<Integer, Long> sizes() {
        Map<Integer, Long> sizes = new HashMap<>();
        for (int p = 0; p < levels.length; p++) {
            LevelQueue level = levels[p];
            if (level != null && !level.isEmpty()) {
                sizes.put(p, level.loaded() + level.unreadCount());
            }
        }
        return sizes;
    }

    /** How many of its requests are known by their offsets alone. */
    long unreadCount() {
        return Arrays.stream(levels).mapToLong(level -> level == null ? 0 : level.unreadCount()).sum();
    }

    boolean empty() {
        return topPriority() < 0;
    }

    int inFlight() {
        return inFlight;
    }

    void begins() {
        inFlight++;
    }

    void ends() {
        inFlight--;
    }

    /** What its offsets take of memory beyond a fixed amount, in bytes. */
    int room() {
        int sum = 0;
        for (LevelQueue level : levels) {
            sum += level == null ? 0 : level.room();
        }
        return sum;
    }
}
