package io.trawl.downloader.frontier;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pending requests of one host and one priority: first some whose bodies are in memory, then those of which only the offsets are. Made for a hundred
 * thousand of its kind: what is empty takes no memory. Belongs to the frontier's thread.
 */
final class LevelQueue {
    private @Nullable Deque<Pending> loaded;
    /** One, but for records that were written to a partition that is not their host's. */
    private final List<Unread> unread = new ArrayList<>(1);

    /** Offsets of one tenure. */
    record Unread(Tenure tenure, OffsetQueue offsets) {}

    void addLast(Pending p) {
        deque().addLast(p);
    }

    void addFirst(Pending p) {
        deque().addFirst(p);
    }

    private Deque<Pending> deque() {
        if (loaded == null) {
            loaded = new ArrayDeque<>(1);
        }
        return loaded;
    }

    /** The first, if its body is in memory. */
    Optional<Pending> head() {
        return loaded == null ? Optional.empty() : Optional.ofNullable(loaded.peekFirst());
    }

    Optional<Pending> removeFirst() {
        return taken(loaded == null ? null : loaded.pollFirst());
    }

    private Optional<Pending> taken(@Nullable Pending p) {
        if (loaded != null && loaded.isEmpty()) {
            loaded = null;
        }
        return Optional.ofNullable(p);
    }

    int loaded() {
        return loaded == null ? 0 : loaded.size();
    }

    Iterable<Pending> bodies() {
        return loaded == null ? List.of() : loaded;
    }

    /** Adds an offset behind everything else. */
    void append(Tenure tenure, long offset) {
        Unread behind = unread.isEmpty() ? null : unread.getLast();
        if (behind == null || behind.tenure() != tenure) {
            behind = new Unread(tenure, new OffsetQueue());
            unread.add(behind);
        }
        behind.offsets().addLast(offset);
    }

    /** Those whose turn is next of those without bodies. */
    Optional<Unread> unread() {
        return unread.isEmpty() ? Optional.empty() : Optional.of(unread.getFirst());
    }

    /** Whether this offset is the next one without a body. */
    boolean nextUnread(Tenure tenure, long offset) {
        return !unread.isEmpty() && unread.getFirst().tenure() == tenure && unread.getFirst().offsets().first() == offset;
    }

    /** The next one without a body has one now, or never will. */
    void removeFirstUnread() {
        OffsetQueue offsets = unread.getFirst().offsets();
        offsets.removeFirst();
        if (offsets.isEmpty()) {
            unread.removeFirst();
        }
    }

    /** Forgets the body of the last request that has one, if the log still says all about it; its place in the order stays. */
    Optional<Pending> unload() {
        Pending last = loaded == null ? null : loaded.peekLast();
        if (loaded == null || last == null || last.unique()) {
            return Optional.empty();
        }
        loaded.removeLast();
        if (unread.isEmpty() || unread.getFirst().tenure() != last.tenure()) {
            unread.addFirst(new Unread(last.tenure(), new OffsetQueue()));
        }
        unread.getFirst().offsets().addFirst(last.offset());
        return taken(last);
    }

    /** Whether any was removed; {@code removed} is told of those with bodies. */
    boolean removeIf(Predicate<Pending> gone, Consumer<Pending> removed) {
        boolean any = unread.removeIf(u -> u.tenure().ended());
        if (loaded != null) {
            for (Iterator<Pending> all = loaded.iterator(); all.hasNext();) {
                Pending p = all.next();
                if (gone.test(p)) {
                    all.remove();
                    removed.accept(p);
                    any = true;
                }
            }
            taken(null);
        }
        return any;
    }

    /** Those of which only the offset is kept. */
    long unreadCount() {
        return unread.stream().mapToLong(u -> u.offsets().size()).sum();
    }

    boolean isEmpty() { return loaded == null && unread.isEmpty(); }

    /** What the offsets take of memory beyond a fixed amount, in bytes. */
    int room() {
        return unread.stream().mapToInt(u -> u.offsets().room()).sum();
    }
}
