package io.trawl.pipeline.changes;

import io.trawl.pipeline.changes.KeyLine.KeyState;
import io.trawl.pipeline.changes.LineSorter.SortedLines;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The keys of all pages that there are after a refresh: a page of which it has stored nothing, or only a failure, is
 * what it was before. Holds the lines of one page. Not thread-safe.
 */
final class PresentKeys implements SortedLines {
    private final KeyReader before;
    private final KeyReader now;
    private final Deque<KeyLine> page = new ArrayDeque<>();

    /**
     * @param before the keys of the run whose pages were visited
     * @param now what the visits have stored
     */
    PresentKeys(SortedLines before, SortedLines now) throws IOException {
        this.before = new KeyReader(before);
        this.now = new KeyReader(now);
    }

    @Override
    public Optional<String> next() throws IOException {
        if (page.isEmpty()) {
            Optional<String> first = Stream.of(before.head(), now.head()).flatMap(Optional::stream).map(KeyLine::page)
                    .sorted().findFirst();
            if (first.isPresent()) {
                page.addAll(present(lines(before, first.get()), lines(now, first.get())));
            }
        }
        return Optional.ofNullable(page.poll()).map(KeyLine::toString);
    }

    private static List<KeyLine> lines(KeyReader reader, String page) throws IOException {
        List<KeyLine> lines = new ArrayList<>();
        for (Optional<KeyLine> line = reader.next(page); line.isPresent(); line = reader.next(page)) {
            lines.add(line.get());
            reader.advance();
        }
        return lines;
    }

    private static List<KeyLine> present(List<KeyLine> old, List<KeyLine> told) {
        boolean tells = told.stream().anyMatch(line -> line.state() == KeyState.STORED || line.away());
        return tells || old.stream().noneMatch(line -> line.state() == KeyState.STORED) && !told.isEmpty() ? told : old;
    }
}
