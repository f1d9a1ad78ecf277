package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.frontier.fairness.PriorityShares;
import io.trawl.downloader.frontier.fairness.WeightedRoundRobin;
import io.trawl.admission.HostKeyFactory;
import io.trawl.downloader.frontier.fairness.RunWeights;
import io.trawl.downloader.frontier.fairness.SlotShares;
import io.trawl.downloader.frontier.fairness.SlotShares.SlotStage;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.PolitenessKey;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * All hosts by their state: those that must be left alone are ordered by time; those that may be asked are ordered by
 * the largest priority of their requests, then by rank. {@link PriorityShares} decide which priority is next, and
 * {@link SlotShares} which hosts must wait because their domain, run or group uses its part of the slots. A change of
 * state takes logarithmic time in the number of hosts. Belongs to the frontier's thread.
 */
public final class HostTable {
    private static final Comparator<HostQueue> BY_TIME = Comparator.comparingLong(HostQueue::since)
            .thenComparingLong(HostQueue::number);
    private static final Comparator<HostQueue> BY_RANK = Comparator.comparingLong(HostQueue::rank)
            .thenComparingLong(HostQueue::number);
    private final Map<HostKey, HostQueue> hosts = new HashMap<>();
    private final TreeSet<HostQueue> waiting = new TreeSet<>(BY_TIME);
    private final TreeSet<HostQueue> waitingWithBodies = new TreeSet<>(BY_TIME);
    private final TreeSet<HostQueue> limitedWithBodies = new TreeSet<>(BY_RANK);
    private final SlotShares<HostQueue> slotShares;
    private final HostRanking unread;
    private final HostRanking due;
    private final HostRanking ready;
    private final Deque<Idle> idle = new ArrayDeque<>();
    private final int levels;
    private final BodyBudget bodyBudget;
    private final RunWeights runWeights;
    private final PriorityShares priorityShares;
    private final WeightedRoundRobin weightedRoundRobin;
    private final int[] asking;
    private final int[] reading;
    private int resolving;
    private int idling;
    private long numbers;

    private record Idle(HostQueue host, long until) {}

    /**
     * Creates a table without hosts.
     *
     * @param slots how many exchanges may be in flight
     * @param perHost how many of them a host may have
     */
    public HostTable(int levels, BodyBudget bodyBudget, PriorityShares priorityShares, RunWeights runWeights, int slots,
            int perHost) {
        this.slotShares = new SlotShares<>(slots, perHost, levels, priorityShares.isStrict(), runWeights, BY_RANK);
        this.runWeights = runWeights;
        this.levels = levels;
        this.bodyBudget = bodyBudget;
        this.priorityShares = priorityShares;
        this.weightedRoundRobin = priorityShares.roundRobin();
        this.unread = new HostRanking(levels, BY_RANK);
        this.due = new HostRanking(levels, BY_RANK);
        this.ready = new HostRanking(levels, BY_RANK);
        this.asking = new int[levels];
        this.reading = new int[levels];
    }

    public HostQueue host(HostKey key) {
        return hosts.computeIfAbsent(key, k -> {
            HostQueue host = new HostQueue(k, ++numbers, levels, bodyBudget, priorityShares, runWeights);
            host.claim(slotShares.claim(host, HostKeyFactory.politeness(k, PolitenessKey.DOMAIN).value()));
            idle.addLast(new Idle(host, 0));
            idling++;
            return host;
        });
    }

    public Optional<HostQueue> find(HostKey key) {
        return Optional.ofNullable(hosts.get(key));
    }

    public Collection<HostQueue> hosts() {
        return List.copyOf(hosts.values());
    }

    public int size() {
        return hosts.size();
    }

    /** Hosts that have requests, or had requests a moment ago. */
    public int working() {
        return hosts.size() - idling;
    }

    public int asking() {
        return Arrays.stream(asking).sum();
    }

    /** Hosts whose names are looked up. */
    public int resolving() {
        return resolving;
    }

    /** Hosts whose best request's body is being read. */
    public int reading() {
        return Arrays.stream(reading).sum();
    }

    /** The waiting host with bodies in memory whose turn is farthest. */
    public Optional<HostQueue> farthestWithBodies() {
        return waitingWithBodies.isEmpty() ? Optional.empty() : Optional.of(waitingWithBodies.last());
    }

    /** The next of the ready hosts; only if there is one. {@link #served} charges its priority. */
    public HostQueue nextReady() {
        return ready.first(weightedRoundRobin.next(ready.levels()));
    }

    /** The division of the slots among domains, runs and groups of hosts. */
    public SlotShares<HostQueue> slotShares() {
        return slotShares;
    }

    /** An exchange begins in the turn of a ready host. */
    public void served(HostQueue host) {
        weightedRoundRobin.served(host.best(), ready.levels());
    }

