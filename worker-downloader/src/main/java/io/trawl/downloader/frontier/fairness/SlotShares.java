package io.trawl.downloader.frontier.fairness;

import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Divides the slots fairly. While several domains have requests, one of them may have as many exchanges in flight as the
 * largest of
 * <ul>
 * <li>one,</li>
 * <li>its part of all slots by max-min fairness, where each host counts as what it could use, and</li>
 * <li>{@value #FREE_FACTOR} times the free slots: the dynamic threshold of Choudhury and Hahne (IEEE/ACM Transactions on
 * Networking 6(2), 1998). So a domain may use what others leave while they pause, and some slots always remain for a
 * host that comes later.</li>
 * </ul>
 * The same holds among runs, in proportion to their {@link RunWeights}. A request competes with those of its priority and above only. All silent hosts together have a
 * quarter of the slots, or what the other hosts could not use. Unproven hosts, when they and the silent ones have a
 * quarter, and those of their priority their part of it, leave a slot free for each clean host with requests of their
 * priority or above that pauses now, an eighth of the slots at most; without silent hosts, they do so only while no host
 * of a lower priority could take that slot. Postponed hosts have
 * one of {@value #POSTPONED_TURNS} turns while others have requests. Such turns are saved, {@value #SAVED_TURNS} at most, until
 * no host of the others may be asked, or until they are that many. No limit holds while no other host has requests.
 * <p>
 * A host has a {@link SlotClaim}. As many hosts of a domain or run may be prepared for their turns as may have an exchange, so
 * that they do not fill the queues before the slots. Others wait here, and {@link #next} names the one that comes next.
 * Every operation takes logarithmic time in the number of hosts and linear time in the numbers of priorities and of
 * runs. Belongs to the frontier's thread.
 *
 * @param <H> the hosts
 */
public final class SlotShares<H> {
    static final int FREE_FACTOR = 2;
    static final int POSTPONED_TURNS = 128;
    static final int SAVED_TURNS = 16;
    private static final int MOST_SAVED = SAVED_TURNS * POSTPONED_TURNS;
    private static final int SILENT_PART = 4;
    private static final int KEPT_PART = 8;
    private final int slots;
    private final int perHost;
    private final int levels;
    private final RunWeights runWeights;
    private final Comparator<H> order;
    private final List<MaxMinDivision> byDomain;
    private final List<MaxMinDivision> byRun;
    private final Map<String, Share> domains = new HashMap<>();
    private final Map<CrawlRun, Share> runs = new HashMap<>();
    /** Hosts with requests by group; each number counts a priority and those above it. */
    private final int[][] working;
    private final int[] limited = new int[HostGroup.values().length];
    /** Hosts that are prepared, and exchanges, by group and priority. */
    private final int[][] prepared;
    private final int[][] inFlight;
    private final Map<Kind, TreeSet<Waiting<H>>> waiting = new HashMap<>();
    private long numbers;
    private int waitingHosts;
    private int taken;
    /** The turns that postponed hosts have saved, in parts of a turn: each turn of another host is one part. */
    private int saved = POSTPONED_TURNS;

    /** What a host wants. */
    public enum SlotStage {
        /** It has no requests, or none that may be fetched in the foreseeable future. */
        NOTHING,
        /** Its last requests are in flight; no postponed host waits for their end, which may be far. */
        LAST,
        /** It has requests and must be left alone, or has as many exchanges in flight as it may. */
        LATER,
        /** It is prepared for its turn. */
        TURN,
        /** It may be asked, and its domain, run or group has its part of the slots. */
        SHARE
    }

    /** Hosts that are told apart by their domains only. */
    private record Kind(int priority, Optional<CrawlRun> run, HostGroup group) {}

    /** The waiting hosts of one kind and domain: either all of them may take a slot, or none. */
    static final class Waiting<H> {
        private final Kind kind;
        private final Share domain;
        private final long number;
        private final TreeSet<H> hosts;

        private Waiting(Kind kind, Share domain, long number, Comparator<H> order) {
            this.kind = kind;
            this.domain = domain;
            this.number = number;
            this.hosts = new TreeSet<>(order);
        }

        private int load() {
            return domain.load(kind.priority());
        }

        private long number() {
            return number;
        }
    }

    /** The part of the slots that a host uses or waits for; created by {@link #claim}. */
    public static final class SlotClaim<H> {
        private final H host;
        private final String name;
        private final Share domain;
        private Kind kind = new Kind(0, Optional.empty(), HostGroup.CLEAN);
        private SlotStage stage = SlotStage.NOTHING;
        private @Nullable Waiting<H> waiting;

        private SlotClaim(H host, String name, Share domain) {
            this.host = host;
            this.name = name;
            this.domain = domain;
        }
    }

    /** An exchange in flight; to be given back to {@link #ends}. */
    public static final class Charge {
        private final Share domain;
        private final CrawlRun run;
        private final HostGroup group;
        private final int priority;

        private Charge(Share domain, CrawlRun run, HostGroup group, int priority) {
            this.domain = domain;
            this.run = run;
            this.group = group;
            this.priority = priority;
        }
    }

    /**
     * Creates shares without hosts.
     *
     * @param slots how many exchanges may be in flight
     * @param perHost how many of them a host may have
     * @param levels the number of priorities
     * @param runWeights the weights of runs; a change holds when a run next has hosts after it had none
     * @param order the order in which hosts of one domain, run and group get their turns; consistent with equals
     */
    public SlotShares(int slots, int perHost, int levels, RunWeights runWeights, Comparator<H> order) {
        this.slots = slots;
        this.perHost = perHost;
        this.levels = levels;
        this.runWeights = runWeights;
        this.order = order;
        this.byDomain = divisions();
        this.byRun = divisions();
        this.working = new int[HostGroup.values().length][levels];
        this.prepared = new int[HostGroup.values().length][levels];
        this.inFlight = new int[HostGroup.values().length][levels];
    }

    private List<MaxMinDivision> divisions() {
        return IntStream.range(0, levels).mapToObj(level -> new MaxMinDivision(slots)).toList();
    }

    /** The claim of a new host, which wants nothing yet. */
    public SlotClaim<H> claim(H host, String domain) {
        Share share = domains.computeIfAbsent(domain, d -> new Share(levels, 1));
        share.users(1);
        return new SlotClaim<>(host, domain, share);
    }

    /** The host of this claim, which wants nothing, is forgotten. */
    public void forget(SlotClaim<H> claim) {
        claim.domain.users(-1);
        if (claim.domain.unused()) {
            domains.remove(claim.name, claim.domain);
        }
    }

    /** A host wants nothing for the moment; before its order changes, and before each {@link #enter}. */
    public void leave(SlotClaim<H> claim) {
        if (claim.waiting != null) {
            remove(claim, claim.waiting);
        }
        count(claim, -1);
        claim.stage = SlotStage.NOTHING;
    }

    /** What a host wants from now on; it has left before. */
    public void enter(SlotClaim<H> claim, SlotStage stage, int priority, Optional<CrawlRun> run, HostGroup group) {
        claim.stage = stage;
        claim.kind = new Kind(priority, run, group);
        count(claim, 1);
        if (stage == SlotStage.SHARE) {
            await(claim);
        }
    }

    private void count(SlotClaim<H> claim, int change) {
        if (claim.stage == SlotStage.NOTHING) {
            return;
        }
        Kind kind = claim.kind;
        claim.domain.working(kind.priority(), change, byDomain, perHost);
        if (claim.stage != SlotStage.LAST) {
            for (int level = 0; level <= kind.priority(); level++) {
                working[kind.group().ordinal()][level] += change;
            }
        }
        kind.run().ifPresent(run -> use(run, change).working(kind.priority(), change, byRun, perHost));
        if (claim.stage == SlotStage.TURN) {
            prepared[kind.group().ordinal()][kind.priority()] += change;
            kind.run().map(runs::get).ifPresent(share -> share.prepared(kind.priority(), change));
            reorder(claim.domain, () -> claim.domain.prepared(kind.priority(), change));
        }
        kind.run().ifPresent(this::forgetUnused);
    }

    private Share use(CrawlRun run, int change) {
        Share share = runs.computeIfAbsent(run, r -> new Share(levels, runWeights.of(Optional.of(r))));
        share.users(change);
        return share;
    }

    private void forgetUnused(CrawlRun run) {
        Share share = runs.get(run);
        if (share != null && share.unused()) {
            runs.remove(run);
        }
    }

    /** Whether a host may take a slot now, or be prepared to take it; it wants nothing at this moment. */
    public boolean admits(SlotClaim<H> claim, int priority, Optional<CrawlRun> run, HostGroup group) {
        return admits(new Kind(priority, run, group), claim.domain);
    }

    private boolean admits(Kind kind, Share domain) {
        return admits(kind.group(), kind.priority()) && below(domain, kind.priority(), byDomain)
                && kind.run().map(runs::get).filter(share -> !below(share, kind.priority(), byRun)).isEmpty();
    }

    private boolean below(Share share, int level, List<MaxMinDivision> divisions) {
        int load = share.load(level);
        MaxMinDivision division = divisions.get(level);
        return load == 0 || division.parties() <= 1 || load < FREE_FACTOR * free() || load < division.part(share.weight());
    }

    private boolean admits(HostGroup group, int priority) {
        return switch (group) {
            case CLEAN -> true;
            case UNPROVEN -> {
                int kept = anyIsSilent() || !anyIsBelow(priority) ? keptFree(priority) : 0;
                yield kept == 0 || hasPart(priority) || free() > kept && prepared(HostGroup.UNPROVEN) < slots;
            }
            case SILENT -> {
                int others = working(HostGroup.CLEAN, 0) + working(HostGroup.UNPROVEN, 0) + working(HostGroup.POSTPONED, 0);
                int load = Math.max(inFlight(HostGroup.SILENT), prepared(HostGroup.SILENT));
                yield others == 0 || load < part(others);
            }
            case POSTPONED -> working(HostGroup.CLEAN, 0) + working(HostGroup.UNPROVEN, 0) == 0 || mayUseSavedTurn();
        };
    }

    private boolean anyIsSilent() {
        return working(HostGroup.SILENT, 0) + inFlight(HostGroup.SILENT) > 0;
    }

    /** Whether a host has requests of lower priorities only: it would get the slot that is kept free. */
    private boolean anyIsBelow(int priority) {
        return Arrays.stream(working).anyMatch(hosts -> hosts[0] > hosts[priority]);
    }

    /** Whether unproven hosts, and the silent ones, have less than a quarter, or those of this priority less than their part of it. */
    private boolean hasPart(int priority) {
        int quarter = Math.max(1, slots / SILENT_PART);
        int unproven = HostGroup.UNPROVEN.ordinal();
        return Math.max(inFlight(HostGroup.UNPROVEN), prepared(HostGroup.UNPROVEN)) + inFlight(HostGroup.SILENT) < quarter
                || Math.max(inFlight[unproven][priority], prepared[unproven][priority]) < Math.max(1, quarter / levels);
    }

    /** The slots for clean hosts that pause now: not for those in flight, which give theirs back, and those without a part. */
    private int keptFree(int priority) {
        int clean = HostGroup.CLEAN.ordinal();
        return Math.clamp(working[clean][priority] - limited[clean] - inFlight(HostGroup.CLEAN), 0, slots / KEPT_PART);
    }

    /** A quarter of the slots, or what so many other hosts could not use. */
    private int part(int others) {
        return Math.max(1, Math.max(slots / SILENT_PART, slots - others * perHost));
    }

    private boolean mayUseSavedTurn() {
        boolean first = inFlight(HostGroup.POSTPONED) == 0 && prepared(HostGroup.POSTPONED) == 0;
        return first && saved >= POSTPONED_TURNS
                && (saved >= MOST_SAVED || !asked(HostGroup.CLEAN) && !asked(HostGroup.UNPROVEN));
    }

    /** Whether hosts of a group may be asked now. */
    private boolean asked(HostGroup group) {
        return prepared(group) + limited[group.ordinal()] > 0;
    }

    private int working(HostGroup group, int priority) {
        return working[group.ordinal()][priority];
    }

    private int prepared(HostGroup group) {
        return IntStream.of(prepared[group.ordinal()]).sum();
    }

    private int inFlight(HostGroup group) {
        return IntStream.of(inFlight[group.ordinal()]).sum();
    }

    private int free() {
        return slots - taken;
    }

    /** An exchange begins. */
    public Charge begins(SlotClaim<H> claim, CrawlRun run, HostGroup group, int priority) {
        use(run, 1).inFlight(priority, 1);
        reorder(claim.domain, () -> claim.domain.inFlight(priority, 1));
        inFlight[group.ordinal()][priority]++;
        taken++;
        saved = group == HostGroup.POSTPONED ? Math.max(0, saved - POSTPONED_TURNS) : Math.min(saved + 1, MOST_SAVED);
        return new Charge(claim.domain, run, group, priority);
    }

    /** An exchange has ended. */
    public void ends(Charge charge) {
        use(charge.run, -1).inFlight(charge.priority, -1);
        forgetUnused(charge.run);
        reorder(charge.domain, () -> charge.domain.inFlight(charge.priority, -1));
        inFlight[charge.group.ordinal()][charge.priority]--;
        taken--;
    }

    private void await(SlotClaim<H> claim) {
        TreeSet<Waiting<H>> parts = waiting.computeIfAbsent(claim.kind, kind -> new TreeSet<>(
                Comparator.<Waiting<H>>comparingInt(Waiting::load).thenComparingLong(Waiting::number)));
        Waiting<H> part = find(claim);
        if (part == null) {
            part = new Waiting<>(claim.kind, claim.domain, ++numbers, order);
            claim.domain.parts().add(part);
            parts.add(part);
        }
        part.hosts.add(claim.host);
        claim.waiting = part;
        limited[claim.kind.group().ordinal()]++;
        waitingHosts++;
    }

    @SuppressWarnings("unchecked")
    private @Nullable Waiting<H> find(SlotClaim<H> claim) {
        for (Waiting<?> part : claim.domain.parts()) {
            if (part.kind.equals(claim.kind)) {
                return (Waiting<H>) part;
            }
        }
        return null;
    }

    private void remove(SlotClaim<H> claim, Waiting<H> part) {
        part.hosts.remove(claim.host);
        claim.waiting = null;
        limited[claim.kind.group().ordinal()]--;
        waitingHosts--;
        if (part.hosts.isEmpty()) {
            claim.domain.parts().remove(part);
            TreeSet<Waiting<H>> parts = Objects.requireNonNull(waiting.get(part.kind));
            parts.remove(part);
            if (parts.isEmpty()) {
                waiting.remove(part.kind);
            }
        }
    }

    /** Changes the numbers of a domain, on which the order of its waiting parts depends. */
    private void reorder(Share domain, Runnable change) {
        List<Waiting<?>> parts = List.copyOf(domain.parts());
        parts.forEach(part -> Objects.requireNonNull(waiting.get(part.kind)).remove(part));
        change.run();
        parts.forEach(this::add);
    }

    @SuppressWarnings("unchecked")
    private void add(Waiting<?> part) {
        Objects.requireNonNull(waiting.get(part.kind)).add((Waiting<H>) part);
    }

    /**
     * The waiting host that may take a slot now: of those with the largest priority one of the run, then of the domain,
     * that uses the fewest for its weight; of several the one that came first. Empty if none may.
     */
    public Optional<H> next() {
        Waiting<H> best = null;
        for (TreeSet<Waiting<H>> parts : waiting.values()) {
            Waiting<H> part = parts.first();
            if ((best == null || compare(part, best) < 0) && admits(part.kind, part.domain)) {
                best = part;
            }
        }
        return best == null ? Optional.empty() : Optional.of(best.hosts.first());
    }

    private int compare(Waiting<H> a, Waiting<H> b) {
        int priorities = Integer.compare(b.kind.priority(), a.kind.priority());
        int byRun = priorities != 0 ? priorities : Double.compare(load(a.kind), load(b.kind));
        int byDomain = byRun != 0 ? byRun : Integer.compare(a.load(), b.load());
        return byDomain != 0 ? byDomain : Long.compare(a.number, b.number);
    }

    /** How many slots a run uses, in proportion to its weight. */
    private double load(Kind kind) {
        return kind.run().map(runs::get).map(share -> (double) share.load(kind.priority()) / share.weight()).orElse(0.0);
    }

    /** The number of hosts that wait for their part of the slots. */
    public int waiting() {
        return waitingHosts;
    }
}
