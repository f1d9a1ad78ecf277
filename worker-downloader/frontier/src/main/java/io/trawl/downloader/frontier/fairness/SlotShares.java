package io.trawl.downloader.frontier.fairness;

import io.trawl.downloader.frontier.fairness.WaitingHosts.Kind;
import io.trawl.downloader.frontier.fairness.WaitingHosts.Waiting;
import io.trawl.model.CrawlRun;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Divides the slots fairly. While several domains have requests, one of them may have as many exchanges in flight as
 * the largest of
 * <ul>
 * <li>one,</li>
 * <li>its part of all slots by max-min fairness, where each host counts as what it could use, and</li>
 * <li>{@value #FREE_FACTOR} times the free slots: the dynamic threshold of Choudhury and Hahne (IEEE/ACM Transactions
 * on Networking 6(2), 1998). So a domain may use what others leave while they pause, and some slots always remain for a
 * host that comes later.</li>
 * </ul>
 * The same holds among runs, in proportion to their {@link RunWeights}. A request competes with those of its priority
 * and above only.
 * <p>
 * Among hosts, shares are of slot time ({@link SlotTimeShares}).
 * <p>
 * Postponed hosts have one of {@value #POSTPONED_TURNS} turns while others have requests. Such turns are saved,
 * {@value #SAVED_TURNS} at most, until no host of the others may be asked, or until they are that many. No limit holds
 * while no other host has requests.
 * <p>
 * A host has a {@link SlotClaim}. As many hosts of a domain or run may be prepared for their turns as may have an
 * exchange, so that they do not fill the queues before the slots. Others wait here, and {@link #next} names the one
 * that comes next. Every operation takes logarithmic time in the number of hosts and linear time in the numbers of
 * priorities and of runs. Belongs to the frontier's thread.
 *
 * @param <H> the hosts
 */
public final class SlotShares<H> {
    static final int FREE_FACTOR = 2;
    static final int POSTPONED_TURNS = 128;
    static final int SAVED_TURNS = 16;
    private static final int MOST_SAVED = SAVED_TURNS * POSTPONED_TURNS;
    private final int slots;
    private final int perHost;
    private final int levels;
    private final RunWeights runWeights;
    private final List<MaxMinDivision> byDomain;
    private final List<MaxMinDivision> byRun;
    private final Map<String, Share> domains = new HashMap<>();
    private final Map<CrawlRun, Share> runs = new HashMap<>();
    private final SlotTimeShares slotTimes;
    private final WaitingHosts<H> waiting;
    private final Predicate<Waiting<H>> admitted = part -> admits(part.kind(), part.domain());
    /** Clean hosts with requests, and postponed ones that are prepared or in flight. */
    private int working;
    private int postponed;
    private int taken;
    /** The turns that postponed hosts have saved, in parts of a turn: each turn of another host is one part. */
    private int saved = POSTPONED_TURNS;

    /** What a host wants. */
    public enum SlotStage {
        /** It has no requests, or none that may be fetched in the foreseeable future. */
        NOTHING,
        /** Its last requests are in flight; no postponed host waits for their end, which may be far. */
        LAST,
        /** It has requests, and as many exchanges in flight as it may. */
        BUSY,
        /** It has requests and must be left alone. */
        LATER,
        /** It is prepared for its turn. */
        TURN,
        /** It may be asked, and its domain, run or group has its part of the slots. */
        SHARE
    }

    /**
     * How a host uses its slots.
     *
     * @param slotClass of its {@link SlotTime}
     */
    public record Use(HostGroup group, int slotClass) {
        boolean clean() {
            return group == HostGroup.CLEAN;
        }
    }

    /** The part of the slots that a host uses or waits for; created by {@link #claim}. */
    public static final class SlotClaim<H> {
        private final H host;
        private final String name;
        private final Share domain;
        private Kind kind = new Kind(0, Optional.empty(), new Use(HostGroup.CLEAN, 0));
        private SlotStage stage = SlotStage.NOTHING;
        private int load;
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
        private final Use use;
        private final int priority;

        private Charge(Share domain, CrawlRun run, Use use, int priority) {
            this.domain = domain;
            this.run = run;
            this.use = use;
            this.priority = priority;
        }
    }

    /**
     * Creates shares without hosts.
     *
     * @param slots how many exchanges may be in flight
     * @param perHost how many of them a host may have
     * @param levels the number of priorities
     * @param strict whether the larger priority always goes first
     * @param runWeights the weights of runs; a change holds when a run next has hosts after it had none
     * @param order the order in which hosts of one domain, run and group get their turns; consistent with equals
     */
    public SlotShares(int slots, int perHost, int levels, boolean strict, RunWeights runWeights, Comparator<H> order) {
        this.slots = slots;
        this.perHost = perHost;
        this.levels = levels;
        this.runWeights = runWeights;
        this.slotTimes = new SlotTimeShares(slots, perHost, levels, strict);
        this.waiting = new WaitingHosts<>(order, this::load);
        this.byDomain = divisions();
        this.byRun = divisions();
    }

    private List<MaxMinDivision> divisions() {
        return IntStream.range(0, levels).mapToObj(level -> new MaxMinDivision(slots)).toList();
    }

    /** The claim of a new host, which wants nothing yet. */
    public SlotClaim<H> claim(H host, String domain) {
        Share share = domains.computeIfAbsent(domain, d -> new Share(levels, 1, Integer.MAX_VALUE));
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
            waiting.remove(claim.host, claim.waiting);
            claim.waiting = null;
        }
        count(claim, -1);
        claim.stage = SlotStage.NOTHING;
    }

    /**
     * What a host wants from now on; it has left before.
     *
     * @param load how many slots it wants on average while it is not in flight, in parts of {@link SlotTime#WHOLE}
     */
    public void enter(SlotClaim<H> claim, SlotStage stage, int priority, Optional<CrawlRun> run, Use use, int load) {
        claim.stage = stage;
        claim.kind = new Kind(priority, run, use);
        claim.load = load;
        count(claim, 1);
        if (stage == SlotStage.SHARE) {
            claim.waiting = waiting.add(claim.host, claim.kind, claim.domain);
        }
    }

    private void count(SlotClaim<H> claim, int change) {
        if (claim.stage == SlotStage.NOTHING) {
            return;
        }
        Kind kind = claim.kind;
        claim.domain.working(kind.priority(), change, byDomain, perHost);
        if (kind.use().clean()) {
            working += claim.stage == SlotStage.LAST ? 0 : change;
            slotTimes.count(claim.stage, kind.priority(), kind.use().slotClass(), claim.load, change);
        } else if (claim.stage == SlotStage.TURN) {
            postponed += change;
        }
        kind.run().ifPresent(run -> use(run, change).working(kind.priority(), change, byRun, perHost));
        if (claim.stage == SlotStage.TURN) {
            kind.run().map(runs::get).ifPresent(share -> share.prepared(kind.priority(), change));
            waiting.reorder(claim.domain, () -> claim.domain.prepared(kind.priority(), change));
        }
        kind.run().ifPresent(this::forgetUnused);
    }

    private Share use(CrawlRun run, int change) {
        Share share = runs.computeIfAbsent(run,
                r -> new Share(levels, runWeights.of(Optional.of(r)), runWeights.most(r)));
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
    public boolean admits(SlotClaim<H> claim, int priority, Optional<CrawlRun> run, Use use) {
        return admits(new Kind(priority, run, use), claim.domain);
    }

    private boolean admits(Kind kind, Share domain) {
        return (kind.use().clean() || working == 0 || mayUseSavedTurn())
                && slotTimes.admits(kind.use().slotClass(), kind.priority(), free())
                && below(domain, kind.priority(), byDomain)
                && kind.run().map(runs::get).filter(share -> !below(share, kind.priority(), byRun)).isEmpty();
    }

    private boolean below(Share share, int level, List<MaxMinDivision> divisions) {
        int load = share.load(level);
        MaxMinDivision division = divisions.get(level);
        return !share.full() && (load == 0 || division.parties() <= 1 || load < FREE_FACTOR * free()
                || load < division.part(share.weight()));
    }

    private boolean mayUseSavedTurn() {
        return postponed == 0 && saved >= POSTPONED_TURNS && (saved >= MOST_SAVED || slotTimes.noHostMayAsk());
    }

    private int free() {
        return slots - taken;
    }

    /** An exchange begins. */
    public Charge begins(SlotClaim<H> claim, CrawlRun run, Use use, int priority) {
        use(run, 1).inFlight(priority, 1);
        waiting.reorder(claim.domain, () -> claim.domain.inFlight(priority, 1));
        slotTimes.inFlight(priority, use.slotClass(), 1);
        taken++;
        postponed += use.clean() ? 0 : 1;
        saved = use.clean() ? Math.min(saved + 1, MOST_SAVED) : Math.max(0, saved - POSTPONED_TURNS);
        return new Charge(claim.domain, run, use, priority);
    }

    /** An exchange has ended. */
    public void ends(Charge charge) {
        use(charge.run, -1).inFlight(charge.priority, -1);
        forgetUnused(charge.run);
        waiting.reorder(charge.domain, () -> charge.domain.inFlight(charge.priority, -1));
        slotTimes.inFlight(charge.priority, charge.use.slotClass(), -1);
        taken--;
        postponed -= charge.use.clean() ? 0 : 1;
    }

    /**
     * The waiting host that may take a slot now: of those with the largest priority one of the run that uses the fewest
     * for its weight, then a quicker one, then one of the domain that uses the fewest; of several the one that came
     * first. Empty if none may.
     */
    public Optional<H> next() {
        return waiting.next(admitted);
    }

    /** How many slots a run uses, in proportion to its weight. */
    private double load(Kind kind) {
        return kind.run().map(runs::get).map(share -> (double) share.load(kind.priority()) / share.weight())
                .orElse(0.0);
    }

    /** The number of hosts that wait for their part of the slots. */
    public int waiting() {
        return waiting.size();
    }
}
