package io.trawl.pipeline.changes;

import io.trawl.pipeline.changes.LineSorter.SortedLines;
import java.io.IOException;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Merges the sorted keys of two runs, page by page. Holds no more than a line of each. Not thread-safe. */
public final class RunComparison {
    private final KeyReader before;
    private final KeyReader now;
    private final ChangeListener changes;
    private final Map<ChangeKind, Long> counts = new EnumMap<>(ChangeKind.class);
    private long unchanged;

    /** Takes the changes, in the order of keys. */
    @FunctionalInterface
    public interface ChangeListener {
        /** Takes one. */
        void take(RunChange change) throws IOException;
    }

    private RunComparison(SortedLines before, SortedLines now, ChangeListener changes) throws IOException {
        this.before = new KeyReader(before);
        this.now = new KeyReader(now);
        this.changes = changes;
    }

    /**
     * Compares the keys of two runs.
     *
     * @param since the epoch of the run before
     * @throws IllegalArgumentException if a line is no line of keys
     */
    public static ChangeCounts of(int since, SortedLines before, SortedLines now, ChangeListener changes)
            throws IOException {
        RunComparison comparison = new RunComparison(before, now, changes);
        for (Optional<String> page = comparison.page(); page.isPresent(); page = comparison.page()) {
            comparison.compare(page.get());
        }
        return ChangeCounts.of(since, comparison.counts, comparison.unchanged);
    }

    /** The next page of either run; empty at the end. */
    private Optional<String> page() {
        return first(before.head().map(KeyLine::page), now.head().map(KeyLine::page));
    }

    private static Optional<String> first(Optional<String> one, Optional<String> other) {
        return Stream.of(one, other).flatMap(Optional::stream).min(Comparator.naturalOrder());
    }

    private void compare(String page) throws IOException {
        // A page with items may have lost one of them, which says nothing about others.
        boolean wasGone = before.fate(page).filter(KeyLine::away).isPresent() && before.key(page).isEmpty();
        Optional<KeyLine> fate = now.fate(page);
        boolean stored = now.key(page).isPresent();
        for (Optional<String> key = first(before.key(page), now.key(page)); key
                .isPresent(); key = first(before.key(page), now.key(page))) {
            Optional<KeyLine> older = before.take(key.get());
            Optional<KeyLine> newer = now.take(key.get());
            if (newer.isPresent()) {
                found(newer.get(), older, wasGone);
            } else if (older.isPresent()) {
                lost(older.get(), stored, fate);
            }
        }
    }

    private void found(KeyLine item, Optional<KeyLine> older, boolean wasGone) throws IOException {
        if (older.filter(line -> line.digest().equals(item.digest())).isPresent()) {
            unchanged++;
        } else {
            ChangeKind unknown = wasGone ? ChangeKind.BACK : ChangeKind.NEW;
            ChangeKind known = item.told().equals(KeyLine.TOUCHED) ? ChangeKind.TOUCHED : ChangeKind.CHANGED;
            count(older.isPresent() ? known : unknown, item, Optional.of(item.id()));
        }
    }

    /** @param stored whether the page has items now */
    private void lost(KeyLine item, boolean stored, Optional<KeyLine> fate) throws IOException {
        Optional<KeyLine> now = fate.filter(_ -> !stored);
        ChangeKind change = stored ? ChangeKind.GONE : now.map(line -> switch (line.state()) {
            case FAILED -> ChangeKind.FAILED;
            case GONE -> ChangeKind.GONE;
            case MOVED -> ChangeKind.MOVED;
            case STORED -> throw new IllegalStateException("an item is no fate");
        }).orElse(ChangeKind.UNLINKED);
        count(change, item, now.map(KeyLine::id));
    }

    private void count(ChangeKind change, KeyLine item, Optional<String> id) throws IOException {
        counts.merge(change, 1L, Long::sum);
        changes.take(new RunChange(change, item.url(), item.key(), KeyLine.present(item.name()),
                id.flatMap(KeyLine::present)));
    }
}