    /**
     * The next host to look up in the ledger; only if one is due. The choice depends on how many hosts of each priority
     * are looked up already, so that duplicates take nothing from a priority's share.
     */
    public HostQueue nextDue() {
        return due.first(priorityShares.scarcest(due.levels(), this::stock));
    }

    private long stock(int level) {
        return ready.size(level) + asking[level];
    }

    /**
     * Whether this host should be looked up although enough are ready: it comes before one of them, or is the only one
     * of its share.
     */
    public boolean outranks(HostQueue host) {
        return priorityShares.isStrict()
                ? !ready.isEmpty() && host.best() > ready.levels().lowest()
                : stock(host.best()) == 0;
    }

    /** The next host to read bodies for; only if one is unread. */
    public HostQueue nextUnread() {
        return unread.first(
                priorityShares.scarcest(unread.levels(), level -> reading[level] + due.size(level) + stock(level)));
    }

    /** The next unread host, if it comes before every host that is due (of its share, if there are shares). */
    public Optional<HostQueue> unreadBeforeDue() {
        if (unread.isEmpty()) {
            return Optional.empty();
        }
        HostQueue next = nextUnread();
        boolean outranked = priorityShares.isStrict() && due.levels().highest() > next.best();
        return outranked || due.levels().has(next.best()) && BY_RANK.compare(due.first(next.best()), next) < 0
                ? Optional.empty()
                : Optional.of(next);
    }

    /** The due host with the farthest turn; only if one is due. */
    public HostQueue farthestDue() {
        return due.last(priorityShares.plentiest(due.levels(), due::size));
    }

    /** The host with bodies in memory that comes last of those that wait for their part of the slots. */
    public Optional<HostQueue> farthestLimited() {
        return limitedWithBodies.isEmpty() ? Optional.empty() : Optional.of(limitedWithBodies.last());
    }

    public HostRanking unread() {
        return unread;
    }

    public TreeSet<HostQueue> waiting() {
        return waiting;
    }

    public HostRanking due() {
        return due;
    }

    public HostRanking ready() {
        return ready;
    }

    /**
     * Changes the state of a host. If it could be prepared for its turn, but its domain, run or group uses its part of
     * the slots, the host is limited instead.
     */
    public void move(HostQueue host, HostState hostState, int priority, long since) {
        leaveState(host);
        Optional<CrawlRun> run = host.run();
        SlotStage stage = hostState.stage(host, since);
        boolean limited = stage == SlotStage.TURN && !slotShares.admits(host.claim(), priority, run, host.use());
        host.update(limited ? HostState.LIMITED : hostState, priority, since);
        slotShares.enter(host.claim(), limited ? SlotStage.SHARE : stage, priority, run, host.use(),
                hostState.load(host, since));
        enterState(host, priority);
    }

    private void enterState(HostQueue host, int priority) {
        boolean bodies = host.head().filter(p -> !p.unique()).isPresent();
        switch (host.state()) {
            case WAITING -> {
                waiting.add(host);
                if (bodies) {
                    waitingWithBodies.add(host);
                }
            }
            case LIMITED -> {
                if (bodies) {
                    limitedWithBodies.add(host);
                }
            }
            case UNREAD -> unread.add(host);
            case READING -> reading[priority]++;
            case DUE -> due.add(host);
            case READY -> ready.add(host);
            case ASKING -> asking[priority]++;
            case RESOLVING -> resolving++;
            case IDLE -> idling++;
            case BUSY -> {
            }
        }
    }

    /** Makes a host without requests idle and remembers it for as long as its pace matters. */
    public void moveToIdle(HostQueue host, long until) {
        move(host, HostState.IDLE, 0, until);
        idle.addLast(new Idle(host, until));
    }

    /** Removes hosts whose pace does not matter any more, in the order in which they became idle. */
    public void forget(long now) {
        for (Idle first = idle.peekFirst(); first != null && first.until() <= now; first = idle.peekFirst()) {
            idle.removeFirst();
            HostQueue host = first.host();
            if (host.state() == HostState.IDLE && !host.hasWorkInFlight() && host.since() <= now && host.empty()
                    && hosts.remove(host.key(), host)) {
                slotShares.forget(host.claim());
                idling--;
            }
        }
    }

    /** The next moment at which a host may be asked again. */
    public Optional<Long> next() {
        return waiting.isEmpty() ? Optional.empty() : Optional.of(waiting.first().since());
    }

    private void leaveState(HostQueue host) {
        slotShares.leave(host.claim());
        switch (host.state()) {
            case LIMITED -> limitedWithBodies.remove(host);
            case WAITING -> {
                waiting.remove(host);
                waitingWithBodies.remove(host);
            }
            case UNREAD -> unread.remove(host);
            case READING -> reading[host.best()]--;
            case DUE -> due.remove(host);
            case READY -> ready.remove(host);
            case ASKING -> asking[host.best()]--;
            case RESOLVING -> resolving--;
            case IDLE -> idling--;
            case BUSY -> {
            }
        }
    }
}
