package io.trawl.downloader.frontier;

import io.trawl.model.HostKey;
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
 * All hosts by where they stand: those to be left alone ordered by time, those that may be asked ordered by the largest priority of their requests, then by
 * the time at which they came to stand there; {@link Shares} say which priority is next. Every move costs the logarithm of the number of hosts. Belongs to the frontier's thread.
 */
final class HostBoard {
    private static final Comparator<HostQueue> BY_TIME = Comparator.comparingLong(HostQueue::since)
            .thenComparingLong(HostQueue::number);
    private static final Comparator<HostQueue> BY_RANK = Comparator.comparingLong(HostQueue::rank)
            .thenComparingLong(HostQueue::number);
    private final Map<HostKey, HostQueue> hosts = new HashMap<>();
    private final TreeSet<HostQueue> waiting = new TreeSet<>(BY_TIME);
    private final TreeSet<HostQueue> holding = new TreeSet<>(BY_TIME);
    private final Ranks unread;
    private final Ranks due;
    private final Ranks ready;
    private final Deque<Idle> idle = new ArrayDeque<>();
    private final int levels;
    private final BodyRoom room;
    private final Shares shares;
    private final Dealer dealer;
    private final int[] asking;
    private final int[] reading;
    private int idling;
    private long numbers;

    private record Idle(HostQueue host, long until) {}

    HostBoard(int levels, BodyRoom room, Shares shares) {
        this.levels = levels;
        this.room = room;
        this.shares = shares;
        this.dealer = shares.dealer();
        this.unread = new Ranks(levels, BY_RANK);
        this.due = new Ranks(levels, BY_RANK);
        this.ready = new Ranks(levels, BY_RANK);
        this.asking = new int[levels];
        this.reading = new int[levels];
    }

    HostQueue host(HostKey key) {
        return hosts.computeIfAbsent(key, k -> {
            HostQueue host = new HostQueue(k, ++numbers, levels, room, shares);
            idle.addLast(new Idle(host, 0));
            idling++;
            return host;
        });
    }

    Optional<HostQueue> find(HostKey key) {
        return Optional.ofNullable(hosts.get(key));
    }

    Collection<HostQueue> hosts() {
        return List.copyOf(hosts.values());
    }

    int size() {
        return hosts.size();
    }

    /** Hosts that have requests, or had them a moment ago. */
    int working() {
        return hosts.size() - idling;
    }

    int asking() {
        return Arrays.stream(asking).sum();
    }

    /** Hosts whose best request's body is being read. */
    int reading() {
        return Arrays.stream(reading).sum();
    }

    /** The waiting host with bodies in memory whose turn is farthest. */
    Optional<HostQueue> farthestHolding() {
        return holding.isEmpty() ? Optional.empty() : Optional.of(holding.last());
    }

    /** Whose turn it is of those that are ready; only if there is one. Its priority pays with {@link #served}. */
    HostQueue nextReady() {
        return ready.first(dealer.next(ready.levels()));
    }

    /** An exchange begins in the turn of a host that is ready. */
    void served(HostQueue host) {
        dealer.served(host.best(), ready.levels());
    }

    /** About which the ledger should be asked next; only if one is due. By what each priority has in stock, so that duplicates take nothing from its share. */
    HostQueue nextDue() {
        return due.first(shares.scarcest(due.levels(), this::stock));
    }

    private long stock(int level) {
        return ready.size(level) + asking[level];
    }

    /** Whether the ledger should be asked about this host although enough are ready: it comes before one of them, or is the only one of its share. */
    boolean outranks(HostQueue host) {
        return shares.isStrict()
                ? !ready.isEmpty() && host.best() > ready.levels().lowest()
                : stock(host.best()) == 0;
    }

    /** Whose bodies should be read next; only if one is unread. */
    HostQueue nextUnread() {
        return unread.first(shares.scarcest(unread.levels(), level -> reading[level] + due.size(level) + stock(level)));
    }

    /** The unread host whose turn is next, if it comes before that of every host that is due: of its share, if there are shares. */
    Optional<HostQueue> unreadBeforeDue() {
        if (unread.isEmpty()) {
            return Optional.empty();
        }
        HostQueue next = nextUnread();
        boolean outranked = shares.isStrict() && due.levels().highest() > next.best();
        return outranked || due.levels().has(next.best()) && BY_RANK.compare(due.first(next.best()), next) < 0
                ? Optional.empty()
                : Optional.of(next);
    }

    /** The host that is due and whose turn is farthest; only if one is due. */
    HostQueue farthestDue() {
        return due.last(shares.plentiest(due.levels(), due::size));
    }

    Ranks unread() {
        return unread;
    }

    TreeSet<HostQueue> waiting() {
        return waiting;
    }

    Ranks due() {
        return due;
    }

    Ranks ready() {
        return ready;
    }

    /** Moves a host to where it stands from now on. */
    void move(HostQueue host, HostQueue.Place place, int priority, long since) {
        lift(host);
        host.stand(place, priority, since);
        switch (place) {
            case WAITING -> {
                waiting.add(host);
                if (host.head().filter(p -> !p.unique()).isPresent()) {
                    holding.add(host);
                }
            }
            case UNREAD -> unread.add(host);
            case READING -> reading[priority]++;
            case DUE -> due.add(host);
            case READY -> ready.add(host);
            case ASKING -> asking[priority]++;
            case IDLE -> idling++;
            case BUSY -> {
            }
        }
    }

    /** A host without requests is remembered for as long as its pace matters. */
    void rest(HostQueue host, long until) {
        move(host, HostQueue.Place.IDLE, 0, until);
        idle.addLast(new Idle(host, until));
    }

    /** Forgets hosts that have been idle for long; looks only at the one that has been so for longest, then the next. */
    void forget(long now) {
        for (Idle first = idle.peekFirst(); first != null && first.until() <= now; first = idle.peekFirst()) {
            idle.removeFirst();
            HostQueue host = first.host();
            if (host.place() == HostQueue.Place.IDLE && !host.awaits() && host.since() <= now && host.empty()) {
                hosts.remove(host.key(), host);
                idling--;
            }
        }
    }

    /** The next moment at which a host may be asked again. */
    Optional<Long> next() {
        return waiting.isEmpty() ? Optional.empty() : Optional.of(waiting.first().since());
    }

    private void lift(HostQueue host) {
        switch (host.place()) {
            case WAITING -> {
                waiting.remove(host);
                holding.remove(host);
            }
            case UNREAD -> unread.remove(host);
            case READING -> reading[host.best()]--;
            case DUE -> due.remove(host);
            case READY -> ready.remove(host);
            case ASKING -> asking[host.best()]--;
            case IDLE -> idling--;
            case BUSY -> {
            }
        }
    }
}
