package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.frontier.queue.PendingRequest.RequestKey;
import io.trawl.model.CrawlRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pending requests of one run at one host, of one priority, first in, first out: first requests whose bodies are in
 * memory, then offsets, among which requests that are retried stand at the place where they came back. There may be a
 * hundred thousand of these queues, so empty parts use no memory. Belongs to the frontier's thread.
 */
public final class RunQueue {
    private final Optional<CrawlRun> run;
    private @Nullable Deque<PendingRequest> loaded;
    /** One entry, unless requests were retried or records were written to a partition other than their host's. */
    private final List<Unread> unread = new ArrayList<>(1);

    /**
     * Offsets of one assignment, at least one.
     *
     * @param behind the requests with bodies that come after these offsets and before those of the next entry
     */
    public record Unread(Assignment assignment, OffsetQueue offsets, List<PendingRequest> behind) {
        private Unread(Assignment assignment) {
            this(assignment, new OffsetQueue(), new ArrayList<>(0));
        }
    }

    /** @param run empty for records that name none; they cannot be fetched, and are answered in their turn */
    RunQueue(Optional<CrawlRun> run) {
        this.run = run;
    }

    /** The run; empty for records that name none. */
    public Optional<CrawlRun> run() {
        return run;
    }

    void addLast(PendingRequest p) {
        deque().addLast(p);
    }

    void addFirst(PendingRequest p) {
        deque().addFirst(p);
    }

    /** Adds a request with a body after everything else, also after the offsets. */
    void append(PendingRequest p) {
        if (unread.isEmpty()) {
            addLast(p);
        } else {
            unread.getLast().behind().add(p);
        }
    }

    private Deque<PendingRequest> deque() {
        if (loaded == null) {
            loaded = new ArrayDeque<>(1);
        }
        return loaded;
    }

    /** The first, if its body is in memory. */
    Optional<PendingRequest> head() {
        return loaded == null ? Optional.empty() : Optional.ofNullable(loaded.peekFirst());
    }

    Optional<PendingRequest> removeFirst() {
        return taken(loaded == null ? null : loaded.pollFirst());
    }

    private Optional<PendingRequest> taken(@Nullable PendingRequest p) {
        if (loaded != null && loaded.isEmpty()) {
            loaded = null;
        }
        return Optional.ofNullable(p);
    }

    /** The number of requests with bodies that come before all others. */
    public int loaded() {
        return loaded == null ? 0 : loaded.size();
    }

    /** The requests with bodies that come before all others. */
    Iterable<PendingRequest> bodies() {
        return loaded == null ? List.of() : loaded;
    }

    /** Adds an offset after everything else. */
    void append(Assignment assignment, long offset) {
        Unread behind = unread.isEmpty() ? null : unread.getLast();
        if (behind == null || behind.assignment() != assignment || !behind.behind().isEmpty()) {
            behind = new Unread(assignment);
            unread.add(behind);
        }
        behind.offsets().addLast(offset);
    }

    /** The next requests without bodies. */
    public Optional<Unread> unread() {
        return unread.isEmpty() ? Optional.empty() : Optional.of(unread.getFirst());
    }

    /** Whether this offset is the next one without a body. */
    boolean nextUnread(Assignment assignment, long offset) {
        return !unread.isEmpty() && unread.getFirst().assignment() == assignment
                && unread.getFirst().offsets().first() == offset;
    }

    /** Removes the next offset without a body, because the request was added with its body, or is gone. */
    void removeFirstUnread() {
        Unread first = unread.getFirst();
        first.offsets().removeFirst();
        if (first.offsets().isEmpty()) {
            unread.removeFirst();
            first.behind().forEach(this::addLast);
        }
    }

