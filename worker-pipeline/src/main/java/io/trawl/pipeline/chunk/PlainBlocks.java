package io.trawl.pipeline.chunk;

import io.trawl.pipeline.chunk.TextBlock.BlockKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the blocks of plain text: its lines. Blank lines part more than the ends of lines do. A form feed ends a line,
 * and a page. Stateless.
 */
final class PlainBlocks {
    private PlainBlocks() {}

    /** The lines that are not blank. A line behind a blank one is a paragraph, others are as items of a list. */
    static List<TextBlock> of(String text) {
        List<TextBlock> blocks = new ArrayList<>();
        boolean blank = true;
        for (int at = 0; at < text.length();) {
            int end = lineEnd(text, at);
            if (isBlank(text, at, end)) {
                blank = true;
            } else {
                blocks.add(TextBlock.of(blank ? BlockKind.TEXT : BlockKind.ITEM, at, end));
                blank = false;
            }
            at = end + 1;
        }
        return blocks;
    }

    private static int lineEnd(String text, int from) {
        int i = from;
        while (i < text.length() && text.charAt(i) != '\n' && text.charAt(i) != TextChunk.FORM_FEED) {
            i++;
        }
        return i;
    }

    private static boolean isBlank(String text, int from, int to) {
        int i = from;
        while (i < to && TokenCount.isSpace(text.charAt(i))) {
            i++;
        }
        return i == to;
    }
}
