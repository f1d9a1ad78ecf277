package io.trawl.pipeline.chunk;

/**
 * A block of a text: what stands between two boundaries that are stronger than those within it. Offsets are of the
 * text; the blank lines between two blocks belong to neither.
 *
 * @param start of its first line
 * @param end behind its last line, without the line feed
 * @param level of a heading, from 1 to 6; else 0
 * @param inner where its first line ends that may not be parted from what is before it: that of a fence or the rule
 * below the head of a table; else its start
 * @param open what a part of it begins with that has not its beginning, such as a fence or the head of a table
 * @param close what a part of it ends with that has not its end
 */
record TextBlock(BlockKind kind, int start, int end, int level, int inner, String open, String close) {
    /** What a block is. */
    enum BlockKind {
        /** A heading. */
        HEADING,
        /** A paragraph, a quote or anything else. */
        TEXT,
        /** A line of plain text, or an item of a list: what follows in the same list is nearer than another block. */
        ITEM,
        /** Lines of code between fences. */
        CODE,
        /** Rows of a table. */
        TABLE
    }

    /** A block whose parts need nothing added. */
    static TextBlock of(BlockKind kind, int start, int end) {
        return new TextBlock(kind, start, end, 0, start, "", "");
    }

    /** Whether it is made of lines that are never parted if they fit. */
    boolean ofLines() {
        return kind == BlockKind.CODE || kind == BlockKind.TABLE;
    }
}