    /**
     * Drops the body of the last request before the offsets that has one and whose state is all in the log. The order
     * remains.
     */
    Optional<PendingRequest> unload() {
        Deque<PendingRequest> unique = new ArrayDeque<>(0);
        while (loaded != null && !loaded.isEmpty() && loaded.getLast().unique()) {
            unique.addFirst(loaded.removeLast());
        }
        PendingRequest last = loaded == null ? null : loaded.pollLast();
        if (last == null) {
            unique.forEach(this::addLast);
            return taken(null);
        }
        if (unread.isEmpty() || unread.getFirst().assignment() != last.assignment() || !unique.isEmpty()) {
            unread.addFirst(new Unread(last.assignment()));
        }
        unread.getFirst().offsets().addFirst(last.offset());
        unread.getFirst().behind().addAll(0, unique);
        return taken(last);
    }

    /**
     * Removes requests of an assignment, by their offsets, except those that were tried.
     *
     * @param removed gets those with bodies
     * @return the offsets that were removed
     */
    Set<Long> take(Assignment assignment, Set<Long> offsets, Consumer<PendingRequest> removed) {
        Set<Long> taken = new HashSet<>();
        if (loaded != null) {
            remove(loaded, p -> p.assignment() == assignment && offsets.contains(p.offset()) && !p.tried(), p -> {
                taken.add(p.offset());
                removed.accept(p);
            });
        }
        for (Unread part : unread) {
            if (part.assignment() == assignment) {
                taken.addAll(part.offsets().removeAll(offsets));
            }
        }
        while (!unread.isEmpty() && unread.getFirst().offsets().isEmpty()) {
            unread.removeFirst().behind().forEach(this::addLast);
        }
        for (int i = 1; i < unread.size(); i++) {
            if (unread.get(i).offsets().isEmpty()) {
                unread.get(i - 1).behind().addAll(unread.remove(i--).behind());
            }
        }
        taken(null);
        return taken;
    }

    /** Removes matching requests; true if there was any. {@code removed} gets those with bodies. */
    boolean removeIf(Predicate<PendingRequest> gone, Consumer<PendingRequest> removed) {
        boolean any = loaded != null && remove(loaded, gone, removed);
        List<Unread> rest = new ArrayList<>(1);
        for (Unread part : unread) {
            any |= remove(part.behind(), gone, removed) || part.assignment().ended();
            if (!part.assignment().ended()) {
                rest.add(part);
            } else if (rest.isEmpty()) {
                part.behind().forEach(this::addLast);
            } else {
                rest.getLast().behind().addAll(part.behind());
            }
        }
        if (rest.size() < unread.size()) {
            unread.clear();
            unread.addAll(rest);
        }
        taken(null);
        return any;
    }

    private static boolean remove(Collection<PendingRequest> from, Predicate<PendingRequest> gone,
            Consumer<PendingRequest> removed) {
        return from.removeIf(p -> {
            boolean goes = gone.test(p);
            if (goes) {
                removed.accept(p);
            }
            return goes;
        });
    }

    /** The number of requests of which only the offset is kept. */
    long unreadCount() {
        return unread.stream().mapToLong(u -> u.offsets().size()).sum();
    }

    /** The number of all requests. */
    long size() {
        return loaded() + unread.stream().mapToLong(u -> u.offsets().size() + u.behind().size()).sum();
    }

    /** A request with its place: the number of requests before it. */
    record Place(PendingRequest request, long ahead) {}

    /** The request of a URL, if its body is in memory. */
    Optional<Place> find(RequestKey key) {
        long ahead = 0;
        for (PendingRequest p : bodies()) {
            if (p.key().equals(key)) {
                return Optional.of(new Place(p, ahead));
            }
            ahead++;
        }
        for (Unread part : unread) {
            ahead += part.offsets().size();
            for (PendingRequest p : part.behind()) {
                if (p.key().equals(key)) {
                    return Optional.of(new Place(p, ahead));
                }
                ahead++;
            }
        }
        return Optional.empty();
    }

    boolean isEmpty() { return loaded == null && unread.isEmpty(); }
}
