package io.trawl.pipeline.changes;

import io.trawl.pipeline.changes.KeyLine.KeyState;
import io.trawl.pipeline.changes.LineSorter.SortedLines;
import java.io.IOException;
import java.util.Optional;

/** The sorted lines of the keys of a run, one after the other. Not thread-safe. */
final class KeyReader {
    private final SortedLines lines;
    private Optional<KeyLine> head;

    KeyReader(SortedLines lines) throws IOException {
        this.lines = lines;
        this.head = lines.next().map(KeyLine::parse);
    }

    /** The next line; empty at the end. */
    Optional<KeyLine> head() {
        return head;
    }

    /** What became of a page, if that comes next, and goes on to its items. */
    Optional<KeyLine> fate(String page) throws IOException {
        Optional<KeyLine> fate = next(page).filter(line -> line.state() != KeyState.STORED);
        while (next(page).filter(line -> line.state() != KeyState.STORED).isPresent()) {
            advance();
        }
        return fate;
    }

    /** The key of the next line, if it is of this page. */
    Optional<String> key(String page) {
        return next(page).map(KeyLine::key);
    }

    /** The item with this key, if it comes next. One that is there twice, since facts were lost, counts once. */
    Optional<KeyLine> take(String key) throws IOException {
        Optional<KeyLine> taken = head.filter(line -> line.key().equals(key));
        while (head.filter(line -> line.key().equals(key)).isPresent()) {
            advance();
        }
        return taken;
    }

    /** The next line, if it is of this page. */
    Optional<KeyLine> next(String page) {
        return head.filter(line -> line.page().equals(page));
    }

    /** Goes on to the next line. */
    void advance() throws IOException {
        head = lines.next().map(KeyLine::parse);
    }
}
