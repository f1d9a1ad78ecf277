package io.trawl.pipeline.chunk;

import io.trawl.pipeline.chunk.TextBlock.BlockKind;
import java.text.BreakIterator;
import java.util.List;
import java.util.Locale;

/**
 * Parts blocks into units. A block that fits into a chunk with the headings right above it is one unit, unless
 * {@code fine}, since no boundary within it would be used. A larger one is parted into lines or sentences, and what is
 * still too large into words; a word that is too large is parted where a hash of the characters before says so. Not
 * thread-safe.
 */
final class UnitSplitter {
    private static final int WINDOW = 4;
    private static final int LONGEST_PIECE = 16;
    /** Of the pieces of a character with many marks. */
    private static final int LONGEST = 64;
    private static final int PIECE_MASK = 7;
    /** Sentences are looked for in so many characters at a time. */
    private static final int MOST_AT_ONCE = 1 << 16;
    private final String text;
    private final List<TextBlock> blocks;
    private final int most;
    private final boolean fine;
    private final BreakIterator sentences;
    private final Units units = new Units();
    private int block;
    private int boundary;

    /** @param most tokens of a unit */
    UnitSplitter(String text, List<TextBlock> blocks, int most, boolean fine, Locale locale) {
        this.text = text;
        this.blocks = blocks;
        this.most = most;
        this.fine = fine;
        this.sentences = BreakIterator.getSentenceInstance(locale);
    }

    /** The units of all blocks. */
    Units units() {
        int headings = 0;
        for (block = 0; block < blocks.size(); block++) {
            TextBlock part = blocks.get(block);
            boundary = boundary(block);
            int tokens = TokenCount.of(text, part.start(), part.end());
            boolean whole = headings + tokens <= most && !fine;
            headings = part.kind() == BlockKind.HEADING ? headings + tokens : 0;
            if (whole) {
                units.add(part.start(), block, boundary, tokens);
            } else if (part.ofLines()) {
                lines(part);
            } else if (part.kind() == BlockKind.HEADING) {
                unit(part.start(), part.end(), most, most);
            } else {
                sentences(part);
            }
        }
        return units;
    }

    private int boundary(int index) {
        TextBlock here = blocks.get(index);
        if (index == 0) {
            return Units.heading(1);
        }
        TextBlock before = blocks.get(index - 1);
        if (before.kind() == BlockKind.HEADING) {
            return Units.GLUE;
        }
        if (here.kind() == BlockKind.HEADING) {
            return Units.heading(here.level());
        }
        // Plain text has an item behind the first line of a paragraph, Markdown only behind other items of its list.
        return here.kind() == BlockKind.ITEM && (before.kind() == BlockKind.ITEM || before.end() + 1 == here.start())
                ? Units.LINE
                : Units.BLOCK;
    }

    /** The lines of code with the fences beside them, or the rows of a table with its head before them. */
    private void lines(TextBlock part) {
        int open = TokenCount.of(part.open(), 0, part.open().length());
        int close = TokenCount.of(part.close(), 0, part.close().length());
        boolean code = part.kind() == BlockKind.CODE;
        int last = code ? text.lastIndexOf('\n', part.end() - 1) : part.end();
        int start = part.start();
        int end = code ? lineEnd(part.inner() + 1) : part.inner() > start ? part.inner() : lineEnd(start);
        while (start < part.end()) {
            int stop = end >= last ? part.end() : end;
            int limit = most - (start == part.start() ? 0 : open) - (stop == part.end() ? 0 : close);
            unit(start, stop, limit, most - open - close);
            boundary = !code && stop == part.inner() ? Units.GLUE : Units.LINE;
            start = stop + 1;
            end = lineEnd(start);
        }
    }

    private int lineEnd(int from) {
        int feed = text.indexOf('\n', from);
        return feed < 0 ? text.length() : feed;
    }

    private void sentences(TextBlock part) {
        for (int from = part.start(); from < part.end();) {
            int to = Math.min(part.end(), from + MOST_AT_ONCE);
            sentences.setText(text.substring(from, to));
            int first = sentences.first();
            for (int next = sentences.next(); next != BreakIterator.DONE; next = sentences.next()) {
                unit(from + first, from + next, most, most);
                boundary = Units.SENTENCE;
                first = next;
            }
            from = to;
        }
    }

    /** A unit, or the words of it if it is too large. @param ofWords the most tokens of one of them */
    private void unit(int start, int end, int limit, int ofWords) {
        int tokens = TokenCount.of(text, start, end);
        if (tokens <= limit) {
            add(start, tokens);
            return;
        }
        for (int from = start; from < end;) {
            int to = wordEnd(from, end);
            word(from, to, ofWords);
            from = to;
        }
    }

    private void add(int start, int tokens) {
        units.add(start, block, boundary, tokens);
        boundary = Units.WORD;
    }

    /** Behind the next word and the white space behind it. */
    private int wordEnd(int from, int end) {
        int i = from;
        while (i < end && TokenCount.isSpace(text.charAt(i))) {
            i++;
        }
        while (i < end && !TokenCount.isSpace(text.charAt(i))) {
            i++;
        }
        while (i < end && TokenCount.isSpace(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private void word(int start, int end, int limit) {
        int tokens = TokenCount.of(text, start, end);
        if (tokens <= limit) {
            add(start, tokens);
            return;
        }
        for (int from = start; from < end;) {
            int to = pieceEnd(from, end);
            add(from, TokenCount.of(text, from, to));
            from = to;
        }
    }

    /** Where a hash of the last characters ends it, or it is long; rarely within a character. */
    private int pieceEnd(int from, int end) {
        int i = from + 1;
        while (i < end && (i - from < LONGEST_PIECE && (mix(i) & PIECE_MASK) != 0 || i - from < LONGEST && within(i))) {
            i++;
        }
        return i;
    }

    /** Whether a character goes on at an index, with the other half of its surrogate pair or with a mark. */
    private boolean within(int i) {
        return Character.isLowSurrogate(text.charAt(i))
                || Character.getType(text.charAt(i)) == Character.NON_SPACING_MARK;
    }

    private int mix(int to) {
        int hash = 1;
        for (int i = Math.max(0, to - WINDOW); i < to; i++) {
            hash = (hash ^ text.charAt(i)) * 0x01000193;
        }
        return hash ^ hash >>> 15;
    }
}
