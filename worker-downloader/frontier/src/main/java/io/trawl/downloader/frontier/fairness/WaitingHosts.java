package io.trawl.downloader.frontier.fairness;

import io.trawl.downloader.frontier.fairness.SlotShares.Use;
import io.trawl.model.CrawlRun;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * The hosts that wait for their part of the slots. Each operation takes logarithmic time in their number. Belongs to
 * the frontier's thread.
 *
 * @param <H> the hosts
 */
final class WaitingHosts<H> {
    private final Comparator<H> order;
    private final ToDoubleFunction<Kind> loadOfRun;
    /**
     * In a fixed order, so that a random life is repeated by its seed: hashes of enums differ from process to process.
     */
    private final Map<Kind, TreeSet<Waiting<H>>> byKind = new LinkedHashMap<>();
    private long numbers;
    private int size;

    /** Hosts that are told apart by their domains only. */
    record Kind(int priority, Optional<CrawlRun> run, Use use) {}

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

        Kind kind() {
            return kind;
        }

        Share domain() {
            return domain;
        }
    }

    /**
     * @param order the order in which hosts of one kind and domain get their turns
     * @param loadOfRun how many slots a run uses, in proportion to its weight
     */
    WaitingHosts(Comparator<H> order, ToDoubleFunction<Kind> loadOfRun) {
        this.order = order;
        this.loadOfRun = loadOfRun;
    }

    int size() {
        return size;
    }

    /** Adds a host of one kind and domain. */
    Waiting<H> add(H host, Kind kind, Share domain) {
        TreeSet<Waiting<H>> parts = byKind.computeIfAbsent(kind, _ -> new TreeSet<>(
                Comparator.<Waiting<H>>comparingInt(Waiting::load).thenComparingLong(Waiting::number)));
        Waiting<H> part = find(kind, domain);
        if (part == null) {
            part = new Waiting<>(kind, domain, ++numbers, order);
            domain.parts().add(part);
            parts.add(part);
        }
        part.hosts.add(host);
        size++;
        return part;
    }

    @SuppressWarnings("unchecked")
    private @Nullable Waiting<H> find(Kind kind, Share domain) {
        for (Waiting<?> part : domain.parts()) {
            if (part.kind.equals(kind)) {
                return (Waiting<H>) part;
            }
        }
        return null;
    }

    /** Removes a host from where {@link #add} has put it. */
    void remove(H host, Waiting<H> part) {
        part.hosts.remove(host);
        size--;
        if (part.hosts.isEmpty()) {
            part.domain.parts().remove(part);
            TreeSet<Waiting<H>> parts = Objects.requireNonNull(byKind.get(part.kind));
            parts.remove(part);
            if (parts.isEmpty()) {
                byKind.remove(part.kind);
            }
        }
    }

    /** Changes the numbers of a domain, on which the order of its waiting parts depends. */
    void reorder(Share domain, Runnable change) {
        List<Waiting<?>> parts = List.copyOf(domain.parts());
        parts.forEach(part -> Objects.requireNonNull(byKind.get(part.kind)).remove(part));
        change.run();
        parts.forEach(this::add);
    }

    @SuppressWarnings("unchecked")
    private void add(Waiting<?> part) {
        Objects.requireNonNull(byKind.get(part.kind)).add((Waiting<H>) part);
    }

    /** The first that may take a slot, in the order of {@link SlotShares#next}. */
    Optional<H> next(Predicate<Waiting<H>> admits) {
        Waiting<H> best = null;
        for (TreeSet<Waiting<H>> parts : byKind.values()) {
            Waiting<H> part = parts.first();
            if ((best == null || compare(part, best) < 0) && admits.test(part)) {
                best = part;
            }
        }
        return best == null ? Optional.empty() : Optional.of(best.hosts.first());
    }

    private int compare(Waiting<H> a, Waiting<H> b) {
        int priorities = Integer.compare(b.kind.priority(), a.kind.priority());
        int byRun = priorities != 0
                ? priorities
                : Double.compare(loadOfRun.applyAsDouble(a.kind), loadOfRun.applyAsDouble(b.kind));
        int classes = a.kind.use().slotClass() - b.kind.use().slotClass();
        int byTime = byRun != 0 || Math.abs(classes) < SlotTime.GAP ? byRun : classes;
        int byDomain = byTime != 0 ? byTime : Integer.compare(a.load(), b.load());
        return byDomain != 0 ? byDomain : Long.compare(a.number, b.number);
    }
}
